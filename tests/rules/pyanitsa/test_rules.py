"""Whose turn it is, what is refused, the collection of `arbitrary`, `pace`, round trips."""

import msgspec
import pytest

from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import MatchOver, SeatOut, TrickTaken
from cardroom.rules.values import IllegalMove, NotYourTurn
from tests.rules.pyanitsa.scene import draws, flip, scene, stacked, taken, trick, wons


def choosing(**options):
    """Seat 0 has won a mortgage and chooses the order of its six cards."""
    start = scene(
        "8C 7D QD 6C", "8S AH TD 6H", dispute="mortgage", collect_order="arbitrary", **options
    )
    return trick(start)


@pytest.mark.parametrize("seat", [1, 2, -1, 10**30])
@pytest.mark.parametrize("move", ["flip", "collect KC 9D"])
def test_only_the_seat_to_act_moves(move, seat):
    with pytest.raises(NotYourTurn):
        PYANITSA.play(scene("KC 7C", "9D 8D"), seat, move, stacked())


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_moves_after_the_end(seat):
    state, _ = trick(scene("KC 7C", "9D"))
    assert PYANITSA.outcome(state) is not None
    assert PYANITSA.legal_moves(state, seat) == ()
    with pytest.raises(NotYourTurn, match="over"):
        PYANITSA.play(state, seat, "flip", stacked())


def test_there_is_nothing_to_collect_while_cards_are_laid():
    with pytest.raises(IllegalMove, match="flip") as refused:
        PYANITSA.play(scene("KC 7C", "9D 8D"), 0, "collect KC 9D", stacked())
    assert refused.value.reason == "nothing_to_collect"


# pyanitsa §2 collect_order arbitrary
class TestArbitrary:
    def test_the_taker_is_asked_before_the_cards_are_put_away(self):
        state, events = choosing()
        assert PYANITSA.to_act(state) == (0,)
        assert PYANITSA.legal_moves(state, 0) == ("collect 8C 8S 7D QD AH TD",)
        assert PYANITSA.legal_moves(state, 1) == ()
        assert isinstance(events[-1], TrickTaken)
        assert wons(state) == ["", ""]

    def test_every_order_of_the_cards_is_taken_and_recorded_as_given(self):
        state, _ = choosing()
        step = PYANITSA.play(state, 0, "collect AH QD TD 8S 8C 7D", stacked())
        assert wons(step.state) == ["AH QD TD 8S 8C 7D", ""]
        assert step.move == "collect AH QD TD 8S 8C 7D"
        assert PYANITSA.to_act(step.state) == (0,)

    def test_at_the_bottom(self):
        state, _ = choosing(collect_to="bottom")
        step = PYANITSA.play(state, 0, "collect AH QD TD 8S 8C 7D", stacked())
        assert draws(step.state) == ["6C AH QD TD 8S 8C 7D", "6H"]

    @pytest.mark.parametrize(
        "move",
        ["collect AH QD TD 8S 8C", "collect AH QD TD 8S 8C 7D 6C", "collect AH QD TD 8S 8C 6C",
         "collect X1 X2"],
    )  # fmt: skip
    def test_other_cards_are_refused(self, move):
        state, _ = choosing()
        with pytest.raises(IllegalMove, match="collect 8C 8S 7D QD AH TD") as refused:
            PYANITSA.play(state, 0, move, stacked())
        assert refused.value.reason == "not_the_trick"

    def test_nobody_flips_before(self):
        state, _ = choosing()
        with pytest.raises(IllegalMove) as refused:
            PYANITSA.play(state, 0, "flip", stacked())
        assert refused.value.reason == "collect_first"
        with pytest.raises(NotYourTurn):
            PYANITSA.play(state, 1, "flip", stacked())

    def test_the_last_trick_is_collected_too_and_only_then_is_a_seat_out(self):
        state, events = trick(scene("KC 7C", "9D", collect_order="arbitrary"))
        assert not any(isinstance(event, SeatOut) for event in events)
        assert PYANITSA.outcome(state) is None
        step = PYANITSA.play(state, 0, "collect 9D KC", stacked())
        assert step.events == (SeatOut(1, 1), MatchOver((0,), "all_cards", (1, 2)))
        assert step.scores == (1, 2)

    def test_a_trick_taken_without_cards_is_collected_too(self):
        state, events = trick(scene("9C", "9D KD", collect_order="arbitrary"))
        assert taken(events).reason == "no_cards"
        assert PYANITSA.legal_moves(state, 0) == ("collect 9C 9D",)

    def test_only_the_taker_learns_what_lay_face_down(self):
        _, events = choosing()
        event = taken(events)
        assert event.face_down == ("7D", "AH")
        assert event.seen_by(0) == event
        for other in (1, None):
            assert event.seen_by(other) == TrickTaken(0, 6, "dispute_won")


# pyanitsa §4: mortgage cards stay unknown to all
@pytest.mark.parametrize("order", ["as_laid", "own_first"])
def test_without_a_choice_nobody_learns_what_lay_face_down(order):
    piles = ("8C 7D QD 6C", "8S AH TD 6H")
    _, events = trick(scene(*piles, dispute="mortgage", collect_order=order))
    assert taken(events).face_down is None
    assert b"7D" not in msgspec.json.encode(events)


# pyanitsa §2 pace
def test_pace_auto_plays_flips_but_never_a_choice():
    state = scene("KC 7C", "9D 8D", pace="auto", collect_order="arbitrary")
    assert PYANITSA.autoplays(state, 0)
    assert not PYANITSA.autoplays(state, 1)
    state, _ = trick(state)
    assert PYANITSA.to_act(state) == (0,)
    assert not PYANITSA.autoplays(state, 0)
    assert not PYANITSA.autoplays(scene("KC 7C", "9D 8D"), 0)


def test_nothing_plays_itself_after_the_end():
    state, _ = trick(scene("KC 7C", "9D", pace="auto"))
    assert not any(PYANITSA.autoplays(state, seat) for seat in (0, 1))


def test_who_is_out_cannot_resign():
    state, _ = trick(scene("9C 8C", "7D", "KH 6H"))
    assert PYANITSA.retired_seats(state) == {1}


def test_a_state_in_a_mortgage_is_the_same_bytes_after_a_round_trip():
    state = flip(flip(flip(scene("8C 7D QD", "8S AH TD", dispute="mortgage")).state).state).state
    data = msgspec.json.encode(state)
    assert PYANITSA.decode_state(data) == state
    assert msgspec.json.encode(PYANITSA.decode_state(data)) == data
