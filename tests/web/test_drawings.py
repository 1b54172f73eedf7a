"""Cards and faces are what the script draws, and there is one for everything that is named."""

import re
from collections import Counter

import pytest
from django.template import Context, Template

from cardroom.rules import catalog
from cardroom.rules.cards import TEXT
from games.language import LETTERS, local_letters
from games.phrases.speaking import SIGNS
from games.templatetags.cards import card
from games.templatetags.faces import COMPUTERS, DRAWN, drawn, features
from tests.art import avatars, cards, signs
from tests.art.__main__ import drawings

CODES = [*TEXT, "X1", "X2"] if "X1" not in TEXT else list(TEXT)
SYMBOL = re.compile(r'<symbol id="([^"]+)"')
USED = re.compile(r'\.svg#([^"]+)"')


def test_the_drawings_are_those_of_the_script():
    """`make art` writes them again."""
    for path, text in drawings().items():
        assert path.read_text() == text, path.name


@pytest.mark.parametrize("language", [None, *LETTERS])
def test_every_card_has_a_body_and_a_rank(settings, language):
    there = set(SYMBOL.findall(cards.fronts()))
    with local_letters(wanted=language is not None):
        for code in CODES:
            template = Template(
                "{% load cards i18n %}{% language lang %}{% card code %}{% endlanguage %}"
            )
            shown = template.render(Context({"lang": language or "en", "code": code}))
            body, rank = USED.findall(shown)
            assert {body, rank} <= there, code


def test_an_index_is_read_from_afar():
    """The rank is 28 % of the card's height at the least."""
    assert cards.INDEX / cards.HEIGHT >= 0.28


def test_no_two_cards_look_alike():
    shown = Counter(str(tuple(USED.findall(card(code)))) for code in CODES if code[0] != "X")
    assert set(shown.values()) == {1}


def test_the_front_of_a_hidden_card_is_not_in_the_page():
    assert "deck.svg" not in card(None)
    assert 'aria-label="Card face down"' in card(None)


def test_every_computer_has_a_face_of_its_own():
    bots = {bot.slug for game in catalog.GAMES for bot in game.bots}
    assert bots <= COMPUTERS
    assert set(avatars.COMPUTERS) >= COMPUTERS


def test_a_computer_that_nobody_drew_has_a_face_too():
    [part] = USED.findall(drawn("Upstart", "upstart"))
    assert part.removeprefix("bot-") in avatars.COMPUTERS


def test_a_name_has_one_face_and_names_have_many():
    assert features("Ada") == features(" ada ")
    names = [f"Guest {number}" for number in range(300)]
    assert len({features(name) for name in names}) > 250
    parts = {part for name in names for part in features(name)[1]}
    assert parts == set(avatars.PARTS)


def test_every_sign_that_people_say_is_drawn():
    """A system need not have a font for it."""
    assert {*SIGNS} == {*DRAWN} == {*SYMBOL.findall(signs.sprite())}
    shown = Template("{% load faces %}{% every_sign %}").render(Context())
    assert USED.findall(shown) == [*DRAWN]
