"""What each seat and a spectator may see (pazaak §5), and worlds that look the same."""

from collections import Counter
from random import Random

import msgspec
import pytest

from games.rules.pazaak import PAZAAK
from games.rules.pazaak.board import MAIN_PACK
from games.rules.pazaak.events import CardPlayed, HandDrawn
from games.rules.pazaak.side_cards import faults
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


@pytest.mark.parametrize(("seat", "hidden"), [(0, BOB), (1, ANN), (None, f"{ANN} {BOB}")])
def test_nothing_of_the_others_cards_is_in_a_view_or_event(seat, hidden):
    step = opening()
    told_to = [event.seen_by(seat) for event in step.events]
    seen = msgspec.json.encode([PAZAAK.view(step.state, seat), *told_to]).decode()
    for code in hidden.split():
        assert f'"{code}"' not in seen


def test_a_spectator_has_no_hand_and_no_moves():
    seen = PAZAAK.view(opening().state, None)
    assert (seen.hand, seen.side_deck, seen.legal_moves) == (None, None, ())
    assert seen.to_act == (0,)


def test_only_the_seat_to_act_has_moves():
    state = opening().state
    assert PAZAAK.view(state, 0).legal_moves == ("draw", "stand")
    assert PAZAAK.view(state, 1).legal_moves == ()


def test_the_order_of_decks_is_in_no_view():
    one = scene(half(draws="1 2", side="P1 P2"), half(draws="3 4", side="M1 M2", hand="F12"))
    two = scene(half(draws="9 8", side="P2 P1"), half(draws="7 6", side="T D", hand="PM3"))
    assert PAZAAK.view(one, 0) == PAZAAK.view(two, 0)


def test_a_drawn_hand_is_told_to_its_seat_only():
    drawn = told(opening(), HandDrawn)[1]
    assert drawn.seen_by(1).cards == ("F12", "F13", "F14", "F15")
    assert drawn.seen_by(0) == drawn.seen_by(None) == HandDrawn(1, 4, None)


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
