"""A position as a line of text: readable, and the same state when it is read again."""

import re
from dataclasses import replace
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from cardroom.rules import position
from cardroom.rules.position import BadPosition
from cardroom.rules.values import Card, CardSet, Options, Seat, State
from tests.fifth_game import GAME as HIGH_CARD
from tests.fifth_game.state import HighCardState
from tests.rules.playing import every_game_and_a_fifth, examples, positions


@every_game_and_a_fifth
@examples(15)
@given(data=st.data())
def test_every_position_is_a_line_that_reads_as_it_was_written(game, data):
    for _, step in positions(game, data, 50):
        line = position.write(game, step.state)
        assert "\n" not in line
        assert position.read(game, line) == step.state
        assert position.write(game, position.read(game, line)) == line


LINE = "high-card options={players=3} hands=[[7H 9C] [TD KS] [6S 8H]] stock=[AC] leader=1 tricks=[0 1 0] laid=[QH]"  # fmt: skip # noqa: E501


def test_a_line_is_read_by_people():
    state = position.read(HIGH_CARD, LINE)
    assert isinstance(state, HighCardState)
    assert (state.options.players, state.leader, state.gone) == (3, 1, ())
    assert position.write(HIGH_CARD, state) == LINE


class Mark(msgspec.Struct, frozen=True):
    seat: Seat
    card: Card | None = None
    source: Literal["hand", "top card"] = msgspec.field(name="from", default="hand")


class Everything(State, frozen=True):
    options: Options
    heap: CardSet
    marks: tuple[Mark, ...]
    pair: tuple[Card, str]
    texts: tuple[str, ...]
    mixed: tuple[bool | str | None, ...]
    number: int | tuple[Card, ...] | None
    bounded: Annotated[int, Meta(ge=-3)] = 0


MIXED = replace(HIGH_CARD, state=Everything)
STATE = Everything(
    options=Options(),
    heap=0b101,
    marks=(Mark(0), Mark(1, 5, "top card")),
    pair=(0, "P1"),
    texts=("", "two words", 'quoted "it"', "-", "yes", "7H", "Ä"),
    mixed=(True, "yes", None, "-", False),
    number=(),
    bounded=-2,
)
TEXT = (
    "high-card options={} heap=[2C 4C] marks=[{seat=0} "
    '{seat=1 card=7C source="top card"}] pair=[2C P1] '
    r'texts=["" "two words" "quoted \"it\"" "-" yes "7H" "Ä"] '
    'mixed=[yes "yes" - "-" no] number=[] bounded=-2'
)


def test_every_kind_of_value_has_its_form():
    assert position.write(MIXED, STATE) == TEXT
    assert position.read(MIXED, TEXT) == STATE


@given(texts=st.lists(st.text()), mixed=st.lists(st.booleans() | st.none() | st.text()))
def test_any_text_comes_back(texts, mixed):
    state = msgspec.structs.replace(STATE, texts=tuple(texts), mixed=tuple(mixed))
    line = position.write(MIXED, state)
    assert "\n" not in line
    assert position.read(MIXED, line) == state


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("high-card", "pisti", "This is a position of 'pisti', not of 'high-card'"),
        ("leader=1", "leader=one", "leader: 'one' is not a whole number"),
        ("leader=1", "leader=[1]", "leader: a list in brackets is not a whole number"),
        ("leader=1 ", "", "leader is missing"),
        ("leader=1", "leader=1 leader=1", "leader stands twice"),
        ("leader=1", "leader=1 chief=1", "chief is no field of HighCardState"),
        ("TD KS", "TD 1S", "hands[1][1]: '1S' is not a card"),
        ("stock=[AC]", "stock=AC", "stock: 'AC' is no list in brackets"),
        ("{players=3}", "{players=many}", "options.players: 'many' is not a whole number"),
        ("{players=3}", "{seats=3}", "options.seats is no field of HighCardOptions"),
        ("{players=3}", "{players=9}", "Expected `int` <= 5 - at `$.options.players`"),
        ("{players=3}", "3", "options: '3' is no struct in braces"),
        ("laid=[QH]", "laid=[QH", "laid: a value is expected, not the end of the line"),
        ("laid=[QH]", "laid QH", "laid: '=' is expected"),
        ("laid=[QH]", 'laid="QH', "'\"QH' is not a value"),
        ("laid=[QH]", "laid=[QH] ]", "The name of a field is expected, not ']'"),
        (LINE, "", "The slug of a game is expected, not the end of the line"),
    ],
)
def test_a_fault_names_its_field(old, new, fault):
    with pytest.raises(BadPosition, match=f"^{re.escape(fault)}.*[.]$"):
        position.read(HIGH_CARD, LINE.replace(old, new))


def test_faults_inside_structs_and_unions_name_their_place():
    for old, new, fault in (
        ("card=7C", "card=7X", "marks[1].card: '7X' is not a card."),
        ("source=", "sauce=", "marks[1].sauce is no field of Mark."),
        ("pair=[2C P1]", "pair=[2C]", "pair: 1 values, not 2."),
        ("heap=[2C 4C]", "heap=[2C 2C]", "heap: a card stands twice."),
    ):
        with pytest.raises(BadPosition, match=re.escape(fault)):
            position.read(MIXED, TEXT.replace(old, new))


class Weighed(State, frozen=True):
    weight: float


def test_a_type_without_a_form_is_told_of():
    with pytest.raises(TypeError, match="no text form for values of type FloatType"):
        position.write(replace(HIGH_CARD, state=Weighed), Weighed(1.5))
