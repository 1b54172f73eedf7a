"""The API answers fixed scenarios as it always did: what clients rely on, byte for byte but chance.

Each scenario is a file of ``tests/fixtures/api``. ``RECORD=1`` writes them again (tests/recorded).
"""

import random
import secrets
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from rest_framework.settings import api_settings
from time_machine import travel

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.models import User
from accounts.notifications import delivering
from accounts.notifications.endpoints import push_key
from cardroom.arena import compiled_code, doctor
from games.api import coaching as coach
from games.coaching import analyses
from games.coaching.models import Analysis, Hint
from games.competitions.models import Tournament
from games.daily import playing
from games.exercises.models import Exercise
from games.exports import exporting
from games.exports.models import RecordFile
from games.lobby import seeking
from games.matches.bot_turns import play_bot_turns
from games.matches.models import Match
from games.mirrored import opening
from games.operations import people
from games.ratings import rating
from games.ratings.models import PersonRating
from games.simulations.work import run_parts_for_a_while
from tests.api.recorder import Recorder
from tests.competitions.held import paid
from tests.daily import days
from tests.exercises.scenes import best, from_file, worst
from tests.leagues import scenes
from tests.recorded import FIXTURES, agrees

PASSWORD = "a long and quiet evening"
NOBODY = "00000000-0000-7000-8000-000000000000"
DECK = ["P1", "P3", "PM2", "PM12", "F12", "F24", "F36", "D", "T", "T"]
ME, BOT = {"kind": "me"}, {"kind": "bot", "bot": "random"}
TWIN = {"kind": "local", "name": "Twin"}


@pytest.fixture(autouse=True)
def no_chance(request, monkeypatch):
    """Seeds count up from one; every run of bot moves draws the same numbers, with LUCK=1 too."""
    seeds, chance = count(1), random.Random(request.node.nodeid)

    def token_bytes(size: int | None = None) -> bytes:
        size = 32 if size is None else size
        return next(seeds).to_bytes(size, "big") if size == 32 else chance.randbytes(size)

    def getrandbits(_self: random.SystemRandom, size: int) -> int:
        return 7 if size == 64 else chance.getrandbits(size)

    monkeypatch.setattr(secrets, "token_bytes", token_bytes)
    monkeypatch.setattr(random.SystemRandom, "getrandbits", getrandbits)


@pytest.fixture
def call(db, request) -> Iterator[Recorder]:
    """Ada, Ben and Cleo have accounts; what the scenario calls is compared at its end."""
    recorder = Recorder()
    for who in ("ada", "ben", "cleo"):
        body = {"username": who, "password": PASSWORD}
        recorder.sign_in(who, recorder("", "POST accounts/register", body))
    recorder.steps.clear()
    yield recorder
    test, _, game = request.node.name.removeprefix("test_").rstrip("]").partition("[")
    name = f"{game}_{test}" if game else test
    agrees(FIXTURES / "api" / f"{name}.json", recorder.text())


def test_accounts(call):
    guest = call("", "POST accounts/guest", {})
    call.sign_in("guest", guest)
    call.drawn("guest's username", guest["user"]["username"])
    call.drawn("guest's name", guest["user"]["display_name"])
    call("guest", "GET accounts/me")
    call("", "POST accounts/guest", {"language": "de"})
    call("guest", "POST accounts/register", {"username": "ADA", "password": PASSWORD})
    call("guest", "POST accounts/register", {"username": "a b", "password": "12", "email": "x"})
    new = {"username": "Dora", "password": PASSWORD, "email": "dora@example.org"}
    call.sign_in("dora", call("guest", "POST accounts/register", new))
    call("guest", "POST accounts/register", new)
    call("dora", "GET accounts/me")
    call("dora", "PATCH accounts/me", {"display_name": "  Dora   D. "})
    call("dora", "PATCH accounts/me", {"display_name": "", "language": "xx"})
    call("dora", "PATCH accounts/me", {"colour": "red"})
    call("", "POST accounts/token", {"username": "dora", "password": "wrong"})
    key = {"username": "dora", "password": PASSWORD, "name": "telephone"}
    telephone = call("", "POST accounts/token", key)
    call.sign_in("telephone", telephone)
    call("telephone", "GET accounts/tokens")
    call("dora", "GET accounts/tokens?limit=1")
    call("dora", f"DELETE accounts/tokens/{telephone['id']}")
    call("dora", f"DELETE accounts/tokens/{telephone['id']}")
    call("telephone", "GET accounts/me")
    call("", "GET accounts/me")


def test_own_account(call):
    call("ada", "POST decks", {"name": "Edge", "cards": DECK})
    call("ada", "POST matches", {"game": "pazaak", "seats": [ME, BOT]})
    call("ada", "GET accounts/me/data")
    call("ada", "POST accounts/me/delete", {"username": "ben", "password": PASSWORD})
    call("ada", "POST accounts/me/delete", {"username": "ada", "password": "wrong"})
    call("ada", "POST accounts/me/delete", {"username": "ada", "password": PASSWORD})
    call("ada", "GET accounts/me")


def test_suspended(call):
    ada, by = (User.objects.get(username=name) for name in ("ada", "cleo"))
    until = datetime(2100, 1, 1, tzinfo=UTC)
    people.suspend(user_id=ada.pk, by=Actor.of(by, "Insults."), until=until, resigns=False)
    call("ada", "GET accounts/me")
    call("ada", "POST matches", {"game": "pisti", "seats": [ME, BOT]})
    call("", "POST accounts/token", {"username": "ada", "password": PASSWORD})


def test_messages_of_operators(call):
    ada, by = (User.objects.get(username=name) for name in ("ada", "cleo"))
    log.send_notice(user=ada, by=Actor.of(by, "A report."), text="Choose a friendlier name.")
    (notice,) = call("ada", "GET accounts/me/notices")
    call("ben", "GET accounts/me/notices")
    call("ben", f"POST accounts/me/notices/{notice['id']}/read")
    call("ada", f"POST accounts/me/notices/{notice['id']}/read")
    call("ada", f"POST accounts/me/notices/{notice['id']}/read")
    call("ada", "GET accounts/me/notices")


