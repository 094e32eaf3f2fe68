"""Reading a JSON body within a limit, with the status code that says what is wrong with it."""

import json
from typing import TypeVar

from fastapi import HTTPException
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

BODY_LIMIT_BYTES = 64 * 1024
Model = TypeVar("Model", bound=BaseModel)


async def read_json(request: Request, model: type[Model], *, limit_bytes: int = BODY_LIMIT_BYTES) -> Model:
    """Read and check a JSON object.

    Raises:
        HTTPException: 413 larger than `limit_bytes`; 422 not JSON, not UTF-8, nested too deep, or not of the form.
    """
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > limit_bytes:
            raise HTTPException(413, f"the body is larger than {limit_bytes} bytes")
    try:
        return model.model_validate(json.loads(body.decode("utf-8")))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'body'}: {e['msg']}" for e in error.errors())
        raise HTTPException(422, wrong) from None
    except (ValueError, RecursionError):
        raise HTTPException(422, "the body is not a JSON object in UTF-8") from None
