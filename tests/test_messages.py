"""Every message is translated into every language, and templates say nothing that is not marked.

`make messages` collects new ones; translate them in config/locale and run it again.
"""

import re
from importlib import import_module
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.messages import catalogs
from tests.messages.sources import (
    ROOT,
    Message,
    all_messages,
    borrowed_messages,
    files,
    python_messages,
)
from tests.messages.untranslated import untranslated

pytestmark = pytest.mark.xdist_group("messages")  # they are collected once
NAME = re.compile(r"\{(\w*)\}|%\((\w+)\)[sd]")


@pytest.fixture(scope="module")
def messages():
    return all_messages()


def names(*texts):
    return {name for text in texts for name in NAME.findall(text)}


@pytest.mark.parametrize("language", catalogs.LANGUAGES)
def test_every_message_is_translated(messages, language):
    catalog = catalogs.read(language)
    left = catalogs.missing(catalog, messages)
    assert not left, f"{language}: run make messages and translate {left[:20]}"


@pytest.mark.parametrize("language", catalogs.LANGUAGES)
def test_translations_name_the_same_values(messages, language):
    catalog = catalogs.read(language)
    for message in messages:
        forms = catalog.get(message.text).string
        for form in forms if message.plural else (forms,):
            asked = names(message.text, message.plural)
            assert names(form) <= asked, form
            assert message.plural or names(form) == asked, form


@pytest.mark.parametrize("language", catalogs.LANGUAGES)
def test_what_runs_is_what_is_written(language):
    compiled = catalogs.po_file(language).with_suffix(".mo")
    assert compiled.read_bytes() == catalogs.compiled(catalogs.read(language)), "make messages"


@pytest.mark.parametrize(
    "path", list(files("html")), ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_a_template_says_nothing_untranslated(path):
    assert untranslated(path.read_text("utf-8")) == []


def test_the_second_person_is_collected_beside_the_third():
    source = """
say("{seat} is out.", you="You are out.", seat=name)
say_n("{seat} takes one.", "{seat} takes {n}.", n, you=("You take one.", "You take {n}."))
"""
    assert list(python_messages(source)) == [
        Message("{seat} is out."),
        Message("You are out."),
        Message("{seat} takes one.", "{seat} takes {n}."),
        Message("You take one.", "You take {n}."),
    ]


def test_the_search_finds_text_and_attributes():
    marked = '{% translate "Play" %}<p title="{% translate "Go" %}">{{ name }}</p>'
    assert untranslated(marked) == []
    assert untranslated("<p>Play {{ name }}</p>") == ["Play"]
    assert untranslated('<img alt="A card">') == ["A card"]
    assert untranslated('{{ totals|default:"none" }}') == ["none"]


@pytest.mark.parametrize("package", ["allauth", "django.contrib.auth"])
def test_borrowed_sentences_are_still_those_of_the_library(package):
    borrowed = {message.text for message, place in borrowed_messages() if place == package}
    folder = Path(import_module(package).__file__).parent
    with (folder / "locale/ru/LC_MESSAGES/django.po").open("rb") as file:
        known = {text for entry in read_po(file, locale="ru") for text in _texts(entry.id)}
    assert borrowed
    assert borrowed <= known


def test_every_borrowed_sentence_is_collected(messages):
    assert all(message in messages for message, _ in borrowed_messages())


def _texts(msgid):
    return (msgid,) if isinstance(msgid, str) else msgid


def test_no_message_needs_a_context():
    """The catalogues have none, so such a message would stay English."""
    assert not [path for path in files("py") if "pgettext" in path.read_text("utf-8")]