def test_catalogue(call):
    call("", "GET ")
    call("", "GET games")
    for catalogue in ("full", "kotor1", "kotor2"):
        call("", f"GET decks/cards?catalogue={catalogue}")
    call("", "GET decks/cards?catalogue=all")


def test_decks(call, monkeypatch):
    first = call("ada", "POST decks", {"name": "Edge", "cards": DECK})
    call("ada", "POST decks", {"name": "edge", "cards": DECK})
    call("ada", "POST decks", {"name": "", "cards": ["P1", "P7"]})
    call("ada", "POST decks", {"name": "Other"})
    plain = [*(f"P{n}" for n in range(1, 6)), *(f"M{n}" for n in range(1, 6))]
    second = call("ada", "POST decks", {"name": "Plain", "cards": plain, "is_default": True})
    call("ada", "GET decks?limit=1")
    call("ada", "GET decks")
    call("ada", f"GET decks/{first['id']}")
    call("ben", f"GET decks/{first['id']}")
    call("ada", f"PATCH decks/{first['id']}", {"name": "Edges"})
    call("ada", f"PATCH decks/{first['id']}", {"is_default": True})
    call("ada", f"PATCH decks/{first['id']}", {"cards": ["T"] * 11})
    call("ada", f"PUT decks/{first['id']}", {"name": "Plain", "cards": DECK})
    call("ada", f"PUT decks/{first['id']}", {"name": "Cut", "cards": DECK})
    monkeypatch.setattr(compiled_code, "installed", lambda: False)
    for name, few in (("FEW_DEALS", 20), ("KEPT", (4, 2)), ("SHARES", (20, 10, 2, 10))):
        monkeypatch.setattr(doctor, name, few)
    here = f"decks/{first['id']}/doctor"
    call("ada", f"GET {here}")
    call("ada", f"POST {here}", {"rivals": [second["code"]], "seed": 3})
    call("ada", f"POST {here}", {"rivals": ["nonsense"]})
    while run_parts_for_a_while():
        pass
    call("ada", f"GET {here}?rivals={second['code']}&seed=3")
    call("ben", "POST decks/import", {"code": second["code"]})
    call("ben", "POST decks/import", {"text": "\n".join(DECK), "name": "Lines"})
    call("ben", "POST decks/import", {"code": "nonsense"})
    call("ben", "POST decks/import", {"code": second["code"], "text": "P1"})
    call("ada", f"DELETE decks/{second['id']}")
    call("ada", f"GET decks/{second['id']}")
    call("", "GET decks")


def test_exports(call):
    match = call("ada", "POST matches", {"game": "pisti", "seats": [ME, TWIN]})
    call("ada", f"POST matches/{match['id']}/resign", {})
    asked = call("ada", "POST exports", {"game": "pisti"})
    here = f"exports/{asked['id']}"
    call("ada", f"GET {here}/file")
    exporting.write_export(UUID(asked["id"]))
    call("ada", f"GET {here}")
    call("ben", f"GET {here}")
    call("ada", "GET exports")
    call("ada", "POST exports", {"game": "chess"})
    call("ada", f"DELETE {here}")
    call("ada", f"GET {here}")
    archive = RecordFile.objects.create(day=date(2026, 11, 22))
    exporting.write_export(archive.id)
    call("", "GET archives")
    call("", "GET archives/2026-11-20.jsonl")


RULES = {
    "pisti": ({"preset": "single"}, "2C"),
    "pazaak": ({"options": {"rounds_to_win": 1}}, "P6"),
    "shithead": ({"options": {"max_turns": 12, "deal": "three"}}, "pickup"),
    "pyanitsa": ({"options": {"max_tricks": 8, "collect_order": "arbitrary"}}, "collect 6C"),
}


