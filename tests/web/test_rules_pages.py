"""The rules pages of the site against RULES.md: nothing lacks, no number contradicts.

An element that states rules names them: ``<p data-rule="R17 R18">``. Each number in it (but "one")
must stand in the text of one of these rules.
"""

import re
from html import unescape
from html.parser import HTMLParser

import pytest

from cardroom.rules import catalog
from tests.rules.specification import amounts, codes, rules_of

SLUGS = [game.slug for game in catalog.GAMES]
VOID = {"br", "hr", "img", "input", "link", "meta"}


class Page(HTMLParser):
    """What a rules page says: its rules, its options, and the number of players."""

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
