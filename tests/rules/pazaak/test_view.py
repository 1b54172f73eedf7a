"""What each seat and a spectator may see (pazaak §5)."""

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.events import CardPlayed
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
