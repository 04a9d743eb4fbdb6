"""Logging: one line per message, as text or JSON, without secrets."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

# Values logged under these names are replaced.
SECRET = frozenset(
    [
        "token",
        "code",
        "cookie",
        "cookies",
        "secret",
        "secret_key",
        "seed",
        "salt",
        "nonce",
        "password",
        "table_password",
        "authorization",
        "link",
        "hash",
        "url",
        "database_url",
        "headers",
        "saved",
        "entry",
        "move",
        "moves",
        "draft",
        "lifted",
        "hand",
        "private",
    ]
)


def hide(logger: Any, method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """structlog processor: replaces secret values."""
    for key in [key for key in line if key.lower() in SECRET]:
        line[key] = "…"
    return line


def set_up(level: str = "info", format: str = "text") -> None:
    """Configure logging. Tracebacks omit local variables, which may contain cards and tokens."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        hide,
    ]
    if format == "json":
        frames = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        last: list[Any] = [structlog.processors.ExceptionRenderer(frames), structlog.processors.JSONRenderer()]
    else:
        plain = structlog.dev.plain_traceback
        last = [structlog.dev.ConsoleRenderer(colors=sys.stdout.isatty(), exception_formatter=plain)]
    structlog.configure(
        processors=[
            *shared,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last]
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # uvicorn's info lines contain paths, and paths contain tokens.
    for noisy in ("sqlalchemy", "aiosqlite", "alembic", "asyncio", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(noisy)
        logger.setLevel(logging.WARNING)
        logger.handlers[:], logger.propagate = [], True
    logging.getLogger("uvicorn.error").addFilter(without_traceback)
    logging.getLogger("uvicorn.access").disabled = True


def without_traceback(record: logging.LogRecord) -> bool:
    """A filter: text that is no UTF-8 is a client's mistake, of which uvicorn logs a traceback."""
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
    return True


def get(name: str) -> structlog.stdlib.BoundLogger:
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger
