"""Why matches are not mirrored."""

from config.refusals import Refusal


class CannotBeMirrored(Refusal, status=422):
    """Such a match cannot be mirrored."""


class NotMirrored(Refusal, status=404):
    """This match is not mirrored."""
