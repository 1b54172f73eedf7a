"""The tables of vectors in RULES.md §6 of Shithead, played as they stand there."""

import pytest

from cardroom.rules.cards import CARD, TEXT, pack, texts
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.events import (
    Burned,
    Direction,
    Drew,
    GameOver,
    GameStarted,
    HiddenFailed,
    PickedUp,
    Played,
    SeatOut,
)
from cardroom.rules.shithead.options import cards_each
from cardroom.rules.shithead.predicates import in_order, why_not
from cardroom.rules.shithead.rules import finish
from cardroom.rules.shithead.state import deal
from cardroom.rules.values import IllegalMove, StepBuilder
from tests.rules.shithead.scene import (
    exchanging,
    hand,
    in_new_order,
    legal,
    of,
    one,
    play,
    position,
    top,
)
from tests.rules.shithead.scene import pile as pile_of
from tests.rules.specification import NONE, cards_at, chosen, code, codes, pile, rules_of


def rows(heading):
    table = rules_of("shithead").table(heading)
    return [pytest.param(row, id=f"{row['#']}-{at}") for at, row in enumerate(table)]


def test_the_cards_of_each_seat():  # shithead R2
    each, stock = rules_of("shithead").table("Set-up")
    for seats in range(2, 19):
        k = cards_each(SHITHEAD.choose_options({"players": seats}))
        assert each[str(seats)] == str(k)
        assert stock[str(seats)] == str(54 - 3 * k * seats)


@pytest.mark.parametrize("row", rows("Dealing (R2 to R4)"))
def test_dealing(row):
    seats, seat = int(row["n"]), int(row["Seat"])
    k = cards_each(SHITHEAD.choose_options({"players": seats}))
    dealt = deal(pack(54), seats, k, int(row["Starter"]))
    assert dealt.hidden[seat] == cards_at(row["Hidden"])
    assert dealt.tops[seat] == in_order(cards_at(row["Top"]))
    assert dealt.hands[seat] == in_order(cards_at(row["Hand"]))
    assert dealt.stock == cards_at(row["Stock"])


@pytest.mark.parametrize("row", rows("What may be played (R6 to R12)"))
def test_what_may_be_played(row):
    state = position(
        [code(row["Hand"]), ""], [code(row["Top"])], pile=pile(row["Pile"]), **chosen(row["Option"])
    )
    assert SHITHEAD.legal_moves(state, 0) == tuple(codes(row["Legal moves"]))


@pytest.mark.parametrize("row", rows("Turns (R10 to R18)"))
def test_a_turn(row):
    state = before(row)
    step = play(state, code(row["Move"]))
    burns = [f"{event.count}, {event.reason}" for event in of(step, Burned)]
    assert burns == ([] if row["Burned"] == NONE else [row["Burned"]])
    assert pile_of(step.state) == pile(row["Pile after"])
    assert step.state.direction == sign(row["Direction after"])
    assert step.state.turn == int(row["Next"])


def sign(cell):
    return int(cell.replace("−", "-"))


def before(row):
    """The seat that acts holds what the row says, every other one two cards that do not matter."""
    seats, seat = int(row["n"]), int(row["Seat"])
    has = {part.split()[0]: code(part) for part in row["Has"].split(", ")}
    spare = iter(["6C 6H", "7C 7S", "JC JS"])
    held = [has.get("hand", "") if at == seat else next(spare) for at in range(seats)]
    lies = {
        "tops": [has.get("top", "") if at == seat else "" for at in range(seats)],
        "hidden": [has.get("hidden", "") if at == seat else "" for at in range(seats)],
    }
    return position(
        held,
        pile=pile(row["Pile"]),
        turn=seat,
        direction=sign(row["Direction"]),
        **lies,
        **chosen(row["Option"]),
    )


@pytest.mark.parametrize("row", rows("Drawing (R16)"))
def test_drawing(row):
    stock = code(row["Stock"])
    state = position([code(row["Hand"]), "6C"], pile=pile(row["Pile"]), stock=stock)
    after = play(state, code(row["Move"])).state
    assert set(hand(after, 0).split()) == set(code(row["Hand after"]).split())
    assert [SHITHEAD.card_text(card) for card in after.stock] == code(row["Stock after"]).split()


# Cases beside the tables.


def test_vector_1_the_second_game_is_dealt_from_the_shed():  # shithead R3, R4
    first = position(["", "", "", "5C", ""], places=[1, 2, 3, 0, 4], games=2, players=5)
    step = StepBuilder(in_new_order)
    state = finish(first, step)
    assert state.hidden[3] == (0, 5, 10)
    assert state.hidden[2] == (4, 9, 14)
    assert state.dealer == 2
    assert GameStarted(game_no=2, dealer=2, starter=3, k=3, stock=9) in step.done(state).events


def test_vector_2_an_exchange_swaps_a_hand_card_with_a_top_card():  # shithead R5
    state = exchanging(position(["5C 9D KH", ""], ["2S 4H JD"]))
    state = play(state, "swap 5C 2S").state
    with pytest.raises(IllegalMove) as refused:
        play(state, "swap 4H 9D")
    assert refused.value.reason == "card_not_available"
    assert hand(state, 0) == "2S 9D KH"
    assert top(state, 0) == "4H 5C JD"


def test_vector_4_the_pile_goes_to_the_hand():  # shithead R11
    state = position(["8D AS", "4C"], pile="7H")
    assert hand(play(state, "pickup").state, 0) == "7H 8D AS"