@pytest.mark.parametrize("game", RULES)
class TestMatches:
    def test_between_two_people(self, call, game):
        rules, illegal = RULES[game]
        seats = [ME, {"kind": "open"}]
        body = {"game": game, "seats": seats, "visibility": "public", "turn_seconds": 600}
        opened = call("ada", "POST matches", body | rules)
        here = f"matches/{opened['id']}"
        call("cleo", f"GET {here}")
        call("ada", f"POST {here}/moves", {"move": "x", "version": 0})
        call("ada", f"GET {here}/saves")
        call("ada", f"GET {here}/shape")
        call("ben", f"POST {here}/join", {})
        call("ben", f"POST {here}/join", {})
        call("cleo", f"POST {here}/join", {"seat": 1})
        match = call("ada", f"GET {here}")
        call("ben", f"GET {here}")
        call("cleo", f"GET {here}")
        call("cleo", f"GET {here}?seat=0")
        call("", f"GET {here}")
        self.refused_moves(call, here, match, illegal)
        self.play(call, here, 9)
        call("ben", f"GET {here}/events?limit=4")
        call("cleo", f"GET {here}/events?after=2&limit=100")
        call("ada", f"GET {here}/events?after=-1&limit=2&seat=1")
        call("cleo", f"GET {here}/saves")
        call("ada", f"GET {here}/record")
        call("ada", f"POST {here}/load", {"round": 1, "cards": "same"})
        call("ada", f"POST {here}/load", {"round": 9, "cards": "reshuffled"})
        loaded = call("ada", f"POST {here}/load", {"version": 3, "cards": "reshuffled"})
        there = f"matches/{loaded['id']}"
        call("ben", f"POST {there}/join", {})
        call("ben", f"GET {there}/events?limit=100")
        call("ada", f"POST {there}/resign", {})
        call("ada", f"GET {there}/record")
        call("cleo", f"POST {here}/resign", {})
        call("ben", f"POST {here}/rematch", {})
        call("ben", f"POST {here}/resign", {})
        call("ben", f"POST {here}/resign", {})
        call("ada", f"GET {here}")
        record = call("ada", f"GET {here}/record")
        call("cleo", "POST records/verify", record)
        call("cleo", "POST records/verify", record | {"seed": "0" * 64})
        again = call("ben", f"POST {here}/rematch", {})
        call("ada", f"POST {here}/rematch", {})
        call("ada", f"GET matches/{again['id']}")
        call("ada", f"POST matches/{again['id']}/leave", {})

    def test_alone_to_the_end(self, call, game):
        rules, _ = RULES[game]
        opened = call("ada", "POST matches", {"game": game, "seats": [ME, TWIN]} | rules)
        here = f"matches/{opened['id']}"
        self.play(call, here, 5)
        loaded = call("ada", f"POST {here}/load", {"version": 2, "cards": "same"})
        there = f"matches/{loaded['id']}"
        self.play(call, there, 200, quietly=True)
        call("ada", f"GET {there}")
        call("ada", f"GET {there}/events?after=3&limit=100")
        record = call("ada", f"GET {there}/record")
        call("ada", "POST records/verify", record)
        call("ada", f"POST {here}/resign", {"seat": 1})
        call("ada", f"GET {there}/record")

    def test_analysed(self, call, game, monkeypatch):
        monkeypatch.setattr(analyses.judging, "PLAYOUTS", 16)
        monkeypatch.setattr(analyses.judging, "CLOSER", (1,))  # as where nothing is compiled
        rules, _ = RULES[game]
        opened = call("ada", "POST matches", {"game": game, "seats": [ME, TWIN]} | rules)
        here = f"matches/{opened['id']}"
        self.play(call, here, 6, quietly=True)
        call("ada", f"POST {here}/analysis", {})
        call("ada", f"POST {here}/resign", {"seat": 1})
        call("ada", f"GET {here}/analysis")
        call("", f"POST {here}/analysis", {})
        call("ada", f"POST {here}/analysis", {"deep": True})
        call("ada", f"POST {here}/analysis", {})
        call("ben", f"DELETE {here}/analysis")
        while Analysis.objects.filter(status="running"):
            analyses.judge_for_a_while()
        call("ben", f"GET {here}/analysis")
        call("ada", f"DELETE {here}/analysis")

    def test_coached(self, call, game, monkeypatch):
        monkeypatch.setattr(coach, "WAITED", 0.0)
        monkeypatch.setattr(analyses, "PLAYOUTS", 16)
        rules, _ = RULES[game]
        asked = {"game": game, "seats": [ME, BOT], "rated": False, "visibility": "public"}
        match = call("ada", "POST matches", asked | rules)
        here = f"matches/{match['id']}"
        call("ada", f"POST {here}/hint", {})
        call("ben", f"POST {here}/coach", {})
        call("ada", f"POST {here}/coach", {"for": "ben"})
        call("ada", f"POST {here}/coach", {})
        play_bot_turns(match_id=UUID(match["id"]), version=match["version"])
        call("ada", f"POST {here}/hint", {})
        for row in Hint.objects.all():
            analyses.weigh_hint(row.pk)
        call("ada", f"POST {here}/hint", {})
        call("ben", f"POST {here}/hint", {})
        call("ben", f"GET {here}")

    def test_against_a_bot(self, call, game):
        rules, _ = RULES[game]
        seats = {"seats": [ME, BOT], "visibility": "private"}
        match = call("ada", "POST matches", {"game": game} | seats | rules)
        here = f"matches/{match['id']}"
        call("ben", f"GET {here}")
        for _ in range(4):
            play_bot_turns(match_id=UUID(match["id"]), version=match["version"])
            self.play(call, here, 1)
            match = call("ada", f"GET {here}")
        call("ada", f"GET {here}/events?limit=100")
        call("ada", f"POST {here}/resign", {})

    def refused_moves(self, call: Recorder, here: str, match: dict[str, Any], illegal: str) -> None:
        acting = "ada" if 0 in match["to_act"] else "ben"
        waiting = "ben" if acting == "ada" else "ada"
        legal = call(acting, f"GET {here}")["legal_moves"][0]["move"]
        body = {"move": legal, "version": 0}
        call(acting, f"POST {here}/moves", body | {"move": "no such move"})
        call(acting, f"POST {here}/moves", body | {"move": illegal})
        call(acting, f"POST {here}/moves", body | {"version": 7})
        call(acting, f"POST {here}/moves", body | {"seat": match["acting_seat"] ^ 1})
        call(acting, f"POST {here}/moves", {"move": legal})
        call("cleo", f"POST {here}/moves", body)
        call("", f"POST {here}/moves", body)
        call(waiting, f"POST {here}/moves", body)
        call(acting, f"POST {here}/moves", body, Idempotency_Key="first")
        call(acting, f"POST {here}/moves", body, Idempotency_Key="first")
        call(acting, f"POST {here}/moves", body | {"version": 1}, Idempotency_Key="first")
        call(acting, f"POST {here}/moves", body, Idempotency_Key="x" * 65)

    def play(self, call: Recorder, here: str, moves: int, *, quietly: bool = False) -> None:
        """So many moves of the seats to act, each another one of the legal moves."""
        for _ in range(moves):
            told = len(call.steps)
            match = call("ada", f"GET {here}")
            if match["status"] != "active" or not match["to_act"]:
                return
            kinds = [seat["is_you"] for seat in match["seats"]]
            seat, version = match["to_act"][0], match["version"]
            who = "ada" if kinds[seat] else "ben"
            match = call(who, f"GET {here}?seat={seat}")
            legal = match["legal_moves"]
            del call.steps[told:]
            body = {"move": legal[7 * version % len(legal)]["move"], "version": version}
            call(who, f"POST {here}/moves", body | {"seat": seat})
            if quietly:
                del call.steps[told:]


