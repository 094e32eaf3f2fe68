"""A logger for Slack's libraries, which write request bodies into their warnings."""

import logging

_NAME = "bot.adapters.slack.vendor"


class _WithoutContent(logging.Filter):
    """Leaves of a record only who wrote it and the class of the error: texts may hold a message or a token."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[0] if isinstance(record.exc_info, tuple) else None
        record.msg = f"{record.name}.{record.funcName}" + (f" raised {error.__name__}" if error else "")
        record.args = ()
        record.exc_info = record.exc_text = record.stack_info = None
        return True


def quiet_logger() -> logging.Logger:
    """Give the one logger that bolt and the SDK get; warnings and worse, without content."""
    logger = logging.getLogger(_NAME)
    if not logger.filters:
        logger.addFilter(_WithoutContent())
    logger.setLevel(logging.WARNING)
    return logger
