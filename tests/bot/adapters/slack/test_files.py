"""Files with a mention: text is read, redacted and used; of the others the answer says why not (case A7)."""

import time

import pytest

from bot.adapters.slack.fetch_file import LARGEST_BYTES, decoded, is_file_url, telling_lines
from retrieval.passages import GateVerdict
from tests.bot.adapters.slack.counter import Counter, open_counter
from tests.bot.flow_kit import RESET, card
from tests.fakes import FakePassageSource, make_passage
from tests.peers.slack_api import BOT_TOKEN, Fault, Post, SlackPeer
from tests.peers.slack_payloads import CHANNEL, Json, direct_message, mention, next_ts

READER = make_passage(card("kb-106", lang="en"), "Error TL-4012 means that the reader is not paired: pair it again.")
LOG = b"12:00 start\n12:01 ERROR reader TL-4012 not paired for pat@example.com\n"


def _shared(files: list[Json], text: str = "", **fields: object) -> Json:
    return mention(text, subtype="file_share", files=files, **fields)


async def _asked(peer: SlackPeer, event: Json) -> tuple[Post, str, Counter]:
    source = FakePassageSource(READER, RESET)
    async with open_counter(peer, source) as counter:
        counter.desk.clock.time = time.time() + 5
        (post,) = await counter.say(event)
        return post, "\n".join(text for row in source.searched for text in row), counter


async def test_log_file_without_a_word_is_the_question(peer: SlackPeer) -> None:
    """The telling lines are searched, without personal data; nothing is said of a file that was read."""
    post, searched, counter = await _asked(peer, _shared([peer.add_file("till.log", LOG)]))
    assert "TL-4012" in searched
    assert "[EMAIL]" in searched
    assert "pat@example.com" not in searched
    assert "pair it again" in post.shown
    assert "did not read" not in post.shown
    assert all("pat@" not in str(message) for message in counter.desk.queue.messages)


async def test_caption_leans_on_its_file(peer: SlackPeer) -> None:
    """What is asked with a log beside it is about the log, also in a direct message."""
    for made in (mention, direct_message):
        file = peer.add_file("till.log", LOG)
        _, searched, _ = await _asked(peer, made("what does this mean?", subtype="file_share", files=[file]))
        assert "TL-4012" in searched


@pytest.mark.parametrize(
    ("facts", "content", "reason"),
    [
        ({"mimetype": "image/png", "filetype": "png"}, b"\x89PNG", "I cannot read pictures"),
        ({"mimetype": "application/pdf", "filetype": "pdf"}, b"%PDF", "it is not a text file"),
        ({"mimetype": "text/plain"}, b"\x00\x01binary\x00", "it is not a text file"),
        ({"size": LARGEST_BYTES + 1}, b"x", "larger than 200 KB"),
        ({"size": None}, b"x" * (LARGEST_BYTES + 1), "larger than 200 KB"),
        ({"mode": "tombstone"}, b"x", "could not be fetched"),
        ({"url_private_download": "https://evil.example/f", "url_private": ""}, b"x", "could not be fetched"),
        ({"url_private_download": "", "url_private": ""}, b"x", "could not be fetched"),
    ],
)
async def test_unread_files_are_named_with_the_reason(
    peer: SlackPeer, facts: Json, content: bytes, reason: str
) -> None:
    """A picture, another kind, too large, gone or elsewhere: the caption is answered, the file named, the reason given."""
    file = peer.add_file("shot of TL-4012.png", content, **facts)
    post, _, _ = await _asked(peer, _shared([file], "what does TL-4012 on the reader mean?"))
    assert "pair it again" in post.shown
    assert "shot of TL-4012.png" in post.shown
    assert reason in post.shown


async def test_words_about_an_unread_file_are_not_declined(peer: SlackPeer) -> None:
    """Words such as "what does this mean?" below a screenshot are asked back, not declined."""
    file = peer.add_file("screen.png", b"\x89PNG", mimetype="image/png", filetype="png")
    async with open_counter(peer, FakePassageSource(READER, verdict=GateVerdict.DECLINE)) as counter:
        (with_file,) = await counter.say(_shared([file], "what does this mean?"))
        (without,) = await counter.say(mention("what does this mean?"))
    assert with_file.shown.startswith("Which product, page or step is this about")
    assert "I did not read screen.png: I cannot read pictures. Please paste the error text." in with_file.shown
    assert "does not look like a support question" in without.shown


async def test_picture_alone_is_not_met_with_silence(peer: SlackPeer) -> None:
    """Without caption the bot asks for the text of the error and names the file, in the history too."""
    file = peer.add_file("screen.png", b"\x89PNG", mimetype="image/png", filetype="png")
    post, searched, counter = await _asked(peer, _shared([file]))
    assert "I did not read screen.png: I cannot read pictures. Please paste the error text." in post.shown
    assert searched == ""
    (turn,) = next(iter(counter.desk.threads.kept.values()))
    assert "screen.png" in turn[1].answer


