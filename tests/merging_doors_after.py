"""What follows the merge of the doors by hand: ``python tests/merging_doors_after.py``, as often as one likes.

Each substitution is tolerant: what is not there, or is done already, is passed over.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path.cwd()

# ---- the first sentence of a module that took others in
SENTENCES = {
    "games/web/analysis.py": "The page of an analysis: asking for it, its chart, its lines.",
    "games/web/app.py": "What makes the pages an app: manifest, service worker, shell, files of the root, the stream.",
    "games/web/challenges.py": "Challenges, seeks and invitations: their forms and their pages.",
    "games/web/daily.py": "The deals of today, the results of a day with their plot, and the picture of a result.",
    "games/web/exercises.py": "Exercises: the overview, training a theme, and one exercise at its table.",
    "games/web/family.py": "The family of a match: the tree of what was loaded from what, drawn.",
    "games/web/feeds.py": "Feeds (RFC 4287) of matches and results, and calendars of the own deadlines.",
    "games/web/history.py": "The page of the own matches that are over: filters, days, lines.",
    "games/web/landing.py": "The landing page, its featured match and suggestion, quick matches and rules pages.",
    "games/web/lobby.py": "The lobby: what waits for the reader, whom they can play with, what they can watch.",
    "games/web/own_account.py": "A person's own data to take along, the end of the own account, the look of the cards.",
    "games/web/people.py": "Pages of people: a profile with its curve, the own friends, names while one types.",
    "games/web/picture.py": "The picture of a finished match, to be sent around: drawn by the server, for anybody.",
    "games/web/picture_parts.py": "What pictures are made of: words as outlines, cards and faces, and the PNG at the end.",
    "games/web/rankings.py": "Leaderboards, ladders of computers, leagues and the bots of people, as pages.",
    "games/web/simulations.py": "Simulations as pages, and the forecast of house rules that a new match shows.",
    "games/web/tournaments.py": "Pages of tournaments: the list, one with its standings and boards, the form of a new one.",
    "games/web/parts/headline.py": "A match in words: its headline, its rounds, what shaped it.",
    "games/web/parts/match_list.py": "Matches as lines of lists: as the lobby lists them, and finished ones with their result.",
    "games/web/parts/options_form.py": "Options of any game as a form and in words, with the terms of a match.",
    "games/web/parts/table_page.py": "What a table page shows one viewer: names, view, moves, the last events in words.",
    "games/web/parts/visitor.py": "The visitor of a page, what they sent with a form, and the letters on their cards.",
    "games/web/table/acts.py": "The addresses of a match: its page, and the forms with which people act on it.",
    "games/web/table/aftermath.py": "What stands beside a match that is over: another one, changed ratings, the mirrored set.",
    "games/web/table/agreements.py": "What the people at a table agree on: rounds taken back, a wait given up, planned moves.",
    "games/web/table/coach.py": "What the coach says: hints at the table, and verdicts on decisions.",
    "games/web/table/ending.py": "How a round or the match ended: what the felt shows when there is nothing more to play.",
    "games/web/table/laid_open.py": "A match laid open: its sealed decks for a browser that checks them, its table for operators.",
    "games/web/table/page.py": "What a request is shown of a match: its page, or the table panel alone.",
    "games/web/table/past.py": "The replay of a match: the table after any ply, with its log, its rounds and links to each ply.",
    "games/admin/background.py": "Work in the background, for operators: simulations, exercises, analyses, audits, exports.",
    "games/admin/competing.py": "Tournaments, leagues, ratings, challenges and seeks, for operators.",
    "games/admin/people.py": "People and the reports of players, for operators.",
    "games/admin/refereeing.py": "Acts of operators on one match or many: their pages and forms, and what stays secret.",
    "games/management/terminal.py": "Shared by commands of the arena: arguments, progress, tables, journals, numbers as text.",
    "games/templatetags/cards.py": 'Playing cards, chips and looks in templates: ``{% card "7H" %}``, face down, or as a button.',
    "games/templatetags/faces.py": "Drawn faces, signs and pictures of games: ``{% face name kind seat %}``.",
    "games/operations/figures.py": "The figures of the dashboard: those of this moment, and their samples over time.",
}

SUBSTITUTIONS = {
    "games/web/rasterizing.py": [("elsewhere (`png`)", "elsewhere (`png_of`)")],
    "games/web/picture.py": [
        (
            'sources = sorted(Path(__file__).parent.rglob("*.*"))\n'
            "    texts = (source.read_bytes() for source in sources"
            ' if source.suffix in (".py", ".json"))\n',
            "folder = Path(__file__).parent\n"
            '    sources = [*sorted(folder.glob("picture*.py")), *sorted(FOLDER.glob("*.json"))]\n'
            "    texts = (source.read_bytes() for source in sources)\n",
        ),
        (
            "from games.web.picture_parts import (\n",
            "from games.web.picture_parts import (\n    FOLDER,\n",
        ),
    ],
    "games/web/app.py": [("parents[2]", "parents[1]")],
    "games/management/commands/bot.py": [(".resolve().parent.parent /", ".resolve().parents[2] /")],
    "games/web/tables/__init__.py": [
        (
            "{% url 'table_action' match.id 'run' %}``.\n\n"
            "Where a game needs several modules it is a package, whose module ``actions`` has the"
            " ``ACTIONS`` and\n``scene`` the rest. ``games/templates/games/tables/<slug>/table.html``"
            " draws the game,\n",
            "{% url 'table_action' match.id 'run' %}``;\n"
            "* ``recorded_deal()``: a deal that the landing page may show.\n\n"
            "A package may have its ``ACTIONS`` in a module ``actions`` and the rest in ``scene``.\n"
            "``games/templates/games/tables/<slug>/table.html`` draws the game,\n",
        ),
        (
            '    """The recorded deal of the first game that has one (``<slug>_demo``),'
            ' for the landing page."""\n'
            "    for game in catalog.OF_THE_HOUSE:\n"
            "        module = f\"{__name__}.{game.slug.replace('-', '_')}_demo\"\n"
            "        if find_spec(module):\n"
            "            return import_module(module).recorded_deal()\n"
            "    return None\n",
            '    """The recorded deal of the first game that has one, for the landing page."""\n'
            "    for game in catalog.OF_THE_HOUSE:\n"
            '        recorded = _stated(game.slug, "scene", "recorded_deal", None)\n'
            "        if recorded is not None:\n"
            "            return recorded()\n"
            "    return None\n",
        ),
    ],
    "tests/art/outlines.py": [('"web" / "share" / "outlines"', '"web" / "outlines"')],
    "tests/docs/pieces.py": [
        (
            '        ("TablePage",),\n    ),\n'
            '    ("The match as the viewer sees it", "games/web/parts/table_page.py",'
            ' ("ViewedMatch",)),\n'
            '    ("What happened in it", "games/web/parts/table_page.py", ("MatchEvents",)),\n'
            '    ("Its seats", "games/web/parts/table_page.py", ("MatchSeats",)),\n'
            '    (\n        "A seat and a button",\n        "games/web/parts/table_page.py",\n'
            '        ("SeatPanel", "SeatBank", "MoveButton"),\n    ),\n'
            '    ("A scene seat by seat", "games/web/tables/any_game.py", ("SeatedScene",)),\n',
            "        (\n"
            '            "TablePage",\n'
            '            "ViewedMatch",\n'
            '            "MatchEvents",\n'
            '            "MatchSeats",\n'
            '            "SeatPanel",\n'
            '            "SeatBank",\n'
            '            "MoveButton",\n'
            "        ),\n    ),\n",
        ),
        (
            '("Fields of the generic table", "games/web/tables/any_game.py", ("Fields",)),',
            '("The generic table, and scenes seat by seat", "games/web/tables/any_game.py", ("Fields", "SeatedScene")),',
        ),
    ],
    "games/admin/__init__.py": [
        (
            '    "analyses",\n    "audits",\n    "bulk_runs",\n    "competing",\n    "exercises",\n'
            '    "exports",\n    "matches",\n    "people",\n    "reports",\n    "simulations",\n',
            '    "background",\n    "competing",\n    "matches",\n    "people",\n    "refereeing",\n',
        ),
    ],
    "games/static/games/js/worker.js": [("games/web/app/worker.py", "games/web/app.py")],
    "games/templates/games/table_panel.html": [("table_page/__init__.py", "table_page.py")],
}

