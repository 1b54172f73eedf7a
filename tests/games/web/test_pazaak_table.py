"""Pazaak's table: two boards, a hand with its choices, and nothing of the rival's."""

import pytest
from msgspec.structs import replace

from games import selectors
from games.rules.pazaak.board import Placed
from games.rules.pazaak.view import view
from games.web.board import board
from games.web.tables.pazaak import Scene, scene
from tests.games.tables import opened

pytestmark = pytest.mark.django_db


def scene_at(table, user, **own) -> Scene:
    """The scene once seat 0 holds and lies as told, in the phase after the draw."""
    half = replace(table.state.halves[0], **own)
    half = replace(half, total=sum(placed.value for placed in half.board))
    halves = (half, table.state.halves[1])
    state = replace(table.state, halves=halves, to_act=0, phase="turn_play")
    return scene(board(table.moved(state=state, to_act=(0,)), user.id))


@pytest.fixture
def table(ada):
    return opened(ada, "me, bot gambler", game="pazaak")


def test_a_card_with_a_choice_has_a_button_for_each(ada, table):
    shown = scene_at(table, ada, hand=("P3", "PM3", "PM12", "D"))
    assert [[way.short for way in held.ways] for held in shown.hand] == [
        ["+3"],
        ["+3", "−3"],
        ["+1", "+2", "−1", "−2"],
        ["Double"],
    ]


def test_the_board_has_nine_places(ada, table):
    shown = scene_at(table, ada, board=(Placed("main", "7", 7), Placed("side", "M3", -3)))
    assert len(shown.own.places) == 9
    assert [placed.value for placed in shown.own.places if placed] == [7, -3]
    assert shown.own.half.total == 4


def test_over_twenty_is_said(ada, table):
    tens = tuple(Placed("main", "10", 10) for _ in range(3))
    shown = scene_at(table, ada, board=tens)
    assert shown.own.is_bust
    assert shown.asks == "Over 20: a card may still save you."


def test_the_page_keeps_the_rivals_cards(ada, at_home, table):
    page = at_home.open(f"/matches/{table.id}").page
    rival = table.state.halves[1]
    for code in set(rival.hand) | set(rival.side):
        own = view(table.state, 0)
        assert f'data-card="{code}"' not in page or code in (*own.hand, *own.side_deck)
    assert table.seed.hex() not in page
    assert f"{len(rival.hand)} in hand, {len(rival.side)} to come" in page


def test_a_turn_by_forms_alone(ada, at_home, table):
    at_home.open(f"/matches/{table.id}")
    now = selectors.table(table.id)
    if now.to_act == (0,):
        move = {"move": "draw", "version": str(now.version), "seat": "0"}
        at_home.client.post(f"/matches/{table.id}/move", move)
        assert selectors.table(table.id).version == now.version + 1
