"""What the merge of the library's modules cannot see: texts that name modules, floors, heads.

    python tests/merging.py tests/merging_library.txt --write
    ruff check --fix --select I,F401,PIE790 . && ruff format .
    python tests/merging_library_after.py

Run twice it changes nothing more; what it does not find it leaves. It goes with ``merging.py``.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# In this file, this for that.
TEXTS: dict[str, list[tuple[str, str]]] = {
    "cardroom/fast/kernel.py": [
        (
            """    batch, layout, states, variants = (
        import_module(f"{folder}.{name}") for name in ("batch", "layout", "states", "variants")
    )
""",
            '    batch, layout = (import_module(f"{folder}.{name}") for name in ("batch", "layout"))\n',
        ),
        ("``cardroom.rules.shuffles.mix`` of", "``shuffles.mix`` of"),
        ("states.encode", "layout.encode"),
        ("states.row", "layout.row"),
        ("variants.VARIANTS", "batch.VARIANTS"),
    ],
    "cardroom/contract/__init__.py": [
        (
            """ROOMS: Final = (
    facts,
    facts,
    facts,
    facts,
    secrets,
    secrets,
    secrets,
    facts,
    endings,
    endings,
    endings,
)
""",
            "ROOMS: Final = (facts, secrets, endings)\n",
        ),
        (
            "* ``behaviour``: what a game does and says;\n",
            "* ``facts``: what a game says of itself, its moves, values, words and numbers;\n"
            "* ``endings``: how matches end, what bots choose, and that chance is all the same;\n",
        ),
    ],
    "cardroom/fast/binding.py": [
        ("flat values (``cardroom.rules.search``).", "flat values (``rules.search``)."),
    ],
    "cardroom/rules/bot.py": [
        ("if TYPE_CHECKING:\n    pass\n\n", ""),
        ("from typing import TYPE_CHECKING, Any", "from typing import Any"),
    ],
    "cardroom/research/environment.py": [
        ("the end of the match (``cardroom.research.environment``).", "the end of the match."),
    ],
    "games/management/commands/dataset.py": [
        ('_needs_research("decisions")', '_needs_research("dataset")'),
    ],
    "cardroom/arena/__init__.py": [
        (
            """kernels and searches there are, ``process_pool`` uses several processes, ``tournament`` pairs
strategies, ``figures``, ``statistics``, ``pairs``, ``summary``, ``reports`` and ``plots`` say what
came of it.
``ratings`` and ``table_plot`` are those of a round robin, ``contests`` writes what bots did against
each other, ``replay`` plays one match again in words.
""",
            """kernels and searches there are, ``kernels`` holds them against the rules, ``figures``,
``statistics`` and ``reports`` say what came of it, ``ranking`` pairs and rates strategies.
""",
        ),
    ],
    "cardroom/fast/__init__.py": [
        (
            """Where to look: ``compiling`` is Numba or plain Python, ``stream`` the generator, ``kernel`` and
``tracing`` what all kernels have in common. In a kernel, ``layout`` says which number means what,
``states`` writes options and states as numbers, ``batch`` plays whole matches. ``search`` is the
compiled search of a bot, ``searching`` what these have in common.
""",
            """Where to look: ``compiling`` is Numba or plain Python with its generator, ``kernel`` what all
kernels have in common. In a kernel, ``layout`` says which number means what and writes options and
states as numbers, ``turns`` plays, ``batch`` plays whole matches. ``search`` is the compiled search
of a bot, ``binding`` what these have in common.
""",
        ),
    ],
    "cardroom/research/__init__.py": [
        (
            """* ``memory``: a wrapper that adds what a seat could remember of the round.
* ``batch``: thousands of matches of one game at once, on its compiled kernel (``<slug>.batch``);
  ``vector`` the same as a vector environment of Gymnasium.
* ``spiel``: any game as a game of OpenSpiel; ``<slug>.last_…`` are games cut down for solvers.
* ``match``: one running match, which all of them are made of; ``rewards`` says what it is worth.
""",
            """  ``remembering`` adds what a seat could remember of the round.
* ``batch``: thousands of matches of one game at once, on its compiled kernel (``<slug>.batch``),
  alone or as a vector environment of Gymnasium.
* ``spiel``: any game as a game of OpenSpiel; ``<slug>.last_…`` are games cut down for solvers.
""",
        ),
    ],
    "cardroom/rules/pazaak/__init__.py": [
        (
            """board, the nine places in front of a seat; ``deal`` opens a round, ``turn`` plays it, ``score``
ends it. Comments""",
            """board, the nine places in front of a seat. Comments""",
        ),
    ],
    "cardroom/rules/shithead/__init__.py": [
        (
            """cannot play picks it up. ``moves`` is the notation, ``predicates`` say what lies on what;