# ---- lines of the floors: the old beginning of an entry, and what stands there now (or nothing)
FLOORS = {
    "games.operations.refereeing:": "",
    "games.web:": (
        "games.web: urls > analysis | app | challenges | daily | design | exercises | family | feeds | history |\n"
        "    new_match | own_account | people | rankings | simulations | tournaments > landing | picture >\n"
        "    lobby | picture_parts | rasterizing | table > tables > parts"
    ),
    "games.web.table:": (
        "games.web.table: acts | laid_open > page > aftermath | agreements | ending | past > coach"
    ),
    "games.admin:": (
        "games.admin: background | competing | dashboard | matches | people > match_page > refereeing"
    ),
    "games.web.exercises:": "",
    "games.live:": "games.live: page_stream | hub | match_stream > listener | news",
    "games.operations:": (
        "games.operations: apps > acts | figures | people | reports > finding | nights | own_data > refereeing > models"
    ),
    "games.web.tables:": "games.web.tables: pyanitsa | shithead > any_game | pazaak | pisti",
    "games.web.parts.table_page:": "",
    "games.web.parts:": (
        "games.web.parts: match_list > headline | options_form > table_page | motions | visitor"
    ),
}
HEADINGS = {
    "games.web.parts:": "# Parts of pages: lists, words, the page of one viewer",
    "games.web.table:": "# Inside the table: its addresses, the page, what stands on it",
    "games.admin:": "# Inside the admin: subjects, a match's own page, acts of referees",
    "games.live:": "# Inside the streams: streams and the hub, listeners and news",
}
LIBRARIES = {"chips": "cards", "looks": "cards", "signs": "faces", "catalog": "faces"}


