"""Ports, health and metrics of the two listeners."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.adapters.web.listeners import Listener, PortTaken, bare_application, bind, health_routes
from bot.adapters.web.metrics import AnswerMetrics
from bot.errors import StateUnavailable
from bot.health import Health, check_health
from bot.messages import Answer, Outcome, Usage
from retrieval.errors import IndexMissing
from retrieval.redaction import EMPTY
from tests.web_server import serving


async def _up() -> None:
    return


async def _redis_down() -> None:
    raise StateUnavailable("away")


async def _index_down() -> None:
    raise IndexMissing("none")


async def test_readiness_is_the_sum_of_the_parts() -> None:
    """One part down makes the process not ready, and names the part without versions or secrets."""

    async def check() -> Health:
        return await check_health({"redis": _redis_down, "index": _index_down, "model": _up})

    async with serving(bare_application([health_routes(check, None)])) as client:
        response = await client.get("readyz")
    assert response.status_code == 503
    assert response.json() == {"ready": False, "parts": {"redis": "down", "index": "down", "model": "up"}}


async def test_all_up_is_ready() -> None:
    """Every part up gives 200."""

    async def check() -> Health:
        return await check_health({"redis": _up})

    async with serving(bare_application([health_routes(check, None)])) as client:
        assert (await client.get("readyz")).status_code == 200


async def test_a_fault_in_a_ping_is_not_called_down() -> None:
    """Only typed errors mean down; anything else is a fault that must be seen."""

    async def broken() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await check_health({"redis": broken})


async def test_livez_touches_nothing() -> None:
    """Liveness answers even where no health check exists."""
    async with serving(bare_application([health_routes(None, None)])) as client:
        assert (await client.get("livez")).json() == {"live": True}
        assert (await client.get("readyz")).status_code == 404
        assert (await client.get("docs")).status_code == 404


async def test_metrics_count_answers_without_text() -> None:
    """The exposition counts outcomes, stages and tokens."""
    metrics = AnswerMetrics()
    usage = Usage(input_tokens=10, cached_input_tokens=4, output_tokens=3, calls=1, cost_usd=None)
    answer = Answer(Outcome.NO_MATCH, EMPTY, "en", "r1", usage=usage, timings_ms=(("gate", 2.0), ("total", 9.0)))
    metrics.observe(answer, platform="slack")
    async with serving(bare_application([health_routes(None, metrics)])) as client:
        text = (await client.get("metrics")).text
    assert 'triage_answers_total{mode="extractive",outcome="no_match",platform="slack"} 1.0' in text
    assert 'triage_model_tokens_total{kind="cached_input"} 4.0' in text
    assert 'triage_stage_seconds_count{stage="gate"} 1.0' in text


def test_a_taken_port_is_named_with_its_setting() -> None:
    """A port that was asked for and is taken is an error that says which setting chooses another."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port} .*TRIAGE_PORT"):
            bind("127.0.0.1", port, first_tried=port, setting="TRIAGE_PORT")


def test_the_next_free_port_is_taken() -> None:
    """With port 0 the first free one from the start is bound."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        bound = bind("127.0.0.1", 0, first_tried=port, setting="TRIAGE_PORT")
        try:
            assert bound.getsockname()[1] > port
        finally:
            bound.close()


@asynccontextmanager
async def _limited(**limits: float) -> AsyncIterator[int]:
    """Serve `/livez` with limits and give the port."""
    bound = bind("127.0.0.1", 0, first_tried=20_400, setting="TRIAGE_PORT")
    listener = Listener(bare_application([health_routes(None, None)]), bound, **limits)  # type: ignore[arg-type]
    task = asyncio.create_task(listener.serve_bound())
    try:
        yield bound.getsockname()[1]
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, piece: bytes) -> None:
    """Send a piece every few milliseconds until the server closes the connection."""
    closed = asyncio.ensure_future(reader.read())
    while not closed.done():
        writer.write(piece)
        await asyncio.wait([closed], timeout=0.02)
    writer.close()


HEAD = b"GET /livez HTTP/1.1\r\nHost: x\r\n"


@pytest.mark.parametrize("before", [b"", HEAD, HEAD + b"\r\n" + HEAD])
async def test_a_head_that_never_ends_is_given_up(before: bytes) -> None:
    """A connection with no head or half of one, also after an answered request, is closed in time."""
    async with _limited(head_timeout_s=0.1) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(before)
        async with asyncio.timeout(3):
            said = await reader.read()
        writer.close()
    assert said.count(b"200 OK") == before.count(b"\r\n\r\n")


async def test_bytes_that_trickle_in_gain_no_time() -> None:
    """One header line after another does not keep a connection alive."""
    async with _limited(head_timeout_s=0.1) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD)
        async with asyncio.timeout(3):
            await _trickle(reader, writer, b"X-A: 1\r\n")


async def test_a_body_after_its_answer_is_not_waited_for() -> None:
    """Who is answered early (404 here) and goes on trickling the body is cut off."""
    async with _limited(head_timeout_s=0.1) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /none HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n")
        async with asyncio.timeout(3):
            assert b"404" in await reader.readuntil(b"\r\n\r\n")
            await _trickle(reader, writer, b"x")


async def test_beyond_the_cap_a_connection_gets_503() -> None:
    """Idle connections cannot take all files of the process; who comes too late is told at once."""
    async with _limited(max_connections=3) as port:
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"Connection: close\r\n\r\n")
        async with asyncio.timeout(3):
            assert b"503" in await reader.read()
        for _, other in [*idle, (reader, writer)]:
            other.close()
