"""No card of another hand or of the stock is named to a seat before it is public."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final

import msgspec

from cardroom.contract.playing.luck import Luck, options_that_meet
from cardroom.contract.playing.sitting import Sitting, positions
from cardroom.contract.reporting.check import check, require
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options, Step
from cardroom.rules.witnesses import Witnesses

PLIES: Final = 120  # of a match in which leaks are looked for


@check("No seat is told a card that another holds or that nobody sees.", examples=12)
def no_card_is_told_too_early(game: AnyGame, luck: Luck) -> None:
    for leaks in judged(game, positions(game, luck, PLIES)):
        require(not leaks, "\n".join(leaks))


@check("Nor under any two of its options that meet.")
def no_two_options_tell_a_card_too_early(game: AnyGame, luck: Luck) -> None:  # noqa: ARG001
    """What differs under rare options only, where they meet: draws of all would seldom find it."""
    for number, options in enumerate(options_that_meet(game)):
        for leaks in leaks_of(game, options, number, PLIES):
            require(not leaks, "\n".join(leaks))


def leaks_of(game: AnyGame, options: Options, number: int, plies: int) -> Iterator[list[str]]:
    """The leaks of each step of one random match."""
    sitting = Sitting.begun(game, options, number)
    return judged(game, sitting.so_far_and(sitting.plies(Random(number), plies)))


def judged(game: AnyGame, steps: Iterable[tuple[Sitting, Step[Any]]]) -> Iterator[list[str]]:
    witnesses = None
    for sitting, step in steps:
        witnesses = witnesses or Witnesses(game, sitting.setups)
        if game.outcome(step.state) is not None:
            return  # what was hidden may be shown at the end
        events = {
            reader: [msgspec.to_builtins(event.seen_by(reader)) for event in step.events]
            for reader in witnesses.readers
        }
        views = {r: msgspec.to_builtins(game.view(step.state, r)) for r in witnesses.readers}
        decks = sitting.history[-1].decks
        yield witnesses.leaks(step.state, step.move, events, views, decks)
