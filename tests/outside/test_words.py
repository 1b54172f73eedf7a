"""Words of games from outside: their own catalogues, whole sentences where words are missing."""

from pathlib import Path

import pytest
from django.utils.translation import override, trans_real

from cardroom.rules import catalog
from cardroom.rules.outside import Admitted, Entry
from cardroom.rules.text import CardName, counted, joined, say
from games import language, outside
from games.language import local_letters, words
from tests.fifth_game import GAME
from tests.messages import catalogs
from tests.messages.declared import declared_messages
from tests.messages.sources import Message

LAID = "{seat} lays {card} on the lantern."


@pytest.fixture
def translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings):
    """An installed game that says this in Russian, and a sentence of ours otherwise than we do."""
    message, ours = Message(LAID), Message("Lobby")
    found = catalogs.updated("ru", {message: "narration.py", ours: "x"}, tmp_path / "locale")
    found.get(LAID).string = "{seat} кладёт {card} на фонарь."
    found.get("Lobby").string = "Фонарь"
    catalogs.write("ru", found, tmp_path / "locale")
    entry = Entry("high-card", "tests.fifth_game", "GAME", "high-card-cardroom", "1.0", None)
    monkeypatch.setattr(catalog, "INSTALLED", (Admitted(entry, GAME, tmp_path),))
    settings.LOCALE_PATHS = list(settings.LOCALE_PATHS)
    forget()
    outside.add_words()
    yield
    monkeypatch.undo()
    forget()


def forget() -> None:
    trans_real._translations.clear()
    language._messages.cache_clear()


def laid(card="JH"):
    return say(LAID, seat="Ada", card=CardName(card))


def test_a_game_says_it_in_its_own_words_and_with_the_letters_of_the_reader(translated):
    with override("ru"), local_letters(wanted=True):
        assert words(laid()) == "Ada кладёт В♥ на фонарь."


def test_a_sentence_of_ours_stays_ours(translated):
    with override("ru"):
        assert words("Lobby") != "Фонарь"


def test_an_untranslated_sentence_is_english_as_a_whole():
    with override("ru"), local_letters(wanted=True):
        assert words(laid()) == "Ada lays J♥ on the lantern."
        assert words(say("The lantern costs {count}.", count=counted(3))) == (
            "The lantern costs 3 cards."
        )
        both = joined([CardName("KS"), CardName("JH")])
        assert words(say("Lanterns: {both}.", both=both)) == "Lanterns: K♠ and J♥."


def test_a_sentence_with_an_untranslated_part_is_english_as_a_whole():
    whole = say("{seat} takes {count}.", seat="Ada", count=say("the lantern"))
    with override("ru"):
        assert words(whole) == "Ada takes the lantern."
        assert words(say("{seat} takes {count}.", seat="Ada", count=counted(3))) != (
            "Ada takes 3 cards."
        )


def test_the_house_owes_no_translation_of_another_game(monkeypatch):
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, GAME))
    texts = {message.text for message, _ in declared_messages()}
    assert catalog.find("pisti").summary in texts
    assert GAME.summary not in texts
