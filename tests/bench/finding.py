"""How long operators wait for every page of the admin, and for searches, among many matches.

``python -m tests.bench.finding 100000`` fills a database with so many matches, then prints the
milliseconds of each page, the middle one of seven: no page may take more than 300. A second
argument is the beginning of the names of the pages to ask for: ``find`` at 1000000 matches, where a
search by person or id may take 100.
"""

import os
import statistics
import sys
import time
from typing import TYPE_CHECKING

import django

from tests.conftest import BACKEND

if TYPE_CHECKING:
    from accounts.models import User
    from games.matches.snapshot import MatchSnapshot

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

ASKED = {
    "list": "",
    "find by username": "q=player77",
    "find by shown name": "q=Shown+777",
    "find by whole id": "q={id}",
    "find by beginning of an id": "q={start}",
    "owes a bot": "problem=owes_bot",
    "stalled": "problem=stalled",
    "late": "problem=late",
    "reported": "problem=reported",
    "bot stands in": "problem=handed",
    "running": "status__exact=active",
    "one game": "game=pazaak",
    "last hour": "created=1h",
    "page 20": "p=20",
}

_USERS = """
INSERT INTO accounts_user (id, username, display_name, email, language, is_guest, password,
    is_superuser, is_staff, is_active, date_joined)
SELECT gen_random_uuid(), 'player' || n, 'Shown ' || n, '', 'en', false, '!', false, false, true,
    now() FROM generate_series(1, %s) n"""

_MATCHES = """
INSERT INTO games_match (id, game, rules_version, options, status, visibility, creator_id, rated,
    version, round, to_act, state, outcome, seed, commitment, shuffles_used, bot_due_at,
    created_at, updated_at, started_at, finished_at)
SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - (%s - n) * 1000), 12, '0')
        || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
    (ARRAY['pisti', 'pazaak', 'shithead', 'pyanitsa'])[1 + n %% 4], 1, '{{}}',
    CASE WHEN n %% 20 = 0 THEN 'active' ELSE 'finished' END, 'public', u.id, true, 40, 1,
    CASE WHEN n %% 20 = 0 THEN '{{0}}'::smallint[] ELSE '{{}}' END,
    decode(repeat('00', 700), 'hex'),
    CASE WHEN n %% 20 = 0 THEN NULL ELSE '{{}}'::bytea END, '\\x00', repeat('0', 64), 1,
    CASE WHEN n %% 2000 = 0 THEN now() - interval '1 hour' END,
    now() - (%s - n) * interval '1 second', now() - (%s - n) * interval '1 second',
    now(), CASE WHEN n %% 20 = 0 THEN NULL ELSE now() END
FROM generate_series(1, %s) n
JOIN (SELECT id, row_number() OVER () - 1 AS number FROM accounts_user) u
    ON u.number = n %% {users}"""

_SEATS = """
INSERT INTO games_seat (match_id, index, kind, user_id, bot, name, points, timed_out)
SELECT m.id, s, CASE s WHEN 0 THEN 'user' ELSE 'bot' END, CASE s WHEN 0 THEN creator_id END,
    CASE s WHEN 0 THEN '' ELSE 'greedy' END, 'somebody', 0, false
FROM games_match m, generate_series(0, 1) s"""

_ROUNDS = """
INSERT INTO games_round (match_id, number, opening_version, opening_state, decks, opened_at)
SELECT id, 1, 0, '{}', '[]', created_at FROM games_match"""

_PLIES = """
INSERT INTO games_ply (match_id, version, seat, move, events, at)
SELECT id, 0, NULL, '', '[]', created_at FROM games_match"""


