"""The document is as strict as the service, both ways, at every boundary that it draws.

Each call has a request that succeeds. One thing of it at a time becomes a value at a boundary of
the schema or just outside (`tests.api.boundaries`). What the document allows must be accepted, but
for what depends on what is there (``DEPENDS``); what it forbids must be refused.

``make test`` tries some boundaries of every body and parameter, ``make sweeps`` all of them.
"""

import json
import re
from datetime import timedelta
from functools import cache
from urllib.parse import urlencode

import msgspec
import pytest
from django.db import transaction
from django.utils import timezone
from rest_framework.settings import api_settings
from rest_framework.test import APIClient

from accounts import services as people
from accounts.models import User
from accounts.notifications import delivering, outbox
from accounts.notifications.endpoints import key_of
from accounts.notifications.models import Delivery
from cardroom.rules import catalog
from config.api.document import operations
from games.api import coaching
from games.bot_accounts import services
from games.coaching import analyses
from games.competitions import taking_part
from games.lobby import challenges
from games.lobby.challenges import NewChallenge
from games.matches import joining, rolling_back
from games.matches.models import Match
from games.mirrored.opening import open_mirrored
from tests.api.boundaries import Boundaries
from tests.api.calls import API
from tests.api.test_examples import document
from tests.coaching.scenes import alone
from tests.competitions.held import held
from tests.conftest import PASSWORD
from tests.daily import days
from tests.exercises.scenes import from_file
from tests.matches.scenes import move, opened, resigned, seat_requests

