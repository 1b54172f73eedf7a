"""The tables of vectors in RULES.md §6 of Pişti, played as they stand there."""

from itertools import pairwise

import pytest

from cardroom.rules.cards import pack, texts
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
from tests.rules.pisti.scene import (
    codes,
    deck,
    heap,
    last_play,
    play,
    scene,
    scores,
    stacked,
    start,
    told,
)
from tests.rules.specification import NONE, cards_at, numbers, pile, rules_of

PACK = deck("")
POINTLESS = [code for code in PACK if code[0] not in "JA" and code not in ("2C", "TD")]


def rows(heading):
    return [pytest.param(row, id=f"{row['#']}-{at}") for at, row in enumerate(_table(heading))]


def _table(heading):
    return rules_of("pisti").table(heading)


def batches(players, deals=2):
    """The states in which a batch has just been dealt, by (deal, batch); R16."""
    shuffle = stacked(*[PACK] * deals)
    state = start(PACK, players=players).state
    dealt, batch = {(1, 1): state}, 1
    shuffle(pack(52))
    while (state.deal_no, batch) != (deals, 1):
        (seat,) = PISTI.to_act(state)
        before = state
        state = PISTI.play(state, seat, PISTI.legal_moves(state, seat)[0], shuffle).state
        if sum(map(len, state.hands)) > sum(map(len, before.hands)):
            batch = batch + 1 if state.deal_no == before.deal_no else 1
            dealt[state.deal_no, batch] = state
    return dealt


@pytest.mark.parametrize("row", rows("Dealing (R3, R5, R16)"))
def test_dealing(row):
    state = batches(int(row["Seats"]))[int(row["Deal"]), int(row["Batch"])]
    for seat, hand in enumerate(state.hands):
        assert texts(hand) == tuple(PACK[at] for at in cards_at(row[f"Seat {seat}"]))
    assert texts(state.stock) == tuple(PACK[at] for at in cards_at(row["Stock left"]))
    if row["Centre"] != NONE:
        assert set(texts(state.pile)) == {PACK[at] for at in cards_at(row["Centre"])}


@pytest.mark.parametrize("row", rows("Turning up the centre (R7)"))
def test_turning_up_the_centre(row):
    step = start(deck(pile(row["Dealt"])), players=4)
    turned_up = pairwise([*row["Buried"].split(", "), row["Top"]])
    assert told(step, JackBuried) == [JackBuried(*jack_and_next) for jack_and_next in turned_up]
    assert codes(step.state.pile) == pile(row["Pile"])
    assert PISTI.view(step.state, None).top == row["Top"]
    assert told(step, CentreDealt) == [CentreDealt(4, row["Buried"].split(", ")[0])]


@pytest.mark.parametrize("row", rows("One play (R11 to R19)"))
def test_one_play(row):
    step = _played(row)
    captured = [event.count for event in told(step, Captured)]
    assert captured == ([] if row["Captured"] == NONE else [int(row["Captured"])])
    bonus = [f"{event.kind} {event.points}" for event in told(step, Pisti)]
    assert bonus == ([] if row["Bonus"] == NONE else [row["Bonus"]])
    assert codes(step.state.pile) == pile(row["Pile after"])
    assert not told(step, LeftoverAwarded)


def _played(row):
    lies, card, number = pile(row["Pile"]), row["Card"], int(row["Play"])
    if number == 48:
        return play(last_play(lies, card, target_score=None), f"1 {card}")
    free = [code for code in PACK if code not in (*lies.split(), card)]
    hands = (f"{card} {free[0]}", f"{free[1]} {free[2]}")
    return play(scene(lies, hands, plays_made=number - 1), f"0 {card}")


def heaps_of(sides):
    """Heaps with so many jacks, aces and other cards; each side (J, A, 2C, TD, cards)."""
    jacks, aces = ([code for code in PACK if code[0] == rank] for rank in "JA")
    plain, heaps = list(POINTLESS), []
    for side in sides:
        heap = [jacks.pop() for _ in range(int(side["Jacks"]))]
        heap += [aces.pop() for _ in range(int(side["Aces"]))]
        heap += [code for code, has in (("2C", side["2C"]), ("TD", side["TD"])) if has == "yes"]
        heaps.append([*heap, *[plain.pop() for _ in range(int(side["Cards"]) - len(heap))]])
    return heaps


