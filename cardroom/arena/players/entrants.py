"""The entrants of a simulation: a bot and, where the game has them, the side deck it brings.

Seats of one bot are one entrant, as it makes no difference which of them wins. With side decks
every seat is an entrant of its own: then the decks are what is compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from cardroom.arena.errors import BadRequest
from cardroom.rules.bot import Bot
from cardroom.rules.errors import BadSideDeck
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options, Setup

SideDecks: TypeAlias = tuple[tuple[str, ...], ...]  # one a seat


@dataclass(frozen=True)
class Entrant:
    """``name`` is what its figures are kept under."""

    name: str
    bot: Bot[Any]
    side_deck: tuple[str, ...] | None = None

    def setup(self) -> Setup:
        return Setup(name=self.bot.name, bot=self.bot.slug, side_deck=self.side_deck)


def entrants(bots: Sequence[Bot[Any]], side_decks: SideDecks = ()) -> tuple[Entrant, ...]:
    """One a seat, in the order asked for."""
    names = entrant_names([bot.slug for bot in bots], side_decks)
    if not side_decks:
        return tuple(map(Entrant, names, bots))
    return tuple(map(Entrant, names, bots, side_decks))


def entrant_names(bots: Sequence[str], side_decks: SideDecks = ()) -> tuple[str, ...]:
    """A bot's own name; with side decks numbered (``random 1``) where several seats have it."""
    if not side_decks:
        return tuple(bots)
    return tuple(
        f"{bot} {seat}" if bots.count(bot) > 1 else bot for seat, bot in enumerate(bots, start=1)
    )


def check_side_decks(
    game: AnyGame, options: Options, bots: Sequence[str], side_decks: SideDecks
) -> None:
    """``BadRequest`` unless there is a legal side deck for every seat, or none at all."""
    if not side_decks:
        return
    if not game.needs_side_deck:
        raise BadRequest(f"{game.name} is played without side decks.")
    if len(side_decks) != len(bots):
        raise BadRequest(f"{len(side_decks)} side decks are given for {len(bots)} seats.")
    for bot, deck in zip(bots, side_decks, strict=True):
        try:
            game.complete_setup(options, Setup(name=bot, bot=bot, side_deck=deck))
        except BadSideDeck as error:
            raise BadRequest(str(error)) from None


def rotations(seated: Sequence[Entrant]) -> tuple[tuple[Entrant, ...], ...]:
    """Every different seating that comes of moving all entrants round the table."""
    turned = (tuple(seated[shift:]) + tuple(seated[:shift]) for shift in range(len(seated)))
    return tuple({tuple(each.name for each in seating): seating for seating in turned}.values())