NOTHING = object()  # no body at all
CARDS = ["P1", "P2", "P3", "P4", "P5", "P6", "M1", "M2", "M3", "M4"]
VAPID = "0" * 42 + "E"
POINT = key_of(VAPID)
TOMORROW = (timezone.now() + timedelta(days=1)).isoformat()
SEATS = [{"kind": "local", "name": "Twin"}, {"kind": "me"}]
BODIES = {
    "create_guest": {},
    "register": {"username": "Nina", "password": PASSWORD, "email": "nina@example.org"},
    "create_key": {"username": "Ada", "password": PASSWORD, "name": "x", "scopes": ["play"]},
    "change_me": {"display_name": "Ada L", "language": "en", "in_archive": True},
    "create_deck": {"name": "Edge", "cards": CARDS, "is_default": True},
    "replace_deck": {"name": "Edge", "cards": CARDS},
    "change_deck": {"name": "Edge", "cards": CARDS, "is_default": True},
    "import_deck": {"text": "\n".join(CARDS), "name": "Edge"},
    "examine_deck": {"field": "public", "rivals": [], "seed": 7},
    "create_export": {"game": "pisti", "since": "2026-01-01T00:00:00Z"},
    "create_match": {
        "game": "pisti",
        "seats": SEATS,
        "preset": "classic",
        "options": {"target_score": 51},
        "visibility": "private",
        "turn_seconds": 60,
        "on_timeout": "resign",
        "rated": False,
        "mirrored": False,
        "pairs": None,
    },
    "join": {"seat": 1},
    "leave": {"reason": "busy"},
    "invite": {"seat": 1, "username": "cleo"},
    "abort": {},
    "analyse": {},
    "switch_on_coach": {},
    "ask_hint": {},
    "block_player": {"seat": 1},
    "load": {"cards": "same", "version": 0},
    "move": {"move": "", "version": 0, "seat": 0},
    "reclaim": {"seat": 0},
    "rematch": {},
    "resign": {"seat": 0},
    "give_time": {"seconds": 60, "seat": 1},
    "take_back": {"version": 1, "round": 1},
    "answer_take_back": {"version": 1, "accept": False},
    "withdraw_take_back": {"version": 1},
    "claim": {},
    "call_off": {},
    "change_privacy": {"hides_profile": True, "hides_presence": False, "hides_titles": True},
    "change_notifications": {
        "mail": ["result"],
        "daily": [],
        "push": ["friend"],
        "time_zone": "Europe/Prague",
        "quiet_from": "22:00",
        "quiet_until": "07:00",
        "daily_time": "09:00",
    },
    "change_hours": {
        "time_zone": "Europe/Prague",
        "quiet_from": "22:00",
        "quiet_until": "07:00",
        "clocks_rest": True,
    },
    "announce_holiday": {"first_day": TOMORROW[:10], "last_day": TOMORROW[:10]},
    "add_browser": {
        "endpoint": "https://push.example.org/1",
        "p256dh": POINT,
        "auth": "A" * 22,
        "browser": "x",
    },
    "create_webhook": {"url": "https://example.org/", "kinds": ["result"], "name": "x"},
    "change_webhook": {
        "url": "https://example.org/",
        "kinds": ["result"],
        "name": "x",
        "enabled": True,
    },
    "say_phrase": {"phrase": "hello"},
    "mute_player": {"seat": 1},
    "unmute_player": {"seat": 1},
    "report": {"reason": "phrases", "seat": 1, "text": "Shouts."},
    "create_seek": {
        "game": "pisti",
        "pace": "blitz",
        "preset": "classic",
        "rated": False,
        "seats": 2,
        "computers_after": 30,
    },
    "create_challenge": {
        "username": "cleo",
        "game": "pisti",
        "preset": "classic",
        "options": {},
        "seats": 2,
        "seat": 0,
        "computers": "greedy",
        "pace": "slow_1",
        "rated": False,
        "mirrored": False,
        "visibility": "private",
        "expires_in": 3600,
    },
    "accept_challenge": {},
    "put_plan": {"steps": [[{"play": "2S", "move": "3S", "top": "3"}]], "seat": 0},
    "become_bot": {
        "owner": "ada",
        "description": "Plays jacks last.",
        "plays": [{"game": "pisti", "presets": ["classic"]}],
        "paces": ["slow"],
        "at_once": 2,
        "seeks": False,
    },
    "change_bot": {"description": "Slow.", "plays": [], "paces": [], "at_once": 1, "seeks": True},
    "decline_challenge": {"reason": "busy"},
    "create_tournament": {
        "name": "Evening cup",
        "game": "pazaak",
        "form": "swiss",
        "pace": "blitz",
        "preset": "classic",
        "options": {},
        "visibility": "private",
        "rated": False,
        "mirrored": False,
        "pairs": None,
        "rounds": 3,
        "minutes": 60,
        "round_minutes": 60,
        "most": 8,
        "fill_to": 4,
        "starts_at": TOMORROW,
    },
    "join_tournament": {},
    "change_tournament": {
        "name": "Night cup",
        "visibility": "private",
        "rounds": 2,
        "minutes": 60,
        "round_minutes": 60,
        "most": 8,
        "fill_to": 4,
        "starts_at": TOMORROW,
    },
    "invite_to_tournament": {"username": "cleo"},
    "remove_from_tournament": {"username": "ben"},
    **{f"{act}_tournament": {} for act in ("begin", "pause", "resume", "call_off")},
    "register_program": {
        "name": "Bot",
        "redirect_uris": ["https://program.example/"],
        "kind": "public",
    },
    "change_program": {"name": "Bot", "redirect_uris": ["https://program.example/"]},
    "rotate_program_secret": {},
    "ping_webhook": {},
    "join_league": {},
    "leave_league": {},
    "withdraw_from_tournament": {},
    "create_simulation": {
        "game": "pisti",
        "games": 10,
        "options": {"target_score": 51},
        "preset": "classic",
        "bots": ["random", "random"],
        "seed": 1,
        "swap": False,
    },
    "cancel_simulation": {},
    "play_daily": {"practise": None},
    "attempt_exercise": {"move": "7S"},
}
ANSWERS = ("join", "leave", "accept_challenge", "decline_challenge")
# An account ends in a transaction of its own, which no scene can take back; any body is a record.
ELSEWHERE = {"delete_me", "verify_record"}
# Refusals of values that the schema allows, since they depend on stored rows or on another value:
# the call and the field, and the codes.
NAMES = {"bad_account", "username_taken"}
CONTRADICTS = {"bad_options", "bad_seats"}
DEPENDS = {
    ("register", "username"): NAMES,
    ("register", "password"): {"bad_account"},  # too common, too like the name
    ("register", "email"): {"bad_account"},  # what an address is says no schema
    ("create_key", "username"): {"bad_credentials"},
    ("create_key", "password"): {"bad_credentials"},
    **{
        ("change_notifications", field): {"bad_choices"}
        for field in ("time_zone", "quiet_from", "quiet_until", "mail", "daily")
    },
    ("change_hours", "time_zone"): {"bad_choices"},
    **{
        ("change_hours", field): {"bad_choices", "bad_hours"}
        for field in ("quiet_from", "quiet_until")
    },
    **{("announce_holiday", field): {"bad_holiday"} for field in ("first_day", "last_day")},
    **{("add_browser", field): {"bad_subscription"} for field in ("p256dh", "auth")},
    ("add_browser", "endpoint"): {"forbidden_address"},
    ("create_webhook", "url"): {"forbidden_address"},
    ("create_webhook", "kinds"): {"bad_choices"},
    ("create_webhook", "match"): {"not_found"},
    ("change_webhook", "url"): {"forbidden_address"},
    ("create_deck", "name"): {"deck_name_taken"},
    ("import_deck", "text"): {"bad_deck"},
    ("import_deck", "code"): {"bad_deck"},
    ("examine_deck", "rivals"): {"bad_deck"},
    ("examination", "rivals"): {"bad_deck", "not_found"},
    ("examination", "seed"): {"not_found"},
    ("create_export", "game"): {"unknown_game"},
    ("create_seek", "game"): {"unknown_game"},
    ("create_seek", "preset"): {"bad_options"},
    ("create_seek", "seats"): {"bad_options"},
    ("create_challenge", "username"): {"unknown_user"},
    ("create_challenge", "bot"): {"malformed", "unknown_bot"},
    ("create_challenge", "game"): {"unknown_game"},
    ("create_challenge", "preset"): {"bad_options"},
    ("create_challenge", "options"): CONTRADICTS,
    ("create_challenge", "seats"): {"bad_options", "unknown_bot", "bad_seats"},
    ("create_challenge", "seat"): {"bad_seats"},
    ("create_challenge", "computers"): set(),
    ("create_challenge", "clock"): {"bad_options"},
    ("create_challenge", "rated"): {"cannot_be_rated"},
    ("create_challenge", "mirrored"): set(),
    ("accept_challenge", "deck"): {"unknown_deck"},
    ("become_bot", "owner"): {"unknown_user", "not_an_owner"},
    ("become_bot", "plays"): {"bad_program"},
    ("change_bot", "plays"): {"bad_program"},
    ("put_plan", "steps"): {"malformed_move"},
    ("put_plan", "seat"): {"not_your_seat"},
    ("plan", "seat"): {"not_your_seat"},
    ("withdraw_plan", "seat"): {"not_your_seat"},
    ("create_tournament", "name"): {"bad_tournament"},
    ("create_tournament", "game"): {"unknown_game"},
    ("create_tournament", "preset"): {"bad_options"},
    ("create_tournament", "options"): {"bad_options", "bad_tournament"},
    ("create_tournament", "starts_at"): {"bad_tournament"},
    ("create_tournament", "most"): {"bad_tournament"},
    ("create_tournament", "fill_to"): {"bad_tournament"},
    ("create_tournament", "minutes"): {"bad_tournament"},
    ("create_tournament", "form"): {"bad_tournament"},
    ("create_tournament", "pairs"): {"bad_tournament"},  # of one that is not mirrored
    ("create_tournament", "mirrored"): {"cannot_be_mirrored"},
    ("create_tournament", "pace"): {"bad_tournament"},
    **{
        ("change_tournament", field): {"bad_tournament"}
        for field in ("name", "starts_at", "most", "fill_to", "minutes")
    },
    ("invite_to_tournament", "username"): {"unknown_user"},
    ("remove_from_tournament", "username"): {"not_among_players"},
    ("remove_from_tournament", "number"): {"not_among_players"},
    **{
        (call, field): {code}
        for call in ("register_program", "change_program")
        for field, code in (("name", "bad_program_name"), ("redirect_uris", "bad_redirect"))
    },
    ("create_match", "seats"): {"bad_seats", "unknown_user", "unknown_bot", "unknown_deck"},
    ("create_match", "preset"): {"bad_seats"},  # as many seats as its players
    ("create_match", "options"): CONTRADICTS,
    ("create_match", "on_timeout"): set(),
    ("create_match", "turn_seconds"): {"bad_options"},  # beside a clock
    ("create_match", "clock"): {"bad_options"},  # beside a time for each move
    ("create_match", "rated"): {"cannot_be_rated"},  # people at one device
    ("create_match", "mirrored"): {"cannot_be_mirrored"},  # the same
    ("create_match", "pairs"): {"malformed"},  # of a match that is not mirrored
    **{("league", name): {"not_found"} for name in ("week", "tier", "division")},
    ("leaderboard", "cursor"): {"malformed", "not_found"},  # the name of the last person
    ("join", "seat"): {"seat_taken"},
    ("join", "deck"): {"unknown_deck"},
    ("invite", "seat"): {"bad_seats", "seat_taken"},
    ("invite", "username"): {"unknown_user"},
    ("block_player", "seat"): {"not_allowed", "cannot_block_yourself"},
    ("load", "cards"): set(),
    ("load", "round"): {"bad_save"},
    ("load", "version"): {"bad_save"},
    ("move", "move"): {"malformed_move", "illegal_move"},
    ("move", "version"): {"stale_version"},
    ("move", "seat"): {"not_your_seat"},
    ("reclaim", "seat"): {"not_your_seat"},
    ("resign", "seat"): {"not_your_seat"},
    ("take_back", "version"): {"stale_version"},
    ("take_back", "round"): {"bad_save"},
    ("answer_take_back", "version"): {"no_wish_to_take_back"},
    ("withdraw_take_back", "version"): {"no_wish_to_take_back"},
    ("say_phrase", "phrase"): {"no_such_phrase"},
    ("mute_player", "seat"): {"nobody_to_mute", "not_found"},
    ("unmute_player", "seat"): {"nobody_to_mute", "not_found"},
    ("report", "seat"): {"bad_report"},
    ("give_time", "seconds"): {"too_much_time"},
    ("give_time", "seat"): {"nobody_to_give_time", "not_your_seat"},
    ("play_daily", "practise"): {"not_found", "not_today"},
    ("attempt_exercise", "move"): {"not_a_move_here"},
    ("next_exercise", "game"): {"not_found"},
    ("next_exercise", "theme"): {"not_found"},
    ("next_exercise", "mistakes"): {"not_found"},
    ("create_simulation", "bots"): {"bad_simulation"},
    ("create_simulation", "options"): {"bad_simulation"},
    ("create_simulation", "preset"): {"bad_simulation"},
    ("match", "seat"): {"not_your_seat"},
    ("events", "seat"): {"not_your_seat"},
    ("stream", "seat"): {"not_your_seat"},
    # A cursor, the name of a message: opaque, to be sent as it was given.
    **{
        (each, "cursor"): {"malformed"}
        for each in (
            *("blocks", "decks", "exports", "friends", "keys", "matches", "simulations"),
            *("tournaments", "user_matches", "webhook_deliveries"),
            *("games", "side_cards", "archives", "webhooks", "my_notices", "saves", "notices"),
        )
    },
}
SOME = 24  # make test tries one boundary of so many
FEW = 8  # and of a parameter one of so many
FIELD = re.compile(r"[.?-]([A-Za-z-]\w*)")


