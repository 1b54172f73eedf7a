"""Pazaak's table: two boards, a hand with its choices, and nothing of the rival's."""

import msgspec
import pytest
from msgspec.structs import replace

from cardroom.rules.pazaak.predicates import Placed
from decks import services
from games.matches.selectors.access import get_match
from games.web.parts.table_page import table_page
from games.web.tables.pazaak import Scene, scene
from tests.matches.scenes import now, opened, played_to_round

pytestmark = pytest.mark.django_db


def scene_at(match, user, **own) -> Scene:
    """The scene once seat 0 holds and lies as told, in the phase after the draw."""
    half = replace(match.state.halves[0], **own)
    half = replace(half, total=sum(placed.value for placed in half.board))
    halves = (half, match.state.halves[1])
    state = replace(match.state, halves=halves, to_act=0, phase="turn_play")
    then = replace(match, state_json=msgspec.json.encode(state), to_act=[0])
    return scene(table_page(then, user.id, present_seat=0))


@pytest.fixture
def match(ada):
    return opened(ada, "me, bot gambler", game="pazaak")


def test_a_card_with_a_choice_has_a_button_for_each(ada, match):
    shown = scene_at(match, ada, hand=("P3", "PM3", "PM12", "D"), board=(Placed("main", "7", 7),))
    assert [[way.short for way in held.ways] for held in shown.hand] == [
        ["+3"],
        ["+3", "−3"],
        ["+1", "+2", "−1", "−2"],
        ["Double"],
    ]


def test_the_board_has_nine_places(ada, match):
    shown = scene_at(match, ada, board=(Placed("main", "7", 7), Placed("side", "M3", -3)))
    assert len(shown.own.places) == 9
    assert [placed.value for placed in shown.own.places if placed] == [7, -3]
    assert shown.own.half.total == 4


def test_over_twenty_is_said(ada, match):
    tens = tuple(Placed("main", "10", 10) for _ in range(3))
    shown = scene_at(match, ada, board=tens)
    assert shown.own.is_bust
    assert shown.decision == "Over 20: a card may still save you."


def test_a_turn_by_forms_alone(at_home, ada):
    match = opened(ada, "me, local Ann", game="pazaak", options={"first_starter": "seat0"})
    at_home.open(f"/matches/{match.id}").press("show my cards")
    assert at_home.moves == ["draw", "stand"]
    at_home.press("Draw a card")
    assert "pass" in at_home.moves
    at_home.press("Play no card")
    assert "Pass the device to Ann" in at_home.text
    assert now(match).version == 2


def test_a_button_says_where_its_card_leads(ada, match):
    sixteen = (Placed("main", "10", 10), Placed("main", "6", 6))
    shown = scene_at(match, ada, hand=("P3", "PM5", "F16", "D"), board=sixteen)
    assert [[(way.total, way.is_bust) for way in held.ways] for held in shown.hand] == [
        [(19, False)],
        [(21, True), (11, False)],
        [(4, False)],  # the 6 turned over
        [(22, True)],
    ]
    assert [way.key for held in shown.hand for way in held.ways] == [1, 2, 3, 4, 5]


def test_special_cards_are_explained_once(ada, match):
    shown = scene_at(match, ada, hand=("P3", "PM3", "F24", "F24", "T"))
    assert [held.code for held in shown.specials] == ["F24", "T"]


def test_with_nine_cards_only_what_takes_no_place_is_playable(ada, match):
    nine = tuple(Placed("main", "3", 3) for _ in range(9))
    shown = scene_at(match, ada, hand=("M4", "F13"), board=nine)
    assert [[way.short for way in held.ways] for held in shown.hand] == [[], ["Flip"]]


def test_how_the_round_before_ended_is_said(ada, at_home):
    match = played_to_round(opened(ada, "me, local Ann", game="pazaak"), 2)
    shown = scene(table_page(match, ada.id, present_seat=match.to_act[0]))
    assert "It stands" in shown.last_round
    assert shown.last_round in at_home.open(f"/matches/{match.id}").text


