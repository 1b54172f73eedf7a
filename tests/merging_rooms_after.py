"""What follows the merge of the rooms by hand: ``python tests/merging_rooms_after.py``, as often as one likes.

Each substitution is tolerant: what is not there, or is done already, is passed over. The floors inside
the rooms are taken from the imports as they are then; those of whole apps stand here.
"""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path.cwd()
sys.path.insert(0, str(ROOT))

# ---- the first sentence of a module that took others in
SENTENCES = {
    "accounts/admin.py": "Accounts in the admin: people, keys, roles, programs, the audit log, holidays, notifications.",
    "accounts/locking.py": "Locks of accounts, limits that neighbours share, and who may not act at all.",
    "accounts/names.py": "Names of accounts: which one is shown, signs of bots, names of guests.",
    "accounts/services.py": "Every act of a person on the own account, and of administrators on all: names, keys, sessions.",
    "accounts/signing_in.py": "How a request is signed in: password, second factor, what is locked out.",
    "accounts/staff_pages.py": "Pages of the admin for staff: who may see them, and the log of what was done there.",
    "accounts/visitors.py": "Visitors of pages: sessions of browsers, pressed forms, the suspended, languages.",
    "accounts/web.py": "The own account as pages: signing in and up, keys, sessions, notices.",
    "accounts/hours/services.py": "Quiet hours and holidays: their choice, the reads, and the count of the time that stands still.",
    "accounts/notifications/channels.py": "A cause in the reader's language, and how mail, browsers and programs are sent it.",
    "accounts/notifications/delivering.py": "Deliveries: which there are, which are due, sending them, noting what came of it.",
    "accounts/notifications/endpoints.py": "Addresses that are told: endpoints of webhooks with their secrets, browsers with their keys.",
    "accounts/programs/pages.py": "Programs as pages: their list, consent, and the endpoints of OAuth 2.1.",
    "accounts/programs/services.py": "Programs of third parties: their reads and writes, redirects, and what scopes mean.",
    "accounts/social/selectors.py": "Reads of blocks and friends, and of who is here.",
    "accounts/social/services.py": "Blocks, friends and privacy, and who is told of a change.",
    "config/counting.py": "Counts and the cache in Valkey, and the address that a request is counted for.",
    "config/pages/middleware.py": "Middleware of pages: policy, language, cookies, compression, other sites, the refused page.",
    "config/settings/addresses.py": "Addresses of Postgres and Valkey, secrets, and the content security policy.",
    "config/settings/libraries.py": "What libraries want to be told: sign-in, API and its document, the theme of the admin.",
    "config/settings/limits.py": "Limits, retention, mail and notifications.",
    "decks/services.py": "Every write of decks: crafting, importing, legality, measuring; and their refusals.",
    "decks/web.py": "Decks as pages: the list, a deck with its charts, the editor.",
    "games/causes.py": "Facts of matches and tournaments that people are told of elsewhere, as causes of notifications.",
    "games/outside.py": "A game from outside: its words, its files, and what is done when it fails.",
    "games/bot_accounts/services.py": "Bot accounts: how one is made, their lists, and what happens when one is silent.",
    "games/calendars/calendar.py": "A person's calendar: its address, its entries, and the file.",
    "games/coaching/analyses.py": "Analyses: asking for one, working it off, reading it; and the refusals of the coach.",
    "games/competitions/advancing.py": "The duty of tournaments: all that is due in one, and what operators do with it.",
    "games/competitions/boards.py": "Boards of a round: opening their matches, reading results, the next round.",
    "games/competitions/pairing.py": "The next round of a tournament by its form, from values alone.",
    "games/competitions/selectors.py": "Every read of tournaments: states, sets, names; and their refusals.",
    "games/competitions/taking_part.py": "Creating a tournament, joining and leaving it.",
    "games/daily/selectors.py": "The deal of the day: its terms, scores, reads and titles.",
    "games/exercises/rating.py": "How hard an exercise is, when it comes again, and what a person takes along.",
    "games/exports/exporting.py": "Exports: asking for one, writing it, reading it.",
    "games/leagues/joining.py": "Joining a league, and the division that one is placed in.",
    "games/leagues/rules.py": "The rules of leagues: points, tiers and weeks, as plain functions.",
    "games/leagues/selectors.py": "Every read of leagues: lines as counted, results of matches, titles; and the refusals.",
    "games/lobby/finding.py": "People to play with: those who are here, acquaintances, filters of the lobby.",
    "games/lobby/selectors.py": "Every read of the lobby: seeks, in groups; and the refusals.",
    "games/matches/bot_turns.py": "Turns of computers: taking due ones, thinking, playing; a turn played for a person.",
    "games/matches/commit.py": "What a transition changes in the database, in one statement, with its deadlines.",
    "games/matches/joining.py": "Taking a seat: joining, inviting, blocking, rematches.",
    "games/matches/leaving.py": "Leaving a match: resigning, and handing a seat over.",
    "games/matches/opening.py": "Opening and starting a match, and the limits of both.",
    "games/matches/records.py": "Records of matches: one as a document, many as lines, one that a client wants checked.",
    "games/matches/resting.py": "Clocks that stand still while people rest.",
    "games/matches/snapshot.py": "A match as a value: its seats, clocks and proposals to take back.",
    "games/mirrored/results.py": "Every read of mirrored matches: sets, standings, what is rated; and the refusals.",
    "games/people/counting.py": "Counting of finished matches for people, and the proof of what was counted.",
    "games/people/profiles.py": "Profiles of people: results, curves, series, titles.",
    "games/phrases/speaking.py": "Phrases at a table: the sentences, who may speak, what was spoken.",
    "games/ratings/computers.py": "Ratings of computers: their round robins and their reads.",
    "games/ratings/folding.py": "Results of people as facts, folded into ratings.",
    "games/ratings/scale.py": "The scale of ratings: boards, strengths of computers, numbers as shown.",
    "games/simulations/requests.py": "Requests of simulations, their reads and refusals.",
}

