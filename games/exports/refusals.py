"""Why an export was refused."""

from config.refusals import NotFound, Refusal


class NoSuchExport(NotFound):
    """There is no such export, or it is not yours."""


class NoSuchArchive(NotFound):
    """There is no archive of this day. GET /api/v1/archives lists those that are kept."""


class ExportNotFinished(Refusal, status=409):
    """The file is still being written. Ask for the export until it is finished."""


class TooManyExports(Refusal, status=409, members={"limit": int}):
    """You have as many exports as one account may have. Delete one, or wait until one expires."""
