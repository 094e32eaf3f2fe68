"""Structured logs: one event a line with fields, never the text of a message."""

import logging
import sys

import structlog


def configure_logs(level: str) -> None:
    """Send structured lines to stderr as JSON; control characters in values are escaped by the JSON form.

    Libraries that log through the standard library are kept to warnings: some of them log whole request bodies.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(message)s")
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(ensure_ascii=True),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