@cache
def boundaries():
    return Boundaries(document())


def with_body():
    """Calls with the body that each begins with; what games differ in is tried for every game."""
    for _, _, operation in operations(document()):
        name = operation["operationId"]
        if "requestBody" in operation and name not in ELSEWHERE:
            yield pytest.param(name, BODIES[name], id=name)
    for game in catalog.GAMES:
        options = msgspec.to_builtins(game.options())
        seats = [{"kind": "local"}] * game.seats(game.options())
        same = {"game": game.slug, "options": options}
        clock = {"turn_seconds": 60}
        yield pytest.param("create_match", same | clock | {"seats": seats}, id=f"match-{game.slug}")
        yield pytest.param("create_simulation", same | {"games": 1}, id=f"simulation-{game.slug}")


def with_parameters():
    return [
        (operation["operationId"], parameter["in"], parameter["name"])
        for _, _, operation in operations(document())
        for parameter in operation.get("parameters", ())
        if parameter["in"] != "path"
    ]


def found(operation_id):
    return next(o for o in operations(document()) if o[2]["operationId"] == operation_id)


def told_to(ada, hook, settings):
    """Whatever one may be told; the id of a delivery."""
    settings.MAIL_IS_SET_UP, settings.VAPID_PRIVATE_KEY = True, VAPID
    settings.LIMITS = settings.LIMITS | {"webhooks": 100, "browsers": 100}
    User.objects.filter(pk=ada.pk).update(email="ada@example.org")
    outbox.owe(ada.pk, "friend", "friend:1", {})
    delivering.route()
    return str(Delivery.objects.get(endpoint=hook["id"]).pk)