IN_ORDER = ("social", "programs", "audit", "notifications", "hours")
CONFIGS = {
    "accounts": {name: f"accounts.apps.{name.title()}Config" for name in IN_ORDER},
    "games": {
        name: f"games.apps.{name.title().replace('_', '')}Config"
        for name in (
            *("exports", "calendars", "coaching", "daily", "exercises", "idle", "competitions"),
            *("lobby", "mirrored", "people", "phrases", "bot_accounts", "ratings", "leagues"),
        )
    },
}

SUBSTITUTIONS = {
    "config/settings/installed.py": [
        ('    "accounts",  # before', '    "accounts.apps.AccountsConfig",  # before'),
        ('    "games",\n', '    "games.apps.GamesConfig",\n'),
        *(
            (f'    "{app}.{name}",\n', f'    "{config}",\n')
            for app, configs in CONFIGS.items()
            for name, config in configs.items()
        ),
    ],
    "accounts/admin.py": [
        ('__all__ = ["audit", "keys", "people", "programs", "security"]\n', ""),
        (
            '"""Only superusers change groups, and nobody changes a role: `accounts.staff_pages` defines those.',
            '"""Only superusers change groups; nobody changes a role: `accounts.staff_pages` has those.',
        ),
    ],
    "accounts/notifications/channels.py": [
        ("\nfrom time import time\n", "\n"),
        ("int(time()) + SIGNED_FOR", "int(time.time()) + SIGNED_FOR"),
    ],
    "games/exercises/collecting.py": [("Path(__file__).parents[1] /", "Path(__file__).parent /")],
    "games/leagues/turning.py": [
        (
            "    for each in counted(week, lines, len(lines)):\n"
            "        stored, right = _stored(each.line), each[1:]\n"
            "        if stored != right:\n"
            '            yield f"{week} line {each.line.pk}: {stored} is stored, {right} counted"\n'
            "            if mend:\n"
            "                _write(each)\n",
            "    for result in counted(week, lines, len(lines)):\n"
            "        stored, right = _stored(result.line), result[1:]\n"
            "        if stored != right:\n"
            '            yield f"{week} line {result.line.pk}: {stored} is stored, {right} counted"\n'
            "            if mend:\n"
            "                _write(result)\n",
        )
    ],
    "games/tasks.py": [
        (
            "from games.simulations import house_rules\n",
            "from games.simulations import house_rules, work\n",
        ),
        ('__all__ = ["warming"]', '__all__ = ["work"]'),
    ],
    "docs/architecture.md": [
        ("`games/causes/` reads it", "`games/causes.py` reads it"),
    ],
    "CONTRIBUTING.md": [
        (
            "| `games/outside/`, `games/newgame/` | what a service takes of a game from outside; the game",
            "| `games/newgame/` | the game",
        ),
        ("`config/telemetry/`, `config/counting/`, ", "`config/telemetry/`, "),
    ],
    "tests/matches/overdue/test_recovery.py": [
        ("overdue.clocks.time_out", "overdue.time_out"),
        ("monkeypatch.setattr(overdue.clocks,", "monkeypatch.setattr(overdue,"),
    ],
    "tests/people/test_profiles.py": [
        (
            '    for module in ("curves", "series"):\n'
            '        monkeypatch.setattr(f"games.people.{module}.offered", lambda name: offers[name])\n',
            '    monkeypatch.setattr(\n        "games.people.profiles.offered", lambda name: offers.get(name, [])\n    )\n',
        )
    ],
    "tests/test_services_speak_to_nobody.py": [
        ('"decks/services", "decks/draft.py"),\n', '"decks/services.py"),\n'),
        (
            '"decks/selectors.py", "decks/services.py", "decks/selectors.py", "decks/draft.py"',
            '"decks/selectors.py", "decks/draft.py"',
        ),
    ],
    "tests/test_floors.py": [("len(deep) > 100", "len(deep) > 40")],
}

