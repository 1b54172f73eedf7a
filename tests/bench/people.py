"""The cost of profiles, the lobby and other pages, among many people and matches.

``make people`` makes 100,000 users, 1,000,000 matches and 500 seeks by COPY, with the results that
follow from them; ``make pages`` makes 20,000 people, 100,000 matches and as many plies as the call
names. For each page they print the middle of nine (of operators' pages of three): milliseconds of
the processor in our process and in that of the database, how long the page waited for it, which is
of no use on a busy machine, statements, and kilobytes before they are compressed. No page may let
the database work for more than 30 ms, and those with an aim cost no more than that: a page of
operators 300 ms, with what the database works.
``PEOPLE="--people 1000 --matches 10000"`` makes fewer, ``--admin`` measures every page of operators
instead, among reports, entries, sign-ins, ratings and leagues of as many people. Few
people play most: the keenest has every fiftieth match.
"""

import argparse
import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import django

if TYPE_CHECKING:
    from django.test import Client

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

TARGET = 30.0
# Milliseconds of the processor, and statements, of the pages whose names begin so.
AIMS = {"lobby": (20.0, 8), "landing": (15.0, 99), "profile": (15.0, 99), "history": (15.0, 99)}
AIMS |= {"/admin/": (300.0, 10)}
TIMES = 9
MOST_RUNNING = 200  # matches of one person, as the service allows
PART = 50_000  # matches that are written at once
SPREAD = 3  # the higher, the more matches the keenest people have
GAMES = ("pisti", "pazaak", "shithead", "pyanitsa")
NOW = datetime.now(UTC)

_TALLIES = "INSERT INTO people_tally (account_id, game, bot, won, drawn, lost)"
_MEETINGS = "INSERT INTO people_meeting (account_id, opponent_id, game, won, drawn, lost)"


class Town:
    """Rows of everything, the same for the same numbers."""

    def __init__(self, people: int, matches: int, seeks: int, plies: int = 0) -> None:
        self.chance = random.Random(23)
        self.people = [self._id(NOW - timedelta(days=400), n) for n in range(people)]
        self.matches, self.seeks, self.plies = matches, seeks, plies
        self.running: Counter[UUID] = Counter()

    def _id(self, at: datetime, number: int) -> UUID:
        tail = self.chance.getrandbits(62)
        head = int(at.timestamp() * 1000) << 16 | 7 << 12 | number % 4096
        return UUID(int=head << 64 | 2 << 62 | tail)

    def anybody(self) -> UUID:
        return self.people[int(len(self.people) * self.chance.random() ** SPREAD)]

    def users(self) -> Iterator[tuple[Any, ...]]:
        for n, person in enumerate(self.people):
            shown = f"Player {n}"
            yield (person, f"player{n}", shown, "", "en", False, "!", False, False, True, NOW)

    def write(self, cursor: Any) -> None:
        """Matches with their seats and results, a part at a time: a million fit in no list."""
        for first in range(0, self.matches, PART):
            matches, seats, results = [], [], []
            for number in range(first, min(first + PART, self.matches)):
                at = NOW - timedelta(seconds=20 * (self.matches - number))
                match, rows, ended = self._match(number, at)
                matches.append(match)
                seats += rows
                results += ended
            copy(cursor, "games_match", MATCH, matches)
            copy(cursor, "games_seat", SEAT, seats)
            copy(cursor, "people_result", RESULT, results)

    def _match(self, number: int, at: datetime) -> tuple[Any, list[Any], list[Any]]:
        id_, game = self._id(at, number), GAMES[number % 4]
        status = "open" if number % 1000 == 0 else "active" if number % 50 == 1 else "finished"
        public = number % 3 == 0
        people = [self.anybody(), self.anybody()] if number % 5 < 3 else [self.anybody()]
        if people[0] == people[-1]:
            people = people[:1]
        if status == "active" and max(map(self.running.__getitem__, people)) >= MOST_RUNNING:
            status = "finished"
        if status == "active":
            self.running.update(people)
        over = status == "finished"
        match = (
            *(id_, game, 1, b"{}", status, "public" if public else "unlisted", people[0], True),
            *(40, 1, [0] if status == "active" else [], None if status == "open" else b"{}"),
            *(b"{}" if over else None, b"\0", "0" * 64, 1, at, at, at, at if over else None),
        )
        first = self.chance.randrange(2)
        places = [1 + (seat != first) if over else None for seat in range(2)]
        bot = "" if len(people) == 2 else "random"
        kinds = ["user", "bot" if bot else "open" if status == "open" else "user"]
        seats = [
            (id_, n, kind, people[n] if kind == "user" else None, bot if kind == "bot" else "",
             "somebody", 0, places[n], False)
            for n, kind in enumerate(kinds)
        ]  # fmt: skip
        outcomes = ["won" if place == 1 else "lost" for place in places]
        results = [
            (id_, person, game, n, outcomes[n], places[n], bot, public)
            for n, person in enumerate(people)
        ]
        return match, seats, results if over else []

    def seek_rows(self) -> Iterator[tuple[Any, ...]]:
        for number in range(self.seeks):
            at = NOW - timedelta(seconds=number)
            person, game = self.people[-1 - number], GAMES[number % 4]
            yield self._id(at, number), person, game, "", b"{}", "normal", True, 2, at, NOW, ""

    def friendships(self) -> Iterator[tuple[Any, ...]]:
        """The keenest player has three hundred friends."""
        for number in range(1, min(301, len(self.people))):
            yield self._id(NOW, number), self.people[0], self.people[number], "accepted", NOW, NOW


