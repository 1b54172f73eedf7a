"""The id of a request in its answer, whoever gives the answer.

uvicorn writes the headers of its configuration into every response; here each response gets one
more, so that no application pays for a wrapper around ``send``. Under another server there is one.
"""

from typing import Final

from config.server.messages import Message, Scope, Send
from config.server.uvicorn_internals import cycle_of
from config.telemetry.work import HEADER, new_id

REQUEST_ID: Final = b"x-request-id"


def named(scope: Scope, send: Send) -> Send:
    """Gives the request its id; ``send`` then says it."""
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
