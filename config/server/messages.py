"""The types of an ASGI application."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Headers = list[tuple[bytes, bytes]]
Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