# ---- floors: rooms whose parts are placed as they import each other now
PLACED = (
    *("games.matches", "games.matches.selectors", "games.competitions", "games.lobby"),
    *("games.ratings", "games.exercises", "games.leagues", "games.coaching", "games.daily"),
    *("games.people", "games.mirrored", "games.simulations", "games.phrases", "games.idle"),
    *("games.bot_accounts", "accounts.social", "accounts.notifications", "accounts.hours"),
    *("accounts.programs", "config.host"),
)
FLOORS = {
    "games:": (
        "games: apps | tasks > management > newgame > api | web | admin > live > operations > calendars | models > causes >\n"
        "    competitions | daily | exercises | leagues > ratings > bot_accounts | people | spoken > idle | lobby | phrases | exports |\n"
        "    coaching > mirrored > compiled_turns | guests > matches | templatetags > simulations > outside > absent | language"
    ),
    "accounts:": (
        "accounts: admin | apps | urls > api | hours | management | programs | social > web > notifications | visitors >\n"
        "    admin_site | services > staff_pages | locking | templatetags > audit | names | signing_in > models > refusals |\n"
        "    skeleton"
    ),
    "decks:": (
        "decks: urls > admin | api | web > services > selectors > apps | draft | models | templatetags"
    ),
    "config:": (
        "config: urls | apps | wsgi | processes > asgi | celery > monitoring > server > pages > management | settings >\n"
        "    api | host > tasks > counting | postgres > telemetry | offers > models > words > refusals | uuid7 | clock | environment"
    ),
    "games.competitions.rules never": (
        "games.competitions.rules games.competitions.pairing games.competitions.dutch never reach accounts celery config\n"
        "    decks django games.lobby games.matches cardroom.rules"
    ),
    "games.matches never import": (
        "games.matches never import cardroom.arena games.simulations.models games.simulations.requests\n"
        "    games.simulations.tasks games.simulations.work"
    ),
    "accounts.admin accounts.api": (
        "accounts.admin accounts.api accounts.models accounts.services accounts.web never reach accounts.social"
    ),
}
GONE = (
    *(
        "games.matches.models:",
        "games.matches.moving:",
        "games.matches.turns:",
        "games.matches.history:",
    ),
    *(
        "games.matches.seating:",
        "games.matches.records:",
        "games.matches.overdue:",
        "games.matches.planned:",
    ),
    *(
        "games.matches.bot_turns:",
        "games.matches.folding:",
        "games.matches.joining:",
        "games.ratings.people:",
    ),
    *("games.exercises.collecting:", "games.exercises.searching:", "games.coaching.judging:"),
    *("games.competitions.running:", "games.competitions.advancing:", "games.competitions.rules:"),
    *("games.causes:", "decks.web.deck_list decks", "decks.web decks"),
)

# ---- rows of the tables of rooms: rooms that are a module now are no room of their own
ROWS_GONE = ("games/outside/", "games/causes/", "config/counting/")
INSIDE_THE_MATCHES = """\
| Room | What lives there |
| --- | --- |
| `snapshot`, `models` | a match, its seats and its clocks as values; the same as rows |
| `time_bank` | a clock for the whole match: what each person has left |
| `resting` | quiet hours and holidays: how much later a turn ends that begins now |
| `refusals` | every "no" of this service, with its code and sentence |
| `folded`, `folding` | the form of a match that has been over for long, one compressed row; making it |
| `turn_queue` | which computers' turns wait, taken fairly between accounts |
| `selectors` | every read |
| `announcements` | what is said after a commit: a match's id and its version |
| `transition`, `commit` | moves applied in memory; the one statement that writes them |
| `seats`, `rating`, `opening`, `joining` | seats and who may hold them; rated matches; opening, starting, their limits; joining, inviting, rematches |
| `leaving` | resigning, handing a seat to a computer |
| `loading`, `rolling_back`, `verification` | saves and loading; rounds taken back; replaying what is stored |
| `moves`, `batcher` | a person's move: the door and its checks; batches |
| `plans`, `planned` | moves that a seat has planned for later, and when each is due; their door |
| `records`, `importing` | a match as a file that anybody can check; taking one in |
| `bot_turns` | a computer's move |
| `overdue` | what the beat finds late: turns, deadlines |
"""


