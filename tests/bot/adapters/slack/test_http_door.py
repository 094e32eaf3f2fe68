"""Signed HTTP: what is refused with which status, and that nothing hostile becomes a 500 (case G4, G1)."""

import json
import time

import httpx
import pytest
from fastapi import FastAPI

from bot.adapters.slack import SlackParts, build_client, build_slack_app, mount_slack
from retrieval.redaction import Redactor
from tests.bot.adapters.slack.conftest import Desk
from tests.fake_state import FakeClock, FakeThreadStore, FakeWorkQueue
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import SECRET, Json, command_fields, event_body, mention, sign, signed_form, signed_json
from tests.web_server import serving, stalled_post

JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


async def _post(desk: Desk, raw: bytes, headers: dict[str, str]) -> httpx.Response:
    return await desk.http.post("/slack/events", content=raw, headers=headers)


def _headers(raw: bytes, **changed: str) -> dict[str, str]:
    return {**JSON, **sign(raw), **changed}


async def test_unsigned_bodies_get_401(desk: Desk) -> None:
    """Without a valid signature every body is refused before it is read."""
    raw = json.dumps(event_body(mention("hi"))).encode()
    for headers in (JSON, _headers(raw + b" "), {**JSON, **sign(raw, secret="another")}):
        assert (await _post(desk, raw, headers)).status_code == 401
    assert desk.queue.attempts == 0


@pytest.mark.parametrize("age_s", [-360, 360])
async def test_old_and_future_time_stamps_get_401(desk: Desk, age_s: int) -> None:
    """A stamp six minutes off in either direction is a replay."""
    raw = json.dumps(event_body(mention("hi"))).encode()
    headers = {**JSON, **sign(raw, timestamp=str(int(time.time()) + age_s))}
    assert (await _post(desk, raw, headers)).status_code == 401


@pytest.mark.parametrize("stamp", ["abc", "", "1_0", " 12", "1e9", "9" * 400, "-1", "0x10"])
async def test_odd_time_stamps_get_401(desk: Desk, stamp: str) -> None:
    """A stamp that is no plain number is refused, also with a signature over it."""
    raw = json.dumps(event_body(mention("hi"))).encode()
    assert (await _post(desk, raw, {**JSON, **sign(raw, timestamp=stamp)})).status_code == 401


async def test_odd_and_repeated_signatures_get_401(desk: Desk) -> None:
    """Non-ASCII, short or repeated proof headers are refused."""
    raw = json.dumps(event_body(mention("hi"))).encode()
    good = sign(raw)
    for signature in ("v0=\u00e9", "v0=", "v1=" + "0" * 64):
        headers = [(k.encode(), v.encode("latin-1")) for k, v in {**good, "x-slack-signature": signature}.items()]
        answer = await desk.http.post("/slack/events", content=raw, headers=headers)
        assert answer.status_code == 401
    doubled = [*good.items(), ("x-slack-request-timestamp", "abc")]
    assert (await desk.http.post("/slack/events", content=raw, headers=doubled)).status_code == 401


async def test_reserialised_body_gets_401(desk: Desk) -> None:
    """The proof is over the bytes: the same JSON written differently is another body."""
    raw, headers = signed_json(event_body(mention("hi")))
    assert (await _post(desk, json.dumps(json.loads(raw), indent=1).encode(), headers)).status_code == 401


async def test_forged_ssl_check_does_no_work(desk: Desk) -> None:
    """`ssl_check=1` unsigned is 401; signed it is 200 and nothing more, even with a question beside it."""
    raw, headers = signed_form(command_fields("why?", ssl_check="1"))
    assert (await _post(desk, raw, FORM)).status_code == 401
    assert (await _post(desk, raw, headers)).status_code == 200
    assert desk.queue.attempts == 0


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"not json",
        b"[1, 2]",
        b"null",
        b'"text"',
        b"",
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"1" * 10_000,
        b"{}",
        b"\xff\xfe{}",
        b'{"authorizations": 5}',
        b'{"team": 7, "type": "event_callback"}',
        b'{"authorizations": [3]}',
        b'{"user": 5}',
        b'{"response_urls": 1}',
        b'{"type": "event_callback", "event": null}',
        b'{"type": "event_callback", "event": 7}',
        b'{"type": "block_actions", "actions": 5}',
        b'{"type": "block_actions", "actions": []}',
        b'{"type": "view_submission", "view": null}',
        b'{"type": "interactive_message", "callback_id": "a"}',
        b'{"type": "workflow_step_edit", "callback_id": "a"}',
    ],
)
async def test_signed_malformed_json_gets_400(desk: Desk, raw: bytes) -> None:
    """A signed body that is no object of Slack's form is a 400, never a 500."""
    assert (await _post(desk, raw, _headers(raw))).status_code == 400


@pytest.mark.parametrize("raw", [b"payload=", b"payload=[1]", b"payload=%7B", b"&" * 10, b"a=1&" * 300])
async def test_signed_malformed_form_gets_400(desk: Desk, raw: bytes) -> None:
    """A form without a readable object is a 400."""
    assert (await _post(desk, raw, {**FORM, **sign(raw)})).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        {"type": "event_callback", "event": "x"},
        {
            "type": "event_callback",
            "event": {"type": "message", "text": 5, "user": "U0ANA", "channel": "C1", "ts": "1.1"},
        },
        {"type": "event_callback", "event": {"type": ["message"], "subtype": {}}},
        {"type": {"a": 1}},
        {"type": "view_submission", "view": {"state": None}},
        {"command": ["/kb"], "text": {"a": 1}},
        {"type": "url_verification", "challenge": 3},
    ],
)
async def test_odd_shapes_get_200(desk: Desk, body: Json) -> None:
    """Signed objects of an unexpected shape are acknowledged: delivering them again would change nothing."""
    assert (await desk.event(body)).status_code == 200


