"""Replies reach the asking thread, with citations, whole, and with typed errors."""

from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest
from pydantic import SecretStr

from bot.adapters.teams import BotTokens, TeamsCloud, TeamsPoster
from bot.adapters.teams.poster import translated
from bot.adapters.teams.render import LIMIT_UNITS, safe_markdown
from bot.errors import PlatformUnavailable, ReplyRejected
from bot.messages import (
    AcceptedMessage,
    Answer,
    Citation,
    Hit,
    MessageId,
    Mode,
    Notice,
    NoticeKind,
    Outcome,
    Platform,
    Reply,
    ThreadRef,
    Triage,
)
from retrieval.redaction import RedactedText
from tests.peers.teams_connector import CHANNEL, CLIENT_ID, CLIENT_SECRET, TENANT_ID, Fault, TeamsConnector

text = RedactedText.stored


@pytest.fixture
async def peer() -> AsyncIterator[TeamsConnector]:
    """Start the peer."""
    async with TeamsConnector() as started:
        yield started


@pytest.fixture
async def poster(peer: TeamsConnector) -> AsyncIterator[TeamsPoster]:
    """Build a poster that logs in at the peer."""
    built = _poster(peer, CLIENT_SECRET)
    yield built
    await built.close()


def _poster(peer: TeamsConnector, secret: str) -> TeamsPoster:
    cloud = TeamsCloud(login_url=peer.login_url)
    tokens = BotTokens(client_id=CLIENT_ID, client_secret=SecretStr(secret), tenant_id=TENANT_ID, cloud=cloud)
    return TeamsPoster(tokens)


def _reply(peer: TeamsConnector, answer: Answer) -> Reply:
    message = AcceptedMessage(
        MessageId("teams:m1"),
        ThreadRef(Platform.TEAMS, TENANT_ID, CHANNEL, "1700000000001"),
        "ana",
        text("how?"),
        1000.0,
        routing=(("service_url", peer.service_url), ("root", "1700000000001"), ("files", "screen.png")),
    )
    return Reply(message, answer)


CITED = Citation(
    1, "kb-101", "article", text("Reset the PIN"), "https://help.x.example/kb-101", "2026-01-02", text("Open")
)
ANSWER = Answer(Outcome.ANSWERED, text("Open the menu. [1]"), "en", "r1", citations=(CITED,))


async def test_the_reply_goes_into_the_thread_with_its_citation(peer: TeamsConnector, poster: TeamsPoster) -> None:
    """The post names the thread's root, the text holds the id, and an entity explains the marker."""
    assert await poster.post(_reply(peer, ANSWER)) == "sent-1"
    sent = peer.activities[0]
    assert sent.conversation == f"{CHANNEL};messageid=1700000000001"
    assert "Open the menu. [1]" in sent.body["text"]
    assert "kb-101 Reset the PIN" in sent.body["text"]
    assert "screen.png" in sent.body["text"]
    claim = sent.body["entities"][0]["citation"][0]
    assert claim["position"] == 1
    assert claim["appearance"]["url"] == "https://help.x.example/kb-101"


async def test_a_model_answer_is_labelled_as_such(peer: TeamsConnector, poster: TeamsPoster) -> None:
    """Only words of a model carry the label."""
    await poster.post(_reply(peer, ANSWER))
    await poster.post(_reply(peer, replace(ANSWER, mode=Mode.MODEL)))
    labels = ["AIGeneratedContent" in str(sent.body) for sent in peer.activities]
    assert labels == [False, True]


async def test_everything_beside_the_answer_is_said(peer: TeamsConnector, poster: TeamsPoster) -> None:
    """Notices, queue, next step and similar tickets stand below the answer."""
    triage = Triage("billing", 0.8, ("t-1",), text("Refund it"), ("t-1", "t-2"))
    notice = Notice(NoticeKind.STALE, ("kb-101",), text("kb-101 is *old*"))
    await poster.post(_reply(peer, replace(ANSWER, triage=triage, notices=(notice,))))
    posted = peer.activities[0].body["text"]
    assert "billing" in posted
    assert "Refund it" in posted
    assert "t-1, t-2" in posted
    assert r"kb-101 is \*old\*" in posted


async def test_the_nearest_are_named_when_nothing_fits(peer: TeamsConnector, poster: TeamsPoster) -> None:
    """The text of a no-match names the closest sources; they are not listed a second time, and none is cited."""
    near = Hit("kb-140", "kb-140#0", text("Printers"), 1.0, 0.8, 0.5, 0.2, used=False)
    said = text("Nothing found.\nClosest, but not an answer: kb-140 · Printers")
    await poster.post(_reply(peer, Answer(Outcome.NO_MATCH, said, "en", "r", nearest=(near,))))
    assert peer.activities[0].body["text"].count("kb-140 · Printers") == 1
    assert peer.activities[0].body["text"].count("kb-140") == 1
    assert "entities" not in peer.activities[0].body