def read(name: str) -> str | None:
    path = ROOT / name
    return path.read_text("utf-8") if path.is_file() else None


def sentence(name: str, words: str) -> None:
    text = read(name)
    if text is None or not text.startswith('"""'):
        return
    end = text.index('"""', 3)
    first, gap, rest = text[3:end].partition("\n\n")
    (ROOT / name).write_text(f'"""{words}{gap}{rest}{text[end:]}', "utf-8")


def substitute(name: str, old: str, new: str) -> None:
    text = read(name)
    if text is not None and old in text and new not in text:
        (ROOT / name).write_text(text.replace(old, new), "utf-8")


def without_all(name: str) -> None:
    """A module that took in others says no ``__all__`` of theirs."""
    text = read(name)
    if text is not None:
        (ROOT / name).write_text(re.sub(r"\n__all__ = \[[^\]]*\]\n", "\n", text), "utf-8")


def floors() -> None:
    text = read("tests/floors.txt") or ""
    for begin, line in FLOORS.items():
        found = re.search(
            rf"(?m)^(#[^\n]*\n)?{re.escape(begin)}[^\n]*\n(?:[ \t]+[^\n]*\n)*\n?", text
        )
        if found is None:
            if begin in HEADINGS:
                text = text.rstrip("\n") + f"\n\n{HEADINGS[begin]}\n{line}\n"
            continue
        heading = HEADINGS.get(begin) or (found.group(1) or "").rstrip("\n")
        entry = "\n".join(filter(None, [heading, line])) + "\n\n" if line else ""
        text = text[: found.start()] + entry + text[found.end() :]
    (ROOT / "tests/floors.txt").write_text(text.rstrip("\n") + "\n", "utf-8")


def libraries(text: str) -> str:
    def load(found: re.Match[str]) -> str:
        names = found.group(1).split()
        if " from " in found.group(1) or not set(names) & set(LIBRARIES):
            return found.group(0)
        return (
            f"{{% load {' '.join(dict.fromkeys(LIBRARIES.get(name, name) for name in names))} %}}"
        )

    return re.sub(r"\{% load ([^%]*?) %\}", load, text)


def main() -> None:
    old, new = ROOT / "games/web/share/outlines", ROOT / "games/web/outlines"
    if old.is_dir():
        new.mkdir(exist_ok=True)
        for path in old.iterdir():
            path.replace(new / path.name)
        shutil.rmtree(ROOT / "games/web/share")
    for name, words in SENTENCES.items():
        sentence(name, words)
    for name, pairs in SUBSTITUTIONS.items():
        for pair in pairs:
            substitute(name, *pair)
    without_all("games/admin/competing.py")
    without_all("games/web/parts/table_page.py")
    floors()
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in listed:
        if name.endswith((".html", ".svg", ".xml", ".md", ".py")) and not name.startswith(
            "tests/merging"
        ):
            text = read(name)
            if text is not None and "{% load" in text and (done := libraries(text)) != text:
                (ROOT / name).write_text(done, "utf-8")
    ruff = Path(sys.executable).with_name("ruff")
    subprocess.run([ruff, "check", "-q", "--fix", "--select", "I,F401", "."], check=False)
    subprocess.run([ruff, "format", "-q", "."], check=True)
    subprocess.run([sys.executable, "-m", "tests.docs"], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
