"""The test vectors of RULES.md §6 of Pişti, each a scene."""

import pytest

from cardroom.rules.cards import texts
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.events import (
    Captured,
    CentreDealt,
    DealStarted,
    HandDealt,
    JackBuried,
    LeftoverAwarded,
    MatchOver,
    Pisti,
    Redeal,
)
from cardroom.rules.pisti.predicates import heap_of, is_decided, leading_side
from cardroom.rules.pisti.rules import side_scores
from tests.rules.pisti.scene import (
    codes,
    deck,
    heap,
    last_play,
    options,
    play,
    scene,
    scores,
    stacked,
    start,
    steps_of,
    told,
)

PACK = deck("", "")  # d0 … d51 in canonical order; jacks are d9 d22 d35 d48


def cut(first, last, cards=PACK):
    """``d4–d7`` as the rules write it."""
    return tuple(cards[first : last + 1])


def hands(state):
    return [texts(hand) for hand in state.hands]


def play_out(state, plies, shuffle=None):
    """So many cards, always the first of the hand."""
    for _ in range(plies):
        (seat,) = PISTI.to_act(state)
        step = PISTI.play(state, seat, PISTI.legal_moves(state, seat)[0], shuffle or stacked())
        state = step.state
    return state


def test_vector_1_four_seats_get_the_centre_first():
    state = start(PACK, players=4).state
    assert state.dealer == 3
    assert texts(state.pile) == cut(0, 3)
    assert hands(state) == [cut(4, 7), cut(8, 11), cut(12, 15), cut(16, 19)]
    assert texts(state.stock) == cut(20, 51)
    second = play_out(state, 16)
    assert hands(second) == [cut(20, 23), cut(24, 27), cut(28, 31), cut(32, 35)]
    third = play_out(second, 16)
    assert hands(third) == [cut(36, 39), cut(40, 43), cut(44, 47), cut(48, 51)]
    assert third.stock == ()


def test_vector_2_two_seats_get_their_hands_first():
    state = start(PACK).state
    assert state.dealer == 1
    assert hands(state) == [cut(0, 3), cut(4, 7)]
    assert set(texts(state.pile)) == set(cut(8, 11))
    assert texts(state.stock) == cut(12, 51)
    second = play_out(state, 8)
    assert hands(second) == [cut(12, 15), cut(16, 19)]
    sixth = play_out(second, 32)
    assert hands(sixth) == [cut(44, 47), cut(48, 51)]


def test_vector_2_the_second_deal_starts_with_seat_1():
    first = play_out(start(PACK).state, 48, stacked(PACK))
    assert (first.deal_no, first.dealer, first.to_play) == (2, 0, 1)
    assert hands(first) == [cut(4, 7), cut(0, 3)]


@pytest.mark.parametrize(
    ("dealt", "pile", "buried"),
    [
        ("5C JD 9H JS", "JS 5C JD 9H", [("JS", "9H")]),
        ("5C 9H JD JS", "JD JS 5C 9H", [("JS", "JD"), ("JD", "9H")]),
    ],
)
def test_vector_3_a_jack_turned_up_goes_to_the_bottom(dealt, pile, buried):
    step = start(deck(dealt), players=4)
    assert codes(step.state.pile) == pile
    assert told(step, JackBuried) == [JackBuried(*one) for one in buried]
    assert told(step, CentreDealt) == [CentreDealt(4, "JS")]


def test_vector_4_four_jacks_void_the_deal():
    step = start(deck("JC JD JH JS"), deck("5C 6C 7C 8C"), players=4)
    assert [type(event) for event in step.events] == [
        *(DealStarted, *[HandDealt] * 4, CentreDealt, Redeal),
        *(*[HandDealt] * 4, CentreDealt),
    ]
    assert told(step, Redeal) == [Redeal("four_jacks", ("JC", "JD", "JH", "JS"))]
    assert (step.state.dealer, step.state.deal_no, step.state.to_play) == (3, 1, 0)
    assert codes(step.state.pile) == "5C 6C 7C 8C"
    assert step.state.totals == (0, 0, 0, 0)


