"""An installed package is served, or refused by its name (cardroom/rules/outside)."""

from pathlib import Path

import pytest
from django.utils.translation import override, trans_real

from cardroom.rules import catalog, outside
from cardroom.rules import import_check as imports
from cardroom.rules.outside import Admitted, Entry, Refused
from cardroom.rules.text import CardName, counted, joined, say
from games import language
from games import outside as games_outside
from games.language import local_letters, words
from tests.fifth_game import GAME
from tests.messages import catalogs
from tests.messages.declared import declared_messages
from tests.messages.sources import Message
from tests.outside.packages import HIGH_CARD, another, installed


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path, with outside games switched on."""
    monkeypatch.setenv(outside.SWITCH, "1")
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def admitted() -> dict[str, Admitted]:
    return {one.entry.slug: one for one in catalog.from_outside()[0]}


def refused() -> dict[str, Refused]:
    return {one.entry.slug: one for one in catalog.from_outside()[1]}


def test_an_installed_game_is_served_with_its_origin(beside):
    module = installed(beside, "low-card", another("low-card"))
    found = admitted()["low-card"]
    assert found.game.slug == "low-card"
    assert found.entry.written == "low-card-cardroom 1.2"
    assert found.folder == beside / module


def test_none_is_looked_for_where_they_are_switched_off(beside, monkeypatch):
    installed(beside, "off-card", another("off-card"))
    monkeypatch.setenv(outside.SWITCH, "0")
    assert outside.installed_entries() == []


LEAKING = """
from cardroom.rules.cards import texts

class Open(type(KNOWN.view(KNOWN.start(KNOWN.options(), (), list).state, 0)), frozen=True):
    next_card: str

def view(state, seat):
    honest = KNOWN.view(state, seat)
    values = {name: getattr(honest, name) for name in honest.__struct_fields__}
    return Open(**values, next_card=texts(state.hands[1])[0] if state.hands[1] else "")
"""

FAULTS = {
    "broken": ("GAME = Game(\n", "SyntaxError in __init__.py, line 1"),
    "missing": ("from nowhere_at_all import GAME\n", "cannot be imported: ModuleNotFoundError"),
    "quits": ("raise SystemExit(3)\n", "cannot be imported: SystemExit: 3"),
    "nothing": ("GAME = 7\n", "nothing_cardroom:GAME is no Game"),
    "nobody": ("", "cannot be imported: AttributeError"),
    "misnamed": (another("another"), "its game the slug 'another'"),
    "pisti": (another("pisti"), "there is a game 'pisti' already"),
    "raises": (another("raises", "legal_moves=lambda state, seat: 1 / 0"), "ZeroDivisionError"),
    "stuck": (
        HIGH_CARD + "GAME = replace(KNOWN, slug='stuck', to_act=lambda state: ())\n",
        "nobody is to act in a match that is not over",
    ),
    "leaking": (
        HIGH_CARD + LEAKING + "GAME = replace(KNOWN, slug='leaking', view=view, view_type=Open)\n",
        "of which only",
    ),
}


@pytest.mark.parametrize("slug", FAULTS)
def test_a_package_with_a_fault_is_refused_by_its_name_and_the_others_are_served(beside, slug):
    source, why = FAULTS[slug]
    installed(beside, slug, source)
    installed(beside, f"beside-{slug}", another(f"beside-{slug}"))
    reason = str(refused()[slug])
    assert why in reason
    assert f"{slug}-cardroom 1.2" in reason
    assert f"beside-{slug}" in admitted()


@pytest.mark.parametrize(
    ("needs", "why"),
    [
        ("cardroom~=2.0", "it needs the contract 2.0 of the rules; this service keeps 1.0"),
        ("cardroom~=1.7", "it needs the contract 1.7 of the rules; this service keeps 1.0"),
        ("cardroom>=1", "write it as cardroom~=1.0"),
        ("", "it does not say which contract it needs"),
        ("cardroom-extra~=1.0", "it does not say which contract it needs"),
    ],
)
def test_a_package_for_another_contract_is_refused_without_being_imported(beside, needs, why):
    installed(beside, "foreign", "raise AssertionError('it was imported')\n", needs=needs)
    assert why in str(refused()["foreign"])


@pytest.mark.parametrize("needs", ["cardroom ~= 1.0", "Cardroom (~=1.0)"])
def test_other_spellings_of_the_contract_are_understood(beside, needs):
    slug = f"spelling-{len(needs)}"
    installed(beside, slug, another(slug), needs=needs)
    assert slug in admitted()


def test_of_two_packages_with_one_game_the_first_by_name_is_served(beside):
    installed(beside, "twice", another("twice"), module="b_cardroom")
    installed(beside, "twice", another("twice"), module="a_cardroom")
    assert admitted()["twice"].entry.module == "a_cardroom"
    assert refused()["twice"].entry.module == "b_cardroom"


# Imports of an installed game, by the contracts of this tree's games, without running it.

CASES = {
    "from cardroom.rules.cards import pack\nimport msgspec\nfrom random import Random\n": "",
    "from .state import S\nfrom probed.other import x\n": "",
    "import django\n": "rules know the standard library, msgspec and cardroom.rules",
    "from games.matches.models import Match\n": "rules know the standard library",
    "from cardroom.rules.pisti.rules import play\n": "games do not know each other",
    "from cardroom.rules import pazaak\n": "games do not know each other",
    "import time\n": "rules know no disk, clock or network",
    "from probed import table\n": "rules do not know their table",
}


@pytest.fixture
def probed(tmp_path, monkeypatch):
    package = tmp_path / "probed"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    return package


@pytest.mark.parametrize("source", CASES)
def test_a_module_of_the_rules(probed, source):
    (probed / "rules.py").write_text(source)
    found = list(imports.faults("probed"))
    why = CASES[source]
    assert len(found) == bool(why)
    assert not why or (why in found[0] and "probed.rules, line 1" in found[0])


def test_a_bot_sees_a_view_and_never_a_state(probed):
    (probed / "bots").mkdir()
    (probed / "bots" / "keen.py").write_text("from ..view import V\nfrom ..state import S\n")
    (found,) = imports.faults("probed")
    assert "probed.bots.keen, line 2, imports probed.state.S: a bot sees a view" in found


def test_a_table_may_know_the_pages(probed):
    (probed / "table.py").write_text(
        "from django.utils.translation import gettext\nfrom games.web.tables import any_game\n"
        "from probed.state import S\nimport celery\n"
    )
    (found,) = imports.faults("probed")
    assert "imports celery" in found


def test_the_command_says_what_it_read(probed, capsys):
    assert imports.main(["probed"]) == 0
    assert "Imports: probed; 0 not allowed." in capsys.readouterr().out
    (probed / "rules.py").write_text("import socket\n")
    assert imports.main(["probed"]) == 1


# Words of games from outside: their own catalogues, whole sentences where words are missing.

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
    games_outside.add_words()
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
