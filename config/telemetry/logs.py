"""How log lines look; the settings name only the level and the format."""

import logging
from typing import Any

import structlog

from config.telemetry import lines, outages
from config.telemetry.folding import Folding
from config.telemetry.work import add_request_id

SHARED: list[structlog.typing.Processor] = [
    add_request_id,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def logging_config(level: str, shape: str) -> dict[str, Any]:
    """The LOGGING setting for lines of `json` (for machines) or `text` (for people)."""
    lines.configure(wanted=level in ("DEBUG", "INFO"), json=shape == "json")
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    # No line says which thread wrote it: looking that up costs more than the rest of a record.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    outages.in_a_line,
                    *_renderers(shape),
                ],
            },
        },
        "filters": {"folded": {"()": Folding}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["folded"],
            },
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            # A 4xx is a line of its request; its path may hold a secret.
            "django.request": {"level": "ERROR"},
            # Whole SQL statements with their values: states and seeds would be among them.
            "django.db.backends": {"level": "WARNING"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            # Its debug lines hold codes, tokens and secrets of programs.
            "oauthlib": {"level": "INFO"},
        },
    }


def _renderers(shape: str) -> list[structlog.typing.Processor]:
    if shape == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    # Plain tracebacks: rich ones would print the values of local variables.
    return [
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        )
    ]
