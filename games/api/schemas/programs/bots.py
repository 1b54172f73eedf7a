"""Bodies and answers of bot accounts."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from config.api.answers import ROOT
from games.api.schemas.fields import Body
from games.bot_accounts.becoming import Manners, Plays
from games.bot_accounts.models import DESCRIPTION_LENGTH
from games.bot_accounts.selectors import Listed

Pace = Literal["blitz", "normal", "slow"]
Slug = Annotated[str, msgspec.Meta(max_length=64)]
Description = Annotated[str, msgspec.Meta(max_length=DESCRIPTION_LENGTH)]
AtOnce = Annotated[int, msgspec.Meta(ge=1, le=50)]
Paces = Annotated[list[Pace], msgspec.Meta(max_length=3)]

Presets = Annotated[list[Slug], msgspec.Meta(max_length=32)]


class PlaysGame(Body, frozen=True):
    """A game; ``presets`` names the rules that are played, empty: any."""

    game: Slug
    presets: Presets = msgspec.field(default_factory=list)

    @property
    def value(self) -> Plays:
        return Plays(self.game, tuple(self.presets))


Games = Annotated[list[PlaysGame], msgspec.Meta(max_length=32)]


class NewBot(Body, frozen=True):
    """``owner`` is the username of the person who answers for the program, and who confirms it.

    ``plays``, ``paces``: what it plays, empty for everything; ``at_once``: how many matches.
    ``seeks``: it may seek a match with anybody; people meet it as a computer.
    """

    owner: Annotated[str, msgspec.Meta(max_length=150)]
    description: Description = ""
    plays: Games = msgspec.field(default_factory=list)
    paces: Paces = msgspec.field(default_factory=list)
    at_once: AtOnce = 1
    seeks: bool = False

    @property
    def manners(self) -> Manners:
        return Manners(
            description=self.description,
            plays=tuple(one.value for one in self.plays),
            paces=tuple(self.paces),
            at_once=self.at_once,
            seeks=self.seeks,
        )


class BotChange(Body, frozen=True):
    """A field that is left out stays as it is."""

    description: Description | UnsetType = UNSET
    plays: Games | UnsetType = UNSET
    paces: Paces | UnsetType = UNSET
    at_once: AtOnce | UnsetType = UNSET
    seeks: bool | UnsetType = UNSET

    @property
    def changes(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        changes = {name: value for name, value in given.items() if value is not UNSET}
        if "plays" in changes:
            changes["plays"] = tuple(one.value for one in changes["plays"])
        return changes


class BotAccount(msgspec.Struct, frozen=True):
    """``status``: ``asked`` until the owner confirms. ``running`` are the matches it plays now;
    ``online``: its stream is open.
    """

    username: str
    name: str
    owner: str
    status: Literal["asked", "confirmed"]
    description: str
    plays: list[PlaysGame]
    paces: list[Pace]
    at_once: int
    seeks: bool
    online: bool
    running: int
    asked_at: datetime
    confirmed_at: datetime | None
    links: dict[str, str]


class BotList(msgspec.Struct, frozen=True):
    """Those that are online first."""

    results: list[BotAccount]


class BotsQuery(msgspec.Struct, frozen=True):
    """``game``: those that play it; ``online``: those that are there and have room."""

    game: Slug = ""
    online: bool = False


def bot_response(listed: Listed) -> BotAccount:
    row = listed.program
    return BotAccount(
        username=row.account.username,
        name=row.account.display_name,
        owner=row.owner.username,
        status="asked" if row.confirmed_at is None else "confirmed",
        description=row.description,
        plays=[PlaysGame(one["game"], list(one["presets"])) for one in row.plays],
        paces=row.paces,  # type: ignore[arg-type]
        at_once=row.at_once,
        seeks=row.seeks,
        online=listed.is_online,
        running=listed.running,
        asked_at=row.asked_at,
        confirmed_at=row.confirmed_at,
        links={"profile": f"{ROOT}users/{row.account.username}"},
    )
