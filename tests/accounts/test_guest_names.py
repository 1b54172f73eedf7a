"""Guests are named in their own language; their usernames are plain."""

import re

import pytest
from django.test import Client

from accounts.models import DISPLAY_NAME_LENGTH, User
from accounts.names import (
    ANIMALS,
    FEMININE,
    MOODS,
    OTHERS,
    guest_name,
    is_generated,
    is_reserved,
    name_of,
)

SCRIPTS = {
    "en": r"[A-Za-z ]+",
    "tr": r"[A-Za-zÇĞİÖŞÜçğıöşü ]+",
    "ru": r"[А-ЯЁа-яё ]+",
    "cs": r"[^\W\d_ ]+ [^\W\d_]+",
}
PAIRS = [(mood, animal) for mood in MOODS for animal in ANIMALS]


@pytest.mark.parametrize("language", SCRIPTS)
def test_every_name_is_fit_for_a_table(language):
    for mood, animal in PAIRS:
        name = name_of(mood, animal, language)
        assert re.fullmatch(SCRIPTS[language], name), name
        assert len(name) <= DISPLAY_NAME_LENGTH
        assert not is_reserved(name)
        assert all(word[0].isupper() for word in name.split())


@pytest.mark.parametrize(
    ("mood", "animal", "language", "name"),
    [
        ("brave", "otter", "en", "Brave Otter"),
        ("brave", "otter", "tr", "Cesur Su Samuru"),
        ("brave", "otter", "ru", "Храбрая Выдра"),
        ("lively", "duck", "ru", "Живая Утка"),
        ("crisp", "crow", "ru", "Свежая Ворона"),
        ("brave", "wolf", "ru", "Храбрый Волк"),
        ("wise", "owl", "cs", "Moudrá Sova"),
        ("dapper", "fox", "cs", "Elegantní Liška"),
        ("wise", "wolf", "cs", "Moudrý Vlk"),
        ("brave", "otter", "de", "Brave Otter"),
    ],
)
def test_a_mood_agrees_with_its_animal(mood, animal, language, name):
    assert name_of(mood, animal, language) == name


def test_every_feminine_animal_is_one_of_the_animals():
    assert set(FEMININE) == set(OTHERS)
    assert all(names <= set(ANIMALS) for names in FEMININE.values())


@pytest.mark.parametrize("language", SCRIPTS)
def test_a_generated_name_is_known_again(language):
    username, shown = guest_name(language)
    assert is_generated(username, shown)
    assert not is_generated(username, f"{shown} I")
    assert not is_generated("ada", shown)
    assert not is_generated("brave", "Brave")


def test_a_guest_is_named_in_the_language_of_the_page(db):
    browser = Client(HTTP_ACCEPT_LANGUAGE="ru")
    browser.post("/play/pisti")
    guest = User.objects.get()
    assert re.fullmatch(SCRIPTS["ru"], guest.display_name)
    assert re.fullmatch(r"[a-z]+-[a-z]+-\w{5}", guest.username)
    assert is_generated(guest.username, guest.display_name)
