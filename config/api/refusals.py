"""The refusals of the framework itself; each subject has its own."""

from config.refusals import Refusal


class Malformed(Refusal, status=400, title="Malformed request", members={"field": str | None}):
    """The request cannot be read."""


class BadKey(Refusal, status=401):
    """The key is not valid."""


class MethodNotAllowed(Refusal, status=405):
    """This address does not know the method."""


class NotAcceptable(Refusal, status=406):
    """The answer is JSON; accept application/json."""


class BodyTooSlow(Refusal, status=408):
    """The body did not arrive in time. Send it again."""


class BodyTooLarge(Refusal, status=413, members={"limit": int}):
    """The body is larger than 64 KiB."""


class UnsupportedMediaType(Refusal, status=415):
    """Send the body as Content-Type: application/json."""


class Internal(Refusal, status=500, title="Internal error"):
    """Something broke here, not with you."""


class Unavailable(Refusal, status=503):
    """The database is away for a moment; nothing was changed."""
