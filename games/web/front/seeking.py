"""The panel "Play somebody": what a form sends, and who waits for what."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from games.language import words
from games.lobby.models import Seek
from games.lobby.paces import CLOCKS, NORMAL, PACES, find_pace
from games.lobby.seeking import MOST_SEATS, Wish
from games.lobby.selectors import Queue, queues, waiting

COMPUTERS_AFTER: Final = [
    ("", _("Never: people only")),
    ("30", _("After 30 seconds")),
    ("60", _("After a minute")),
    ("180", _("After 3 minutes")),
]
SEATS: Final = [str(number) for number in range(2, MOST_SEATS + 1)]
OFFERED: Final = (*PACES[:2], *CLOCKS, *PACES[2:])
_SLUGS: Final = frozenset(pace.slug for pace in OFFERED)


def wish_of(game: AnyGame, sent: Mapping[str, str]) -> Wish:
    """What a form asks for; anything odd in it is as usual."""
    seats, after = sent.get("seats", ""), sent.get("computers_after", "")
    pace = sent.get("pace", "")
    chosen = find_pace(pace) if pace in _SLUGS else NORMAL
    return Wish(
        game=game.slug,
        pace=chosen.slug,
        clock=chosen.clock,
        preset=game.quick_preset,
        rated="unrated" not in sent,
        seats=int(seats) if seats in SEATS else None,
        computers_after=int(after) if after and after in dict(COMPUTERS_AFTER) else None,
    )


@dataclass(frozen=True)
class Somebody:
    """A game of the panel; ``waiting`` are all who wait for it, ``seconds`` how long it took."""

    game: AnyGame
    waiting: int
    seconds: int | None


@dataclass(frozen=True)
class WaitingPeople:
    """Others who wait for a game at a pace, of which ``words`` tell."""

    game: AnyGame
    pace: str
    words: str
    waiting: int


@dataclass(frozen=True)
class Panel:
    """``own`` are the seeks of the reader, with the words of their pace; ``queues`` the others'."""

    games: list[Somebody]
    paces: list[tuple[str, str]]
    own: list[tuple[Seek, str]]
    queues: list[WaitingPeople]

    pace = NORMAL.slug
    seats = SEATS
    computers_after = COMPUTERS_AFTER


def panel(user: UUID | None) -> Panel:
    waiting_queues = queues()
    games = [_somebody(game, waiting_queues) for game in catalog.GAMES]
    rows = waiting().filter(account=user).order_by("created_at") if user else ()
    own = [seek for seek in rows if seek.is_known]
    paces = [(pace.slug, words(pace.name)) for pace in OFFERED]
    own_seeks = [(seek, words(seek.named_pace.name)) for seek in own]
    return Panel(games, paces, own_seeks, _others(waiting_queues, own))


def _others(waiting_queues: list[Queue], own: list[Seek]) -> list[WaitingPeople]:
    """The queues without the reader, who does not wait for themselves."""
    mine = Counter((seek.game, seek.pace) for seek in own)
    offered = {game.slug: game for game in catalog.GAMES}
    return [
        WaitingPeople(offered[one.game], one.pace, words(find_pace(one.pace).name), others)
        for one in waiting_queues
        if one.game in offered and one.pace in _SLUGS
        if (others := one.waiting - mine[one.game, one.pace]) > 0
    ]


def _somebody(game: AnyGame, waiting_queues: list[Queue]) -> Somebody:
    own = [one for one in waiting_queues if one.game == game.slug]
    seconds = [one.seconds for one in own if one.seconds is not None]
    return Somebody(game, sum(one.waiting for one in own), min(seconds, default=None))
