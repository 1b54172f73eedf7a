"""The views of each seat and of a spectator (pazaak §5)."""

from collections import Counter
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from cardroom.contract.playing import Sitting, seed_of
from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.events import CardPlayed, HandDrawn
from cardroom.rules.pazaak.predicates import MAIN_PACK
from cardroom.rules.pazaak.side_cards import faults
from cardroom.rules.shuffles import RecordingShuffle, Stacked, seeded
from cardroom.rules.values import HistoryStep, IllegalMove, Setup
from cardroom.rules.witnesses import Witnesses
from tests.rules.pazaak.scene import deck, half, play, scene, start, told

ANN = "P1 P2 P3 P4 P5 P6 M1 M2 M3 M4"


BOB = "F12 F13 F14 F15 F16 F23 F24 F25 F26 F34"


def opening():
    mains = [deck("2 3", bottom="9"), deck("4 5", bottom="8")]
    return start([ANN.split(), BOB.split(), *mains], (ANN, BOB))[0]


def test_a_seat_sees_its_hand_and_its_rest_without_their_order():
    shuffled = scene(half(hand="T P1", side="D M3 P2"), half(hand="F12", side="F13 F14"))
    seen = PAZAAK.view(shuffled, 0)
    assert seen.hand == ("P1", "T")
    assert seen.side_deck == ("P2", "M3", "D")
    other = seen.halves[1]
    assert (other.cards_in_hand, other.cards_in_side_deck, other.cards_in_main_deck) == (1, 2, 40)


def test_the_order_of_decks_is_in_no_view():
    one = scene(half(draws="1 2", side="P1 P2"), half(draws="3 4", side="M1 M2", hand="F12"))
    two = scene(half(draws="9 8", side="P2 P1"), half(draws="7 6", side="T D", hand="PM3"))
    assert PAZAAK.view(one, 0) == PAZAAK.view(two, 0)


def test_played_cards_are_seen_for_the_rest_of_the_match():
    table = scene(half("5", hand="F15"), half("9", standing=True), phase="turn_play")
    state = play(table, "0 F15", "0 stand").state
    assert state.round_no == 2
    assert PAZAAK.view(state, 1).halves[0].played == ("F15",)


def test_a_cheater_is_seen_to_cheat():  # R25
    table = scene(half("5", side="PM1 T PM1", allowance=2), half("9"), phase="turn_play")
    seen = PAZAAK.view(table, 0)
    assert (seen.hand, seen.side_deck) == ((), ("PM1", "PM1", "T"))
    assert seen.legal_moves == ("PM1+", "PM1-", "T+", "T-", "pass")
    assert PAZAAK.view(table, 1).halves[0].allowance == 2
    step = play(table, "0 T+")
    assert told(step, CardPlayed)[0].looked_at == 3
    assert step.state.halves[0].allowance == 1


def test_a_cheater_without_allowance_may_play_nothing():  # R25
    table = scene(half("5", side="PM1 T", allowance=0), phase="turn_play")
    assert PAZAAK.legal_moves(table, 0) == ("pass",)
    with pytest.raises(IllegalMove) as refused:
        play(table, "0 PM1+")
    assert refused.value.reason == "no_allowance"


# Events as each seat may know them (pazaak §4).


def test_a_drawn_hand_is_told_to_its_seat_only():
    drawn = told(opening(), HandDrawn)[1]
    assert drawn.seen_by(1).cards == ("F12", "F13", "F14", "F15")
    assert drawn.seen_by(0) == drawn.seen_by(None) == HandDrawn(1, 4, None)


SIGNED = ("M1", "M2", "M3", "M4", "M5", "M6", "PM2", "PM4", "PM12", "T")


@pytest.mark.parametrize("number", [30, 31, 56])  # matches in which such a card ends a round
def test_a_signed_card_that_ends_its_round_was_seen_by_all(number):
    """The next round opens in the same step; the card lies among those played (§4)."""
    sitting = Sitting(PAZAAK, PAZAAK.choose_options({"hand_rule": "per_round"}), seed_of(number))
    sitting.setups = tuple(replace(one, side_deck=SIGNED) for one in sitting.setups)
    sitting.begin()
    witnesses = Witnesses(PAZAAK, sitting.setups)
    for _, step in sitting.so_far_and(sitting.plies(Random(number), 60)):
        if PAZAAK.outcome(step.state) is None:
            assert leaks(witnesses, step) == []


def leaks(witnesses, step):
    """As a client judges it, to whom no deck is told."""
    readers = witnesses.readers
    events = {r: msgspec.to_builtins([each.seen_by(r) for each in step.events]) for r in readers}
    views = {r: msgspec.to_builtins(PAZAAK.view(step.state, r)) for r in readers}
    return witnesses.leaks(step.state, step.move, events, views)


# Possible worlds behind a view.


def test_an_imagined_world_keeps_to_what_is_known():
    step = opening()
    played = play(step.state, "0 draw", "0 P2", "1 draw", "1 pass")
    view = PAZAAK.view(played.state, 0)
    events = [event.seen_by(0) for event in (*step.events, *played.events)]
    for seed in range(20):
        world = PAZAAK.imagine(view, Random(seed), events)
        assert PAZAAK.view(world, 0) == view
        assert (world.halves[0].main[-1], world.halves[1].main[-1]) == (9, 8)
        rival = world.halves[1]
        assert faults(rival.hand + rival.side) == ()
        assert Counter(rival.main) + Counter([4]) == Counter(MAIN_PACK)


