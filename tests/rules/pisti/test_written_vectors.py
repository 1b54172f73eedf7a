"""The tables of vectors in RULES.md §6 of Pişti, played as they stand there."""

import pytest

from cardroom.rules.cards import pack, texts
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.events import (
    Captured,
    CentreDealt,
    DealStarted,
    JackBuried,
    LeftoverAwarded,
    MatchOver,
    Pisti,
)
from tests.rules.pisti.scene import (
    codes,
    deck,
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
    assert [event.card for event in told(step, JackBuried)] == row["Buried"].split(", ")
    assert codes(step.state.pile) == pile(row["Pile"])
    assert PISTI.view(step.state, None).top == row["Top"]
    assert told(step, CentreDealt)[0].top == row["Buried"].split(", ")[0]


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
