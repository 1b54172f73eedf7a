"""Who may call what: every address of the configuration, for every kind of caller.

``tests/fixtures/authorisation.txt`` is the matrix: a line an address and method, a column a caller,
the status that the caller gets. The addresses are found by walking the URL configuration, so a
new one shows up by itself. ``make test`` asks every address as somebody who has no part in it;
``make sweeps T=tests/security/test_authorisation_matrix.py`` asks as every caller, and with
``RECORD=1`` writes the matrix again: the diff is what changes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from http.cookies import SimpleCookie

import pytest
from django.contrib.auth.models import Group
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from accounts import services as keys
from accounts.audit.models import PersonNotice
from accounts.hours import services as choosing
from accounts.hours.models import Holiday
from accounts.models import BrowserSession, User
from accounts.notifications import delivering, endpoints
from accounts.notifications.choices import unsubscribe_token
from accounts.notifications.models import Delivery
from accounts.notifications.outbox import owe
from accounts.programs.models import Connection
from accounts.programs.services import Consent, consent, register
from cardroom.rules.pazaak.side_cards import STARTER
from decks.models import Deck
from games.bot_accounts import services
from games.bot_accounts.models import Program
from games.bot_accounts.services import Manners
from games.competitions import taking_part
from games.exports.exporting import start_export
from games.lobby import challenges, seeking
from games.lobby.challenges import NewChallenge
from games.lobby.models import Challenge
from games.lobby.seeking import NewSeek
from games.matches import joining
from games.matches.models import Match, Ply, Round, Seat
from games.simulations import work
from games.simulations.models import SimulationPart
from tests.competitions.held import held
from tests.conftest import BACKEND, PASSWORD
from tests.matches.scenes import move, opened
from tests.recorded import FIXTURES, agrees

MATRIX = FIXTURES / "authorisation.txt"
BACK = "https://program.example/"
METHODS = ("GET", "POST")
ROLES = ("viewer", "referee", "administrator")
PLAYERS = ("anonymous", "guest", "stranger", "seated", "opponent", "superuser")
STAFF = ("anonymous", "seated", "staff", *ROLES, "superuser")
LEFT_OUT = ("admin/(?P<url>", r"api/v1/[\s\S]*")  # they catch what no other pattern takes
CONVERTER = re.compile(r"<(?:\w+:)?(\w+)>")
OWNED = (
    *("deck_id", "simulation_id", "export_id", "key_id", "seek_id", "webhook_id"),
    *("connection_id", "client_id"),
)
GROUP = re.compile(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")


@dataclass(frozen=True)
class World:
    """A private match of Ada's against Ben, and one of everything that Ada owns."""

    match: Match
    ada: User
    deck: Deck
    simulation: object
    export: object
    key: object
    seek: object
    challenge: object
    notice: object
    tournament: object
    delivery: Delivery
    connection: Connection

    def value(self, pattern: str, name: str) -> str:
        if name == "object_id":
            return str(self._object(pattern))
        values = {
            "match_id": self.match.id,
            "deck_id": self.deck.pk,
            "simulation_id": self.simulation.pk,
            "export_id": self.export.pk,
            "key_id": self.key.pk,
            "seek_id": self.seek.pk,
            "challenge_id": self.challenge,
            "notice_id": self.notice.pk,
            "tournament_id": self.tournament.pk,
            "webhook_id": self.delivery.endpoint_id,
            "delivery_id": self.delivery.pk,
            "browser_id": self.delivery.pk,
            "session_id": BrowserSession.objects.values_list("pk", flat=True).first(),
            "holiday_id": Holiday.objects.values_list("pk", flat=True).first(),
            "token": unsubscribe_token(self.ada.pk),
            "connection_id": self.connection.pk,
            "client_id": self.connection.client_id,
            "id": self.ada.pk,
            "user_id": self.ada.pk,
            "slug": "pisti",
            "username": "ada",
            "name": "undo" if "matches/" in pattern else "wins.png",
            "app_label": "games",
        }
        return str(values.get(name, "x"))

    def _object(self, pattern: str) -> object:
        rows = {
            "accounts/user": lambda: self.ada,
            "accounts/key": lambda: self.key,
            "allauth_idp_oidc/client": lambda: self.connection.client,
            "decks/deck": lambda: self.deck,
            "exports/recordfile": lambda: self.export,
            "lobby/seek": lambda: self.seek,
            "lobby/challenge": Challenge.objects.first,
            "bot_accounts/program": Program.objects.first,
            "competitions/tournament": lambda: self.tournament,
            "hours/holiday": Holiday.objects.first,
            "notifications/delivery": lambda: self.delivery,
            "notifications/cause": lambda: self.delivery.cause,
            "notifications/endpoint": lambda: self.delivery.endpoint,
            "games/match": lambda: self.match,
            "games/simulation/": lambda: self.simulation,
            "games/seat": Seat.objects.filter(match=self.match).first,
            "games/round": Round.objects.filter(match=self.match).first,
            "games/ply": Ply.objects.filter(match=self.match).first,
            "games/simulationpart": SimulationPart.objects.first,
            "auth/group": Group.objects.first,
        }
        row = next((row() for part, row in rows.items() if f"admin/{part}" in pattern), None)
        return getattr(row, "pk", 1)