def test_vector_4_with_two_seats_the_hands_are_void_too():
    step = start(deck("2C 3C 4C 5C 2D 3D 4D 5D JC JD JH JS"), PACK)
    assert hands(step.state) == [cut(0, 3), cut(4, 7)]


def test_vector_5_the_first_capture_takes_the_centre():
    state = scene("JS 5C JD 9H", ("9C 2C", "3C 4C"), plays_made=0, face_down=3)
    step = play(state, "0 9C")
    assert told(step, Captured) == [Captured(0, 5, ("JS", "5C", "JD"))]
    assert told(step, Pisti) == []
    assert step.state.pile == ()
    assert PISTI.to_act(step.state) == (1,)


def test_vector_6_a_pisti():
    step = play(scene("TC", ("2C", "TD 3C"), to_play=1, plays_made=19), "1 TD")
    assert heap(step.state, 1) == {"TC", "TD"}
    assert told(step, Pisti) == [Pisti(1, 1, "single", 10)]
    assert step.state.pistis == (0, 1)
    assert step.state.totals == (0, 0)  # R21: not at once


def test_vector_7_a_jack_on_one_card_is_an_ordinary_capture():
    step = play(scene("7S", ("JH 2C", "3C 4C")), "0 JH")
    assert told(step, Captured) == [Captured(0, 2)]
    assert told(step, Pisti) == []


def test_vector_8_a_jack_on_a_single_jack_is_double():
    step = play(scene("JC", ("2C", "JH 3C"), to_play=1, plays_made=29), "1 JH")
    assert told(step, Pisti) == [Pisti(1, 1, "double", 20)]
    assert (step.state.pistis, step.state.doubles) == ((0, 0), (0, 1))


def test_vector_9_a_jack_lies_until_it_is_not_single():
    laid, taken = steps_of(scene("JC", ("8D 2C", "JH 3C")), "0 8D", "1 JH")
    assert codes(laid.state.pile) == "JC 8D"
    assert told(laid, Captured) == []
    assert told(taken, Captured) == [Captured(1, 3)]
    assert told(taken, Pisti) == []


def test_vector_10_a_jack_on_the_empty_table_captures_nothing():
    step = play(scene("", ("JC 2C", "3C 4C")), "0 JC")
    assert codes(step.state.pile) == "JC"
    assert told(step, Captured) == []


@pytest.mark.parametrize(("pile", "card"), [("6H", "6D"), ("JC", "JH")])
def test_vector_11_the_last_card_is_no_pisti(pile, card):
    step = play(last_play(pile, card, last_capturer=0), f"1 {card}")
    assert told(step, Captured) == [Captured(1, 2)]
    assert told(step, Pisti) == told(step, LeftoverAwarded) == []
    assert scores(step).sides[1].cards == 2


def test_vector_12_what_is_left_goes_to_the_last_capturer():
    step = play(last_play("6H QS", "4D", last_capturer=0), "1 4D")
    assert told(step, Captured) == []
    assert told(step, LeftoverAwarded) == [LeftoverAwarded(0, 3)]
    assert scores(step).sides[0].heap == ("4D", "6H", "QS")


def points(heaps, pistis=None, **values):
    """Deal points of heaps given by their scoring cards, filled up to their size."""
    chosen = options(players=len(heaps), **values)
    plain = [code for code in PACK if code[0] not in "JAT2"]
    filled = []
    for cards, size in heaps:
        named = cards.split()
        fill = [plain.pop() for _ in range(size - len(named))]
        filled.append(heap_of(map(PACK.index, [*named, *fill])))
    nothing = (0,) * len(heaps)
    scored = side_scores(chosen, filled, pistis or nothing, nothing, nothing)
    return [side.deal_points for side in scored]


def test_vector_13_a_two_seat_score():
    first = ("JC JD JH AC 2C", 28)
    second = ("JS AD AH AS TD TC TH TS 2D 2H 2S", 24)
    assert points([first, second], pistis=(1, 0)) == [19, 7]
    assert sum(points([first, second])) == 16  # R25