USER = (
    "id username display_name email language is_guest password is_superuser is_staff is_active"
    " date_joined"
)
MATCH = (
    "id game rules_version options status visibility creator_id rated version round to_act state"
    " outcome seed commitment shuffles_used created_at updated_at started_at finished_at"
)
SEAT = "match_id index kind user_id bot name points place timed_out"
RESULT = "match_id account_id game side outcome place bot is_public"
PLIES = """
INSERT INTO games_ply (match_id, version, seat, move, events)
SELECT match.id, version, version %% 2, 'KH', decode(repeat('7b7d', 60), 'hex')
FROM (SELECT id FROM games_match ORDER BY id LIMIT %s) AS match, generate_series(1, 40) AS version
"""
OF_OPERATORS = (
    """INSERT INTO operations_playerreport (ply, seat, reason, text, at, resolution, resolved_at,
    match_id, reported_id, reporter_id)
    SELECT 1, 1, 'other', 'They left.', two.at, '', CASE WHEN two.n %% 9 > 0 THEN two.at END,
        two.match_id, two.b, two.a
    FROM (SELECT one.match_id, one.user_id AS a, other.user_id AS b, now() AS at,
            row_number() OVER () AS n
        FROM games_seat one JOIN games_seat other
            ON one.match_id = other.match_id AND one.index = 0 AND other.index = 1
        WHERE one.user_id IS NOT NULL AND other.user_id IS NOT NULL
        ORDER BY one.match_id DESC LIMIT 5000) AS two""",
    """INSERT INTO audit_entry (actor, action, subject_type, subject_id, subject, reason, details)
    SELECT 'root', 'warn', 'person', id::text, username, 'Insults at the table.', '{}'
    FROM accounts_user, generate_series(1, 20)""",
    """INSERT INTO axes_accesslog (user_agent, ip_address, username, http_accept, path_info,
    attempt_time, session_hash)
    SELECT '', '10.0.0.0'::inet + n / 3, 'player' || n %% 5000, '', '', now(), ''
    FROM generate_series(1, 50000) AS n""",
    """INSERT INTO ratings_personrating (board, mean, variance, matches, at, settled_until,
    account_id)
    SELECT game || '/normal/two/people', 0, 1, 30, now(), now(), id
    FROM accounts_user, unnest(ARRAY['pisti', 'pazaak', 'shithead', 'pyanitsa']) AS game
    ON CONFLICT DO NOTHING""",
    """INSERT INTO ratings_ratedmatch (match_id, board, at, is_settled)
    SELECT id, game || '/normal/two/people', finished_at, true
    FROM games_match WHERE status = 'finished'
    ON CONFLICT DO NOTHING""",
    """INSERT INTO leagues_week (game, monday, closed_at)
    SELECT game, date_trunc('week', now())::date - 7 * n, now()
    FROM unnest(ARRAY['pazaak', 'shithead', 'pyanitsa']) AS game, generate_series(1, 8) AS n""",
    """INSERT INTO leagues_line (tier, division, slot, since, points, matches, place, move,
    account_id, week_id)
    SELECT 1, at.n / 30, at.n %% 30, now(), 1, 1, 1, 'stay', at.id, leagues_week.id
    FROM leagues_week,
    (SELECT id, (row_number() OVER (ORDER BY id))::int AS n FROM accounts_user LIMIT 1000) AS at
    WHERE leagues_week.closed_at IS NOT NULL""",
    "ANALYZE",
)
SEEK = "id account_id game preset options pace rated seats created_at seen_at ending"
FRIEND = "id sender_id recipient_id state requested_at accepted_at"