def patterns(found: list[URLPattern | URLResolver], base: str = "") -> Iterator[str]:
    for each in found:
        route = base + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from patterns(each.url_patterns, route)
        elif not route.startswith(LEFT_OUT):
            yield route


def address(world: World, pattern: str) -> str:
    path = pattern.replace("^", "").replace("$", "")
    path = GROUP.sub(lambda found: world.value(pattern, found[1]), path)
    return "/" + CONVERTER.sub(lambda found: world.value(pattern, found[1]), path)


@pytest.fixture
def world(ada: User, ben: User) -> World:
    match = opened(ada, "me, open", "pisti", visibility="private")
    Seat.objects.filter(match_id=match.id, kind="open").update(invited=ben)
    match = move(joining.join(match_id=match.id, user=ben))
    deck = Deck.objects.create(owner=ada, name="Ada's", cards=list(STARTER))
    simulation = work.start(owner=ada, game="pisti", bots=("random",), games=2)
    key = keys.issue_key(user=ada).key
    export = start_export(owner=ada)
    seek = seeking.seek(account=ada, wish=NewSeek("pisti", "normal"))
    challenge = challenges.send_challenge(
        account=ada, terms=NewChallenge(game="pisti", username="ben")
    )
    robo = keys.register(username="robo", password=PASSWORD)
    services.ask_for_bot(account=robo, owner="ada", manners=Manners())
    told = PersonNotice.objects.create(user=ada, text="A word.")
    cup = held(ada, visibility="private")
    taking_part.invite(tournament_id=cup.id, user=ada, username="ben")
    today = timezone.now().date()
    choosing.announce_holiday(user=ada, first=today, last=today)
    BrowserSession.objects.create(user=ada, session_key="x")
    row = Match.objects.get(id=match.id)
    owned = (deck, simulation, export, key, seek, challenge, told, cup)
    return World(row, ada, *owned, delivery_to(ada), connection_of(ada))


def connection_of(user: User) -> Connection:
    """A program that this person registered and connected."""
    program = register(owner=user, name="p", redirect_uris=[BACK], confidential=False).client
    consent(Consent(program, user, ["read"], BACK, "x"), "code")
    return Connection.objects.get()


def delivery_to(user: User) -> Delivery:
    """A delivery to a webhook of this person."""
    endpoints.create(user=user, url="https://example.org/", kinds=["friend"])
    owe(user.pk, "friend", "friend:1", {})
    delivering.route()
    return Delivery.objects.select_related("cause", "endpoint").get()