@pytest.mark.parametrize("vector", ["13", "14"])
def test_the_score_of_a_deal(vector):
    sides = [row for row in _table("Score of a deal (R23 to R25)") if row["#"] == vector]
    first, second = heaps_of(sides)
    card = second.pop()  # the last play; it falls to seat 1, the last capturer
    state = last_play(
        "",
        card,
        [" ".join(first), " ".join(second)],
        last_capturer=1,
        pistis=[int(side["Piştis"]) for side in sides],
        doubles=[int(side["Doubles"]) for side in sides],
    )
    step = play(state, f"1 {card}", shuffle=stacked(PACK))
    assert step.scores == tuple(int(side["Points"]) for side in sides)
    assert [side.cards for side in scores(step).sides] == [int(side["Cards"]) for side in sides]


@pytest.mark.parametrize("row", rows("Majority (R24)"))
def test_the_majority(row):
    cards = list(PACK)
    heaps = [[cards.pop() for _ in range(size)] for size in numbers(row["Cards by seat"])]
    card = heaps[3].pop()
    state = last_play(
        "",
        card,
        [" ".join(heap) for heap in heaps],
        players=4,
        teams=row["Teams"] == "yes",
        last_capturer=3,
    )
    sides = scores(play(state, f"3 {card}", shuffle=stacked(PACK))).sides
    having = [f"side {number}" for number, side in enumerate(sides) if side.majority]
    assert having == ([] if row["Majority"] == "nobody" else [row["Majority"]])


@pytest.mark.parametrize("row", rows("End of a match (R27)"))
def test_the_end_of_a_match(row):
    """The points of the deal are piştis at one point each."""
    totals, deal = numbers(row["Totals before"]), numbers(row["Deal"])
    state = last_play(
        "",
        "3C",
        players=len(totals),
        totals=totals,
        pistis=deal,
        pisti_points=1,
        majority_points=0,
    )
    step = play(state, f"{len(totals) - 1} 3C", shuffle=stacked(PACK))
    assert step.scores == deal
    assert step.state.totals == numbers(row["Totals after"])
    winners = [f"side {event.winner}" for event in told(step, MatchOver)]
    assert (winners or ["another deal"]) == [row["Winner"]]
    assert bool(told(step, DealStarted)) == (row["Winner"] == "another deal")


# Cases beside the tables.


def cut(first, last, cards=PACK):
    """``d4–d7`` as the rules write it."""
    return tuple(cards[first : last + 1])


def test_vectors_1_and_2_who_deals_and_what_lies_on_top():
    among_four = batches(4)[1, 1]
    assert (among_four.dealer, texts(among_four.pile)) == (3, cut(0, 3))
    between_two = batches(2)
    assert between_two[1, 1].dealer == 1
    second = between_two[2, 1]
    assert (second.deal_no, second.dealer, second.to_play) == (2, 0, 1)


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
    assert [texts(hand) for hand in step.state.hands] == [cut(0, 3), cut(4, 7)]


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


def test_vector_8_a_jack_on_a_single_jack_is_double():
    step = play(scene("JC", ("2C", "JH 3C"), to_play=1, plays_made=29), "1 JH")
    assert told(step, Pisti) == [Pisti(1, 1, "double", 20)]
    assert (step.state.pistis, step.state.doubles) == ((0, 0), (0, 1))


def test_vector_12_what_is_left_goes_to_the_last_capturer():
    step = play(last_play("6H QS", "4D", last_capturer=0), "1 4D")
    assert told(step, Captured) == []
    assert told(step, LeftoverAwarded) == [LeftoverAwarded(0, 3)]
    assert scores(step).sides[0].heap == ("4D", "6H", "QS")


def test_vector_18_a_tie_can_be_overtaken():
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