def read(name: str) -> str | None:
    path = ROOT / name
    return path.read_text("utf-8") if path.is_file() else None


def sentence(name: str, words: str) -> None:
    text = read(name)
    if text is None:
        return
    if not text.startswith('"""'):
        (ROOT / name).write_text(f'"""{words}"""\n\n{text}', "utf-8")
        return
    end = text.index('"""', 3)
    _, gap, rest = text[3:end].partition("\n\n")
    (ROOT / name).write_text(f'"""{words}{gap}{rest}{text[end:]}', "utf-8")


def substitute(name: str, old: str, new: str) -> None:
    text = read(name)
    if text is not None and old in text and not (old in new and new in text):
        (ROOT / name).write_text(text.replace(old, new), "utf-8")


def placed(room: str, code: object) -> str:
    """The floors of a room from its imports: a part stands above the highest that it imports."""
    children = {
        c for c in code.find_children(room) if not c.endswith(("migrations", "templatetags"))
    }
    if any(c.endswith("templatetags") for c in code.find_children(room)):
        children.add(f"{room}.templatetags")
    home = {m: c for c in children for m in {c} | code.find_descendants(c)}
    needs: dict[str, set[str]] = {c: set() for c in children}
    for module, child in home.items():
        for other in code.find_modules_directly_imported_by(module):
            if home.get(other, child) != child:
                needs[child].add(home[other])
    floor: dict[str, int] = {}

    def height(child: str) -> int:
        if child not in floor:
            floor[child] = 1 + max(map(height, needs[child]), default=0)
        return floor[child]

    levels: dict[int, list[str]] = {}
    for child in sorted(children):
        levels.setdefault(height(child), []).append(child.rpartition(".")[2])
    line = f"{room}: " + " > ".join(" | ".join(levels[at]) for at in sorted(levels, reverse=True))
    return "\n    ".join(textwrap.wrap(line, 105))


def tables_of_rooms() -> None:
    for name in ("docs/architecture.md", "CONTRIBUTING.md"):
        text = read(name) or ""
        for row in ROWS_GONE:
            text = re.sub(rf"(?m)^\| `{re.escape(row)}` \|[^\n]*\n", "", text)
        if "`seat_snapshot`" in text:
            text = re.sub(
                r"(## Inside the matches\n(?:[^|][^\n]*\n|\n)*)(?:\|[^\n]*\n)+",
                lambda found: found.group(1) + INSIDE_THE_MATCHES,
                text,
            )
        (ROOT / name).write_text(text, "utf-8")


def floors() -> None:
    from tests.floors import graph

    code = graph()
    lines = FLOORS | {f"{room}:": placed(room, code) for room in PLACED} | dict.fromkeys(GONE, "")
    text = read("tests/floors.txt") or ""
    for begin, line in lines.items():
        found = re.search(
            rf"(?m)^((?:#[^\n]*\n)*)({re.escape(begin)}[^\n]*\n(?:[ \t]+[^\n]*\n)*)(\n*)", text
        )
        if found is None:
            if line and begin.endswith(":"):
                text = text.rstrip("\n") + f"\n\n{line}\n"
            continue
        entry = f"{found.group(1)}{line}\n{found.group(3)}" if line else ""
        text = text[: found.start()] + entry + text[found.end() :]
    (ROOT / "tests/floors.txt").write_text(text.rstrip("\n") + "\n", "utf-8")


def main() -> None:
    for name, words in SENTENCES.items():
        sentence(name, words)
    for name, pairs in SUBSTITUTIONS.items():
        for pair in pairs:
            substitute(name, *pair)
    tables_of_rooms()
    ruff = Path(sys.executable).with_name("ruff")
    subprocess.run([ruff, "check", "-q", "--fix", "--select", "I,F401", "."], check=False)
    subprocess.run([ruff, "format", "-q", "."], check=True)
    floors()
    subprocess.run([sys.executable, "-m", "tests.docs"], check=False, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
