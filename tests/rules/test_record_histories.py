"""Records of every history, and what cannot have happened in them (FORMAT.md §2).

Matches are loaded, loaded twice, rolled back, rolled back again and again; each mutant says
something of its decks, rounds or past that does not follow from them.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice, pairwise
from random import Random
from typing import Any

import pytest

from cardroom.rules import catalog, record
from cardroom.rules.game import AnyGame
from tests.rules.drawing_game import GAME as FITTING_CARD
from tests.rules.falsifying import falsified, parent_of, plain
from tests.rules.playing import Sitting, every_game, over
from tests.rules.short import short_options

pytestmark = pytest.mark.xdist_group("record histories")  # each is played once
History = Callable[[Sitting, Random], Sitting]


def loaded_once(sitting: Sitting, rng: Random) -> Sitting:
    return _loaded(sitting.play_on(rng, rng.randint(0, 40)), rng)


def loaded_twice(sitting: Sitting, rng: Random) -> Sitting:
    return loaded_once(loaded_once(sitting, rng), rng)


def rolled_back(sitting: Sitting, rng: Random) -> Sitting:
    return _rolled_back(sitting.play_on(rng, rng.randint(1, 60)), rng)


def rolled_back_twice(sitting: Sitting, rng: Random) -> Sitting:
    return rolled_back(rolled_back(sitting, rng), rng)


def rolled_back_often(sitting: Sitting, rng: Random) -> Sitting:
    """To later and earlier rounds: Pazaak's side decks are dealt again for each."""
    for _ in range(6):
        sitting = _rolled_back(sitting.play_on(rng, rng.randint(0, 9)), rng)
    return sitting


def loaded_and_rolled_back(sitting: Sitting, rng: Random) -> Sitting:
    return rolled_back(loaded_once(sitting, rng), rng)


HISTORIES = (
    loaded_once, loaded_twice, rolled_back, rolled_back_twice, rolled_back_often,
    loaded_and_rolled_back,
)  # fmt: skip
LOADED = (loaded_once, loaded_twice, loaded_and_rolled_back)

every_history = pytest.mark.parametrize("history", HISTORIES, ids=lambda one: one.__name__)
some_mutants = pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.sweep)])
fewer_mutants = pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.sweep)])
every_load = pytest.mark.parametrize("history", LOADED, ids=lambda one: one.__name__)


def _loaded(sitting: Sitting, rng: Random) -> Sitting:
    if sitting.outcome is not None:
        return sitting
    seats = rng.choice([None, frozenset({0}), frozenset(range(len(sitting.setups)))])
    return sitting.loaded(rng.randrange(1000, 9999), seats)


def _rolled_back(sitting: Sitting, rng: Random) -> Sitting:
    if sitting.outcome is not None or not sitting.openings:
        return sitting
    return sitting.roll_back(rng.choice(list(sitting.openings)))


@cache
def told(game: AnyGame, history: History) -> tuple[dict[str, Any], ...]:
    """Records of matches with this history, most of them played to the end."""
    found = []
    for number in range(8):
        rng = Random(number)
        options = game.choose_options(rng.choice([{}, short_options(game)]))
        sitting = history(Sitting.begun(game, options, number), rng)
        found.append(plain(sitting.play_on(rng, 20 if number % 4 == 0 else 3_000)))
    return tuple(found)


def accepted(mutants: Iterator[dict[str, Any]]) -> tuple[int, int]:
    """How many mutants are taken for true, of how many."""
    verdicts = [record.verify(mutant) for mutant in mutants]
    return verdicts.count(None), len(verdicts)


@every_game
@every_history
def test_what_happened_is_believed(game, history):
    for one in told(game, history):
        assert record.verify(one) is None
        assert one["rounds"]


