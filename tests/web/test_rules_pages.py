"""The rules pages of the site against RULES.md: nothing lacks, no number contradicts.

An element that states rules names them: ``<p data-rule="R17 R18">``. Each number in it (but "one")
must stand in the text of one of these rules.
"""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from django.utils.translation import gettext, override

from cardroom.rules import catalog
from cardroom.rules.lesson import LEARNER, lesson_positions
from games.language import words
from games.matches.models import Match
from games.matches.selectors.access import get_match
from tests.matches.scenes import played
from tests.rules.specification import amounts, codes, rules_of

pytestmark = pytest.mark.django_db


SLUGS = [game.slug for game in catalog.GAMES]
VOID = {"br", "hr", "img", "input", "link", "meta"}


class Page(HTMLParser):
    """The contents of a rules page: its rules, its options, and the number of players."""

    def __init__(self, source):
        super().__init__()
        self.rules, self.options, self.seats = [], {}, ""
        self._open, self._option = [], None
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        if "data-rule" in known:
            self.rules.append([known["data-rule"].split(), ""])
        if tag not in VOID:
            self._open.append((tag, known))

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if any(tag == "svg" for tag, _ in self._open):
            return  # a drawing: the number on a card is no rule
        if self._within("data-rule"):
            self.rules[-1][1] += f" {data}"
        if self._within("data-seats"):
            self.seats += data
        tags = [tag for tag, _ in self._open]
        if tags[-1:] == ["dt"]:
            self._option = data
        elif tags[-2:] == ["span", "b"] and self._open[-2][1].get("class") == "default":
            self.options[self._option] = self.options.get(self._option, "") + data

    def _within(self, attribute):
        return any(attribute in attributes for _, attributes in self._open)


@pytest.fixture(params=SLUGS)
def slug(request):
    return request.param


@pytest.fixture
def page(client, db, slug):
    return Page(client.get(f"/games/{slug}/rules").content.decode())


def test_every_rule_for_players_is_on_the_page(slug, page):
    """RULES.md marks the others as notes."""
    rules = rules_of(slug)
    stated = {int(name.removeprefix("R")) for names, _ in page.rules for name in names}
    assert stated - set(rules.rules) == set()
    assert set(rules.rules) - rules.notes() - stated == set()


def test_no_number_on_the_page_contradicts_its_rules(slug, page):
    for names, text in page.rules:
        rules = " ".join(rules_of(slug).rules[int(name.removeprefix("R"))] for name in names)
        assert amounts(text) <= amounts(rules), f"{' '.join(names)}:{text}"


def test_every_option_is_on_the_page_with_its_default(slug, page):
    rules = rules_of(slug).table("Options", "Option")
    options = {codes(row["Option"])[0]: row["Default"] for row in rules}
    words = catalog.find(slug).option_words
    assert page.options == dict(_in_words(value, words[name]) for name, value in options.items())


CARDS = re.compile(r'data-card="[^"]|class="pazaak-card')


def test_the_rules_about_cards_show_them_and_a_summary_comes_first(client, db, slug):
    source = client.get(f"/games/{slug}/rules").content.decode()
    short, rules = source.split('class="in-short"')[1].split("</section>", 1)
    items = short.split("<li>")[1:]
    assert 4 <= len(items) <= 5  # a phone's screen
    assert all(CARDS.search(item) for item in items)
    shown = [part for part in rules.split("data-rule=")[1:] if CARDS.search(part)]
    assert len(shown) >= 5


def test_the_seven_kinds_of_side_cards_are_drawn(client, db):  # pazaak R13
    table = (
        client.get("/games/pazaak/rules").content.decode().split("<table>")[1].split("</table>")[0]
    )
    kinds = ("plus", "minus", "plus-or-minus", "plus-or-minus-1-2", "flip", "double", "tiebreaker")
    assert all(f"is-{kind}" in table for kind in kinds)


def test_what_is_noted_about_an_option_is_on_the_page(client, db, slug):
    page = unescape(client.get(f"/games/{slug}/rules").content.decode())
    for option in catalog.find(slug).option_words.values():
        assert str(option.sentence) in page
        assert str(option.note) in page


def _in_words(value, option):
    """The label and the default of an option, in the words of its declaration."""
    choices = {str(value): str(words) for value, words in option.choices.items()}
    plain = {"true": "on", "false": "off", "null": "none"} | choices
    return str(option.label), plain.get(value.strip("`"), value)


def test_the_page_says_how_many_can_play(slug, page):
    game = catalog.find(slug)
    assert amounts(page.seats) == {game.min_seats, game.max_seats}
    for row in rules_of(slug).table("Options", "Option"):
        if row["Option"] == "`players`":
            assert row["Values"] == f"{game.min_seats}…{game.max_seats}"


def test_the_points_on_the_page_of_pisti_are_those_of_the_rules(client, db):  # pisti R23
    source = client.get("/games/pisti/rules").content.decode()
    points = re.findall(r'<td class="number">(\d+)</td>', source)
    assert points == [row["Points"] for row in rules_of("pisti").table("End of a deal, scoring")]


