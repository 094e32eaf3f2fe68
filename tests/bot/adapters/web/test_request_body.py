"""A body is read within a limit of size and time."""

import pytest
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot.adapters.web.listeners import bare_application
from bot.adapters.web.request_body import BodyRefused, read_body
from tests.web_server import serving, stalled_post


def _router() -> APIRouter:
    router = APIRouter()

    @router.post("/read")
    async def read(request: Request) -> Response:
        try:
            return Response(await read_body(request, limit_bytes=8, timeout_s=0.05))
        except BodyRefused as refusal:
            return JSONResponse({"error": str(refusal)}, status_code=refusal.status)

    return router


@pytest.mark.parametrize(("body", "status"), [(b"", 200), (b"12345678", 200), (b"123456789", 413)])
async def test_the_limit_is_in_bytes(body: bytes, status: int) -> None:
    """A body at the limit is read whole, one byte more is refused."""
    async with serving(bare_application([_router()])) as client:
        response = await client.post("read", content=body)
    assert response.status_code == status
    assert status != 200 or response.content == body


async def test_a_body_that_stops_coming_is_given_up() -> None:
    """The sender gets 408."""
    async with serving(bare_application([_router()])) as client:
        assert "408" in await stalled_post(client, "/read")
