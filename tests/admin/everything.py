"""One of everything that the admin shows, and every address of the admin, by introspection."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from allauth.idp.oidc.models import Client
from allauth.mfa.totp.internal.auth import TOTP
from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.urls import URLPattern, URLResolver, reverse
from django.utils import timezone

from accounts import services as keys
from accounts.hours import services as choosing
from accounts.models import Key, RegistrationBlock, SignUpLink, User
from accounts.notifications import delivering, endpoints
from accounts.notifications.outbox import owe
from accounts.programs.services import register
from cardroom.rules.pazaak.side_cards import STARTER
from config.models import Announcement, SettingChange
from config.tasks.rows import note
from decks.models import Deck
from decks.services import request_measurement
from games.bot_accounts import services
from games.coaching.models import Analysis, Hint
from games.competitions.models import Tournament
from games.daily import playing
from games.exercises import solving
from games.exercises.collecting import settle_shipped
from games.exercises.models import Exercise, Scan
from games.exports.exporting import start_export
from games.leagues import divisions
from games.lobby import challenges, rematches, seeking
from games.lobby.challenges import NewChallenge
from games.matches import joining
from games.matches.models import Match, Ply, Round, Seat, SharedDeal
from games.mirrored.opening import open_mirrored
from games.operations import acts as bulk
from games.operations import nights, reports, undoing
from games.operations.acts import ACTS
from games.operations.models import Backup, CleanUp, Person
from games.ratings import rating
from games.ratings.models import RatedMatch
from games.simulations import work
from tests.competitions.held import held
from tests.exercises.scenes import worst
from tests.matches.scenes import opened, played, seat_requests, short
from tests.people.ended import between

MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label_lower)
SECOND_FACTOR = "JBSWY3DPEHPK3PXP"
MINE = ["P1", "P2", "P3", "P4", "P5", "M1", "M2", "M3", "M4", "T"]
GROUP = re.compile(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)|<(?:\w+:)?(\w+)>")
FREE = ("url", "content_type_id")  # takes what no other address takes; walked by itself


@dataclass
class World:
    """``private`` is Ada's and Ben's running match with side decks, ``open`` one for everybody."""

    ada: User
    ben: User
    private: Match
    over: Match
    open: Match
    secrets: dict[str, str]

    def of_private(self, model: type[Model]) -> list[Any]:
        return list(model.objects.filter(match__in=[self.private.pk, self.over.pk]))


def a_world(ada: User, ben: User) -> World:
    """A second one, of other people, stands beside the first."""
    Deck.objects.create(owner=ada, name="Mine", cards=MINE, is_default=True)
    private = opened(ada, f"me, user {ben.username}", "pazaak", visibility="private")
    private = played(joining.join(match_id=private.id, user=ben), 6)
    Seat.objects.filter(match_id=private.id).update(side_deck=MINE)
    over = played(short(ada, "pisti", visibility="private"))
    again = Match.objects.get(id=rematches.ask(match_id=over.id, user=ada).id)  # a series
    shared = opened(ada, f"me, user {ben.username}", "pisti", visibility="public", turn_seconds=600)
    shared = played(joining.join(match_id=shared.id, user=ben), 4)
    key = keys.issue_key(user=ada, name="Ada's program")
    register(owner=ada, name="Ada's own", redirect_uris=["https://ada.example/"], confidential=True)
    TOTP.activate(ada, SECOND_FACTOR)
    name = ada.username.lower()
    AccessAttempt.objects.create(username=name, failures_since_start=8, ip_address="192.0.2.7")
    Group.objects.create(name=f"visitors of {name}")
    work.start(owner=ada, game="pazaak", games=10, bots=("gambler",), side_decks=(MINE, STARTER))
    work._claim_part()
    request_measurement(cards=STARTER, requester=ada)
    start_export(owner=ada)
    Analysis.objects.create(match_id=over.id, version=1, requester=ada)
    settle_shipped()
    exercise = Exercise.objects.filter(game="pazaak")[0]
    solving.answer(user=ada, exercise_id=exercise.pk, move=worst(exercise))
    Scan.objects.create(match_id=over.id, kind=Scan.Kind.MISTAKES)
    challenges.send_challenge(account=ada, terms=NewChallenge(game="pisti", username=ben.username))
    robo = keys.register(username=f"robo-{name}", password="a long and quiet evening")
    services.ask_for_bot(account=robo, owner=ada.username, manners=services.Manners())
    Hint.objects.create(match_id=shared.id, version=shared.version, seat=0)
    seeking.seek(account=ada, wish=seeking.NewSeek("pisti", "normal"))
    held(ada, fill_to=2, visibility="private")
    reports.report(match_id=shared.id, user=ada, seat=1, reason="stalling", text="He left.")
    root = User.objects.filter(is_superuser=True).first() or User.objects.create_superuser("root")
    bulk.draft(act="verify", match_ids=[shared.id], user=root)
    between(ada, ben)
    rating.rate_finished()
    open_mirrored(creator=ada, game="pisti", seats=seat_requests("me, bot greedy"))
    divisions.join(user=ada, game="pisti")
    nights.start()
    playing.publish()
    endpoints.create(user=ada, url="https://example.org/hook-of-ada", kinds=["friend"])
    owe(ada.pk, "friend", "friend:1", {})
    today = timezone.now().date()
    choosing.announce_holiday(user=ada, first=today, last=today)
    delivering.route()
    CleanUp.objects.create(counts={"keys": 1})
    Backup.objects.create(name="cardroom-20261129T033700Z.dump")
    Announcement.objects.create(text="Club night on Friday")
    SettingChange.objects.create(name="club.phrases", value=True, by="Ada")
    SignUpLink.objects.create(note="Chess club", ends_at=timezone.now())
    note("results", f"a row of {name}", KeyError("a row"))
    RegistrationBlock.objects.create(kind="domain", value=f"{name}.example", reason="Spam.")
    undoing.keep_deleted(ada, Deck.objects.filter(owner=ada))
    rows = {match.id: Match.objects.get(id=match.id) for match in (private, over, shared)}
    return World(
        *(ada, ben, *rows.values()),
        secrets=_mark(rows[private.id], rows[over.id])
        | _kept(key.secret, ada, [*rows.values(), again]),
    )


def _mark(*hidden: Match) -> dict[str, str]:
    """Marks for the moves, scores and points of private matches, to be recognised in a text."""
    ids = [match.pk for match in hidden]
    Ply.objects.filter(match__in=ids, version=3).update(move="draw-of-a-private-match")
    Round.objects.filter(match__in=ids).exclude(scores=None).update(scores=[770077, 770078])
    Seat.objects.filter(match__in=ids).update(points=880088, place=8)
    return {"move": "draw-of-a-private-match", "scores": "770077", "points": "880088"}


def _kept(secret: str, ada: User, matches: Any) -> dict[str, str]:
    ada.refresh_from_db()
    found = {
        "key": secret,
        "digest": Key.objects.get(user=ada).digest,
        "password": ada.password,
        "secret of a program": Client.objects.get(owner=ada).secret,
        "factor": SECOND_FACTOR,
        "deck": " ".join(MINE),
        "deck as JSON": ",".join(f'"{card}"' for card in MINE),
        "deck in words": ", ".join(MINE),
    }
    sealed = SharedDeal.objects.filter(revealed_at=None)
    found |= {f"seed {one.pk}": bytes(one.seed).hex() for one in sealed}
    running = [match for match in matches if match.status == "active"]
    found |= {f"seed {match.pk}": bytes(match.seed).hex() for match in running}
    return found | {f"state {match.pk}": bytes(match.state).decode() for match in running}


def list_of(model: type[Model]) -> str:
    return page(model, "changelist")


def page(model: type[Model], what: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)


def pages(world: World) -> Iterator[str]:
    """Every address of the admin site, with each row and each act where it names one."""
    for route in _routes(admin.site.get_urls(), "/admin/"):
        names = [one or other for one, other in GROUP.findall(route)]
        if not set(names) & set(FREE):
            for values in _values(world, route, names):
                filled = iter(values)
                path = GROUP.sub(lambda _, filled=filled: str(next(filled)), route)
                yield path.replace("^", "").replace("$", "")
    for model in MODELS:
        kind = ContentType.objects.get_for_model(model, for_concrete_model=False)
        for row in model.objects.all()[:2]:
            yield reverse("admin:view_on_site", args=[kind.pk, row.pk])


def _routes(found: list[URLPattern | URLResolver], base: str) -> Iterator[str]:
    for each in found:
        route = base + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _routes(each.url_patterns, route)
        else:
            yield route


def _values(world: World, route: str, names: list[str]) -> list[tuple[object, ...]]:
    model = next((m for m in MODELS if f"/{m._meta.label_lower.replace('.', '/')}/" in route), None)
    matches, people = [world.open.pk, world.private.pk, world.over.pk], [world.ada.pk, world.ben.pk]
    match names:
        case []:
            return [()]
        case ["match_id", "slug"]:
            rated = RatedMatch.objects.values_list("pk", flat=True)
            annulled = [(match, "annul-rating") for match in rated]
            return [(match, slug) for match in matches for slug in ACTS] + annulled
        case ["match_id"]:
            return [(match,) for match in matches]
        case ["user_id", "what"]:
            acts = ("suspend", "lift", "silence", "note", "message", "export", "erase")
            return [(one, what) for one in people for what in acts]
        case ["tournament_id", "what"]:
            acts = ("begin", "pause", "resume", "pay", "remove", "abort", "rename", "replace")
            return [(one, what) for one in _some(world, Tournament) for what in acts]
        case ["app_label"]:
            return [(label,) for label in sorted({model._meta.app_label for model in MODELS})]
        case ["object_id"] | ["id"]:
            return [(pk,) for pk in _some(world, model or Person)]
    raise AssertionError(f"Say what {names} of {route} are.")


def _some(world: World, model: type[Model]) -> list[object]:
    """A few rows of each table; of a private match those that are marked."""
    rows = list(model.objects.values_list("pk", flat=True))
    rows = rows[:2] + rows[-1:]
    if model is Match:
        rows = [world.open.pk, world.private.pk, world.over.pk, *rows]
    elif model in (Seat, Round):
        rows = [row.pk for row in world.of_private(model)] + rows
    elif model is Ply:
        rows = [row.pk for row in world.of_private(Ply) if row.version in (0, 3)] + rows
    assert rows, f"There is no {model._meta.verbose_name} to look at."
    return list(dict.fromkeys(rows))