def coached(ada):
    return analyses.switch_coach_on(match_id=alone(ada).id, user=ada)


def agreements(ada, ben):
    """Matches at version 1 in which Ben is to act, and what has been asked in them."""

    def pair():
        match = opened(ada, "me, open", rated=False)
        return move(joining.join(match_id=match.id, user=ben))

    answered, withdrawn, idle = pair(), pair(), pair()
    rolling_back.ask_to_take_back(match_id=answered.id, user=ben, version=1)
    rolling_back.ask_to_take_back(match_id=withdrawn.id, user=ada, version=1)
    long_ago = timezone.now() - timedelta(days=4)
    Match.objects.filter(id=idle.id).update(updated_at=long_ago)
    return {
        "take_back": pair(),
        "answer_take_back": answered,
        "withdraw_take_back": withdrawn,
        "claim": idle,
        "call_off": idle,
    }


@pytest.fixture
def no_limits(settings, monkeypatch):
    """As many calls as there are boundaries."""
    settings.AXES_ENABLED = False
    monkeypatch.setattr(coaching, "WAITED", 0.0)  # no worker runs here
    rates = dict.fromkeys(api_settings.DEFAULT_THROTTLE_RATES, "1000000/min")
    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", rates)


@pytest.fixture
def scene(ada, ben, cleo, first, second, keyed, no_limits, settings):
    """Who calls what, where it succeeds."""
    running = opened(ada, visibility="unlisted")
    two = joining.join(match_id=opened(ada, "me, open", turn_seconds=60).id, user=ben)
    waiting = opened(ada, "me, open")
    inviting = opened(ada, "me, user ben")
    days.begun(settings, ada)
    over = resigned(opened(ada), 0)
    deck = first.post(API + "decks", {"name": "First", "cards": CARDS}, format="json").json()
    small = {"game": "pisti", "games": 1}
    simulation = first.post(API + "simulations", small, format="json").json()
    legal = running.rules.legal_moves(running.state, 0)[0]
    seek = second.post(API + "seeks", {"game": "pisti"}, format="json").json()
    hook = {"url": "https://example.org/", "kinds": ["friend"]}
    hook = first.post(API + "accounts/me/webhooks", hook, format="json").json()["webhook"]
    told = told_to(ada, hook, settings)
    challenge = challenges.send_challenge(
        account=ada, terms=NewChallenge(game="pisti", username="ben")
    )
    robo = people.register(username="robo", password=PASSWORD)
    services.ask_for_bot(account=robo, owner="ada", manners=services.Manners())
    program = keyed(robo)
    cup = held(ada, rounds=3)
    for person in (ada, ben):
        taking_part.join(tournament_id=cup.id, user=person)
    app = {"name": "App", "redirect_uris": ["https://program.example/"], "kind": "confidential"}
    app = first.post(API + "accounts/me/programs", app, format="json").json()["program"]
    matches = dict.fromkeys(("load", "move", "resign", "match", "events", "stream"), running)
    matches |= {"saves": running, "notices": running}
    matches["abort"] = opened(ada, "me, bot random")
    matches |= {"join": waiting, "leave": inviting, "invite": inviting}
    matches |= {"rematch": over, "analyse": over}
    matches["mirrored"] = open_mirrored(
        creator=ada, game="pisti", seats=seat_requests("me, bot greedy")
    )
    matches |= {"switch_on_coach": alone(ada), "ask_hint": coached(ada)}
    matches |= {"block_player": two, "reclaim": two, "give_time": two}
    matches |= dict.fromkeys(("say_phrase", "mute_player", "unmute_player", "report"), two)
    matches |= agreements(ada, ben)
    slow = joining.join(match_id=opened(ada, "me, open").id, user=ben)
    slow = move(slow) if 0 in slow.to_act else slow
    matches |= dict.fromkeys(("put_plan", "plan", "withdraw_plan"), slow)

    exercise = str(from_file().pk)

    def names(operation_id):
        known = {"deck_id": deck["id"], "simulation_id": simulation["id"]}
        known |= {
            "seek_id": seek["id"],
            "exercise_id": exercise,
            "challenge_id": str(challenge),
            "username": "ben",
            "game": "pisti",
            "tournament_id": str(cup.id),
            "webhook_id": hook["id"],
            "client_id": app["client_id"],
            "delivery_id": told,
            "browser_id": told,
        }
        if operation_id in matches:
            known["match_id"] = str(matches[operation_id].id)
        return known

    def client(operation_id):
        if operation_id in ("become_bot", "change_bot"):
            return program
        if operation_id in ("create_guest", "register", "create_key"):
            return APIClient()
        return second if operation_id in ANSWERS else first

    def call(operation_id, body=NOTHING, query="", **headers):
        path, method, _ = found(operation_id)
        address = path.format(**names(operation_id)) + (f"?{query}" if query else "")
        data = "" if body is NOTHING else json.dumps(body)
        with transaction.atomic():
            send = client(operation_id).generic
            answer = send(method, address, data, "application/json", headers=headers)
            transaction.set_rollback(True)
        return answer

    call.legal = legal
    if two.to_act == (0,) or two.to_act == [0]:
        move(two)  # so that Ben is to act
    return call