async def test_lone_surrogates_are_stored_as_text(desk: Desk) -> None:
    """Half a character in the text cannot break the store."""
    await desk.event(event_body(mention("broken \ud83d half")))
    assert desk.queue.messages[0].text.encode()


async def test_large_bodies_get_413(desk: Desk) -> None:
    """More than a megabyte is refused while it is read."""
    raw = b'{"a": "' + b"x" * 1_100_000 + b'"}'
    assert (await _post(desk, raw, _headers(raw))).status_code == 413


@pytest.mark.parametrize("path", ["/slack/interactivity", "/slack/commands"])
async def test_every_path_refuses_what_bolt_cannot_read(desk: Desk, path: str) -> None:
    """A signed form with an action that is none is a 400 on the other paths too."""
    raw, headers = signed_form({"payload": json.dumps({"type": "block_actions", "actions": 5})})
    assert (await desk.http.post(path, content=raw, headers=headers)).status_code == 400


async def test_a_body_that_stops_coming_is_given_up(peer: SlackPeer) -> None:
    """A sender of three bytes, signed or not, gets 408 and holds no connection."""
    web = FastAPI()
    parts = SlackParts(FakeWorkQueue(), FakeThreadStore(), Redactor(), FakeClock())
    slack = build_slack_app(build_client("xoxb", base_url=peer.base_url), parts, signing_secret=SECRET)
    mount_slack(web, slack, body_timeout_s=0.05)
    async with serving(web) as client:
        assert "408" in await stalled_post(client, "/slack/events")


async def test_other_methods_are_refused(desk: Desk) -> None:
    """Only POST is served."""
    assert (await desk.http.get("/slack/events")).status_code == 405


async def test_url_verification(desk: Desk, peer: SlackPeer) -> None:
    """A signed challenge is given back without asking Slack anything; an unsigned one is refused."""
    body = {"type": "url_verification", "challenge": "c1", "token": "t"}
    answer = await desk.event(body)
    assert (answer.status_code, answer.json()) == (200, {"challenge": "c1"})
    assert (await _post(desk, json.dumps(body).encode(), JSON)).status_code == 401
    assert peer.calls == []


async def test_interactions_get_their_200(desk: Desk) -> None:
    """A button nobody listens to is acknowledged."""
    raw, headers = signed_form({"payload": json.dumps({"type": "block_actions", "user": {"id": "U0ANA"}})})
    assert (await desk.http.post("/slack/interactivity", content=raw, headers=headers)).status_code == 200


async def test_state_away_is_500_and_the_retry_is_answered_once(desk: Desk) -> None:
    """While Redis is away the event is not acknowledged; Slack's retry is then taken, once."""
    body = event_body(mention("why?"))
    desk.queue.is_down = True
    assert (await desk.event(body)).status_code == 500
    desk.queue.is_down = False
    assert [(await desk.event(body, retry=n)).status_code for n in (1, 2)] == [200, 200]
    assert len(desk.queue.messages) == 1


async def test_store_that_hangs_is_500_in_time(peer: SlackPeer) -> None:
    """An enqueue that never returns is given up before Slack's three seconds are over."""

    class HangingQueue(FakeWorkQueue):
        async def enqueue(self, message: object, *, claims: object) -> bool:
            import asyncio

            await asyncio.Event().wait()
            return True

    client = build_client("xoxb", base_url=peer.base_url)
    parts = SlackParts(HangingQueue(), FakeThreadStore(), Redactor(), FakeClock())
    slack = build_slack_app(client, parts, signing_secret=SECRET, enqueue_timeout_s=0.05)
    web = FastAPI()
    mount_slack(web, slack)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=web), base_url="http://bot.test") as http:
        raw, headers = signed_json(event_body(mention("why?")))
        assert (await http.post("/slack/events", content=raw, headers=headers)).status_code == 500


@pytest.mark.parametrize("secret", ["", "  "])
def test_empty_secret_is_refused_at_start(secret: str) -> None:
    """An empty signing secret would let anybody sign."""
    parts = SlackParts(FakeWorkQueue(), FakeThreadStore(), Redactor(), FakeClock())
    with pytest.raises(ValueError, match="SLACK_SIGNING_SECRET"):
        build_slack_app(build_client("xoxb", base_url="http://127.0.0.1:9/api"), parts, signing_secret=secret)


def test_http_needs_a_secret() -> None:
    """An application built for Socket Mode cannot be mounted by mistake."""
    parts = SlackParts(FakeWorkQueue(), FakeThreadStore(), Redactor(), FakeClock())
    slack = build_slack_app(build_client("xoxb", base_url="http://127.0.0.1:9/api/"), parts)
    with pytest.raises(ValueError, match="SLACK_SIGNING_SECRET"):
        mount_slack(FastAPI(), slack)


async def test_nothing_of_a_body_is_logged(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """Neither a forged nor a failing nor an accepted delivery leaves its words in the log."""
    caplog.set_level(0)
    body = event_body(mention("secret-word-4711"))
    raw, headers = signed_json(body)
    await desk.event(body)
    await _post(desk, raw, {**headers, "x-slack-signature": "v0=" + "0" * 64})
    desk.queue.is_down = True
    await desk.event(event_body(mention("secret-word-4711")))
    assert "secret-word-4711" not in caplog.text
    assert "StateUnavailable" in caplog.text