def test_imagined_rivals_keep_to_the_options():
    table = scene(half("5", side=ANN), half(hand="P1 P2", side=ANN), catalogue="kotor1")
    state = scene(*table.halves, catalogue="kotor1", max_copies=1)
    for seed in range(20):
        rival = PAZAAK.imagine(PAZAAK.view(state, 0), Random(seed)).halves[1]
        assert max(Counter(rival.hand + rival.side).values()) == 1
        assert not faults((rival.hand + rival.side)[:10], "kotor1")


def test_an_imagined_cheater_holds_what_it_brought():
    table = scene(half("5"), half("9 2:PM2", side="PM1 T", allowance=1))
    brought = ["PM1", "PM2", "PM2", "PM3", "PM3", "PM4", "PM5", "PM6", "PM12", "T"]
    spent = tuple(brought[1:9])
    table = msgspec.structs.replace(
        table, halves=(table.halves[0], msgspec.structs.replace(table.halves[1], played=spent))
    )
    world = PAZAAK.imagine(PAZAAK.view(table, 0), Random(3))
    assert sorted(world.halves[1].side) == ["PM1", "T"]


# Loading with new cards (FORMAT.md §2): what these seats saw stays, all else is dealt again.

REDEAL_ANN = ["P1", "P2", "P3", "P4", "P5", "P6", "M1", "M2", "M3", "M4"]
REDEAL_BOB = ["F12", "F13", "F14", "F15", "F16", "F23", "F24", "F25", "F26", "F34"]
ONE = deck("2 3 4", bottom="9 6")
TWO = deck("4 5 6", bottom="8 6")


class Played:
    """A match with the history that a service would keep."""

    def __init__(self, decks, moves, bots=(None, None), **options):
        self.options = PAZAAK.choose_options(options)
        self.setups = tuple(
            Setup(name, bot, tuple(side))
            for name, bot, side in zip(("Ann", "Bob"), bots, (REDEAL_ANN, REDEAL_BOB), strict=True)
        )
        self.moves = moves
        self.history = []
        noted = RecordingShuffle(Stacked([[str(card) for card in deck] for deck in decks], str))
        step = PAZAAK.start(self.options, self.setups, noted)
        self._keep(step, noted)
        for move in moves:
            step = PAZAAK.play(self.state, self.state.to_act, move, noted)
            self._keep(step, noted)

    def _keep(self, step, noted):
        self.state = step.state
        self.history.append(HistoryStep(step.state.round_no, tuple(noted.decks), step.events))
        noted.decks = []

    def redealt(self, seats, seed=1):
        return PAZAAK.redeal(self.state, self.history, frozenset(seats), seeded(Random(seed)))

    def replayed(self, decks):
        shuffle = Stacked([[str(card) for card in deck] for deck in decks], str)
        step = PAZAAK.start(self.options, self.setups, shuffle)
        for move in self.moves:
            step = PAZAAK.play(step.state, step.state.to_act, move, shuffle)
        return step.state


def two_draws(**how):
    return Played([REDEAL_ANN, REDEAL_BOB, ONE, TWO], ["draw", "P2", "draw", "F14"], **how)


def test_the_positions_dealt_again_are_those_the_seat_cannot_know():
    moved = dict(two_draws().redealt({0}).moved)
    assert moved[0] == tuple(range(4, 10))  # the own rest
    assert moved[1] == (0, 1, *range(3, 10))  # F14 at position 2 was played
    assert moved[2] == moved[3] == tuple(range(1, 38))  # one drawn; 38 opened, 39 were equal


def test_who_sits_on_both_sides_knows_both_hands():
    moved = dict(two_draws().redealt({0, 1}).moved)
    assert moved[0] == moved[1] == tuple(range(4, 10))


def test_the_own_hand_stays_and_the_rivals_is_new():
    played = two_draws()
    states = [played.redealt({0}, seed).state for seed in range(8)]
    for state in states:
        assert PAZAAK.view(state, 0) == PAZAAK.view(played.state, 0)
        assert sorted(state.halves[1].hand + state.halves[1].side) == sorted(
            set(REDEAL_BOB) - {"F14"}
        )
    assert len({state.halves[1].hand for state in states}) > 4
    assert len({state.halves[0].side for state in states}) > 4


def test_in_later_rounds_the_opening_is_over_and_old_decks_stay():
    played = Played(
        [REDEAL_ANN, REDEAL_BOB, ONE, TWO, TWO, ONE], ["stand", "stand", "draw", "pass"]
    )
    assert played.state.round_no == 2
    redealt = played.redealt({0})
    assert [index for index, _ in redealt.moved] == [0, 1, 4, 5]
    assert redealt.decks[2:4] == (tuple(ONE), tuple(TWO))
    moved = dict(redealt.moved)
    assert moved[4] == tuple(range(40))
    assert moved[5] == tuple(range(1, 40))
    assert moved[0] == (8, 9)
    assert played.replayed(redealt.decks) == redealt.state


def test_a_cheaters_rest_is_dealt_again_without_changing_what_it_has():
    brought = ["PM1", "PM2", "PM3", "PM4", "PM5", "PM6", "PM12", "T", "PM2", "PM3"]
    decks = [REDEAL_ANN, brought, ONE, TWO]
    played = Played(decks, ["draw", "P2", "draw", "PM2+"], bots=(None, "cheater"))
    for seed in range(20):
        redealt = played.redealt({0}, seed)
        assert played.replayed(redealt.decks) == redealt.state
        rest = Counter(redealt.state.halves[1].side)
        assert rest == Counter(brought) - Counter(["PM2"])


def test_a_fixed_starter_leaves_the_bottom_cards_unknown():
    moved = dict(two_draws(first_starter="seat0").redealt({0}).moved)
    assert moved[2] == tuple(range(1, 40))