def disagreement(scene, operation_id, where, answer, *, valid):
    """The line for a test that fails; nothing where document and service agree."""
    refused = answer.status_code >= 400
    code = answer.json()["code"] if refused else answer.status_code
    if answer.status_code >= 500:
        return f"{operation_id}{where}: {code}"
    field = FIELD.match(where)
    depends = DEPENDS.get((operation_id, field[1] if field else ""), set())
    if valid and refused and code not in depends:
        return f"{operation_id}{where}: allowed by the document, refused as {code}"
    if not valid and not refused:
        return f"{operation_id}{where}: forbidden by the document, answered with {code}"
    return None


@pytest.mark.sweep
@pytest.mark.parametrize(("operation_id", "base"), list(with_body()))
def test_bodies(scene, operation_id, base):
    faults = list(faults_of_body(scene, operation_id, base))
    assert not faults, "\n" + "\n".join(faults)


def test_some_boundaries_of_every_body(scene):
    """All of them in one scene: to set it takes longer than to ask for some boundaries."""
    faults = [
        fault
        for number, each in enumerate(with_body())
        for fault in faults_of_body(scene, *each.values, some=slice(number % SOME, None, SOME))
    ]
    assert not faults, "\n" + "\n".join(faults)


def faults_of_body(scene, operation_id, base, some=slice(None)):
    base = base | ({"move": scene.legal} if operation_id == "move" else {})
    answer = scene(operation_id, base)
    assert answer.status_code < 300, answer.content
    body = found(operation_id)[2]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    for where, value in list(boundaries().around(schema, base))[some]:
        answer = scene(operation_id, value)
        valid = boundaries().is_valid(schema, value)
        fault = disagreement(scene, operation_id, where, answer, valid=valid)
        if fault:
            yield f"{fault}: {json.dumps(value)[:160]}"
    answer, empty = scene(operation_id), scene(operation_id, {})
    if body["required"] != (answer.status_code == 400) or answer.status_code != empty.status_code:
        yield f"{operation_id}: without a body {answer.status_code}"


