"""The tables of vectors in RULES.md §6 of Shithead, played as they stand there."""

import pytest

from cardroom.rules.cards import pack
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.events import Burned
from cardroom.rules.shithead.options import cards_each
from cardroom.rules.shithead.predicates import in_order
from cardroom.rules.shithead.state import deal
from tests.rules.shithead.scene import hand, of, play, position
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