def test_many_seats(call):
    three = {"players": 3, "exchange": False, "max_turns": 12}
    seats = [ME, {"kind": "user", "username": "ben"}, BOT]
    match = call("ada", "POST matches", {"game": "shithead", "options": three, "seats": seats})
    here = f"matches/{match['id']}"
    call("cleo", f"POST {here}/join", {})
    call("ben", f"POST {here}/join", {"seat": 1})
    call("ben", f"POST {here}/resign", {})
    match = call("ada", f"GET {here}")
    while match["status"] == "active":
        if not play_bot_turns(match_id=UUID(match["id"]), version=match["version"]):
            move = {"move": match["legal_moves"][0]["move"], "version": match["version"]}
            call("ada", f"POST {here}/moves", move)
        match = call("ada", f"GET {here}")
    call("ben", f"GET {here}/events?limit=100")
    call("ben", f"GET {here}/record")
    call("ada", f"POST {here}/rematch", {})


def test_tournaments(call):
    cup = {"name": "Evening cup", "game": "pazaak", "preset": "classic", "rounds": 1}
    made = call("ada", "POST tournaments", cup, Idempotency_Key="1")
    call("ada", "POST tournaments", cup, Idempotency_Key="1")
    call("ada", "POST tournaments", cup | {"form": "arena"}, Idempotency_Key="1")
    call("ada", "POST tournaments", cup | {"most": 65})
    call("cleo", "POST tournaments", cup | {"mirrored": True, "pairs": 4})
    call("cleo", "POST tournaments", {"name": "Luck", "game": "pyanitsa", "mirrored": True})
    one = f"tournaments/{made['id']}"
    call("ada", f"POST {one}/join", {})
    call("ben", f"POST {one}/join", {})
    call("ben", f"GET {one}", Accept="text/plain")
    paid(Tournament.objects.get(id=made["id"]))
    call("ben", f"GET {one}")
    call("ben", f"POST {one}/withdraw", {})
    paid(Tournament.objects.get(id=made["id"]))
    call("", "GET tournaments")
    call("", f"GET {one}/results")
    call("", f"GET {one}/results.csv")
    call("ben", f"POST {one}/join", {})
    call("ben", f"POST {one}/withdraw", {})
    call("", "GET tournaments?status=over")


def test_hosts_of_tournaments(call):
    cup = {"name": "Evening cup", "game": "pazaak", "preset": "classic", "visibility": "link"}
    one = f"tournaments/{call('ada', 'POST tournaments', cup)['id']}"
    call("ada", f"PATCH {one}", {"name": "Night cup", "most": 4})
    call("ada", f"PATCH {one}", {"most": 65})
    call("ben", f"PATCH {one}", {"name": "Mine"})
    call("ada", f"POST {one}/invite", {"username": "ben"})
    call("ada", f"POST {one}/remove", {"username": "ben"})
    call("ada", f"POST {one}/remove", {"number": 1})
    call("ada", f"POST {one}/pause", {})
    call("ada", f"POST {one}/resume", {})
    call("ada", f"POST {one}/begin", {})
    call("cleo", f"POST {one}/join", {})
    call("ada", f"POST {one}/join", {})
    call("ada", f"POST {one}/begin", {})
    call("ada", f"POST {one}/call-off", {})
    paid(Tournament.objects.get())
    call("ada", f"POST {one}/call-off", {})
    call("ada", f"PATCH {one}", {"most": 8})


def test_programs(call):
    new = {"name": "Night bot", "redirect_uris": ["https://program.example/back"]}
    made = call("ada", "POST accounts/me/programs", new | {"kind": "confidential"})
    one = f"accounts/me/programs/{made['program']['client_id']}"
    call.drawn("client", made["program"]["client_id"])
    call.drawn("program's secret", made["secret"])
    call("ada", "POST accounts/me/programs", new | {"redirect_uris": ["ftp://x"]})
    call("ada", f"PATCH {one}", {"name": "Day bot"})
    call.drawn("other secret", call("ada", f"POST {one}/secret", {})["secret"])
    call("ada", "GET accounts/me/programs")
    call("ben", f"PATCH {one}", {"name": "Mine"})
    call("ada", f"DELETE {one}")
    call("ada", f"DELETE {one}")


def test_seeks(call):
    call("ada", "POST seeks", {"game": "pisti", "pace": "blitz"}, Idempotency_Key="1")
    found = call("ada", "POST seeks", {"game": "pisti", "pace": "blitz"}, Idempotency_Key="1")
    call("ada", "POST seeks", {"game": "pazaak"}, Idempotency_Key="1")
    call("ada", f"GET seeks/{found['id']}")
    call("ben", f"GET seeks/{found['id']}")
    call("ben", "POST seeks", {"game": "chess"})
    call("ben", "POST seeks", {"game": "pazaak", "seats": 3})
    gone = call("ben", "POST seeks", {"game": "shithead", "seats": 4, "computers_after": 60})
    call("ben", f"DELETE seeks/{gone['id']}")
    call("ben", "POST seeks", {"game": "pisti", "pace": "blitz", "preset": "classic"})
    seeking.pair_all()
    call("ada", "GET seeks")
    call("ada", f"DELETE seeks/{found['id']}")
    call("", "GET seeks")


def test_challenges(call):
    terms = {"username": "ben", "game": "pisti", "preset": "classic", "seat": 0}
    made = call("ada", "POST challenges", terms, Idempotency_Key="1")
    call("ada", "POST challenges", terms, Idempotency_Key="1")
    call("ada", "POST challenges", terms | {"seat": 1}, Idempotency_Key="1")
    call("ada", "POST challenges", terms | {"mirrored": True})
    call("ada", "POST challenges", terms | {"username": "nobody"})
    one = f"challenges/{made['id']}"
    call("ben", "GET challenges")
    call("ben", f"GET {one}")
    call("ada", f"POST {one}/accept", {})
    call("ben", f"POST {one}/decline", {"reason": "time"})
    call("ben", f"POST {one}/accept", {})
    gone = call("ada", "POST challenges", terms | {"pace": "slow_3"})
    call("ben", f"DELETE challenges/{gone['id']}")
    call("ada", f"DELETE challenges/{gone['id']}")
    begun = call("ada", "POST challenges", terms | {"clock": {"bank": 600, "increment": 5}})
    call("ben", f"POST challenges/{begun['id']}/accept", {})
    call("", f"GET challenges/{begun['id']}")


