"""Serves an application on a real loopback socket for one test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from starlette.types import ASGIApp

from bot.adapters.listeners import Listener, bind


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