@pytest.mark.parametrize("fault", [Fault(error="missing_scope"), Fault(status=500), Fault(error="file_not_found")])
async def test_files_without_the_scope(peer: SlackPeer, fault: Fault) -> None:
    """When Slack does not tell of the file, the caption is answered and the reason given."""
    peer.faults["files.info"] = fault
    post, _, _ = await _asked(peer, _shared([peer.add_file("till.log", LOG)], "what does TL-4012 mean?"))
    assert "till.log: it could not be fetched just now" in post.shown


async def test_page_to_sign_in_is_no_file(peer: SlackPeer) -> None:
    """Without the right token Slack answers 200 with a page; it is not taken for the log."""
    peer.bot_token = "xoxb-another"
    post, searched, _ = await _asked(peer, _shared([peer.add_file("till.log", LOG)], "what does TL-4012 mean?"))
    assert "could not be fetched" in post.shown
    assert "Sign in" not in searched


async def test_token_goes_to_slack_alone(peer: SlackPeer) -> None:
    """A file on another host is not asked for, so nobody there sees the token; a file of ours is asked for with it."""
    async with SlackPeer() as elsewhere:
        foreign = elsewhere.add_file("till.log", LOG)
        peer.files[foreign["id"]] = (foreign, LOG)
        post, _, _ = await _asked(peer, _shared([foreign], "what does TL-4012 mean?"))
        assert "could not be fetched" in post.shown
        assert elsewhere.fetched == []
    own = peer.add_file("till.log", LOG)
    await _asked(peer, _shared([own], "what does TL-4012 mean?"))
    assert peer.fetched == [(own["id"], BOT_TOKEN)]


async def test_three_files_are_read(peer: SlackPeer) -> None:
    """Of many files the first three are read, the others named."""
    files = [peer.add_file(f"part{number}.log", LOG) for number in range(5)]
    post, _, _ = await _asked(peer, _shared(files, "what does TL-4012 mean?"))
    assert [name in post.shown for name in ("part2.log", "part3.log", "part4.log")] == [False, True, True]
    assert "I read three files at most" in post.shown


async def test_files_earlier_in_the_thread_do_not_vanish(peer: SlackPeer) -> None:
    """A log that somebody put up before the mention is read; a picture there is named to the flow."""
    root = next_ts()
    log, picture = peer.add_file("till.log", LOG), peer.add_file("a.png", b"", mimetype="image/png")
    fields = {"files": [log, picture], "subtype": "file_share"}
    peer.posts.append(Post(CHANNEL, root, "", raw={"author": "U0BEN", "fields": fields}))
    post, searched, _ = await _asked(peer, mention("what does this mean?", thread_ts=root))
    assert "TL-4012" in searched
    assert "did not read" not in post.shown


def test_file_hosts() -> None:
    """Slack's own hosts over https, and the configured address by scheme, host and port; nothing that only looks so."""
    slack, peer = "https://slack.com/api/", "http://127.0.0.1:8080/api/"
    assert is_file_url("https://files.slack.com/files-pri/T0-F0/a.log", slack)
    assert is_file_url("http://127.0.0.1:8080/files-pri/a", peer)
    for url, base in (
        ("http://files.slack.com/a", slack),
        ("https://files.slack.com.evil.example/a", slack),
        ("https://files.slack.com@evil.example/a", slack),
        ("https://evil.example/files.slack.com", slack),
        ("https://files.slack.com:8443/a", slack),
        ("https://slack.com/redirect?to=x", slack),
        ("http://127.0.0.1:8081/a", peer),
        ("https://127.0.0.1:8080/a", peer),
        ("https://[bad", slack),
        ("https://files.slack.com:port/a", slack),
        ("", slack),
    ):
        assert not is_file_url(url, base)


def test_telling_lines_of_a_long_log() -> None:
    """Short files stay whole; of long ones the newest lines with errors, repeated ones once; else the newest lines."""
    assert telling_lines("a\n\nb\n") == "a\nb"
    noise = [f"12:{n:02d} poll ok {n}" for n in range(500)]
    log = [
        *noise,
        "ERROR disk full",
        *(f"{n} ERROR retry {n}" for n in range(50)),
        *noise[:100],
        "GET / status=503",
        *noise,
    ]
    assert telling_lines("\n".join(log)) == "ERROR disk full\n49 ERROR retry 49\nGET / status=503"
    assert telling_lines("\n".join(noise)).endswith("12:499 poll ok 499")
    assert len(telling_lines("error " + "x" * 100_000)) == 300


def test_encodings() -> None:
    """UTF-8 with and without a mark, UTF-16 with one; anything with zero bytes or mostly unreadable is no text."""
    assert decoded("\ufeffпомилка".encode()) == "помилка"
    assert decoded("помилка".encode("utf-16")) == "помилка"
    assert decoded(b"\xff\xfe\x00") == ""
    assert decoded(bytes(range(128, 256))) == ""
    assert decoded(b"caf\xe9 " + b"error " * 30).endswith("error ")