def test_bot_accounts(call):
    wanted = {"owner": "ben", "description": "Plays jacks last.", "plays": [{"game": "pisti"}]}
    call("ada", "POST accounts/me/bot", wanted | {"owner": "nobody"})
    call("ada", "POST accounts/me/bot", wanted | {"plays": [{"game": "chess"}]})
    call("ada", "POST accounts/me/bot", wanted)
    call("ada", "GET accounts/me/bot")
    call("ben", "GET accounts/me/bots")
    call("cleo", "PUT accounts/me/bots/ada")
    call("ben", "PUT accounts/me/bots/ada")
    call("ada", "PATCH accounts/me/bot", {"at_once": 3, "seeks": True})
    call("ben", "DELETE accounts/me/bots/ada")
    call("", "GET bots?game=pisti")
    call("cleo", "POST challenges", {"username": "ada", "game": "pazaak"})
    call("cleo", "DELETE accounts/me/bots/ada")


def test_plans(call):
    terms = {"username": "ben", "game": "pisti", "preset": "classic", "seat": 0}
    made = call("ada", "POST challenges", terms)
    call("ben", f"POST challenges/{made['id']}/accept", {})
    here = f"matches/{made['id']}"
    match = call("ada", f"GET {here}")
    one, other = ("ada", "ben") if match["to_act"] == [0] else ("ben", "ada")
    mine = call(other, f"GET {here}")["view"]["hand"]
    theirs = call(one, f"GET {here}")["view"]["hand"]
    lines = [{"move": theirs[1], "play": mine[1]}, {"play": mine[0]}]
    call(other, f"PUT {here}/plans", {"steps": [lines, [{"play": mine[2], "top": "XX"}]]})
    call(other, f"GET {here}/plans")
    call(one, f"PUT {here}/plans", {"steps": [lines]})
    call("cleo", f"PUT {here}/plans", {"steps": [lines]})
    call(other, f"PUT {here}/plans", {"steps": [[{"play": "a king"}]]})
    call(one, f"POST {here}/moves", {"move": theirs[1], "version": match["version"]})
    call(other, f"GET {here}/plans")
    call(other, f"DELETE {here}/plans")
    call("cleo", f"GET {here}/plans")


def test_daily(call, settings):
    call("", "GET daily")
    call("ada", "POST daily/pisti", {})
    days.begun(settings, User.objects.get(username="ada"), quick=False)
    call("ben", "POST daily/pisti", {})
    match = call("ada", "POST daily/pisti", {})
    call("ada", "POST daily/pisti", {"practise": None})
    call("ada", "GET daily")
    here = f"matches/{match['id']}"
    call("ben", f"GET {here}")
    call("ada", f"POST {here}/load", {"cards": "same", "version": 0})
    call("ada", f"POST {here}/resign", {})
    call("ada", f"GET {here}/record")
    call("ada", f"GET daily/{days.today()}/pisti")
    call("", f"GET daily/{days.today()}/chess")
    call("ada", "POST daily/pisti", {"practise": str(days.today())})
    yesterday = days.today()
    with travel(timezone.now() + days.ONE_DAY):
        playing.reveal()
        call("ben", f"GET daily/{yesterday}/pisti")
        call("ben", "POST daily/pisti", {"practise": str(yesterday)})
    call.drawn("today", str(yesterday))
    call.drawn("yesterday", str(yesterday - days.ONE_DAY))
    call.drawn("tomorrow", str(yesterday + days.ONE_DAY))


def test_mirrored(call):
    asked = {"game": "pisti", "options": {"target_score": None}, "mirrored": True}
    match = call("ada", "POST matches", asked | {"seats": [ME, BOT], "pairs": 3})
    call("ada", f"GET matches/{match['id']}/mirrored")
    call("ben", f"GET matches/{match['id']}/mirrored")
    call("ada", "POST matches", asked | {"seats": [ME, {"kind": "local"}]})
    call("ada", "POST matches", asked | {"seats": [ME, BOT], "pairs": 2})
    call("ada", "POST matches", asked | {"seats": [ME, BOT], "mirrored": False, "pairs": 3})
    partner = {"kind": "user", "username": "ben"}
    own = call("ada", "POST matches", asked | {"seats": [ME, BOT, partner, BOT]})
    other = str(Match.objects.order_by("id").last().id)
    call("ben", f"POST matches/{other}/join", {})
    call("ada", f"GET matches/{other}")
    call("ada", f"POST matches/{own['id']}/resign", {})
    call("ada", f"GET matches/{own['id']}/record")
    call("ben", f"POST matches/{other}/resign", {})
    opening.go_on_with_all()
    call("ada", f"GET matches/{own['id']}/mirrored")
    call("ben", f"GET matches/{own['id']}/mirrored")


def test_leagues(call):
    with scenes.day():
        call("ada", "GET leagues/pisti")
        call("ada", "POST leagues/pisti/join", {})
        call("ben", "POST leagues/pisti/join", {})
        call("", "POST leagues/pisti/join", {})
        match = {"game": "pisti", "turn_seconds": 60, "visibility": "public"}
        match = call("ada", "POST matches", match | {"seats": [ME, {"kind": "open"}]})
        call("ben", f"POST matches/{match['id']}/join", {})
        call("ben", f"POST matches/{match['id']}/resign", {})
        rating.rate_finished()
        call("", "GET leagues/pisti")
        call("", "GET leagues/pisti", Accept="text/plain")
        call("ada", "GET leagues")
        call("ben", "POST leagues/pisti/leave", {})
        call("", "GET leagues/pisti?tier=2")
        call("", "GET leagues/pyanitsa")
    scenes.over()
    with scenes.day(week=1):
        call("ada", f"GET leagues/pisti?week={scenes.FIRST.date()}")
        call("ben", "GET leagues/pisti")
    for number, name in enumerate(("monday", "next monday", "third monday")):
        call.drawn(name, str(scenes.FIRST.date() + timedelta(weeks=number)))


