"""The generic table: any view as facts, with cards drawn and seats by name; a hand to click."""

import re

import msgspec
import pytest

from cardroom.rules import catalog
from cardroom.rules.state_fields import ANY, fields_of
from cardroom.rules.values import Seat, View
from games.web.parts.table_page import MoveButton, table_page
from games.web.tables import any_game, page_of
from games.web.tables.any_game import Fact, Fields, Item, fact, is_by_seat
from tests.fifth_game import GAME as HIGH_CARD
from tests.matches.scenes import now, opened, played, short
from tests.web.browsing import signed_in

SLUGS = [game.slug for game in catalog.GAMES]
NAMES = ("Ada", "Ben", "Cem")


class Bout(View, frozen=True, kw_only=True):
    """Fields as the view of an attacking game may have them."""

    attacker: Seat
    dealer: Seat | None = None
    passed: tuple[Seat, ...] = ()
    beaten_by: tuple[str | None, ...] = ()
    laid: tuple[tuple[Seat, str], ...] = ()
    pairs: tuple[tuple[str, str | None], ...] = ()
    over: bool = False
    discard: tuple[str, ...] = ()
    votes: dict[Seat, str] = msgspec.field(default_factory=dict)


def drawn(**values):
    """The facts of a bout in which seat 2 attacks."""
    view = Bout(seat=0, to_act=(), **{"attacker": 2, **values})
    kinds = fields_of(Bout)
    return {name: fact(name, getattr(view, name), kinds[name], NAMES) for name in kinds}


@pytest.fixture(params=SLUGS)
def generic(request, monkeypatch):
    """A game of the catalogue as if it had no table of its own."""
    monkeypatch.setattr("games.web.table.page.page_of", lambda slug: page_of("no-such-game"))
    return request.param


def card_item(code):
    return Item(card=code)


class TestFacts:
    def test_seats_are_named(self):
        facts = drawn(dealer=0, passed=(0, 1))
        assert facts["attacker"] == Fact("attacker", text="Cem")
        assert facts["dealer"] == Fact("dealer", text="Ada")
        assert facts["passed"] == Fact("passed", text="Ada, Ben")

    def test_cards_are_drawn_beside_places_without_one(self):
        beaten = drawn(beaten_by=("AD", None))["beaten_by"]
        assert beaten.groups == ((card_item("AD"), card_item("")),)

    def test_cards_are_drawn_in_tuples_with_other_things(self):
        facts = drawn(laid=((1, "7H"), (2, "8H")), pairs=(("6S", "9S"), ("7D", None)))
        assert facts["laid"].groups == (
            (Item("Ben"), card_item("7H")),
            (Item("Cem"), card_item("8H")),
        )
        assert facts["pairs"].groups == (
            (card_item("6S"), card_item("9S")),
            (card_item("7D"), card_item("")),
        )

    def test_mappings_are_pairs(self):
        assert drawn(votes={0: "yes", 2: "no"})["votes"].text == "Ada yes, Cem no"

    def test_what_says_nothing_is_left_out(self):
        facts = drawn()
        assert facts["dealer"] is facts["passed"] is facts["over"] is None

    def test_a_pile_without_cards_says_so(self):
        assert drawn()["discard"] == Fact("discard", groups=())

    def test_other_values_are_words(self):
        assert fact("top", "TD", ANY, NAMES) == Fact("top", groups=((card_item("TD"),),))
        assert fact("phase", "turn_start", ANY, NAMES) == Fact("phase", text="turn start")
        assert fact("ready", True, ANY, NAMES) == Fact("ready", text="yes")


def test_lists_by_seat_stand_at_their_seats(ada):
    match = opened(ada, "me, bot greedy, bot random", options={"players": 3})
    scene = any_game.scene(table_page(match, ada.id), fields=Fields())
    assert [Fact("Hand sizes", text="4") in seat for seat in scene.seats] == [True] * 3
    assert [card.code for card in scene.hand] == [*match.rules.view(match.state, 0).hand]
    assert Fact("Stock size", text="36") in scene.common
    assert Fact("Dealer", text=match.names[match.state.dealer]) in scene.common


def test_as_many_texts_as_seats_are_not_one_each():
    kinds = fields_of(Bout)
    assert not is_by_seat(("P1", "P3"), kinds["discard"], 2)
    assert not is_by_seat((1, 0), kinds["passed"], 2)
    assert is_by_seat((("6S", "9S"), ("7D", None)), kinds["pairs"], 2)


def test_a_game_names_labels_and_hides_fields(ada):
    match = opened(ada, "me, bot greedy, bot random", options={"players": 3})
    fields = Fields({"stock_size": "To deal"}, hidden={"dealer"}, common={"hand_sizes"})
    scene = any_game.scene(table_page(match, ada.id), fields=fields)
    assert Fact("To deal", text="36") in scene.common
    assert Fact("Hand sizes", text="4, 4, 4") in scene.common
    assert not [fact for fact in scene.common if fact.name == "Dealer"]


@pytest.mark.parametrize(
    ("moves", "played"),
    [
        (["7H", "8H"], "7H"),
        (["attack 7H", "pass"], "attack 7H"),
        (["7H", "beat 7H"], "7H"),
        (["attack 7H", "pass 7H"], None),
        (["swap 7H 8H"], None),
    ],
)
def test_a_click_on_a_card_plays_it_where_that_is_clear(moves, played):
    button = any_game.button_of("7H", [MoveButton(move, move) for move in moves])
    assert (button and button.move) == played


def test_every_game_can_be_played_at_it(ada, generic):
    match = short(ada, generic)
    browser = signed_in(ada).open(f"/matches/{match.id}")
    while "show my cards" in browser.page or browser.moves:
        if "show my cards" in browser.page:
            browser.press("show my cards")
        legal = match.rules.legal_moves
        shown = browser.moves
        state = now(match).state
        assert sorted(shown) in [sorted(legal(state, seat)) for seat in (0, 1)]
        browser.press(shown[-1])
        if now(match).version >= 5:
            break
    assert now(match).version >= 5 or now(match).is_over


def test_it_shows_what_came_of_it(ada, generic):
    match = played(short(ada, generic))
    browser = signed_in(ada).open(f"/matches/{match.id}")
    assert browser.status == 200
    assert "Again" in browser.text


def test_the_viewer_is_marked_and_plays_cards_of_the_hand(ada, at_home, monkeypatch):
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, HIGH_CARD))
    match = opened(ada, "me, bot random, bot random", "high-card", options={"players": 3})
    at_home.open(f"/matches/{match.id}")
    assert at_home.page.count(">you<") == 1
    assert f"Leader {ada.display_name}" in at_home.text
    assert at_home.moves == [*match.rules.view(match.state, 0).hand]
    assert len(re.findall(r'<button[^>]* class="playing-card', at_home.page)) == 3
    at_home.press(at_home.moves[0])
    assert now(match).version == 1
