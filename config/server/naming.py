"""Puts the id of a request into its answer, whichever part of the service answers.

uvicorn writes the headers of its configuration into every response; here each response gets one
more, without a wrapper around ``send`` (`config.server.uvicorn_internals`). Under another server
there is a wrapper.
"""

from typing import Final

from config.server.messages import Message, Scope, Send
from config.server.uvicorn_internals import cycle_of
from config.telemetry.work import HEADER, new_id

REQUEST_ID: Final = b"x-request-id"


def named(scope: Scope, send: Send) -> Send:
    """Gives the request its id; the returned ``send`` puts it into the answer."""
    scope[HEADER] = request_id = new_id()
    header = REQUEST_ID, request_id.encode()
    cycle = cycle_of(send)
    if cycle is not None:
        cycle.default_headers = [*cycle.default_headers, header]
        return send

    async def naming(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), header]}
        await send(message)

    return naming
