"""Structured logs: one event a line with fields, never the text of a message."""

import logging
import sys
from typing import Any

import structlog
from structlog.typing import EventDict, WrappedLogger

_OWN = ("bot", "retrieval", "config", "scripts", "__main__")


def configure_logs(level: str) -> None:
    """Send structured lines to stderr as JSON; control characters in values are escaped by the JSON form.

    Our own loggers log from `level` on. Of a library's warnings only its name and line are kept: some libraries log
    whole request bodies. Of an exception only the class is kept: its text may hold what somebody wrote.
    """
    chain: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.processors.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_texts,
    ]
    structlog.configure(
        processors=[*chain, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    lines = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=chain,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.JSONRenderer(ensure_ascii=True),
        ],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(lines)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in _OWN:
        logging.getLogger(name).setLevel(level.upper())


def _without_texts(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace what a library says by where it says it, and an exception by its class."""
    record = event.get("_record")
    if record is not None and str(event.get("logger", "")).partition(".")[0] not in _OWN:
        event = {
            name: event[name]
            for name in ("logger", "level", "timestamp", "_record", "_from_structlog")
            if name in event
        }
        event["event"] = f"a library logged at {record.module}:{record.lineno}"
    error = event.pop("exc_info", None)
    if isinstance(error, tuple):
        error = error[1]
    if error:
        event["error"] = type(error if isinstance(error, BaseException) else sys.exception()).__name__
    event.pop("stack_info", None)
    return event