def test_vector_14_at_26_all_nobody_has_the_majority():
    first = ("JC JD AC AD 2C TD", 26)
    second = ("JH JS AH AS TC TH TS 2D 2H 2S", 26)
    assert points([first, second]) == [9, 4]


def test_vector_15_a_plurality_is_enough_among_four():
    assert leading_side([16, 16, 12, 8]) is None
    assert leading_side([17, 16, 11, 8]) == 0
    assert points([("", 17), ("", 8), ("", 4), ("", 3)]) == [3, 0, 0, 0]


def test_vector_15_partners_count_together():
    cards = list(PACK)
    sizes = (16, 16, 12, 8)
    heaps = [" ".join(cards.pop() for _ in range(size)) for size in sizes]
    heaps[3], card = heaps[3].rsplit(" ", 1)
    state = last_play("", card, heaps, players=4, teams=True, last_capturer=3)
    (first, second) = scores(play(state, f"3 {card}")).sides
    assert (first.cards, second.cards) == (28, 24)
    assert (first.majority, second.majority) == (True, False)


# Cards that bring a side so many points and, with others of no value, never the majority.
WORTH = {3: "TD", 6: "TD 2C AC", 7: "TD 2C AC AD"}


def decided(totals, deal):
    """The winner of totals and a deal, ``None`` when another deal is to be played."""
    after = [total + won for total, won in zip(totals, deal, strict=True)]
    return leading_side(after) if is_decided(after, 151) else None


def finish(totals, first, pistis=(0, 0), **values):
    """A deal ends in which seat 0's cards are worth ``first`` and seat 1 only has a 3."""
    heaps = [WORTH[first], ""]
    state = last_play("", "3C", heaps, last_capturer=1, totals=totals, pistis=pistis, **values)
    return play(state, "1 3C", shuffle=stacked(PACK))


def test_vector_16_both_pass_the_target_and_the_higher_wins():
    assert decided((148, 149), (7, 9)) == 1
    step = finish((148, 149), 7, pistis=(0, 1), pisti_points=9, majority_points=0)
    assert step.scores == (7, 9)
    assert told(step, MatchOver) == [MatchOver(1, (155, 158))]
    assert PISTI.outcome(step.state).winners == (1,)


def test_vector_17_a_tie_above_the_target_plays_on():
    step = finish((149, 145), 6, pistis=(0, 1), majority_points=0)
    assert step.scores == (6, 10)
    assert step.state.totals == (155, 155)
    assert told(step, MatchOver) == []
    assert told(step, DealStarted) == [DealStarted(2, 0, 1)]
    extra = finish((155, 155), 3, pistis=(0, 1), pisti_points=13, majority_points=0)
    assert told(extra, MatchOver) == [MatchOver(1, (158, 168))]


def test_vector_18_a_tie_can_be_overtaken():
    assert decided((152, 152, 140), (0, 0, 0)) is None
    assert decided((152, 152, 140), (0, 0, 16)) == 2
    state = last_play(
        "",
        "3C",
        ["", "", ""],
        players=3,
        last_capturer=2,
        totals=(152, 152, 140),
        pistis=(0, 0, 1),
        pisti_points=16,
        majority_points=0,
    )
    step = play(state, "2 3C")
    assert told(step, MatchOver) == [MatchOver(2, (152, 152, 156))]
    assert PISTI.outcome(step.state).places == (2, 2, 1)


def test_vector_19_exactly_151_is_enough():
    state = last_play(
        "",
        "3C",
        ["", "", "TD 2C"],
        players=3,
        last_capturer=1,
        totals=(140, 150, 100),
        pistis=(1, 0, 0),
        pisti_points=11,
        majority_points=0,
    )
    step = play(state, "2 3C")
    assert step.scores == (11, 0, 5)
    assert told(step, MatchOver) == [MatchOver(0, (151, 150, 105))]
    assert decided((140, 150, 100), (10, 0, 5)) is None
