"""Every block of code that the README and the documentation show runs as it stands there."""

import json
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from docs.building import ROOT, SERVICE
from tests.docs.blocks import DOCUMENTS, RUN, TAGS, Block, blocks, bot_of, commands
from tests.patience import PATIENCE, WAITING

pytestmark = WAITING
CLIENTS = ROOT / "games/static/clients"
FOUND = "[ ! -e left.sh ] || source ./left.sh 2> /dev/null; set -eu"
LEFT = "{ declare -p; declare -f; } > left.sh"
PROGRAMS = {"py": sys.executable, "js": shutil.which("node")}
# How large the commands of a checkout are here; `make examples` runs them as they stand.
SMALL = {"--matches": "4", "--games": "4"}


def runs_here(document: str) -> bool:
    """A page with calls of the shell needs curl, which `make test` does not ask for."""
    return bool(shutil.which("curl")) or all(block.tag != "bash" for block in blocks(document))


def with_tag(*tags: str) -> list[str]:
    return [name for name in DOCUMENTS if any(block.tag in tags for block in blocks(name))]


def first_here(documents: list[str]) -> Any:
    """``make test`` runs what the front page shows, ``make sweeps`` the other pages."""
    sweep = pytest.mark.sweep
    return [pytest.param(name, marks=() if name == "README.md" else sweep) for name in documents]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_block_says_what_it_is(document):
    unknown = [(block.line, block.tag) for block in blocks(document) if block.tag not in TAGS]
    assert unknown == []


class Page:
    """Runs the blocks of one page in their order, in a folder of its own."""

    def __init__(self, document: str, folder: Path, url: str) -> None:
        self._document, self._folder, self._url = document, folder, url
        self._known: dict[str, object] = {"__name__": "__main__"}
        shutil.copy(CLIENTS / "cardroom.py", folder)
        shutil.copy(CLIENTS / "cardroom.js", folder)
        (folder / "package.json").write_text('{"type": "module"}')

    def run(self, block: Block) -> None:
        match block.tag:
            case "python":
                place = f"{self._document}, line {block.line}"
                exec(compile(block.text, place, "exec"), self._known)
            case "bash":
                self._run_shell(block)
            case "py" | "js" if PROGRAMS[block.tag]:
                self._run_program(block)

    def _run_shell(self, block: Block) -> None:
        """The shell that the block leaves is what the next one finds: variables and functions."""
        self._call(block, ["bash", "-c", f"{FOUND}\n{self._text(block)}\n{LEFT}"])

    def _run_program(self, block: Block) -> None:
        program = self._folder / f"program.{block.tag}"
        program.write_text(self._text(block), "utf-8")
        self._call(block, [str(PROGRAMS[block.tag]), program.name])

    def _call(self, block: Block, command: list[str]) -> None:
        done = subprocess.run(
            command, cwd=self._folder, check=False, capture_output=True, text=True, timeout=PATIENCE
        )
        place = f"{self._document}, line {block.line}"
        assert done.returncode == 0, f"{place}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"

    def _text(self, block: Block) -> str:
        return block.text.replace(SERVICE, f"{self._url}/").replace(SERVICE[:-1], self._url)


@pytest.mark.parametrize("document", first_here(list(filter(runs_here, with_tag(*RUN)))))
def test_the_examples_run(url, tmp_path, monkeypatch, document):
    monkeypatch.chdir(tmp_path)
    page = Page(document, tmp_path, url)
    for block in blocks(document):
        page.run(block)


@pytest.mark.parametrize("document", with_tag("json"))
def test_what_is_shown_as_json_can_be_read(document):
    for block in blocks(document):
        if block.tag == "json":
            json.loads(block.text)


PLAYING = [name for name in DOCUMENTS if any(words[0] == "manage.py" for words in commands(name))]


@pytest.fixture
def my_bots(tmp_path, monkeypatch):
    """The bot of a page where the page says: beside what is typed."""

    def put(document: str) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "my_bots", raising=False)
        (tmp_path / "my_bots.py").write_text(bot_of(document), "utf-8")

    return put


def small(before: str, word: str) -> str:
    return SMALL.get(before, re.sub(r":playouts=\d+$|@\d+ms$", ":playouts=4", word))


@pytest.mark.parametrize("document", first_here(PLAYING))
def test_the_commands_run(document, db, my_bots, monkeypatch, capsys):
    """With few matches and few playouts, by the rules: nobody waits for a compiler here."""
    monkeypatch.setenv("CARDROOM_KERNELS", "off")
    my_bots(document)
    for what, *words in commands(document):
        if what == "manage.py":
            typed = [small(before, word) for before, word in pairwise(["", *words])]
            call_command(*typed, "--jobs", "1")  # here; a pool takes seconds to start
            assert capsys.readouterr().out
