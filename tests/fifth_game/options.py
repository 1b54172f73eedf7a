from typing import Annotated

from msgspec import Meta

from cardroom.rules.option import option
from cardroom.rules.text import say
from cardroom.rules.values import Options


class HighCardOptions(Options, frozen=True, kw_only=True):
    players: Annotated[int, Meta(ge=2, le=5), option(say("Players"), say("Number of seats."))] = 2
