"""The two forms of a stream: Server-Sent Events for browsers, lines of JSON for programs."""

from typing import Final, Protocol

RETRY_MILLISECONDS: Final = 1000


class Form(Protocol):
    content_type: str
    opening: bytes  # the first bytes of a stream
    keep_alive: bytes  # a message without content

    def message(self, kind: str, name: str, text: bytes) -> bytes:
        """A message: its kind, the name to resume after, its JSON without line breaks."""


class ServerSentEvents:
    content_type = "text/event-stream"
    opening = b"retry: %d\n\n" % RETRY_MILLISECONDS
    keep_alive = b":\n\n"

    def message(self, kind: str, name: str, text: bytes) -> bytes:
        named = f"id: {name}\n" if name else ""
        return f"{named}event: {kind}\ndata: ".encode() + text + b"\n\n"


class Lines:
    """NDJSON; the kind and the name stand in the JSON."""

    content_type = "application/x-ndjson"
    opening = b""
    keep_alive = b"\n"

    def message(self, _kind: str, _name: str, text: bytes) -> bytes:
        return text + b"\n"


EVENTS: Final = ServerSentEvents()
LINES: Final = Lines()


def form_for(accept: str) -> Form:
    """The form that an ``Accept`` header asks for."""
    return LINES if LINES.content_type in accept.lower() else EVENTS