# Learn: a guided hand of each game, by links and forms; and what *Play now* opens.

HOUSE = pytest.mark.parametrize("game", catalog.OF_THE_HOUSE, ids=lambda game: game.slug)


def shown(client, game):
    return client.get(f"/learn/{game.slug}").content.decode()


def sent(client, game, number, move):
    return client.post(f"/learn/{game.slug}", {"step": number, "move": move.split()})


@HOUSE
def test_a_lesson_is_played_from_its_first_thought_to_its_end(client, game):
    for number, step in enumerate(game.lesson.steps):
        page = shown(client, game)
        assert words(step.words) in unescape(page)
        assert 'aria-live="polite"' in page
        assert f"step {number + 1} of {len(game.lesson.steps)}" in page
        assert sent(client, game, number, step.move).status_code == 302
    page = shown(client, game)
    assert words(game.lesson.end) in unescape(page)
    assert "Now play yourself" in page
    assert not Match.objects.exists()


@HOUSE
def test_every_asked_move_can_be_pressed_or_ticked(client, game):
    for number, step in enumerate(game.lesson.steps):
        page = shown(client, game)
        first = step.move if f'value="{step.move}"' in page else step.move.split()[-1]
        assert f'value="{first}"' in page, step.move
        sent(client, game, number, step.move)


@HOUSE
def test_another_move_is_explained_by_the_rule_and_changes_nothing(client, game):
    every = zip(lesson_positions(game, game.lesson), game.lesson.steps, strict=False)
    for position, step in every:
        others = set(game.legal_moves(position.state, LEARNER)) - {step.move}
        for move in [*sorted(others)[:2], "nonsense", ""]:
            refused = sent(client, game, position.number, move)
            assert refused.status_code == 422
            assert words(step.wrong) in unescape(refused.content.decode())
        sent(client, game, position.number, step.move)


def test_a_lesson_is_continued_where_it_was_left_and_can_begin_again(client):
    game = catalog.find("pisti")
    first = game.lesson.steps[0]
    sent(client, game, 0, first.move)
    assert "step 2 of 4" in shown(client, game)
    assert sent(client, game, 0, first.move).status_code == 302, "a press that came twice"
    assert "step 2 of 4" in shown(client, game)
    client.post("/learn/pisti", {"again": "1"})
    assert "step 1 of 4" in shown(client, game)


def test_a_lesson_tells_nothing_of_the_other_hand(client):
    """The rival's cards of the sealed deal are nowhere in the page."""
    page = shown(client, catalog.find("pisti"))
    assert 'data-card="QD"' not in page
    assert 'data-card="AS"' not in page


@HOUSE
@pytest.mark.parametrize("language", ["tr", "ru", "cs"])
def test_nothing_is_told_of_the_learner_as_of_somebody_else(client, game, language):
    """*Your seat* names a place at the table, and does nothing itself."""
    client.cookies["django_language"] = language
    with override(language):
        seat = gettext("Your seat")
    for number, step in enumerate(game.lesson.steps):
        said = re.findall(r"<p[^>]*>([^<]*)</p>|<li[^>]*>([^<]*)</li>", shown(client, game))
        told = [text for pair in said for text in pair if seat in text]
        assert not told
        sent(client, game, number, step.move)


def test_there_is_no_lesson_of_what_is_no_game(client):
    assert client.get("/learn/bridge").status_code == 404


@HOUSE
def test_after_it_one_plays_the_easiest_computer_with_hints(client, game):
    table = client.post(f"/learn/{game.slug}/play")["Location"]
    assert client.get(table).status_code == 200
    match = Match.objects.get()
    assert not match.rated
    assert match.coached == (game.slug != "pyanitsa")


@pytest.mark.parametrize("path", ["/", "/new?game=pisti"])
def test_lessons_are_offered(client, path):
    assert 'href="/learn/pisti"' in client.get(path).content.decode()


def test_a_lesson_is_offered_at_a_first_match(client):
    table = client.post("/play/pisti")["Location"]
    assert 'href="/learn/pisti"' in client.get(table).content.decode()


# Play now: what ends within three minutes.

MOST_PLIES = {"pisti": 60, "pazaak": 60, "shithead": 400, "pyanitsa": 400}


@HOUSE
def test_play_now_ends_soon_says_so_and_offers_the_whole_match(client, game):
    assert words(game.short_words) in unescape(client.get("/").content.decode())
    table = client.post(f"/play/{game.slug}")["Location"]
    match = Match.objects.get()
    assert get_match(match.id).options == game.choose_options(game.short, game.quick_preset)
    ended = played(get_match(match.id))
    assert ended.version <= MOST_PLIES[game.slug]
    offers = "Play a whole match" in client.get(table).content.decode()
    assert offers == bool(game.short)


def test_the_whole_match_is_the_game_to_its_full_length(client):
    client.post("/play/pisti", {"whole": "1"})
    match = get_match(Match.objects.get().id)
    assert match.options.target_score == 151
