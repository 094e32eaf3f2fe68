"""Reading a body within a limit of size and time, with the status code that says what is wrong with it."""

import asyncio
import json
from typing import TypeVar

from fastapi import HTTPException
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from starlette.requests import Request

BODY_LIMIT_BYTES = 64 * 1024
# A body of a few hundred kilobytes is here in far less; who sends three bytes and waits holds a connection.
BODY_TIMEOUT_S = 10.0
Model = TypeVar("Model", bound=BaseModel)


class BodyRefused(Exception):
    """The body is too large or came too slowly; `status` is 413 or 408, the text says which to the caller."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


async def read_body(request: Request, *, limit_bytes: int, timeout_s: float = BODY_TIMEOUT_S) -> bytes:
    """Read a body whole.

    Raises:
        BodyRefused: it is larger than `limit_bytes`, or not here after `timeout_s` seconds.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(timeout_s):
            async for piece in request.stream():
                body += piece
                if len(body) > limit_bytes:
                    raise BodyRefused(413, f"the body is larger than {limit_bytes} bytes")
    except TimeoutError:
        raise BodyRefused(408, f"the body did not come within {timeout_s:g} seconds") from None
    return bytes(body)


async def read_json(request: Request, model: type[Model], *, limit_bytes: int = BODY_LIMIT_BYTES) -> Model:
    """Read and check a JSON object.

    Raises:
        HTTPException: 413 larger than `limit_bytes`; 408 too slow; 422 not JSON, not UTF-8, nested too deep, or not of
            the form.
    """
    try:
        body = await read_body(request, limit_bytes=limit_bytes)
    except BodyRefused as refusal:
        raise HTTPException(refusal.status, str(refusal)) from None
    try:
        return model.model_validate(json.loads(body.decode("utf-8")))
    except ValidationError as error:
        raise HTTPException(422, "; ".join(map(_told, error.errors()))) from None
    except (ValueError, RecursionError):
        raise HTTPException(422, "the body is not a JSON object in UTF-8") from None


def _told(error: ErrorDetails) -> str:
    """Say where the body is wrong and how; pydantic's own words for no object name the class behind the form."""
    where = ".".join(map(str, error["loc"])) or "body"
    return f"{where}: must be a JSON object" if "class_name" in error.get("ctx", {}) else f"{where}: {error['msg']}"
