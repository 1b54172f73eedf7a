"""How long operators wait for lists and searches among many matches.

``python -m tests.bench.finding 1000000`` fills the database that the settings name (use an empty
one) with so many matches, then prints the milliseconds of each page, the middle one of seven. A
second argument is the beginning of the names of the pages to ask for.
"""

import os
import statistics
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

ASKED = {
    "list": "",
    "by username": "q=player77",
    "by shown name": "q=Shown+777",
    "by whole id": "q={id}",
    "by beginning of an id": "q={start}",
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


def fill(count: int) -> None:
    from django.db import connection

    users = max(10, count // 20)
    with connection.cursor() as cursor:
        cursor.execute(_USERS, [users])
        cursor.execute(_MATCHES.format(users=users), [count] * 4)
        cursor.execute(_SEATS)
        cursor.execute("ANALYZE")


def main(count: int, asked: str) -> None:
    from django.test import Client
    from django.urls import reverse

    from accounts.models import User
    from games.matches.models import Match

    fill(count)
    root = User.objects.create_superuser("root", password="a long and quiet evening")
    browser = Client(SERVER_NAME="localhost")
    browser.force_login(root, backend="allauth.account.auth_backends.AuthenticationBackend")
    one = str(Match.objects.order_by("id").values_list("id", flat=True)[count // 2])
    page = reverse("admin:games_match_changelist")
    pages = {name: f"{page}?{asked}" for name, asked in ASKED.items()}
    pages["dashboard"] = reverse("admin:index")
    pages["people"] = reverse("admin:operations_person_changelist")
    pages["person by name"] = f"{pages['people']}?q=player77"
    for model in ("seat", "round", "ply"):
        pages[f"{model}s"] = reverse(f"admin:games_{model}_changelist")
    for name, address in pages.items():
        if not name.startswith(asked):
            continue
        print(f"{name:24} {_milliseconds(browser, address.format(id=one, start=one[:13])):8.0f} ms")


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
