"""The README's Python runs as it stands there."""

import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_example_runs(number: int) -> None:
    exec(compile(BLOCKS[number], f"README.md, example {number + 1}", "exec"), {})


def test_the_bot_of_the_readme_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from games.arena.request import Part, describe, run_part

    (tmp_path / "readme_bots.py").write_text(next(b for b in BLOCKS if "def careful" in b), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    asked = describe("pisti", bots=["readme_bots:careful", "greedy"], games=3, custom=True)
    figures = run_part(asked, Part(0, 3), custom=True)
    assert figures.matches == 3