def test_exercises(call):
    row = from_file("pazaak")
    Exercise.objects.exclude(pk=row.pk).delete()
    call("", "GET exercises")
    call("", "GET exercises/daily")
    here = f"exercises/{row.pk}"
    call("ada", "GET exercises/next?game=pazaak&theme=" + row.theme)
    call("ada", "GET exercises/next?game=chess")
    call("ada", "GET exercises/next?mistakes=true")
    call("", f"POST {here}/attempts", {"move": worst(row)})
    call("ada", f"POST {here}/attempts", {"move": "a king"})
    call("ada", f"POST {here}/attempts", {"move": worst(row)})
    call("ada", f"POST {here}/attempts", {"move": best(row)})
    call("ada", f"GET {here}")
    call("ben", f"GET {here}")
    call("ada", "GET exercises/next")
    call("ada", "GET exercises")
    call.drawn("today", str(days.today()))


def test_lists(call):
    def opened(who: str, game: str, visibility: str, *seats: dict[str, str]) -> str:
        body = {"game": game, "seats": [ME, *seats], "visibility": visibility}
        return call(who, "POST matches", body)["id"]

    free = {"kind": "open"}
    opened("ada", "pisti", "public", free)
    opened("ada", "pazaak", "unlisted", free)
    opened("ada", "pyanitsa", "private", {"kind": "user", "username": "ben"})
    left = opened("ada", "shithead", "public", free)
    running = opened("ben", "pisti", "public", TWIN)
    call.steps.clear()
    call("ada", f"POST matches/{left}/leave", {})
    call("ben", f"POST matches/{running}/leave", {})
    for who in ("ada", "ben", "cleo"):
        call(who, "GET matches")
        call(who, "GET matches?mine=true&status=open")
        call(who, "GET matches?joinable=true")
    call("ada", "GET matches?game=pisti")
    following = call("ada", "GET matches?limit=2")["next"]
    call("ada", f"GET {following.partition('/api/v1/')[2]}")
    call("ada", "GET matches?limit=0")
    call("ada", "GET matches?status=done")
    call("ada", "GET matches?cursor=nonsense")
    call("", "GET matches")


def test_invitations(call):
    seats = [ME, {"kind": "user", "username": "ben"}]
    new = {"game": "pisti", "seats": seats, "visibility": "private"}
    here = f"matches/{call('ada', 'POST matches', new)['id']}"
    call("ben", f"POST {here}/leave", {"reason": "late"})
    call("ben", f"POST {here}/leave", {"reason": "time"})
    call("ben", f"POST {here}/leave", {"reason": "game"})
    call("ben", f"POST {here}/join", {})
    call("ada", f"POST {here}/invite", {"seat": 1})
    call("ada", f"POST {here}/invite", {"seat": 1, "username": "cleo", "bot": "random"})
    call("ada", f"POST {here}/invite", {"seat": 1, "open": True})
    call("ada", f"POST {here}/invite", {"seat": 7, "bot": "random"})
    call("ada", f"POST {here}/invite", {"seat": 1, "username": "nobody"})
    call("ada", f"POST {here}/invite", {"seat": 1, "username": "cleo"})
    call("ben", f"GET {here}")
    call("cleo", f"POST {here}/invite", {"seat": 1, "open": True})
    call("ada", f"POST {here}/invite", {"seat": 1, "bot": "random"})
    call("ada", f"POST {here}/invite", {"seat": 1, "username": "cleo"})
    wrong = {"players": 9, "stake": 5, "teams": "yes"}
    call("ada", "POST matches", new | {"options": wrong, "preset": "x", "turn_seconds": 1})


def test_simulations(call):
    asked = {"game": "pyanitsa", "games": 12, "seed": 3, "options": {"max_tricks": 200}}
    first = call("ada", "POST simulations", asked)
    pisti = {"game": "pisti", "games": 6, "preset": "single", "bots": ["greedy", "random"]}
    second = call("ada", "POST simulations", pisti | {"swap": True})
    third = call("ada", "POST simulations", asked | {"bots": ["automaton", "random"]})
    call("ada", "POST simulations", asked)
    call("ada", f"POST simulations/{third['id']}/cancel", {})
    call("ben", f"POST simulations/{third['id']}/cancel", {})
    for found in (first, second):
        while run_parts_for_a_while():
            pass
        done = call("ada", f"GET simulations/{found['id']}")
        for name in ("self", "page"):
            done["links"].pop(name)
    for link in done["links"].values():
        call("ada", f"GET {link.removeprefix('/api/v1/')}")
    call("ada", f"GET simulations/{first['id']}/plots/none.png")
    call("ben", f"GET simulations/{first['id']}")
    call("ada", "GET simulations?limit=2")
    for wrong in (
        {"game": "whist"},
        {"bots": ["nobody"]},
        {"options": {"players": 99}},
        {"preset": "none"},
        {"games": 0},
    ):
        call("ada", "POST simulations", asked | wrong)


def test_stopped(call):
    match = call("ada", "POST matches", {"game": "pisti", "seats": [ME, BOT]})
    call("ben", f"POST matches/{match['id']}/abort", {})
    call("ben", f"GET matches/{match['id']}/notices")
    call("ada", f"POST matches/{match['id']}/abort", {})
    call("ada", f"POST matches/{match['id']}/abort", {})


