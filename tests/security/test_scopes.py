"""Somebody holds a key that was made for less: each call asks for its scope, in one place."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver

from accounts import services as keys
from accounts.models import Key
from accounts.programs.models import Connection
from accounts.programs.services import (
    CODE_LIFE,
    Consent,
    consent,
    give_tokens,
    new_secret,
    register,
)
from config.api.scopes import SCOPES, USUAL, required_scope
from config.postgres.connections import ReadOnly
from games.bot_accounts import services
from games.bot_accounts.models import Program
from games.bot_accounts.services import Manners
from games.matches.models import Match
from tests.api.calls import get, move, post, read
from tests.competitions.held import held
from tests.conftest import PASSWORD
from tests.matches.scenes import opened
from tests.security.test_authorisation_matrix import (  # noqa: F401 - fixtures
    callers,
    everywhere,
    status,
    world,
)

TOKENS = "/api/v1/accounts/tokens"
BACK = "https://program.example/"
DOCUMENT = Path(__file__).parent.parent / "fixtures" / "openapi.json"
OUTLIVES = {
    *("become_bot", "confirm_bot", "register", "delete_me"),
    *("create_webhook", "change_webhook", "rotate_webhook", "add_browser"),
    *("register_program", "change_program", "delete_program", "rotate_program_secret"),
}
# It ends something, or plays, or is seen and undone on the account page.
ENDS_OR_IS_UNDONE = {
    *("change_me", "block", "unblock", "change_bot", "refuse_bot", "befriend", "unfriend"),
    *("announce_holiday", "end_holiday", "change_hours", "read_notice", "change_notifications"),
    *("change_privacy", "remove_browser", "delete_webhook", "resend_delivery", "revoke_key"),
    *("create_challenge", "withdraw_challenge", "accept_challenge", "decline_challenge"),
    *("play_daily", "create_deck", "replace_deck", "change_deck", "delete_deck", "import_deck"),
    "examine_deck",
    *("attempt_exercise", "create_export", "delete_export", "join_league", "leave_league"),
    *("create_match", "abort", "analyse", "stop_analysis", "block_player", "call_off", "claim"),
    *("switch_on_coach", "ask_hint", "invite", "join", "leave", "load", "move", "mute_player"),
    *("say_phrase", "put_plan", "withdraw_plan", "reclaim", "rematch", "decline_rematch"),
    *("report", "resign", "take_back", "answer_take_back", "withdraw_take_back", "give_time"),
    *("unmute_player", "create_seek", "delete_seek", "create_simulation", "cancel_simulation"),
    *("create_tournament", "join_tournament", "withdraw_from_tournament", "change_tournament"),
    *("invite_to_tournament", "remove_from_tournament", "begin_tournament", "pause_tournament"),
    *("resume_tournament", "call_off_tournament", "ping_webhook"),
}
OPEN = {"accounts/guest", "accounts/token", "games", "decks/cards", "records/verify"}
ARCHIVES = {"archives", "archives/<str:day>.jsonl", "archives/<str:day>.jsonl.sha256"}
ANY_ID = "01890000-0000-7000-8000-000000000000"


@pytest.fixture
def scoped(ada, holding):
    return lambda *scopes: holding(keys.issue_key(user=ada, scopes=scopes).secret)


def refused(answer, scope, call=""):
    problem = answer.json()
    told = answer.status_code, problem["code"], problem.get("scope")
    assert told == (403, "not_allowed", scope), call
    assert f"'{scope}'" in problem["detail"]


def calls():
    """Every call of the API: its path, method and view."""
    found = [("", get_resolver())]
    while found:
        prefix, one = found.pop()
        path = (prefix + str(one.pattern)).removeprefix("^/")
        if isinstance(one, URLResolver):
            found += [(path, inner) for inner in one.url_patterns]
        elif isinstance(one, URLPattern) and path.startswith("api/v1/"):
            view = getattr(one.callback, "view_class", None) or getattr(one.callback, "cls", None)
            for method in ("get", "post", "put", "patch", "delete"):
                if view is not None and hasattr(view, method) and "schema" not in path:
                    yield path.removeprefix("api/v1/"), method, view


FOR_ALL = {"", "docs", *OPEN, *ARCHIVES}
TOURNAMENT = "tournaments/<uuid:tournament_id>"
READ_BY_ALL = {"tournaments", TOURNAMENT, f"{TOURNAMENT}/results", f"{TOURNAMENT}/results.csv"}
OPEN_READS = {(path, "get") for path in READ_BY_ALL}
CALLS = sorted(
    (path, method)
    for path, method, _ in calls()
    if path not in FOR_ALL and (path, method) not in OPEN_READS
)
VIEWS = {(path, method): view for path, method, view in calls()}


def test_calls_with_every_scope_but_the_one(scoped):
    made = cache(scoped)  # one key for each of four sets of scopes
    for path, method in CALLS:
        refused_for_its_scope(made, path, method)
    assert made.cache_info().currsize == len(SCOPES)


@pytest.fixture
def connected(ada, holding):
    """A client that holds the token of a program for these scopes; one for each set of them."""
    program = register(
        owner=ada, name="p", redirect_uris=["https://p.example/"], confidential=False
    )

    def token(*scopes):
        """One for each of four sets of scopes."""
        if scopes not in made:
            made[scopes] = new_secret()
            given = Consent(program.client, ada, list(scopes), BACK, "x")
            consent(given, made[scopes])
            row = Connection.objects.latest("id")
            give_tokens(
                row,
                access=made[scopes],
                refresh=f"{made[scopes]}.x",
                scopes=list(scopes),
                life=CODE_LIFE,
            )
        return holding(made[scopes])

    made = {}
    return token


def test_tokens_of_programs_are_held_to_the_same_scopes(connected):
    """Over every call: a token is a key that a consent made."""
    for path, method in CALLS:
        refused_for_its_scope(connected, path, method)
    assert Connection.objects.count() == len(SCOPES)


def writes():
    """Every operation that changes something and needs a scope: its address by its name."""
    for path, operations in json.loads(DOCUMENT.read_text())["paths"].items():
        for method, operation in operations.items():
            if method != "get" and operation.get("x-required-scope"):
                yield operation["operationId"], (path, method)


def test_the_document_lists_programs_where_they_are_not_refused():
    document = json.loads(DOCUMENT.read_text())
    for name, (path, method) in writes():
        security = document["paths"][path][method]["security"]
        assert any("oauth2" in each for each in security) == (name not in OUTLIVES), name


def test_what_outlives_a_connection_needs_a_key_of_ones_own(connected):
    """Each write is decided upon here: whoever adds one says to which of the two it belongs."""
    asked = dict(writes())
    assert set(asked) == OUTLIVES | ENDS_OR_IS_UNDONE
    for scopes in (SCOPES, *((one,) for one in SCOPES)):
        program = connected(*scopes)
        for name, (path, method) in asked.items():
            address = re.sub(r"{(match|webhook|\w+)_id}", ANY_ID, path).replace("{username}", "ada")
            answer = getattr(program, method)(address.replace("{game}", "pisti"), {})
            problem = answer.json() if answer.content else {}
            own_key = "key of your own" in problem.get("detail", "")
            if name in OUTLIVES:
                assert answer.status_code == 403, (name, scopes)
                assert own_key or problem["scope"] == "account", (name, scopes)
            else:
                assert not own_key, (name, scopes)
    assert not Program.objects.exists()


def test_a_key_of_ones_own_and_a_browser_may_do_it(ada, scoped, client):
    client.force_login(ada)
    for caller in (scoped("account"), client):
        answer = caller.put("/api/v1/accounts/me/bots/nobody")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_connected_program_confirms_no_bot_account(connected, ada, ben):
    services.ask_for_bot(account=ben, owner="ada", manners=Manners())
    answer = connected(*SCOPES).put("/api/v1/accounts/me/bots/ben")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    ben.refresh_from_db()
    assert not ben.is_bot


def refused_for_its_scope(scoped, path, method):
    scope = required_scope(VIEWS[path, method], method.upper())
    program = scoped(*[one for one in SCOPES if one != scope])
    for kind in (
        *("match_id", "key_id", "deck_id", "simulation_id", "export_id", "notice_id", "seek_id"),
        *("challenge_id", "tournament_id", "webhook_id", "delivery_id", "browser_id"),
        *("holiday_id", "exercise_id"),
    ):
        path = path.replace(f"<uuid:{kind}>", ANY_ID)
    path = path.replace("<slug:game>", "pisti")
    body = {"move": "7H", "version": 0} if path.endswith("/moves") else {}
    answer = getattr(program, method)("/api/v1/" + path.replace("<str:name>", "x"), body)
    refused(answer, scope, f"{method} {path}")


def test_a_key_for_reading_plays_no_move(ada, scoped):
    match = opened(ada)
    body = {"move": "x", "version": match.version}
    refused(post(scoped("read"), f"matches/{match.id}/moves", body), "play")
    assert Match.objects.get(pk=match.id).version == match.version


def test_a_key_for_playing_reads_no_match(ada, scoped):
    match = opened(ada)
    refused(get(scoped("play"), f"matches/{match.id}"), "read")
    assert get(scoped("read"), f"matches/{match.id}").status_code == 200


def test_the_scope_costs_the_move_path_no_query(ada, scoped):
    match = opened(ada)
    program = scoped("read", "play")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        get(program, f"matches/{match.id}")
    assert len(queries) == 1
    shown = read(program, {"id": str(match.id)})
    assert move(program, shown).status_code == 201


@pytest.mark.parametrize("scopes", [USUAL, ("play",)])
def test_a_key_without_account_lists_and_revokes_no_keys(ada, scoped, scopes):
    program = scoped(*scopes)
    key = Key.objects.get()
    refused(program.get(TOKENS), "account")
    refused(program.delete(f"{TOKENS}/{key.pk}"), "account")
    refused(program.patch("/api/v1/accounts/me", {"display_name": "Eve"}), "account")
    assert Key.objects.count() == 1


def test_a_guests_key_without_account_does_not_register(guest, holding):
    program = holding(keys.issue_key(user=guest).secret)
    body = {"username": "eve", "password": PASSWORD}
    refused(program.post("/api/v1/accounts/register", body), "account")


def test_a_password_gets_the_usual_scopes(api, ada):
    body = {"username": "ada", "password": PASSWORD}
    answer = api.post("/api/v1/accounts/token", body)
    assert answer.json()["scopes"] == ["play", "decks", "read"]
    answer = api.post("/api/v1/accounts/token", body | {"scopes": ["read", "account", "read"]})
    assert answer.json()["scopes"] == ["read", "account"]


@pytest.mark.parametrize("scopes", [[], ["admin"], "play", ["play"] * 17, None])
def test_a_scope_that_is_none_is_malformed(api, ada, scopes):
    body = {"username": "ada", "password": PASSWORD, "scopes": scopes}
    assert api.post("/api/v1/accounts/token", body).status_code == 400


def test_guests_and_the_newly_registered_keep_all(api, db, holding):
    guest = api.post("/api/v1/accounts/guest").json()["token"]
    assert holding(guest).get(TOKENS).status_code == 200
    body = {"username": "eve", "password": PASSWORD}
    made = holding(guest).post("/api/v1/accounts/register", body).json()["token"]
    assert holding(made).get(TOKENS).status_code == 200


def test_a_key_of_the_previous_release_keeps_all(ada, holding):
    key, secret = keys.issue_key(user=ada)
    with connection.cursor() as cursor:  # as a release does that does not know the column
        cursor.execute(
            "UPDATE accounts_key SET scopes = DEFAULT WHERE id = %s RETURNING scopes", [key.pk]
        )
        assert tuple(cursor.fetchone()[0]) == SCOPES
    assert holding(secret).get(TOKENS).status_code == 200


def test_a_session_needs_no_scope(client, ada):
    client.force_login(ada)
    assert client.get(TOKENS).status_code == 200


def test_open_calls_take_any_key(scoped):
    program = scoped("decks")
    assert program.get("/api/v1/games").status_code == 200
    assert program.get("/api/v1/decks/cards").status_code == 200


@pytest.mark.parametrize(("path", "method"), sorted(OPEN_READS))
def test_open_reads_take_any_key(ada, scoped, path, method):
    """Their addresses take writes too, or lie below one that does: those need a scope."""
    assert required_scope(VIEWS[path, method], method.upper()) is None
    path = path.replace("<uuid:tournament_id>", str(held(ada).id))
    assert getattr(scoped("decks"), method)("/api/v1/" + path).status_code == 200


# A shared cache between a player and the service keeps nothing that one reader was shown.

API = "/api/v1/"


@pytest.mark.parametrize(
    "path", ["matches", "matches/{id}", "matches/{id}/events", "accounts/me", "decks"]
)
def test_answers_for_one_reader_are_private(keyed, ada, path):
    match = opened(ada)
    answer = keyed(ada).get(API + path.format(id=match.id))
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie"} <= {word.strip() for word in answer["Vary"].split(",")}


@pytest.mark.parametrize("path", ["/", "/lobby", "/new"])
def test_pages_that_name_a_person_are_private(db, path):
    answer = Client().get(path)
    assert "private" in answer["Cache-Control"] or "no-store" in answer["Cache-Control"]
    assert "Cookie" in answer["Vary"]


def test_the_page_of_the_document_refuses_other_methods(db):
    answer = Client().options(API + "docs")
    assert answer.status_code == 405


# Whatever is read is read from a database that takes no writes as well.

WRITES = re.compile(
    r"^\s*(INSERT|UPDATE|DELETE)\b|\b(INSERT INTO|DELETE FROM|FOR (NO KEY )?UPDATE)\b"
)


def refuse_writes(execute, sql, params, many, context):
    """As Postgres does, except that a transaction goes on: what is locked is asked for to write."""
    if WRITES.search(sql):
        raise ReadOnly(f"cannot execute {sql.split()[0]} in a read-only transaction")
    return execute(sql, params, many, context)


@pytest.mark.parametrize("name", ["anonymous", "seated"])
def test_no_page_writes_to_be_read(world, callers, name):  # noqa: F811
    faults = []
    for _, path, method in everywhere(world):
        if method != "GET" or path.startswith("/admin/"):
            continue
        before = status(callers[name], method, path)
        with connection.execute_wrapper(refuse_writes):
            after = status(callers[name], method, path)
        if before < 400 and after != before:
            faults.append(f"{path}: {before}, {after}")
    assert faults == []