def decks_in_other_rounds(one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same decks in the same order, one of them listed with the round before or after."""
    lines = [line["shuffles"] for line in one["rounds"]]
    for at, (before, after) in enumerate(pairwise(lines)):
        if before:
            yield _with_decks(one, at, before[:-1], [before[-1], *after])
        if after:
            yield _with_decks(one, at, [*before, after[0]], after[1:])


def _with_decks(
    one: dict[str, Any], at: int, before: list[str], after: list[str]
) -> dict[str, Any]:
    changed = falsified(one, ("rounds", at, "shuffles"), before)
    return falsified(changed, ("rounds", at + 1, "shuffles"), after)


@fewer_mutants
@every_history
def test_a_deck_stands_in_the_line_of_its_round_and_nowhere_else(history, step):
    mutants = (
        mutant
        for game in catalog.GAMES
        for one in told(game, history)
        for mutant in decks_in_other_rounds(one)
    )
    found, tried = accepted(islice(mutants, 0, None, step))
    assert tried > 6
    assert found == 0


def loads(one: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The places of ``loaded_from`` in a record, the parent's first."""
    path: tuple[str, ...] = ("loaded_from",)
    inner = one.get("loaded_from")
    while inner is not None:
        yield path
        path, inner = (*path, "loaded_from"), inner.get("loaded_from")


@every_load
def test_nobody_loads_a_match_that_was_over(history):
    def mutants() -> Iterator[dict[str, Any]]:
        for game in catalog.GAMES:
            for one in told(game, history):
                if one["outcome"]["reason"] == "aborted":
                    continue
                end = sum(len(line["moves"]) for line in one["rounds"])
                for path in loads(one):
                    yield falsified(one, (*path, "version"), end)

    found, tried = accepted(mutants())
    assert tried > 20
    assert found == 0


def positions_in_another_order(one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The re-deals of loads and roll-backs, their positions or decks turned round."""
    rounds = [("rounds", at) for at, line in enumerate(one["rounds"]) if line.get("reshuffled")]
    for path in (*loads(one), *rounds):
        moved = _at(one, path).get("reshuffled") or []
        if len(moved) > 1:
            yield falsified(one, (*path, "reshuffled"), moved[::-1])
        for at, again in enumerate(moved):
            if len(again["positions"]) > 1:
                turned = again["positions"][::-1]
                yield falsified(one, (*path, "reshuffled", at, "positions"), turned)


def _at(one: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        one = one[key]
    return one


@some_mutants
@over(*catalog.GAMES, FITTING_CARD)
@pytest.mark.usefixtures("fitting_card")
@every_history
def test_positions_ascend(game, history, step):
    for one in told(game, history):
        for path in (*loads(one), *(("rounds", at) for at in range(len(one["rounds"])))):
            for again in _at(one, path).get("reshuffled") or []:
                assert again["positions"] == sorted(set(again["positions"]))
    mutants = (each for one in told(game, history) for each in positions_in_another_order(one))
    found, tried = accepted(islice(mutants, 0, None, step))
    assert tried
    assert found == 0


def versions_before_the_parent(one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A point before the parent's own load, which belongs to the parent's parent."""
    inner = one["loaded_from"].get("loaded_from") if "loaded_from" in one else None
    for version in range(inner["version"] if inner else 0):
        yield falsified(one, ("loaded_from", "version"), version)


def test_a_point_before_a_load_names_the_match_that_it_belongs_to():
    records = [one for game in catalog.GAMES for one in told(game, loaded_twice)]
    found, tried = accepted(each for one in records for each in versions_before_the_parent(one))
    assert tried > 100
    assert found == 0


def test_a_point_after_a_roll_back_is_not_loaded():
    def mutants() -> Iterator[dict[str, Any]]:
        for game in catalog.GAMES:
            for one in told(game, rolled_back):
                entries = [move for line in one["rounds"] for move in line["moves"]]
                back = [at for at, move in enumerate(entries) if move.startswith("- ")]
                decks = sum(len(line["shuffles"]) for line in one["rounds"])
                for shuffles in range(decks + 1 if back else 0):
                    past = parent_of(one, version=back[0] + 1, shuffles=shuffles, seed=None)
                    yield one | {"loaded_from": past}

    found, tried = accepted(mutants())
    assert tried > 40
    assert found == 0
