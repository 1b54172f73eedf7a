"""No card of another hand or of the stock is told to a seat before it is public (leaks.py)."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from games.rules.contract.witnesses import Witnesses
from games.rules.game import AnyGame
from games.rules.values import Options, Step
from tests.rules.playing import FUZZING, Sitting, every_game_and_a_fifth, examples, positions

PLIES = 400 if FUZZING else 120


@every_game_and_a_fifth
@examples(12)
@given(data=st.data())
def test_no_seat_is_told_what_another_holds_or_what_lies_unseen(game, data):
    for leaks in judged(game, positions(game, data, PLIES)):
        assert leaks == []


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
        told = {
            reader: [msgspec.to_builtins(event.seen_by(reader)) for event in step.events]
            for reader in witnesses.readers
        }
        views = {r: msgspec.to_builtins(game.view(step.state, r)) for r in witnesses.readers}
        decks = sitting.history[-1].decks
        yield witnesses.leaks(step.state, step.move, told, views, decks)
