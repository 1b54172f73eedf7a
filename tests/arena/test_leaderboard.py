"""The leaderboard is made of what is played, and one game's part can be made anew."""

import subprocess
import sys
from dataclasses import replace

import pytest

from cardroom.rules import catalog
from tests.strength import leaderboard
from tests.strength.leaderboard import PAGE, board, choices_of, chosen, page, section, sections


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(leaderboard, "QUICK", 20)
    monkeypatch.setattr(leaderboard, "COMPILED", 20)


def test_a_section_has_a_row_and_a_column_for_every_computer(toy, quick, few_resamples):
    text = section(board(toy, jobs=1))
    assert text == section(board(toy, jobs=1))
    for bot in toy.bots:
        assert f"| `{bot.slug}` |" in text
        assert f"against `{bot.slug}`" in text
    assert "A pairing played 20 matches." in text


def test_a_game_alone_leaves_the_tables_of_the_others(toy):
    old = "# Leaderboard\n\nHead.\n\n## Pişti\n\nits table\n\n## Pazaak\n\nits table too\n"
    assert list(sections(old)) == ["Pişti", "Pazaak"]
    assert page(old, []).endswith("## Pişti\n\nits table\n\n## Pazaak\n\nits table too\n")


def test_the_page_has_games_in_which_computers_differ():
    names = [game.name for game in chosen(())]
    assert set(names) == {game.name for game in catalog.GAMES} - {"Pyanitsa"}
    written = list(sections(PAGE.read_text("utf-8")))
    assert written == [name for name in names if name in written]
    assert written


def test_a_computer_that_plays_otherwise_is_seen_by_its_choices(monkeypatch):
    monkeypatch.setattr(leaderboard, "MANY", 4)
    pazaak = catalog.find("pazaak")
    gambler, rookie, professor = map(pazaak.bot, ("gambler", "rookie", "professor"))

    def choices(*bots):
        return choices_of(replace(pazaak, bots=bots))

    longer = replace(professor, search=replace(professor.search, playouts=2))
    assert choices(replace(gambler, summary="In other words.")) == choices(gambler)
    assert choices(replace(gambler, choose=rookie.choose)) != choices(gambler)
    assert choices(longer) != choices(professor)


def test_it_starts_by_itself():
    code = "import tests.strength.leaderboard; import sys; sys.exit('django' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