@pytest.fixture
def callers(world: World, ben: User, cleo: User) -> dict[str, Client]:
    """Anonymous, and everybody else with the session of a browser."""
    users = {
        "guest": keys.open_guest(),
        "stranger": cleo,
        "seated": world.ada,
        "opponent": ben,
        "staff": User.objects.create_user("Staff", is_staff=True),
    }
    for role in ROLES:
        users[role] = User.objects.create_user(role, is_staff=True)
        users[role].groups.set(Group.objects.filter(name__iexact=role))
    users["superuser"] = User.objects.create_superuser("Super")
    found = {"anonymous": Client(raise_request_exception=False)}
    for name, user in users.items():
        found[name] = Client(raise_request_exception=False)
        found[name].force_login(user, BACKEND)
    return found


def status(client: Client, method: str, path: str) -> int:
    """The status code of the caller's answer; the changes of the call are undone."""
    body = {"content_type": "application/json"} if path.startswith("/api/") else {}
    cookies = client.cookies.output(header="", sep=";")
    with transaction.atomic():
        answer = client.get(path) if method == "GET" else client.post(path, {}, **body)
        transaction.set_rollback(True)
    client.cookies = SimpleCookie(cookies)
    return answer.status_code


def everywhere(world: World) -> Iterator[tuple[str, str, str]]:
    """Every address as it is configured and as it is asked for, with each method."""
    for pattern in dict.fromkeys(patterns(get_resolver().url_patterns)):
        for method in METHODS:
            yield pattern, address(world, pattern), method


@pytest.mark.sweep
def test_every_address_answers_every_caller_as_the_matrix_says(world, callers):
    lines = [f"{'address':<75} method " + " ".join(f"{name:>13}" for name in callers)]
    faults = []
    for pattern, path, method in everywhere(world):
        asked = STAFF if path.startswith("/admin/") else PLAYERS
        got = {name: status(callers[name], method, path) for name in asked}
        row = " ".join(f"{got.get(name, '-'):>13}" for name in callers)
        lines.append(f"/{pattern:<75} {method:<6} {row}")
        faults += [f"{method} {path} {name}: {code}" for name, code in got.items() if code >= 500]
    assert faults == []
    agrees(MATRIX, "\n".join(lines) + "\n")


def test_every_address_answers_who_has_no_part_in_it_as_the_matrix_says(world, callers):
    """A stranger among players; in the admin a player who is no staff, and who wants to write.

    The admin asks who somebody is before it looks at the method.
    """
    says, got = columns(), {}
    for pattern, path, method in everywhere(world):
        name = "seated" if path.startswith("/admin/") else "stranger"
        if name == "stranger" or method == "POST":
            got["/" + pattern, method] = name, status(callers[name], method, path)
    assert got == {call: (name, says.get(call, {}).get(name)) for call, (name, _) in got.items()}
    found = {("/" + pattern, method) for pattern, _, method in everywhere(world)}
    assert found == says.keys(), "RECORD=1 make sweeps writes the matrix again"


def columns() -> dict[tuple[str, str], dict[str, int]]:
    head, *rows = MATRIX.read_text(encoding="utf-8").splitlines()
    names = head.split()[2:]
    return {
        (fields[0], fields[1]): {
            name: int(code) for name, code in zip(names, fields[2:], strict=True) if code != "-"
        }
        for fields in (row.split() for row in rows)
    }


def test_a_private_match_is_not_there_for_strangers():
    for (path, method), got in columns().items():
        if "<uuid:match_id>" in path and not path.startswith("/admin/"):
            told = {got[name] for name in ("guest", "stranger", "superuser")}
            assert told <= {404, 405, 400, 302}, (path, method, got)
            if method == "GET":  # a form's address leads everybody to the page above it
                assert told <= {404, 405} or set(got.values()) == {302}, (path, method, got)


def test_the_admin_is_for_staff_alone():
    for (path, method), got in columns().items():
        if path.startswith("/admin/") and "/login/" not in path:
            for name in ("anonymous", "seated"):
                assert got[name] in (302, 403, 404), (path, method, name)


def test_what_somebody_owns_is_not_there_for_others():
    for (path, method), got in columns().items():
        if any(word in path for word in OWNED):
            for name in ("guest", "stranger", "opponent", "superuser"):
                assert got[name] in (302, 400, 404, 405), (path, method, name)
