"""No page tells a card that its reader was never told: whole matches of every game.

What a reader may know is what the views and events of his seat held so far. The source of his page
is searched for every other card of the deal, by code and as people write it.
"""

import re
from random import Random
from uuid import UUID

import msgspec
import pytest

from accounts import services
from cardroom.contract.playing import NAMES
from cardroom.rules import catalog
from cardroom.rules.cards import pretty
from decks import services as decks
from games.matches import joining
from games.matches.models import Round
from games.matches.selectors.access import get_match
from games.matches.selectors.log import events_for, log_entries
from tests.conftest import PASSWORD
from tests.matches.scenes import move, played, short
from tests.rules.playing import FUZZING
from tests.rules.short import plies, short_options
from tests.web.browsing import Browser, signed_in

pytestmark = pytest.mark.django_db

PLIES = {"pisti": 3, "pazaak": 2, "shithead": 8, "pyanitsa": 8}  # from look to look
DECK = ["M1", "M2", "M3", "M4", "M5", "M6", "PM1", "PM2", "PM3", "PM4"]
WORD = re.compile(r"[^\W_]+[♠♥♦♣]?")
OUTLINE = re.compile(r'\sd="[Mm][^"]*"')  # a line that begins at "M3 9" names no card


@pytest.fixture
def match_of(ada, ben):
    """A short match of Ada, Ben (whose deck is unlike hers) and more, and everybody's browser."""

    def opened(game):
        seats = game.seats(game.options())
        match = short(ada, game.slug, ", ".join(["me", *["open"] * (seats - 1)]))
        browsers = {0: signed_in(ada), None: Browser()}
        if game.needs_side_deck:
            decks.create_deck(owner=ben.pk, name="Unlike hers", cards=DECK)
        for seat in range(1, seats):
            user = ben if seat == 1 else services.register(username=NAMES[seat], password=PASSWORD)
            match = joining.join(match_id=match.id, user=user)
            browsers[seat] = signed_in(user)
        return match, browsers

    return opened


class Reader:
    """One seat's browser, and every card that this seat was told of."""

    def __init__(self, match, seat, browser):
        self.seat, self.browser, self.after = seat, browser, -1
        own = () if seat is None else match.setups[seat].side_deck or ()
        self.told, self.round = set(own), 0

    def leaks(self, match):
        """The cards on the page that no view and no event ever named to this seat."""
        self.listen(match)
        page = "".join(self.browser.open(address).page for address in self.pages_of(match))
        assert match.seed.hex() not in page
        words = set(WORD.findall(OUTLINE.sub("", page)))
        cards = {match.rules.card_text(card) for card in match.rules.cards(match.state)}
        return {card for card in cards - self.told if words & {card, *written(card)}}

    def pages_of(self, match):
        """The table with its list of saves, and its past; once a round what tells of it elsewhere.

        A save is looked at as the past at the opening of its round.
        """
        table = f"/matches/{match.id}"
        yield table
        yield f"{table}?ply={match.version // 2}&seat=1&hands=1"
        if match.round != self.round:
            self.round = match.round
            yield from ("/lobby", f"{table}/deals")
            yield f"{table}?ply={opening_of(match)}&seat=1&hands=1"

    def listen(self, match):
        self.told |= words_in(match.rules.view(match.state, self.seat))
        for entry in log_entries(match, after=self.after):
            for event in events_for(match, entry, self.seat):
                self.told |= words_in(event)
        self.after = match.version


def opening_of(match):
    return Round.objects.get(match_id=match.id, number=match.round).opening_version


def words_in(value):
    return set(WORD.findall(msgspec.json.encode(value).decode()))


def written(card):
    return {pretty(card)} if card[-1] in "SHDC" else set()


def side_cards_only(game, cards):
    """Every deck of Pazaak holds the numbers of the main deck: they tell nothing."""
    return {card for card in cards if not (game.needs_side_deck and card.isdigit())}


def from_look_to_look(game):
    """How many plies: a short match of another game is looked at some eight times."""
    if FUZZING:
        return 1
    return (
        PLIES.get(game.slug) or 1 + plies(game, game.choose_options(short_options(game)), 999) // 8
    )


# Six times as many plies in `make test`, and as written in `make sweeps`.
@pytest.mark.parametrize("times", [6, pytest.param(1, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_no_page_tells_what_its_reader_was_never_told(game, match_of, times):
    match, browsers = match_of(game)
    readers = [Reader(match, seat, browser) for seat, browser in browsers.items()]
    rng, pages, step = Random(1), 0, from_look_to_look(game) * times
    while match.status == "active":
        for reader in readers:
            assert not side_cards_only(game, reader.leaks(match)), f"seat {reader.seat}"
            pages += 1
        for _ in range(step):
            if match.status == "active":
                seat = rng.choice(match.to_act)
                match = move(match, rng.choice(match.rules.legal_moves(match.state, seat)), seat)
    assert pages >= 12 // times


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_a_match_played_on_from_a_save_tells_no_more(game, ada):
    bots = [f"bot {game.bots[0].slug}"] * (short_seats(game) - 1)
    old = played(short(ada, game.slug, ", ".join(["me", *bots])), 6)
    browser = signed_in(ada)
    knows = Reader(old, 0, browser)
    assert not side_cards_only(game, knows.leaks(old))
    browser.open(f"/matches/{old.id}").press("Load with new cards", round="1")
    loaded = get_match(UUID(browser.address.rstrip("/").rpartition("/")[2]))
    assert loaded.parent_id == old.id
    reader = Reader(loaded, 0, browser)
    reader.told |= knows.told
    assert not side_cards_only(game, reader.leaks(loaded))


def short_seats(game):
    return game.seats(game.choose_options(short_options(game)))


def test_a_page_that_shows_all_hands_would_be_noticed(match_of):
    game = catalog.GAMES[0]
    match, browsers = match_of(game)
    other = Reader(match, 1, browsers[0])  # what Ada's page shows, read with Ben's eyes
    assert other.leaks(match)
