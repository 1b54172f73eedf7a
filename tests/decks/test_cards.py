"""The pictures of Pazaak cards: each kind by its shape, each card by its words."""

import re

import pytest
from django.template import Context, Template

from cardroom.rules.pazaak.side_cards import SIDE_CARDS
from decks.draft import repertoire
from decks.templatetags.pazaak_cards import CAPTIONS


def drawn(tag):
    return Template("{% load pazaak_cards %}" + tag).render(Context())


def test_no_two_kinds_have_one_shape():
    firsts = {card.kind: card for card in SIDE_CARDS}
    shapes = {
        kind: tuple(
            re.findall(
                r' d="([^"]+)"|<(?:rect|circle)([^>]+)', drawn(f'{{% side_card "{card.code}" %}}')
            )
        )
        for kind, card in firsts.items()
    }
    assert len(set(shapes.values())) == len(shapes) == len(CAPTIONS)


@pytest.mark.parametrize("card", SIDE_CARDS, ids=lambda card: card.code)
def test_every_card_says_what_it_is(card):
    svg = drawn(f'{{% side_card "{card.code}" %}}')
    assert f'data-card="{card.code}"' in svg
    assert f"<title>{str(card.name).replace('&', '&amp;')}. " in svg
    assert "style" not in svg


def test_a_placed_card_shows_what_it_counts():
    svg = drawn('{% side_card "PM3" value=-3 %}')
    assert ">−3</text>" in svg
    assert ">±3</text>" in svg
    assert "±3, counts −3" in svg


@pytest.mark.parametrize(
    ("tag", "face", "words"),
    [
        ("{% main_card 7 %}", "7", "7"),
        ("{% main_card 7 value=7 %}", "7", "7"),
        ("{% main_card 7 value=-7 %}", "−7", "7, counts −7"),
        ("{% main_card '7' value=14 %}", "14", "7, counts 14"),
    ],
)
def test_a_main_card_shows_its_number_and_what_became_of_it(tag, face, words):
    svg = drawn(tag)
    assert f">{face}</text>" in svg
    assert f'aria-label="{words}"' in svg
    assert ("was 7" in svg) == (face != "7")


@pytest.mark.parametrize("tag", ["{% side_card None %}", "{% main_card None %}"])
def test_a_back_says_nothing_of_its_face(tag):
    svg = drawn(tag)
    assert "is-back" in svg
    assert "data-card" not in svg
    assert "<text" not in svg


def test_a_silent_card_is_hidden_from_screen_readers():
    svg = drawn('{% side_card "P3" silent=True kind="small" %}')
    assert 'aria-hidden="true"' in svg
    assert "<title>" not in svg
    assert "is-plus small" in svg


# Facts of ten cards, without a match.


def test_what_cards_can_do():
    known = repertoire(["P6", "M3", "PM2", "PM12", "F24", "D", "T", "M6", "P1", "P1"])
    assert {each.total: each.cards for each in known.totals} == {
        14: 1, 15: 0, 16: 0, 17: 0, 18: 2, 19: 4,
        21: 5, 22: 4, 23: 2, 24: 1, 25: 1, 26: 1,
    }  # fmt: skip
    assert (known.lifts, known.repairs) == ([14, 18, 19], [21, 22, 23, 24, 25, 26])
    assert known.signs_to_choose == 3
    assert known.by_board == ("Flip 2 & 4", "Double")