@pytest.mark.parametrize("step", [FEW, pytest.param(1, marks=pytest.mark.sweep)])
def test_parameters(scene, step):
    """All of them in one scene: to set it takes longer than to ask for the boundaries of one."""
    faults = [
        fault
        for number, each in enumerate(with_parameters())
        for fault in faults_of_parameter(scene, *each, some=slice(number % step, None, step))
    ]
    assert not faults, "\n" + "\n".join(faults)


def faults_of_parameter(scene, operation_id, place, name, some):
    operation = found(operation_id)[2]
    schema = next(p["schema"] for p in operation["parameters"] if p["name"] == name)
    body = BODIES.get(operation_id, NOTHING)
    if operation_id == "move":
        body = body | {"move": scene.legal}
    for _, value in list(boundaries().around(schema, None))[some]:
        text = json.dumps(value) if isinstance(value, bool) else str(value)
        if isinstance(value, list | dict | None.__class__):
            continue
        sent = {"query": urlencode({name: text})} if place == "query" else {name: text}
        answer = scene(operation_id, body, **sent)
        valid = is_valid_as_text(schema, text)
        fault = disagreement(scene, operation_id, f"?{name}", answer, valid=valid)
        if fault:
            yield f"{fault}: {text[:80]}"


def is_valid_as_text(schema, text):
    """Parameters are text: of a number or a truth value its JSON."""
    schema = boundaries().resolved(schema, None)
    if schema.get("type") == "boolean" and text in ("0", "1"):
        return True  # as the description of such a parameter says
    if schema.get("format") == "date-time" and text.isdigit():
        return True  # seconds since 1970
    if schema.get("type") in ("integer", "boolean"):
        try:
            return boundaries().is_valid(schema, json.loads(text))
        except ValueError:
            return False
    return boundaries().is_valid(schema, text)