def test_vector_6_who_can_play_must():  # shithead R8
    with pytest.raises(IllegalMove) as refused:
        play(position(["4C 2D", "5C"], pile="AS"), "pickup")
    assert refused.value.reason == "must_play"


def test_vector_7_a_ten_burns_and_gives_another_turn():  # shithead R13, R14, R16
    state = position(["TD 5C", "6C", "6D", "6H"], pile="KH", stock="4H 9C")
    step = play(state, "TD")
    assert one(step, Burned) == Burned(0, 2, "ten")
    assert one(step, Drew) == Drew(0, 1, "4H")
    assert step.state.turn == 0
    assert hand(step.state, 0) == "4H 5C"


def joker_on_a_six(**options):
    state = position(["AS KD 4C X2", "X1 5C", "5D", "5H"], pile="6D", turn=1, players=4, **options)
    return play(state, "X1")


def test_vector_11_a_joker_turns_round_and_asks_for_a_wild_card():  # shithead R11, R12
    step = joker_on_a_six()
    assert one(step, Direction).value == -1
    assert step.state.turn == 0
    assert legal(step.state) == {"X2"}
    state = position(["AS KD 4C", "5C", "5D", "5H"], pile="6D X1", direction=-1)
    state = play(state, "pickup").state
    assert (hand(state, 0), state.turn) == ("4C 6D KD AS X1", 3)


def test_vector_12_the_second_joker_turns_back_and_burns():  # shithead R12, R13, R14
    step = play(joker_on_a_six().state, "X2")
    assert one(step, Direction).value == 1
    assert one(step, Burned) == Burned(0, 3, "jokers")
    assert step.state.turn == 0
    assert play(step.state, "4C").state.turn == 1


def test_vector_12_both_jokers_at_once_keep_the_direction():  # shithead R12, R13
    step = play(position(["X1 X2 4C", "5C", "5D"], pile="6D"), "X1 X2")
    assert step.state.direction == 1
    assert not list(of(step, Direction))
    assert one(step, Burned).reason == "jokers"
    assert step.state.turn == 0


def test_vector_14_top_cards_go_with_the_last_hand_cards():  # shithead R9
    state = position(["QC", "5C"], ["QD 4S QH"], pile="9D")
    for cards in ("QC", "QC QD", "QC QH", "QC QD QH", "QH QC"):
        assert one(play(state, cards), Played).cards[0] == "QC"
    with pytest.raises(IllegalMove) as refused:
        play(state, "QD")
    assert refused.value.reason == "hand_first"


def test_vector_14_not_while_other_cards_stay_in_the_hand():  # shithead R9
    state = position(["QC KC", "5C"], ["QD 4S QH"], pile="9D")
    with pytest.raises(IllegalMove) as refused:
        play(state, "QC QD")
    assert refused.value.reason == "hand_first"


def test_vector_14_hand_and_top_complete_four():  # shithead R9, R13
    step = play(position(["QC", "5C"], ["QD 4S QH"], pile="QS"), "QC QD QH")
    assert one(step, Played).source == "hand_top"


def test_vector_15_a_hidden_card_that_fails_is_picked_up():  # shithead R10
    step = play(position(["", "4C"], hidden=["8C 5D"], pile="KH"), "blind 1")
    assert one(step, HiddenFailed) == HiddenFailed(0, 1, "5D")
    assert one(step, PickedUp) == PickedUp(0, 2)
    assert hand(step.state, 0) == "5D KH"
    assert step.state.hidden[0] == (CARD["8C"], None)


def test_vector_15_a_hidden_card_that_fits_is_played():  # shithead R10, R12
    state = play(position(["", "4C"], hidden=["8C 3D"], pile="KH"), "blind 1").state
    sentence = why_not(state.pile, state.options, CARD["4C"])
    assert str(sentence) == "4♣ is lower than the king that still counts below."


def test_vector_16_out_by_a_burn_hands_the_lead_on():  # shithead R14
    state = position(["", "4C 5C", "6C"], hidden=["- - TD"], pile="KH")
    step = play(state, "blind 2")
    assert one(step, SeatOut) == SeatOut(0, 1)


def test_vector_18_the_last_one_left_is_the_shed():  # shithead R3, R18
    state = position(
        ["9C", "4C 5C", ""], hidden=["", "", "-"], pile="8C", places=[0, 0, 1], games=2,
        direction=-1,
    )  # fmt: skip
    step = play(state, "9C", shuffle=in_new_order)
    over = one(step, GameOver)
    assert (over.shed, over.places) == ((1,), (2, 3, 1))
    assert over.remaining[0].hand == ("4C", "5C")
    assert step.scores == (2, 3, 1)
    assert (step.state.dealer, step.state.direction, step.state.game_no) == (0, 1, 2)
    state = play(step.state, "ready", "ready", "ready").state
    assert state.turn == 1


def test_vector_19_seats_that_are_out_are_skipped():  # shithead R17
    state = position(["", "5C 6C", "7C", "7D", "7H"], direction=-1, turn=1, places=[1, 0, 0, 0, 0])
    assert play(state, "5C").state.turn == 4


def test_every_card_has_one_place_in_the_order():
    assert " ".join(texts(in_order(range(54)))).startswith("2C 2D 2H 2S 3C")
    assert in_order(range(54))[-2:] == (CARD["X1"], CARD["X2"])
    assert len(set(TEXT)) == 54
