"""``manage.py newgame`` writes a package that passes everything, and asks for its slug alone."""

import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from cardroom.rules import catalog
from cardroom.rules import import_check as imports
from cardroom.rules.outside import try_out
from games.newgame.scaffold import BadName, Names
from games.newgame.template import GAME
from tests.outside.process import ROOT, files, tried
from tests.rules.playing import FUZZING

pytestmark = pytest.mark.xdist_group("newgame")
BIN = Path(sys.executable).parent
SOME = (
    *("tests/rules/test_contract.py", "tests/rules/test_record.py"),
    *("tests/api/test_secrets.py", "tests/web/test_leaks.py", "tests/web/test_any_game.py"),
)


TEXTS = {".html", ".jsonl", ".md", ".py", ".toml"}


@pytest.fixture(scope="module")
def lanterns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("new") / "lanterns"
    call_command("newgame", "lanterns", folder=folder)
    return folder


def test_the_template_is_a_game_itself():
    assert list(try_out(GAME)) == []


def test_nothing_of_the_template_is_left_in_it(lanterns):
    texts = "".join(path.read_text("utf-8") for path in lanterns.rglob("*") if path.suffix in TEXTS)
    for name in ("newgame", "NewGame", "new-game", "new_game", "New Game", "CONTRACT"):
        assert name not in texts
    assert "class LanternsState(State" in texts


def test_it_is_formatted_linted_and_typed(lanterns):
    config = ["--config", ROOT / "pyproject.toml"]
    for command in (
        [BIN / "ruff", "format", "--check", *config, lanterns],
        [BIN / "ruff", "check", *config, "--extend-ignore", "S101,INP001", lanterns],
        [BIN / "mypy", "--strict", "--config-file=", "--exclude", "/table.py", "lanterns_cardroom"],
    ):
        done = subprocess.run(
            command,
            cwd=lanterns,
            env={"PATH": str(BIN), "MYPYPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout


def test_it_keeps_the_contracts_of_imports(lanterns, monkeypatch):
    monkeypatch.syspath_prepend(str(lanterns))
    assert list(imports.faults("lanterns_cardroom")) == []


def passed(folder: Path, *more: str, **options: Any) -> int:
    """How many tests there were, in a process in which the catalogue has the game."""
    done = tried(folder, "-p", "no:cacheprovider", *more, capture_output=True, **options)
    assert done.returncode == 0, done.stdout[-4000:]
    assert "failed" not in done.stdout
    return int(done.stdout.rsplit(" passed", 1)[0].split()[-1])


@pytest.mark.sweep
def test_it_passes_whatever_a_game_of_the_house_passes(lanterns):
    """``make soak`` leaves nothing out."""
    assert passed(lanterns, "-m", "not browser", long=bool(FUZZING)) > 150


@pytest.mark.sweep
def test_it_passes_what_shows_that_it_is_one_of_the_house(lanterns):
    """The contract, a match over pages and the API; and nobody is told a card that is not his."""
    assert passed(lanterns, long=False, rooms=SOME) > 50


def test_no_file_with_a_test_of_every_game_is_left_out(request):
    """Of those that are collected here; all of them in a run of the whole suite."""
    games, seen = {game.slug: game for game in catalog.GAMES}, defaultdict(set)
    for item in request.session.items:
        values = item.callspec.params.values() if hasattr(item, "callspec") else ()
        seen[item.path, item.originalname] |= {
            slug for slug, game in games.items() for one in values if one is game or one == slug
        }
    of_all = {path for (path, _), slugs in seen.items() if len(slugs) == len(games)}
    by_name = {path for path in of_all if names_games(path.read_text("utf-8"))}
    assert of_all - by_name <= {ROOT / name for name in files()}


def names_games(text):
    """A file of those games alone, or of the games that have kernels."""
    return "covered_games" in text or all(f'"{slug}"' in text for slug in catalog.slugs())


@pytest.mark.parametrize("slug", ["Durak", "du_rak", "-durak", "pisti", "d" * 33, ""])
def test_a_slug_that_no_game_can_have_is_refused(slug, tmp_path):
    with pytest.raises(BadName):
        Names.of(slug)
    with pytest.raises(CommandError):
        call_command("newgame", slug, folder=tmp_path / "here")
    assert not (tmp_path / "here").exists()


def test_the_folder_is_named_as_make_finds_it(tmp_path, monkeypatch, capsys):
    """`make` runs in the checkout, wherever the command was typed."""
    monkeypatch.chdir(tmp_path)
    call_command("newgame", "lanterns")
    assert f"make game GAME={tmp_path}/lanterns " in capsys.readouterr().out
    monkeypatch.setattr(settings, "BASE_DIR", tmp_path)
    call_command("newgame", "lanterns", folder=Path("more"))
    assert "make game GAME=./more " in capsys.readouterr().out


def test_what_is_there_is_not_written_over(tmp_path):
    with pytest.raises(CommandError, match="is there already"):
        call_command("newgame", "durak", folder=tmp_path)


def test_a_name_of_two_words():
    names = Names.of("king-and-queen", "King & Queen")
    assert (names.module, names.prefix) == ("king_and_queen_cardroom", "KingAndQueen")
    assert names.in_text("New Game, new-game") == "King & Queen, king-and-queen"
    assert Names.of("king-and-queen").name == "King And Queen"
