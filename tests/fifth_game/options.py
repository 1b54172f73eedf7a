from typing import Annotated

from msgspec import Meta

from games.rules.values import Options


class HighCardOptions(Options, frozen=True, kw_only=True):
    players: Annotated[int, Meta(ge=2, le=5, description="Number of seats.")] = 2
