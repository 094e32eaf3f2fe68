"""Serves an application on a real loopback socket for one test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from starlette.types import ASGIApp

from bot.adapters.web.listeners import Listener, bind


async def stalled_post(client: httpx.AsyncClient, path: str, headers: str = "") -> str:
    """Promise 500 bytes, send three, and give the head of what the server answers; 5 seconds at most."""
    reader, writer = await asyncio.open_connection(client.base_url.host, client.base_url.port)
    try:
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n{headers}\r\n"
        writer.write(head.encode() + b"{}{")
        async with asyncio.timeout(5):
            return (await reader.readuntil(b"\r\n\r\n")).decode()
    finally:
        writer.close()


@asynccontextmanager
async def serving(application: ASGIApp) -> AsyncIterator[httpx.AsyncClient]:
    """Serve on a free port and give a client for it."""
    listener = Listener(application, bind("127.0.0.1", 0, first_tried=20_000, setting="TRIAGE_PORT"))
    task = asyncio.create_task(listener.serve_bound())
    try:
        async with httpx.AsyncClient(base_url=listener.address, trust_env=False, timeout=10) as client:
            yield client
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
