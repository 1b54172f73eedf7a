"""The stand-in for a game that stored matches are of and that is not installed.

Lists, seats, scores, the log of moves and records need none of its code: they read what is stored.
A request for more, such as a view or a move, is refused in words. Nothing moves these matches:
no clock, no computer and no clean-up touches them until the game is back.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NoReturn

import msgspec
from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext, gettext_noop, override

from cardroom.rules import catalog
from cardroom.rules.cards import TEXT
from cardroom.rules.game import AnyGame, Game
from cardroom.rules.values import Event, Move, Options, Seat, State, View
from config.refusals import Refusal

NEWEST: Final = 1_000_000  # no version is known by this number, so the newest one answers


class GameNotInstalled(Refusal, status=409):
    """The game of this match is not installed here. The match is kept and goes on when it is."""


@dataclass(frozen=True, eq=False, repr=False)
class AbsentGame(Game[Any, Any, Any]):
    """The facts that doors ask of every stored match; all else is refused."""

    def decode_options(self, data: bytes) -> Any:
        """As they were stored."""
        return msgspec.json.decode(data)

    def decode_state(self, data: bytes) -> NoReturn:
        raise GameNotInstalled

    def decode_events(self, data: bytes) -> tuple[Event, ...]:
        """No events: which part of them is whose secret is not known."""
        return ()

    def by_version(self, number: int) -> "AbsentGame":
        return absent(self.slug, number)


def rules_of(slug: str, version: int) -> AnyGame:
    """The game of a stored match by the version it began with, or what stands for it."""
    try:
        return catalog.begun_by(slug, version)
    except KeyError:
        return absent(slug, version)


@lru_cache(maxsize=64)
def absent(slug: str, version: int) -> AbsentGame:
    return AbsentGame(
        slug=slug,
        name=slug.replace("-", " ").capitalize(),
        summary=GameNotInstalled.sentence(),
        options=Options,
        state=State,
        events=Event,
        start=_refused,
        to_act=_refused,
        legal_moves=_refused,
        play=_refused,
        outcome=_refused,
        view=_view,
        rules_version=version,
        seats=_seats,
        redeal=_refused,
        complete_setup=_refused,
        retired_seats=_refused,
        card_text=_card_text,
        public_move=_public_move,
        needs_side_deck=True,  # nobody knows, so cards of other rounds are kept secret too
    )


def is_absent(game: AnyGame) -> bool:
    return isinstance(game, AbsentGame)


def check_installed(game: AnyGame) -> None:
    """Raises ``GameNotInstalled``."""
    if is_absent(game):
        raise GameNotInstalled


def of_installed_games(prefix: str = "") -> Q:
    """The matches that a clock, a computer or a clean-up may touch; ``prefix``: ``match__``."""
    return Q(**{f"{prefix}game__in": catalog.slugs()})


def duty_values() -> dict[str, Any]:
    """The same for the conditions of duties (``config.tasks.duties``)."""
    return {"games": catalog.slugs()}


def _refused(*_: Any) -> Any:
    raise GameNotInstalled


def _view(_state: Any, _seat: Seat | None) -> View:
    raise GameNotInstalled


def _seats(options: Any) -> int:
    return int(options.get("players", 2))


def _public_move(_move: Move) -> Move:
    """The part that others may know is not known."""
    return ""


def _card_text(card: Any) -> str:
    """Games from outside write their cards like this (``cardroom.rules.outside``)."""
    if isinstance(card, str):
        return str(card)
    if 0 <= card < len(TEXT):
        return str(TEXT[card])
    raise GameNotInstalled


# Names of the house for others than people, in every language: no person goes by such a name.

HIDDEN: Final = gettext_noop("Hidden player")  # of whom a reader may not know the name


def house_names() -> Iterator[str]:
    """The bots by slug and name, and what pages call the computer, their reader and who hides."""
    bots = [bot for game in catalog.GAMES for bot in game.bots]
    yield from (bot.slug for bot in bots)
    for code, _ in settings.LANGUAGES:
        with override(code):
            yield from (gettext(bot.name) for bot in bots)
            yield from (gettext("You"), gettext("Computer"), gettext(HIDDEN))
