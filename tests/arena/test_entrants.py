"""Who plays in a simulation: bots, and side decks that are compared with the same bot."""

import msgspec
import pytest

from cardroom.arena.players import entrants, rotations
from cardroom.arena.reports import summarize
from cardroom.arena.request import Part, SimulationRequest, describe, run_part, run_timed
from cardroom.arena.statistics import BadRequest
from cardroom.rules.pazaak.side_cards import SINGLES, STARTER, reference_deck
from tests.arena.toy import HIGH, LOW

GOOD = reference_deck("full")


def seatings(bots, side_decks=()):
    return [
        " ".join(each.name for each in seating) for seating in rotations(entrants(bots, side_decks))
    ]


def asked(*side_decks):
    return describe("pazaak", bots=["gambler"], games=40, swap=True, side_decks=side_decks)


def test_rotations_are_the_different_seatings():
    assert seatings((HIGH, LOW)) == ["high low", "low high"]
    assert seatings((HIGH, LOW, LOW)) == ["high low low", "low low high", "low high low"]
    assert seatings((HIGH, LOW, HIGH, LOW)) == ["high low high low", "low high low high"]
    assert seatings((LOW, LOW)) == ["low low"]


def test_with_side_decks_every_seat_is_an_entrant_of_its_own():
    assert seatings((LOW, LOW), (GOOD, STARTER)) == ["low 1 low 2", "low 2 low 1"]
    assert seatings((HIGH, LOW), (GOOD, STARTER)) == ["high low", "low high"]


def test_a_better_side_deck_wins_more_often_with_the_same_bot():
    request = asked(STARTER, GOOD)
    found = summarize(request, run_part(request, Part(0, 40))).bots
    assert [each.bot for each in found] == ["gambler 1", "gambler 2"]
    assert sum(each.won for each in found) == 40
    assert found[0].wins.high < 0.5 < found[1].wins.low


def test_a_deck_against_itself_is_even_as_seats_are_swapped():
    request = asked(GOOD, GOOD)
    assert {tally.won for tally in run_part(request, Part(0, 40)).bots.values()} == {20}


def test_clocks_are_kept_by_entrant():
    figures, clocks = run_timed(asked(STARTER, GOOD), Part(0, 2))
    assert clocks.keys() == figures.bots.keys() == {"gambler 1", "gambler 2"}
    assert all(clock.moves for clock in clocks.values())


def test_side_decks_are_in_the_json_only_when_given():
    bare, given = describe("pazaak"), asked(STARTER, GOOD)
    assert b"side_decks" not in msgspec.json.encode(bare)
    assert msgspec.json.decode(msgspec.json.encode(given), type=SimulationRequest) == given
    assert msgspec.json.decode(msgspec.json.encode(given))["side_decks"] == [[*STARTER], [*GOOD]]


@pytest.mark.parametrize(
    ("game", "decks", "fault"),
    [
        ("pazaak", (STARTER[:9], GOOD), "exactly 10 cards; this one has 9"),
        ("pazaak", (STARTER,), "1 side decks are given for 2 seats"),
        ("pisti", (STARTER, GOOD), "Pişti is played without side decks"),
    ],
)
def test_side_decks_that_cannot_be_played_are_refused(game, decks, fault):
    with pytest.raises(BadRequest, match=fault):
        describe(game, side_decks=decks)


def test_a_side_deck_must_fit_the_options():
    with pytest.raises(BadRequest, match="is in the deck 2 times; 1 allowed"):
        describe("pazaak", values={"max_copies": 1}, side_decks=(SINGLES, STARTER))