``deal`` opens a game, ``turn`` changes a ``working_copy`` of the state, ``score`` ends a game;
``knowledge`` is which hand cards everybody has seen. Comments cite the rules by number
(RULES.md, R1 to R19).
""",
            """cannot play picks it up. ``predicates`` are the notation and what lies on what, ``state`` deals
and has a working copy for a turn, ``knowledge`` is which hand cards everybody has seen. Comments
cite the rules by number (RULES.md, R1 to R19).
""",
        ),
    ],
    "games/management/commands/arena.py": [
        (
            "    openskill_ratings,\n    pairings,\n    ranking,\n    ratings,\n",
            "    openskill_ratings,\n    pairings,\n    ratings,\n",
        ),
        ("        ranking(results),\n", "        ranking.ranking(results),\n"),
    ],
    "tests/coaching/test_judging.py": [
        ("from cardroom.rules.record import format\n", "from cardroom.rules.record import format  # noqa: A004\n"),
    ],
}

# Entries of the floors, by how they begin; an empty one goes, with the comment above it.
FLOORS: dict[str, str] = {
    "cardroom.rules.*.bots games.newgame.template.bots never import": (
        "cardroom.rules.*.bots games.newgame.template.bots never import cardroom.rules.*.state cardroom.rules.*.rules\n"
        "    games.newgame.template.state games.newgame.template.rules"
    ),
    "cardroom.arena:": (
        "cardroom.arena: kernels | luck | ranking > reports > request > engine > series > figures > playouts >\n"
        "    players > compiled_code | statistics"
    ),
    "cardroom.research:": (
        "cardroom.research: dataset | pazaak | pisti | pyanitsa | shithead > batch | parallel | spiel > environment"
    ),
    "cardroom.research.spiel:": "cardroom.research.spiel: game > tree",
    "cardroom.fast:": "cardroom.fast: pazaak | pisti | pyanitsa | shithead > kernel > binding > compiling",
    "cardroom.rules.shithead.bots:": "cardroom.rules.shithead.bots: searcher > belief > simple > world > …",
    "cardroom.rules:": (
        "cardroom.rules: import_check > record > catalog > outside > pazaak | pisti | position | pyanitsa |\n"
        "    shithead > course | search | witnesses > game > defaults > bot | encoding | option | redeal > state_fields >\n"
        "    values > text > cards | contract_version | shuffles"
    ),
    "cardroom.rules.outside:": "",
    "cardroom.contract:": (
        "cardroom.contract: conftest | test_contract > holding | golden | __main__ > command > endings | facts |\n"
        "    secrets > reporting > playing"
    ),
    "cardroom.contract.golden:": "",
}

# The heads of modules whose subject is wider than that of their first part.
HEADS: dict[str, str] = {}

GONE = ("cardroom/contract/behaviour/__init__.py",)


def floors(text: str) -> str:
    entries: list[str] = []
    for line in text.splitlines(keepends=True):
        if line[:1] in " \t" and line.strip() and entries:
            entries[-1] += line
        else:
            entries.append(line)
    kept: list[str] = []
    for entry in entries:
        flat = re.sub(r"\s+", " ", entry)
        for begin, new in FLOORS.items():
            if flat.startswith(begin):
                if not new:
                    while kept and (kept[-1].startswith("#") or not kept[-1].strip()):
                        kept.pop()
                entry = f"{new}\n" if new else ""
        kept.append(entry)
    return "".join(kept)


def head(text: str, new: str) -> str:
    """The text with another module docstring."""
    return re.sub(r'\A""".*?"""\n', lambda _: f'"""{new}"""\n', text, count=1, flags=re.DOTALL)


def change(name: str, new: str) -> None:
    path = ROOT / name
    if path.read_text() != new:
        path.write_text(new)
        print(name)


def main() -> None:
    for name, pairs in TEXTS.items():
        if (ROOT / name).exists():
            text = (ROOT / name).read_text()
            for old, new in pairs:
                text = text.replace(old, new) if new not in text or old not in new else text
            change(name, text)
    change("tests/floors.txt", floors((ROOT / "tests/floors.txt").read_text()))
    for name, new in HEADS.items():
        if (ROOT / name).exists():
            change(name, head((ROOT / name).read_text(), new))
    for name in GONE:
        (ROOT / name).unlink(missing_ok=True)
        if (ROOT / name).parent.exists() and not [*(ROOT / name).parent.glob("*.py")]:
            for left in sorted((ROOT / name).parent.rglob("*"), reverse=True):
                left.rmdir() if left.is_dir() else left.unlink()
            (ROOT / name).parent.rmdir()
    subprocess.run([sys.executable, "-m", "tests.docs"], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
