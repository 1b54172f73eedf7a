"""What an installed game may import: the contracts of this tree's games, without running it."""

import pytest

from cardroom.rules import import_check as imports

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