def copy(cursor: Any, table: str, columns: str, rows: Any) -> None:
    named = ", ".join(columns.split())
    with cursor.copy(f"COPY {table} ({named}) FROM STDIN") as into:
        for row in rows:
            into.write_row(row)


def fill(town: Town) -> None:
    from django.db import connection

    from games.people.counting import meetings_of, tallies_of
    from games.people.models import Progress

    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("SET session_replication_role = replica")  # every key that is written exists
        copy(cursor, "accounts_user", USER, town.users())
        town.write(cursor)
        copy(cursor, "lobby_seek", SEEK, town.seek_rows())
        copy(cursor, "social_friendship", FRIEND, town.friendships())
        cursor.execute(f"{_TALLIES} {tallies_of('people_result')}")
        cursor.execute(f"{_MEETINGS} {meetings_of('people_result')}")
        cursor.execute(PLIES, [town.plies // 40])
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("ANALYZE")
    Progress.objects.create(until=NOW)


class Clock:
    """Adds up how long the database works, and how long the page waits for it; in seconds."""

    def __init__(self) -> None:
        self.worked, self.waited, self.statements, self.bytes = 0.0, 0.0, 0, 0
        self.heaviest: tuple[float, str] = (0.0, "")

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        process = context["connection"].connection.info.backend_pid
        begun, before = time.perf_counter(), worked(process)
        try:
            return execute(sql, params, many, context)
        finally:
            taken = worked(process) - before
            self.waited += time.perf_counter() - begun
            self.worked += taken
            self.statements += 1
            self.heaviest = max(self.heaviest, (taken, sql))


def worked(process: int) -> float:
    """Linux says how long a process has worked, in nanoseconds."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


def pages(town: Town) -> Iterator[tuple[str, int | None, str]]:
    """The pages to measure, and their reader: the number of a person, or nobody."""
    middle, last = len(town.people) // 2, len(town.people) - 1
    yield "profile of the keenest", None, "/people/player0"
    yield "profile for one whom they met", 1, "/people/player0"
    yield "profile for themselves", 0, "/people/player0"
    yield "profile, an older page", 0, f"/people/player0?before={town.people[0]}"
    yield "profile of an average player", 0, f"/people/player{middle}"
    yield "profile by the API", 1, "/api/v1/users/player0"
    yield "matches by the API", 1, "/api/v1/users/player0/matches?limit=100"
    yield "300 friends", 0, "/people"
    yield "lobby, nobody", None, "/lobby"
    yield "lobby, the keenest", 0, "/lobby"
    yield "lobby, all public results", 0, "/lobby?whose=all"
    yield "lobby, one who waits", last, "/lobby"
    yield "landing page, nobody", None, "/"
    yield "landing page, the keenest", 0, "/"
    yield "history, the keenest", 0, "/history"
    yield "history, an average player", middle, "/history"
    yield "leaderboard", None, "/leaderboards/pisti"
    yield "tournaments", 0, "/tournaments"
    yield "new match", 0, "/new"
    yield "rules", None, "/games/pisti/rules"
    yield "own matches by the API", 0, "/api/v1/matches?mine=true&limit=100"
    yield "running ones by the API", 0, "/api/v1/matches?status=active&limit=100"
    yield "open ones by the API", last, "/api/v1/matches?joinable=true&limit=100"


def fill_for_operators() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        for sql in OF_OPERATORS:
            cursor.execute(sql, [])
        cursor.execute("SET session_replication_role = origin")


def pages_of_operators(town: Town) -> Iterator[tuple[str, int, str]]:
    """Every list of the admin, a row of each, the newest or the heaviest, and the other pages."""
    from django.contrib import admin
    from django.contrib.auth.models import Group
    from django.urls import reverse

    from accounts.models import User
    from games.competitions.models import Tournament
    from games.matches.models import Match
    from games.operations.models import Person, PlayerReport
    from tests.admin.everything import MODELS, list_of, page
    from tests.competitions.held import begun, end_all, held

    keen = [User.objects.get(pk=one) for one in town.people[:32]]
    keeper = User.objects.create_user("keeper", is_staff=True)
    keeper.groups.add(Group.objects.get(name="administrator"))
    town.people.append(keeper.pk)
    cup = begun(held(keeper, name="Large cup", most=32, visibility="public"), *keen)
    end_all(cup), end_all(cup)
    about = PlayerReport.objects.filter(reported=keen[0], resolved_at=None)
    talked = Match.objects.filter(reports__reporter__username="ada")
    heavy = {Match: talked[0], Person: keen[0], Tournament: cup, PlayerReport: about[0]}
    names = ("index", "games_match_games", "numbers", "health", "several_people")
    asked = {"several_people": "?" + "&".join(f"id={one.pk}" for one in keen)}
    for name in names:
        address = reverse(f"admin:{name}")
        yield address, -1, address + asked.get(name, "")
    for model, shown in ((model, admin.site._registry[model]) for model in MODELS):
        yield list_of(model), -1, list_of(model)
        if "change" in {str(pattern.name).rpartition("_")[2] for pattern in shown.urls}:
            row = heavy.get(model) or model._default_manager.order_by("-pk")[0]
            yield f"{list_of(model)}…", -1, page(model, "change", row.pk)


def measure(town: Town, *, admin: bool) -> bool:
    from django.test import Client

    from accounts.models import User
    from tests.conftest import BACKEND

    most, over, times = 0.0, [], 3 if admin else TIMES
    target = AIMS["/admin/"][0] if admin else TARGET
    print(f"{'page':34} {'ours':>8} {'works':>8} {'waits':>8}  statements  kB")
    for name, who, address in pages_of_operators(town) if admin else pages(town):
        browser = Client(SERVER_NAME="localhost")
        if who is not None:
            browser.force_login(User.objects.get(pk=town.people[who]), BACKEND)
        clocks = [_asked(browser, address) for _ in range(times + 1)][1:]
        ours = statistics.median(_own_milliseconds(browser, address) for _ in range(times))
        works = statistics.median(1000 * clock.worked for clock in clocks)
        waits = statistics.median(1000 * clock.waited for clock in clocks)
        most = max(most, works)
        statements = statistics.median_low(clock.statements for clock in clocks)
        size = clocks[0].bytes / 1000
        print(f"{name:34} {ours:8.1f} {works:8.1f} {waits:8.1f} {statements:11} {size:4.0f}")
        aims = (aim for begins, aim in AIMS.items() if name.startswith(begins))
        milliseconds, few = next(aims, (inf, inf))
        if ours + works * admin > milliseconds or statements > few:
            over.append(f"{name}: at most {milliseconds:.0f} ms and {few} statements")
        if works > target:
            taken, sql = clocks[-1].heaviest
            print(f"    {1000 * taken:.1f} ms: {sql[-400:]}")
    print(f"the database works for {most:.1f} ms at most, of {target:.0f}", *over, sep="\n")
    return most <= target and not over


def _own_milliseconds(browser: "Client", address: str) -> float:
    """Of the processor, in the thread that makes the page; nobody counts statements meanwhile."""
    begun = time.thread_time()
    browser.get(address)
    return 1000 * (time.thread_time() - begun)


def _asked(browser: "Client", address: str) -> Clock:
    from django.db import connection

    clock = Clock()
    with connection.execute_wrapper(clock):
        response = browser.get(address)
    assert response.status_code == 200, (address, response.status_code)
    clock.bytes = len(response.content)
    return clock


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=100_000)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--seeks", type=int, default=500)
    parser.add_argument("--plies", type=int, default=0, help="of the matches, 40 each")
    parser.add_argument("--admin", action="store_true", help="the pages of operators")
    parser.add_argument("--recount", action="store_true", help="prove what is derived, too")
    options = parser.parse_args()
    django.setup()
    from django.core.management import call_command
    from django.test.runner import DiscoverRunner

    runner = DiscoverRunner(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    try:
        town = Town(options.people, options.matches, options.seeks, options.plies)
        if options.admin:
            from accounts.models import User
            from tests.admin.everything import a_world

            a_world(*map(User.objects.create_user, ("ada", "ben")))
        begun = time.perf_counter()
        fill(town)
        if options.admin:
            fill_for_operators()
        print(f"made in {time.perf_counter() - begun:.0f} s")
        is_fast = measure(town, admin=options.admin)
        if options.recount:
            call_command("recount")
        return 0 if is_fast else 1
    finally:
        runner.teardown_databases(databases)


if __name__ == "__main__":
    sys.exit(main())
