"""The contract catches what it is there for: each mutant is wrong in one thing, and is killed.

Each check kills at least one mutant, so no check is there for nothing.
"""

import re
from collections import Counter
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace as changed

from cardroom.contract import CHECKS, Broken, named
from cardroom.contract.__main__ import luck_of
from cardroom.contract.playing import Sitting
from cardroom.contract.reporting import differences
from cardroom.rules import catalog
from tests.fifth_game import GAME as HIGH_CARD
from tests.rules.mutants import MUTANTS, Mutant
from tests.rules.mutants.mutant import GAME
from tests.rules.playing import FUZZING


def fault_of(mutant: Mutant) -> str:
    check = named(mutant.killer)
    assert check.applies(mutant.game)
    with pytest.raises(Broken) as broken:
        hold(check, mutant.game, mutant.times)
    return str(broken.value)


def hold(check, game, times):
    for luck in luck_of(game, check, times):
        check(game, luck)


def hold_all(game, names, times=1 / 16):
    """As quickly as `make test` tries each game."""
    for name in names:
        hold(named(name), game, times)


@pytest.fixture(autouse=True)
def endless_matches_are_given_up_early(monkeypatch):
    monkeypatch.setattr("cardroom.contract.endings.MOST_PLIES", 2_000)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed_and_the_message_says_where(mutant):
    told = fault_of(mutant)
    rule, *lines = told.split("\n")
    assert rule == f"{named(mutant.killer).rule} [{mutant.killer}]"
    assert re.search(mutant.message, told, re.DOTALL)
    assert "assert" not in told
    at = next((n for n, line in enumerate(lines) if ", seed " in line), None)
    if at is not None:  # it was found in a match
        assert re.match(rf"{mutant.game.name}, seed \d+, version \d+$", lines[at])
        assert lines[at + 2].startswith("Moves: ")
        assert lines[at + 3].startswith(mutant.game.slug)


def test_every_check_kills_a_mutant():
    kills = Counter(mutant.killer for mutant in MUTANTS)
    assert set(kills) == {check.name for check in CHECKS}


def test_the_game_that_mutants_are_made_of_keeps_the_contract():
    for check in CHECKS:
        if check.applies(GAME):
            hold(check, GAME, 1 if FUZZING else 1 / 4)


redacted = [
    (game, event)
    for game in (*catalog.GAMES, HIGH_CARD)
    for event in get_args(game.events)
    if "seen_by" in vars(event)
]


@pytest.mark.parametrize(
    ("game", "event"), redacted, ids=[f"{game.slug}-{event.__name__}" for game, event in redacted]
)
def test_an_event_that_shows_everything_to_everybody_is_a_leak(game, event, monkeypatch):
    monkeypatch.setattr(event, "seen_by", lambda self, seat: self)
    with pytest.raises(Broken, match=r"was told \w+, which"):
        hold_all(game, ("no_card_is_told_too_early", "no_two_options_tell_a_card_too_early"))


def test_a_failure_says_the_field_the_seed_the_moves_and_the_position():
    sitting = Sitting.begun(HIGH_CARD, HIGH_CARD.options(), 7).play_on(Random(1), 2)
    other = changed(sitting.state, leader=4, stock=(53, *sitting.state.stock[1:]))
    assert differences(other, sitting.state) == [
        f"stock[0]: 53 is not {sitting.state.stock[0]}",
        f"leader: 4 is not {sitting.state.leader}",
    ]
    said = sitting.where()
    assert said.startswith("High Card, seed 7, version 2\nLast tried: ")
    assert "\nMoves: 0 " in said
    assert said.splitlines()[-1].startswith("high-card options={} hands=[[")
    assert Sitting.latest is sitting