def test_time(call):
    body = {"game": "pisti", "seats": [ME, {"kind": "open"}], "turn_seconds": 600}
    match = call("ada", "POST matches", body | {"on_timeout": "bot_takes_over"})
    here = f"matches/{match['id']}"
    call("ben", f"POST {here}/join", {})
    call("ben", f"POST {here}/time", {"seconds": 60})
    call("ada", f"POST {here}/time", {})
    call("ada", f"POST {here}/reclaim", {})
    call("cleo", f"POST {here}/reclaim", {})
    call("ada", "POST matches", {**body, "turn_seconds": None, "on_timeout": "bot_move"})


def test_agreements(call):
    body = {"game": "pisti", "seats": [ME, {"kind": "open"}], "options": {"target_score": 51}}
    match = call("ada", "POST matches", body | {"clock": {"bank": 600, "increment": 5}})
    here = f"matches/{match['id']}"
    call("ben", f"POST {here}/join", {})
    Match.objects.filter(id=match["id"]).update(rated=False)
    match = call("ada", f"GET {here}")
    call("ada", f"POST {here}/take-back", {"version": 0})
    move = match["legal_moves"][0]["move"]
    call("ada", f"POST {here}/moves", {"move": move, "version": 0})
    call("cleo", f"POST {here}/take-back", {"version": 1})
    call("ada", f"POST {here}/take-back", {"version": 1})
    call("ada", f"POST {here}/take-back/withdraw", {"version": 1})
    call("ada", f"POST {here}/take-back", {"version": 1})
    call("ben", f"POST {here}/take-back", {"version": 1})
    call("ben", f"POST {here}/take-back/answer", {"version": 1, "accept": True})
    call("ada", f"POST {here}/take-back/answer", {"version": 1, "accept": True})
    call("ada", f"GET {here}/events?after=1")
    call("ben", f"POST {here}/claim", {})
    call("ben", f"POST {here}/call-off", {})
    call("ada", "POST matches", {**body, "clock": {"bank": 5}})


@pytest.mark.parametrize("ending", ["claim", "call-off"])
def test_absent(call, ending):
    match = call("ada", "POST matches", {"game": "pisti", "seats": [ME, {"kind": "open"}]})
    here = f"matches/{match['id']}"
    call("ben", f"POST {here}/join", {})
    long_ago = timezone.now() - timedelta(days=4)
    Match.objects.filter(id=match["id"]).update(updated_at=long_ago)
    call("ada", f"POST {here}/{ending}", {})
    call("ben", f"POST {here}/{ending}", {})


def test_friends(call):
    call("ada", "PUT accounts/me/friends/ben")
    call("ada", "PUT accounts/me/friends/ada")
    call("ben", "GET accounts/me/friends")
    call("ben", "PUT accounts/me/friends/ada")
    call("ada", "GET accounts/me/friends")
    call("ben", "DELETE accounts/me/friends/ada")
    call("ada", "GET accounts/me/privacy")
    call("ada", "PATCH accounts/me/privacy", {"hides_profile": True})
    call("ben", "GET users/ada")
    ben = call("ada", "GET users/ben")
    call.drawn("today", ben["member_since"])
    call("ada", "GET users/ben/matches")
    call("ada", "GET users/nobody")


def test_hours(call):
    night = {"quiet_from": "22:00", "quiet_until": "08:00", "time_zone": "Europe/Istanbul"}
    day = {"first_day": "2027-03-10", "last_day": "2027-03-10"}
    table = {"game": "pisti", "seats": [ME, {"kind": "open"}], "turn_seconds": 86400}
    with travel(datetime(2027, 3, 1, 12, tzinfo=UTC)):
        call("ada", "GET accounts/me/hours")
        longer = night | {"quiet_until": "09:00", "clocks_rest": True}
        call("ada", "PATCH accounts/me/hours", longer)
        call("ada", "PATCH accounts/me/hours", night | {"clocks_rest": True})
        call("ada", "POST accounts/me/holidays", day | {"first_day": "2027-02-01"})
        made = call("ada", "POST accounts/me/holidays", day)
        call("ada", "POST accounts/me/holidays", day)
        call("ada", "POST accounts/me/holidays", day | {"last_day": "2027-04-09"})
        there = call("ada", "POST matches", table)
        call("ben", f"GET matches/{there['id']}/hours")
        call("ben", f"DELETE accounts/me/holidays/{made['id']}")
        call("ada", f"DELETE accounts/me/holidays/{made['id']}")


def test_notifications(call, settings):
    call("ada", "GET accounts/me/notifications")
    night = {"quiet_from": "22:00", "quiet_until": "07:00", "time_zone": "Europe/Istanbul"}
    call("ada", "PATCH accounts/me/notifications", night | {"daily_time": "09:30"})
    call("ada", "PATCH accounts/me/notifications", {"quiet_from": None})
    call("ada", "PATCH accounts/me/notifications", {"mail": ["result"]})
    settings.MAIL_IS_SET_UP = True
    call("ada", "PATCH accounts/me/notifications", {"mail": ["result"]})
    call("ada", "GET accounts/me/push")
    browser = {"endpoint": "https://push.example.org/ada", "p256dh": "x", "auth": "x"}
    call("ada", "POST accounts/me/push", browser)
    settings.VAPID_PRIVATE_KEY = "0" * 42 + "E"
    call("ada", "GET accounts/me/push")
    call("ada", "POST accounts/me/push", browser)
    keys = {"p256dh": push_key(), "auth": "A" * 22}  # a point of the curve
    made = call("ada", "POST accounts/me/push", browser | keys)
    call("ben", f"DELETE accounts/me/push/{made['id']}")
    call("ada", f"DELETE accounts/me/push/{made['id']}")