def fill(count: int, asked: str) -> None:
    """Searches read no rounds and no plies."""
    from django.db import connection

    users = max(10, count // 20)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(_USERS, [users])
        cursor.execute(_MATCHES.format(users=users), [count] * 4)
        for rows in (_SEATS,) if asked == "find" else (_SEATS, _ROUNDS, _PLIES):
            cursor.execute(rows)
        cursor.execute("ANALYZE")


def main(count: int, asked: str) -> None:
    from django.db import connection
    from django.test import Client

    from accounts.models import User
    from games.matches.models import Match

    fill(count, asked)
    one = str(Match.objects.order_by("id").values_list("id", flat=True)[count // 2])
    root = User.objects.create_superuser("root", password="a long and quiet evening")
    played = _one_of_each(root)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    browser = Client(SERVER_NAME="localhost")
    browser.force_login(root, BACKEND)
    worst = 0.0
    for name, address in (_finding(one) | _every_page(played)).items():
        if name.startswith(asked):
            taken = _milliseconds(browser, address)
            worst = max(worst, taken)
            print(f"{name:34} {taken:8.0f} ms")
    print(f"{'worst':34} {worst:8.0f} ms")


def _one_of_each(root: "User") -> "MatchSnapshot":
    """A match that was really played, a report of it, and a row of what else has pages."""
    from accounts import services
    from accounts.audit.log import Actor
    from accounts.models import User
    from decks.models import Deck
    from games.operations import refereeing, reports
    from games.simulations import work
    from tests.matches.scenes import opened
    from tests.matches.scenes import played as play

    player = User.objects.get(username="player77")
    match = play(opened(player, "me, local Twin"), 30)
    reports.report(match_id=match.id, user=player, seat=1, reason="other", text="A word.")
    refereeing.send_notice(match_id=match.id, by=Actor.of(root, "A word."), text="A word.")
    services.issue_key(user=player)
    Deck.objects.create(owner=player, name="A deck", cards=["P1"] * 10)
    work.start(owner=player, game="pyanitsa", games=10)
    return match


def _finding(one: str) -> dict[str, str]:
    from django.urls import reverse

    page = reverse("admin:games_match_changelist")
    asked = {name: query.format(id=one, start=one[:13]) for name, query in ASKED.items()}
    people = reverse("admin:operations_person_changelist")
    found = {name: f"{page}?{query}" for name, query in asked.items()}
    return found | {"find person by name": f"{people}?q=player77"}


def _every_page(played: "MatchSnapshot") -> dict[str, str]:
    """The dashboard, the list of every model, one page of each, and the pages of a match."""
    from django.contrib import admin
    from django.urls import reverse

    from games.operations.acts import ACTS

    found = {"dashboard": reverse("admin:index"), "dashboard, 30 days": "/admin/?span=30+days"}
    for model in admin.site._registry:
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        name = str(model._meta.verbose_name_plural)
        found[f"{name}: list"] = reverse(f"{base}_changelist")
        row = played.id if name == "matches" else model._default_manager.values_list("pk").last()
        if row is not None:
            pk = row[0] if isinstance(row, tuple) else row
            found[f"{name}: page"] = reverse(f"{base}_change", args=[pk])
    found["match: a ply"] = found["matches: page"] + "?ply=20"
    found["match: its table"] = reverse("operator_table", args=[played.id]) + "?ply=20"
    for slug in ACTS:
        found[f"match: {slug}"] = reverse("admin:games_match_act", args=[played.id, slug])
    return found


def _milliseconds(browser: object, address: str) -> float:
    from django.core.cache import cache

    times = []
    for _ in range(7):
        cache.clear()
        begun = time.perf_counter()
        response = browser.get(address)  # type: ignore[attr-defined]
        times.append(1000 * (time.perf_counter() - begun))
        assert response.status_code == 200, (address, response.status_code)
    return statistics.median(times)


if __name__ == "__main__":
    django.setup()
    from django.test.runner import DiscoverRunner

    runner = DiscoverRunner(verbosity=0, interactive=False)
    old = runner.setup_databases()
    try:
        main(int(sys.argv[1]), ([*sys.argv, ""])[2])
    finally:
        runner.teardown_databases(old)
