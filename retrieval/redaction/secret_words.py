"""Words that announce a secret, by language, and words that show a value to be none. All in lower case.

Each entry is an expression that begins with a plain letter, so that the table can be searched by first letters.
"""

# A secret of any look is expected behind these.
PASSWORD_WORDS = (
    # English, and what configuration files write in any country
    "password", "passwd", "passphrase", "passcode", "pass code", "pwd", "passwrd", "pasword", "secret", "token", "api[ _-]?key", "access[ _-]?key",
    "secret[ _-]?key", "private[ _-]?key", "client[ _-]?secret", "auth[ _-]?key", "security answer", "recovery (?:code|key|phrase)", "backup codes?",
    "licen[cs]e key", "encryption key", "signing key", "webhook secret", "credentials?", "login details", "seed phrase", "wi-?fi key", "master key",
    # Ukrainian, Russian
    "парол\\w{0,3}", "токен\\w{0,2}", "секретн\\w{1,3} (?:ключ|слово)", "кодов\\w{1,3} слов\\w", "ключ api", "api[ -]ключ\\w?", "ключ доступ[ау]",
    "дан(?:і|ые) (?:для )?вход[ау]", "облікові дані", "уч[её]тные данные", "секрет",
    # German
    "passwort\\w{0,2}", "passwörter", "kennwort\\w{0,2}", "kennwörter", "zugangsdaten", "zugangscode", "api[- ]?schlüssel", "geheimer schlüssel",
    "lizenzschlüssel", "losungswort", "wlan-schlüssel",
    # Polish, Spanish, French, Portuguese, Italian, Dutch, Nordic, Czech, Hungarian, Turkish, Romanian
    "hasł\\w{1,3}", "klucz api", "contraseñ\\w{1,2}", "clave(?: de acceso| secreta)?", "mots? de passe", "mdp", "clé api", "clé secrète", "senha",
    "palavra[- ]passe", "chave (?:de )?api", "parola(?: d'ordine)?", "wachtwoord", "lösenord", "adgangskode", "passord", "salasana", "heslo", "jelszó",
    "şifre", "parolă",
    # Chinese, Japanese, Korean
    "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호",
)  # fmt: skip

_QUALIFIERS = (
    "verification", "confirmation", "authentication", "authenticator", "login", "sms", "one[- ]time", "access", "2fa", "mfa", "otp", "auth", "unlock",
    "door", "security", "card (?:security|verification)",
)  # fmt: skip
# Digits are expected behind these.
CODE_WORDS = (
    *(f"{qualifier} (?:code|pin)" for qualifier in _QUALIFIERS),
    "pin(?:[ -]?(?:code|number|no))?", "puk", "cvv2?", "cvc2?", "csc", "cid code", "card verification (?:value|number)", "one[- ]time pass(?:word|code)",
    "otp", "2fa", "mfa", "totp",
    "п[іи]н(?:[ -]?код\\w{0,2})?", "код\\w{0,2} (?:підтвердження|доступу|безпеки|верифікації|авторизації|із? (?:смс|sms)|з (?:смс|sms|листа))",
    "код\\w{0,2} (?:подтверждения|доступа|безопасности|верификации|авторизации|из (?:смс|sms|письма))", "одноразов\\w{2,3} код", "смс[- ]код", "sms[- ]код",
    "cvv[- ]код", "geheimzahl", "sicherheitscode", "bestätigungscode", "prüf(?:ziffer|nummer)", "kartenprüfnummer", "tan", "einmal(?:code|passwort)",
    "sms[- ]?code", "zugangs[- ]?code", "kod (?:pin|weryfikacyjny|sms|cvv|cvc|dostępu)", "code (?:pin|secret|de (?:vérification|sécurité|confirmation))",
    "c[óo]digo (?:pin|de (?:verificaci[óo]n|seguridad|acceso|verificação|segurança))", "cryptogramme", "验证码", "驗證碼", "認証コード", "인증번호",
)  # fmt: skip
NEEDS_CAPITALS = frozenset({"tan"})  # the English word is a colour

# Between the word and its value: "is", "was", "to" in the languages above.
CONNECTORS = (
    "is", "was", "are", "to", "equals", "it's", "це", "є", "був", "была", "был", "это", "на", "ist", "war", "lautet", "lautete", "heißt", "auf", "to jest",
    "jest", "brzmi", "es", "era", "est", "é", "como", "è", "als", "は", "是", "为", "為",
)  # fmt: skip

# A value of only letters that is one of these, or continues as prose, is none.
_ORDINARY = """required optional none null nil true false yes no hidden empty unset string text here below above invalid incorrect wrong
valid expired missing correct reset changed change forgotten forgot protected policy manager field value example sample default admin user
username root name enabled disabled sensitive encrypted hashed unknown same new old set sent secure strong weak ok okay not the a an your my
our their this that is was for with and or if in on as by to of at from must should can will has cannot redacted removed deleted bearer
basic password secret token key pin code file stdin prompt env environment random generated auto click enter type select see use
невірний неправильний обов'язково порожній ні так скинуто змінено застарів не прострочений потрібен немає правильний
неверный неправильный обязательно пустой нет да сброшен изменён истёк просрочен нужен верный
falsch ungültig erforderlich leer nein ja abgelaufen vergessen geändert zurückgesetzt korrekt nicht richtig
nieprawidłowe wymagane brak nie tak incorrecta requerido requerida obligatorio no sí inválida incorrect obligatoire requis non oui invalide
incorreta obrigatória não sim inválido"""
ORDINARY_VALUES = frozenset(_ORDINARY.split())
# What counts a length, an attempt, a time or things: "password 12 characters", "PIN 4 digits", "pin 3 messages".
UNITS = (
    r"[-\s]?\s?(?:char|digit|symbol|letter|word|day|hour|minute|min\b|second|sec\b|time|attempt|tries|month|year|week|bit|byte|point|step|%|"
    r"post|message|item|user|people|chat|note|file|place|символ|знак|цифр|літер|букв|днів|дн[яе]|годин|хвилин|раз|спроб|час|минут|дней|попыт|"
    r"секунд|місяц|месяц|рок|лет|zeichen|stellen|ziffern|buchstaben|tage|stunden|minuten|mal\b|versuch|znak|cyfr|dni|razy|caract|dígit|"
    r"chiffre|jour|fois|dias|vez)"
)