def test_webhooks(call):
    new = {"url": "https://example.org/cardroom", "kinds": ["friend"], "name": "Mine"}
    made = call("ada", "POST accounts/me/webhooks", new)
    here = f"accounts/me/webhooks/{made['webhook']['id']}"
    call("ada", "POST accounts/me/webhooks", new | {"url": "https://10.0.0.8/"})
    call("ada", "POST accounts/me/webhooks", new | {"kinds": []})
    call("ada", "POST accounts/me/webhooks", new | {"match": NOBODY})
    call("ada", "GET accounts/me/webhooks")
    call("ada", f"PATCH {here}", {"kinds": ["friend", "result"]})
    call("ben", "PUT accounts/me/friends/ada")
    delivering.route()
    (delivery,) = call("ada", f"GET {here}/deliveries")["results"]
    call("ada", f"POST {here}/ping", {})
    call("ada", f"POST {here}/deliveries/{delivery['id']}/resend")
    call("ada", f"POST {here}/deliveries/{NOBODY}/resend")
    call("ada", f"PATCH {here}", {"enabled": False})
    call("ada", f"POST {here}/deliveries/{delivery['id']}/resend")
    call("ada", f"POST {here}/secret")
    call("ben", f"GET {here}/deliveries")
    call("ben", f"DELETE {here}")
    call("ada", f"DELETE {here}")


def test_ratings(call):
    opponent = {"kind": "user", "username": "ben"}
    terms = {"game": "pisti", "turn_seconds": 60, "rated": True}
    match = call("ada", "POST matches", terms | {"seats": [ME, opponent]})
    here = f"matches/{match['id']}"
    call("ben", f"POST {here}/join", {})
    call("ben", f"POST {here}/resign", {})
    rating.rate_finished()
    # As if just now: a deviation grows with the time that has passed since.
    PersonRating.objects.update(at=timezone.now() + timedelta(minutes=1))
    call("ada", f"GET {here}")
    call("ada", "GET users/ben")
    PersonRating.objects.update(matches=20, settled_until=timezone.now() + timedelta(weeks=1))
    call("ben", "GET leaderboards/pisti?limit=1")
    call("", "GET leaderboards/pisti?pace=slow")
    call("", "GET leaderboards/pyanitsa")
    call("ada", "GET ladders/pazaak")
    call("ada", "POST matches", {"game": "pyanitsa", "seats": [ME, BOT], "rated": True})
    call.drawn("today", str(days.today()))


def test_phrases(call):
    match = call("ada", "POST matches", {"game": "pisti", "seats": [ME, {"kind": "open"}]})
    here = f"matches/{match['id']}"
    call("ben", f"POST {here}/join", {})
    offered = call("ada", f"GET {here}/phrases")["offered"]
    call("ada", f"POST {here}/phrases", {"phrase": offered[0]["phrase"]})
    call("ada", f"POST {here}/phrases", {"phrase": "a word of my own"})
    call("cleo", f"POST {here}/phrases", {"phrase": offered[0]["phrase"]})
    call("ben", f"POST {here}/reports", {"reason": "phrases", "seat": 0, "text": "Shouts."})
    call("ben", f"POST {here}/reports", {"reason": "phrases", "seat": 0})
    call("ben", f"POST {here}/reports", {"reason": "phrases", "seat": 7})
    call("cleo", f"POST {here}/reports", {"reason": "cheating"})
    call("ben", f"GET {here}/phrases")


def test_rematches(call):
    match = call("ada", "POST matches", {"game": "pisti", "seats": [ME, {"kind": "open"}]})
    here = f"matches/{match['id']}"
    call("ben", f"POST {here}/join", {})
    call("ben", f"POST {here}/resign", {"seat": 1})
    call("ada", f"GET {here}/rematch")
    call("ada", f"POST {here}/rematch", {})
    call("ben", f"GET {here}/rematch")


def test_blocks(call):
    call("ada", "PUT accounts/me/blocks/ben")
    call("ada", "PUT accounts/me/blocks/ada")
    call("ada", "GET accounts/me/blocks")
    call("ada", "DELETE accounts/me/blocks/ben")
    call("ada", "DELETE accounts/me/blocks/ben")


def test_problems(call, monkeypatch):
    body = {"game": "pisti", "seats": [ME, TWIN]}
    for wrong in (
        {"game": "whist"},
        {"seats": [ME, {"kind": "bot", "bot": "nobody"}]},
        {"seats": [ME, {"kind": "user", "username": "nobody"}]},
        {"seats": [ME, {"kind": "user", "username": "ada"}]},
        {"seats": [ME, ME]},
        {"seats": [ME]},
        {"seats": [ME, {"kind": "ghost"}]},
        {"preset": "none"},
        {"options": {"teams": True, "fixed_starter_seat": 3}},
        {"options": {"target_score": "many"}},
        {"options": {"stakes": 1}},
        {"turn_seconds": 1},
        {"visibility": "secret"},
        {"colour": "red"},
    ):
        call("ada", "POST matches", body | wrong)
    call("ada", "POST matches", {"game": "pazaak", "seats": [{"kind": "me", "deck": NOBODY}, BOT]})
    call("ada", "POST matches", raw=b"{")
    call("ada", "POST matches", raw=b'"\xff"')
    call("ada", "POST matches", raw=b'{"game": "\\u0000"}')
    call("ada", "POST matches", raw=b"[" * 5000)
    call("ada", "POST matches", raw=b" " * 70_000)
    call("ada", "POST matches", raw=b"game=pisti", Content_Type="text/plain")
    call("ada", "PUT matches", {})
    call("ada", "GET nothing/here")
    for path in ("", "/events", "/saves", "/record"):
        call("ada", f"GET matches/{NOBODY}{path}")
    for path in ("join", "leave", "resign", "rematch", "load", "moves"):
        call("ada", f"POST matches/{NOBODY}/{path}", {})
    call("ada", "POST records/verify", {"format": "cardroom-record/1"})
    call("ada", "GET matches/17")
    call.keys["stranger"] = "0" * 64
    call("stranger", "GET matches")
    for _ in range(9):
        call("", "POST accounts/token", {"username": "ben", "password": "wrong"})
    del call.steps[-8:-2]
    known = {**api_settings.DEFAULT_THROTTLE_RATES, "anon": "0/min"}
    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", known)
    call("", "GET games")
