"""Secrets: tokens by their form, passwords and codes by the words before them."""

import pytest

from retrieval.redaction import Redactor

REDACTOR = Redactor()


def _redacted(text: str) -> str:
    return str(REDACTOR.redact(text).text)


TOKENS = (
    "tlr_live_4Vd9sQx7Lm2KcW8hTz3RbN6p",
    "AKIAIOSFODNN7EXAMPLE", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "github_pat_11AAAAAAA0abcdefghij_klmnopqrst", "glpat-AbCdEfGhIjKlMnOpQrSt",
    "xoxb-1234567890-abcdefGHIJ", "xapp-1-A0123-456-abcdef", "sk_live_abcDEF123456", "rk_test_abcDEF123456", "whsec_abcdefghijklmnop1234",
    "sk-ant-api03-abcdefGHIJ1234567890", "sk-proj-abcdefGHIJ1234567890", "AIzaSyA1234567890abcdefghijklmnopqrstu", "GOCSPX-abcdefghij0123456789kl",
    "ya29.a0AfH6SMBabcdefgh", "SG.abcdefghijklmnop.qrstuvwxyz0123456789ABCDEF", "SK0123456789abcdef0123456789abcdef", "npm_abcdefghijklmnopqrstuvwxyz0123456789",
    "pypi-AgEIcHlwaS5vcmcabcdefghijklmnop", "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "shpat_0123456789abcdef0123456789abcdef", "123456789:AAabcdefghijklmnopqrstuvwxyz0123456", "lin_api_abcdefghijklmnopqrstuvwx",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N", "eyJhbGc...", "hvs.CAESIabcdefghijklmnopqrst", "glsa_abcdefghijklmnopqrst_01234567",
    "xkeysib-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef-abcdefghijklmnop",
)  # fmt: skip


def test_the_secret_beside_a_key_id() -> None:
    """The pair of an AWS key is hidden whole, however it is written on its line; forty letters alone are no secret."""
    secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    for between in (" ", ":", ", ", "\n", " / "):
        assert _redacted(f"keys AKIAIOSFODNN7EXAMPLE{between}{secret}!") == f"keys [SECRET]{between}[SECRET]!"
    assert _redacted(f"see {secret}") == f"see {secret}"


@pytest.mark.parametrize("token", TOKENS)
def test_tokens_with_a_prefix(token: str) -> None:
    """A vendor's token is hidden wherever it stands."""
    assert _redacted(f"I used {token} for it") == "I used [SECRET] for it"
    assert token not in _redacted(f"x={token}&y=1")


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("postgres://app:Zx9kLm2@db.local/x", "postgres://app:[SECRET]@db.local/x"),
        ("redis://:Sup3r@10.0.0.5:6379", "redis://:[SECRET]@10.0.0.5:6379"),
        ("Authorization: Bearer abcdef1234567890", "Authorization: Bearer [SECRET]"),
        ("Basic dXNlcjpwYXNzd29yZA==", "Basic [SECRET]"),
        ("AccountKey=abcdEFGH0123456789abcd==;", "AccountKey=[SECRET];"),
        ("curl -u admin:Pa55word http://x.io", "curl -u admin:[SECRET] http://x.io"),
        ("a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb", "a\n[SECRET]\nb"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE cut", "[SECRET]"),
        ("https://user:<password>@host", "https://user:<password>@host"),
        (
            "bearer authentication, basic functionality, Basic Client/Server",
            "bearer authentication, basic functionality, Basic Client/Server",
        ),
    ],
)
def test_places_of_secrets(text: str, redacted: str) -> None:
    """Key blocks, passwords in addresses, headers and commands; placeholders and phrases stay."""
    assert _redacted(text) == redacted


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("password: hunter2", "password: [SECRET]"),
        ("password: banana, please", "password: [SECRET], please"),
        ("the password for the portal is Blue77Sky", "the password for the portal is [SECRET]"),
        ('"password": "bobspw1"', '"password": "[SECRET]"'),
        ("<password>Winter9</password>", "<password>[SECRET]</password>"),
        ("?password=demo28806&user=x", "?password=[SECRET]&user=x"),
        ("PGPASSWORD=foo1bar psql", "PGPASSWORD=[SECRET] psql"),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = [SECRET]"),
        ("password (app): abcd efgh ijkl mnop", "password (app): [SECRET]"),
        ("login ivan / Qwe12345", "login ivan / [SECRET]"),
        ("user/password: demo / Demo!2024", "user/password: [SECRET] / [SECRET]"),
        ("мій пароль Qwerty123! не працює", "мій пароль [SECRET] не працює"),
        ("пароль от почты: gfhjkm", "пароль от почты: [SECRET]"),
        ("Das Passwort lautet Sommer2024!", "Das Passwort lautet [SECRET]"),
        ("密码：abc12345", "密码：[SECRET]"),
        ("パスワードはTokyo2024です", "パスワードは[SECRET]"),
        ("PIN 4821, CVV 123", "PIN [SECRET], CVV [SECRET]"),
        ("код підтвердження прийшов 118-204", "код підтвердження прийшов [SECRET]"),
        ("OTP: 118 204", "OTP: [SECRET]"),
        ("TAN 493021", "TAN [SECRET]"),
        ("password = " + "aB3" * 60, "password = [SECRET]"),
        ("Token: 12345678901234", "Token: [SECRET]"),
        ("пароль надіслано на pat@example.com", "пароль надіслано на [EMAIL]"),
        ("Key: Zq81HsWm5YtK0bVxN3cJ.", "Key: [SECRET]."),
        ("ваш ключ — Zq81HsWm5YtK0bVxN3cJ", "ваш ключ — [SECRET]"),
        ("İSTANBUL password: hunter2", "İSTANBUL password: [SECRET]"),
    ],
)
def test_told_secrets(text: str, redacted: str) -> None:
    """What a person gives behind the word goes whole, in prose, forms and code."""
    assert _redacted(text) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "password reset link",
        "the password is incorrect",
        "password: required",
        "Password: must be at least 12 characters",
        "password: your-password",
        "PASSWORD=<your password>",
        "token: YOUR_TOKEN",
        "api_key=xxxxxxxx",
        "secret: ********",
        "password=$DB_PASSWORD",
        "password: {{ password }}",
        "password = os.environ['X']",
        "password=parsed.password,",
        "token lifetime is 3600",
        "the `id-token: write` permission",
        "max tokens: 8192",
        "[access-token]: creating-and-viewing-access-tokens",
        "password_hash: bcrypt12",
        "AWS_ACCESS_KEY_ID={KEY}",
        "CREDENTIALS=\nBUCKET=x1y2z3",
        "- **JWT token validation**: ensure",
        "PIN must be 4 digits",
        "pin 3 messages",
        "a tan 4930 dress",
        "verification code expires in 3600 seconds",
        "access code since 2024",
        "backup codes (8-character alphanumeric)",
        "see https://x.io/reset-password/help",
        "пароль має містити 8 символів",
        "password password password: password:",
        "token 00000000-0000-0000-0000-000000000000",
        "user / settings1 page",
        "the key is to restart the service",
        "key 9e107d9d372bb6826bd81d3542a419d6 and primary key users_pkey_2024_index",
    ],
)
def test_talk_of_secrets_stays(text: str) -> None:
    """Rules, placeholders, code and talk about secrets hold none."""
    assert _redacted(text) == text