async def test_an_empty_answer_posts_nothing(peer: TeamsConnector, poster: TeamsPoster) -> None:
    """Courtesy in silence is no message."""
    reply = _reply(peer, Answer(Outcome.COURTESY, text(""), "en", "r"))
    silent = Reply(replace(reply.message, routing=()), reply.answer)
    assert await poster.post(silent) == ""
    assert peer.activities == []


async def test_sixty_kilobytes_arrive_whole_and_in_order(peer: TeamsConnector, poster: TeamsPoster) -> None:
    """A long answer is split by encoded size, all parts in the same thread, the sources on the last."""
    long = text("\n\n".join(f"{n}. " + "слово " * 60 for n in range(160)))
    await poster.post(_reply(peer, replace(ANSWER, text=long)))
    texts = [sent.body["text"] for sent in peer.activities]
    assert len(texts) > 5
    assert all(len(t.encode("utf-16-le")) // 2 <= LIMIT_UNITS for t in texts)
    assert "kb-101" in texts[-1]
    assert "".join(texts).count("слово") == 160 * 60
    assert {sent.conversation for sent in peer.activities} == {f"{CHANNEL};messageid=1700000000001"}


async def test_one_token_serves_many_posts(peer: TeamsConnector, poster: TeamsPoster) -> None:
    """The login service is asked once."""
    await poster.post(_reply(peer, ANSWER))
    await poster.post(_reply(peer, ANSWER))
    assert peer.logins == 1


@pytest.mark.parametrize(
    ("fault", "error", "retry_after_s"),
    [
        (Fault(429, retry_after="7"), PlatformUnavailable, 7.0),
        (Fault(429, retry_after="soon"), PlatformUnavailable, None),
        (Fault(502), PlatformUnavailable, None),
        (Fault(403), ReplyRejected, None),
        (Fault(404), ReplyRejected, None),
    ],
)
async def test_answers_of_the_connector_become_our_errors(
    peer: TeamsConnector, poster: TeamsPoster, fault: Fault, error: type[Exception], retry_after_s: float | None
) -> None:
    """429 and 5xx may be tried again, with the wait that was asked for; 403 and 404 never will be taken."""
    peer.faults.append(fault)
    with pytest.raises(error) as caught:
        await poster.post(_reply(peer, ANSWER))
    assert getattr(caught.value, "retry_after_s", None) == retry_after_s


async def test_a_wrong_secret_is_a_rejection_and_an_away_login_is_not(peer: TeamsConnector) -> None:
    """The login service's no is final; its absence is not. The secret stands in neither message."""
    poster = _poster(peer, "wrong-secret")
    with pytest.raises(ReplyRejected) as caught:
        await poster.post(_reply(peer, ANSWER))
    assert "wrong-secret" not in str(caught.value)
    peer.is_login_away = True
    with pytest.raises(PlatformUnavailable):
        await poster.post(_reply(peer, ANSWER))
    await poster.close()


async def test_a_connector_that_is_gone_is_unavailable(peer: TeamsConnector, poster: TeamsPoster) -> None:
    """No connection is temporary."""
    reply = _reply(peer, ANSWER)
    dead = replace(reply.message, routing=(("service_url", "http://127.0.0.1:9/"),))
    with pytest.raises(PlatformUnavailable):
        await poster.post(Reply(dead, ANSWER))


def test_every_error_of_the_http_client_is_mapped() -> None:
    """No error class of the client's library leaves the adapter."""
    classes = [c for c in vars(httpx).values() if isinstance(c, type) and issubclass(c, httpx.HTTPError)]
    assert len(classes) > 10
    request = httpx.Request("POST", "http://x.example")
    for error in classes:
        built = (
            error("x", request=request, response=httpx.Response(500, request=request))
            if error is httpx.HTTPStatusError
            else error("x")
        )
        assert isinstance(translated(built), PlatformUnavailable)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("<at>Everyone</at> hello", "&lt;at>Everyone&lt;/at> hello"),
        ("![x](https://evil.example/?d=1)", "x"),
        ("[kb](https://evil.example)", "kb (https://evil.example)"),
        ("`[a](b)` in code", "`[a]\u200b(b)` in code"),
        ("> quoted", "> quoted"),
    ],
)
def test_nothing_in_a_text_can_ping_link_or_show_an_image(given: str, shown: str) -> None:
    """Mentions, images and links of a source become plain text."""
    assert safe_markdown(given) == shown
