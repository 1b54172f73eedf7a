"""Scenes of the exchange and of turns beyond the vectors of §6."""

from games.rules.cards import TEXT
from games.rules.shithead import SHITHEAD
from games.rules.shithead.events import (
    Burned,
    Dealt,
    Drew,
    Exchanged,
    GameOver,
    PickedUp,
    Played,
    Ready,
    SeatOut,
    Turn,
)
from tests.rules.shithead.scene import (
    exchanging,
    hand,
    in_new_order,
    legal,
    no_deck,
    of,
    one,
    pile,
    play,
    position,
    setups,
    top,
)


def test_all_seats_exchange_at_the_same_time():  # shithead R5
    state = exchanging(position(["5C", "6C", "7C"], ["KC", "KD", "KH"]))
    assert SHITHEAD.to_act(state) == (0, 1, 2)
    step = SHITHEAD.play(state, 2, "swap 7C KH", no_deck)
    assert step.events == (Exchanged(2, "7C", "KH"),)
    step = SHITHEAD.play(step.state, 1, "ready", no_deck)
    assert step.events == (Ready(1),)
    assert SHITHEAD.to_act(step.state) == (0, 2)
    assert SHITHEAD.legal_moves(step.state, 1) == ()
    assert SHITHEAD.legal_moves(step.state, 0) == ("ready", "swap 5C KC")
    step = play(step.state, "ready", "ready")
    assert step.events == (Ready(2), Turn(0))
    assert (hand(step.state, 2), top(step.state, 2)) == ("KH", "7C")


def test_two_seats_exchanging_at_once_reach_the_same_table_in_either_order():  # shithead R5
    state = exchanging(position(["5C", "6C"], ["KC", "KD"]))
    here = SHITHEAD.play(state, 0, "swap 5C KC", no_deck).state
    there = SHITHEAD.play(state, 1, "swap 6C KD", no_deck).state
    assert (
        SHITHEAD.play(here, 1, "swap 6C KD", no_deck).state
        == SHITHEAD.play(there, 0, "swap 5C KC", no_deck).state
    )


def test_only_the_own_hand_is_dealt_to_a_seat():  # shithead §4
    options = SHITHEAD.choose_options({"players": 3})
    events = SHITHEAD.start(options, setups(3), in_new_order).events
    for viewer in (0, 1, 2, None):
        for dealt in (event.seen_by(viewer) for event in events if type(event) is Dealt):
            assert (dealt.hand is None) == (dealt.seat != viewer)
            assert len(dealt.top) == 6


def test_a_drawn_card_is_known_to_its_seat_alone():  # shithead §4
    drew = one(play(position(["5C 6C", "7C"], stock="KC KD"), "5C"), Drew)
    assert drew.seen_by(0).card == "KC"
    assert (drew.seen_by(1), drew.seen_by(None)) == (Drew(0, 1, None), Drew(0, 1, None))


def test_a_seat_cannot_go_out_while_stock_remains():  # shithead R16
    step = play(position(["5C", "7C"], stock="KC"), "5C")
    assert not list(of(step, SeatOut))
    assert hand(step.state, 0) == "KC"


def test_after_the_hand_come_the_tops():  # shithead R6
    state = position(["", "4C"], ["8C 8D 5C", ""], pile="6C")
    assert legal(state) == {"8C", "8C 8D"}
    step = play(state, "8D")
    assert one(step, Played).source == "top"
    assert top(step.state, 0) == "5C 8C"


def test_who_cannot_play_a_top_card_picks_up():  # shithead R8
    state = position(["", "4C"], ["8C 9D", ""], pile="KC")
    assert legal(state) == {"pickup"}
    step = play(state, "pickup")
    assert one(step, PickedUp).count == 1
    assert (hand(step.state, 0), top(step.state, 0)) == ("KC", "8C 9D")


def test_with_stock_the_last_hand_cards_may_take_tops_along():  # shithead R9
    step = play(position(["QC QS", "4C"], ["QD 4S"], stock="2C"), "QC QS QD")
    assert one(step, Played).source == "hand_top"
    assert (hand(step.state, 0), top(step.state, 0)) == ("2C", "4S")


def test_a_part_of_the_hand_takes_no_tops_along():  # shithead R9
    assert legal(position(["QC QS", "4C"], ["QD 4S"])) == {"QC", "QC QS", "QC QS QD"}


def test_a_hidden_joker_turns_round_and_burns_on_a_joker():  # shithead R10, R13
    step = play(position(["", "4C", "5C"], hidden=["X2 9C"], pile="4D X1"), "blind 0")
    assert one(step, Burned).reason == "jokers"
    assert (step.state.direction, step.state.turn) == (-1, 0)


def test_a_hidden_ten_leads_on_with_the_next_slot():  # shithead R10, R14
    state = play(position(["", "4C"], hidden=["TD 9C"], pile="4D"), "blind 0").state
    assert (state.turn, legal(state)) == (0, {"blind 1"})


def test_tens_burn_what_they_are_laid_on_and_themselves():  # shithead R13
    step = play(position(["TC TD 4C", "4D"], pile="7C"), "TC TD")
    assert one(step, Burned) == Burned(0, 3, "ten")
    assert {TEXT[card] for card in step.state.burned} >= {"7C", "TC", "TD"}


def test_a_burn_hands_the_lead_on_in_the_direction_of_play():  # shithead R14, R17
    state = position(["TD", "4C 5C", "6C"], direction=-1)
    step = play(state, "TD")
    assert step.state.turn == 2
    assert step.events[-1] == Turn(2)


def test_the_joker_of_a_seat_that_goes_out_still_turns_round():  # shithead R15
    state = position(["X1", "4C 5C", "6C"])
    assert play(state, "X1").state.turn == 2


def test_the_shed_shows_what_it_is_left_with():  # shithead §4
    state = position(["5C", "6C"], ["", "KC"], hidden=["", "- QD"], pile="4C")
    (left,) = one(play(state, "5C"), GameOver).remaining
    assert (left.hand, left.top, left.hidden) == (("6C",), ("KC",), ("QD",))


def test_who_is_out_of_the_game_cannot_resign():
    state = position(["5C", "", "6C"], places=[0, 1, 0])
    assert SHITHEAD.retired_seats(state) == {1}


def test_turns_are_counted_per_game():  # shithead R19
    state = position(["5C 6C", "7C 8C"], pile="4C", turns=7)
    assert play(state, "5C", "7C").state.turns == 9
    assert pile(play(state, "5C", "7C").state) == "4C 5C 7C"
