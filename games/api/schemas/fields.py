"""Fields that several bodies and answers share."""

from typing import Annotated, Literal

import msgspec

Status = Literal["open", "active", "finished", "aborted"]
Visibility = Literal["public", "unlisted", "private"]
OnTimeout = Literal["resign", "bot_move", "bot_takes_over"]
Reason = Literal["game", "time", "busy", "generic"]
Version = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
SeatIndex = Annotated[int, msgspec.Meta(ge=0, le=99)]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request body: unknown fields are refused, since they are most often misspelt ones."""


class Nothing(Body, frozen=True):
    pass