class TestTurnEnd:
    """The original rules: the card is drawn by itself, standing comes at the end."""

    @pytest.fixture(params=["kotor1", "kotor2"])
    def match(self, request, ada):
        return opened(ada, "me, local Ann", game="pazaak", preset=request.param)

    def test_a_turn_ends_or_stands(self, ada, match):
        shown = scene_at(match, ada, hand=("PM4",))
        assert [button.move for button in shown.turn_buttons] == ["end", "stand"]
        assert shown.decision == "Play a card from your hand, or none?"
        assert len(shown.own.wins) == 3

    def test_after_a_card_no_other_is_offered(self, ada, at_home, match):
        at_home.open(f"/matches/{match.id}").press("show my cards")
        card = next(move for move in at_home.moves if move not in ("end", "stand"))
        at_home.press(card)
        assert at_home.moves == ["end", "stand"]
        assert "End the turn, or stand?" in at_home.text


def test_a_cheater_is_labelled(ada, at_home):
    match = opened(ada, "me, bot cheater", game="pazaak")
    assert not match.rated
    page = at_home.open(f"/matches/{match.id}").page
    assert "cheats: 4 cards allowed" in page
    assert "not rated" in at_home.text
    form = at_home.open("/new?game=pazaak").text
    assert "Computer: Cheater (level 3, not rated)" in form


class TestOneDevice:
    def test_the_curtain_hides_hands_and_what_is_left(self, ada, at_home):
        match = opened(ada, "me, local Ann", game="pazaak")
        at_home.open(f"/matches/{match.id}")
        assert "Pass the device to" in at_home.text
        assert "left in your side deck" not in at_home.text
        assert 'class="leads' not in at_home.page
        assert at_home.moves == []
        at_home.press("show my cards")
        assert "6 cards left in your side deck" in at_home.text


def test_who_watches_sees_counts_of_both_and_no_card(ada, stranger):
    match = opened(ada, "me, bot gambler", game="pazaak", visibility="public")
    stranger.open(f"/matches/{match.id}")
    assert stranger.text.count("4 in hand, 6 to come") == 2
    assert "pazaak-card is-p" not in stranger.page
    assert stranger.moves == []


class TestOwnDeck:
    @pytest.fixture
    def mixture(self, ada):
        cards = ("PM1", "PM2", "PM3", "PM4", "M5", "M6", "PM12", "F24", "D", "T")
        return services.create_deck(owner=ada.id, name="Mixture", cards=cards, is_default=False)

    def test_without_one_the_form_shows_the_way_to_decks(self, at_home):
        at_home.open("/new?game=pazaak")
        assert "the same side deck as the computer" in at_home.text
        assert 'href="/decks/"' in at_home.page
        assert "same side deck" not in at_home.open("/new?game=pisti").text

    def test_a_new_match_is_played_with_the_chosen_one(self, at_home, mixture):
        at_home.open("/new?game=pazaak").press("Start", side_deck=str(mixture.id))
        match = get_match(at_home.match_id)
        assert sorted(match.seats[0].side_deck) == sorted(mixture.cards)

    def test_it_is_brought_to_a_friends_table(self, ben, at_home, mixture):
        match = opened(ben, "me, open", game="pazaak")
        at_home.open(f"/matches/{match.id}").press("Sit down", side_deck=str(mixture.id))
        assert sorted(now(match).seats[1].side_deck) == sorted(mixture.cards)

    def test_a_deck_that_is_not_legal_there_is_refused_with_the_reason(self, ben, at_home, mixture):
        match = opened(ben, "me, open", game="pazaak", preset="kotor1")
        at_home.open(f"/matches/{match.id}").press("Sit down", side_deck=str(mixture.id))
        assert now(match).status == "open"
        assert "kotor1" in at_home.text
        assert "Sit down here" in at_home.text
