"""Duties: what is due is sent and nothing else, nothing starves, one bad row stops nobody."""

from types import SimpleNamespace

import pytest
from django.utils import timezone

from accounts.notifications import routing
from config.models import Trouble
from config.tasks import duties, rows
from games.bot_accounts import playing as programs
from games.causes import deriving
from games.coaching import work as coaching
from games.competitions.running import advancing
from games.daily import computers, turning
from games.exercises.collecting import looking
from games.exports import writing
from games.idle import nudging
from games.leagues import turning as leagues
from games.lobby import pairing
from games.lobby.challenges import expiring
from games.matches.overdue import recovery
from games.matches.seating import joining
from games.matches.seating import rating as fitness
from games.mirrored import going_on
from games.operations.nights import audits, retention
from games.operations.people import leaving, people
from games.operations.refereeing import bulk
from games.people import counting
from games.ratings import services as round_robins
from games.ratings.people import rating
from games.simulations import work as simulations

pytestmark = pytest.mark.django_db

BAD, GOOD = "bad", ("one", "two")
ROWS = [GOOD[0], BAD, GOOD[1]]


@pytest.fixture(autouse=True)
def empty_broker():
    duties.valkey().flushdb()
    rows._place.clear()
    yield
    duties.valkey().flushdb()


@pytest.fixture
def registered(monkeypatch):
    """Duties of a scene, instead of those of the rooms."""

    def register(*made):
        by_name = {duty.name: duty for duty in made}
        monkeypatch.setattr(duties, "registry", lambda: by_name)
        return made[0]

    return register


class Poison:
    """Acts on rows: the bad one fails, the others are noted."""

    def __init__(self):
        self.done = []

    def act(self, row, *_, **__):
        name = row if isinstance(row, str) else row[0] if isinstance(row, tuple) else row.name
        if name == BAD:
            raise KeyError("secret words")
        self.done.append(name)
        return True

    def batch(self, several):
        return sum(self.act(row) for row in several)

    def listed(self, row):
        """For acts of which a list is expected."""
        return [self.act(row)]


class Query(list):
    """Rows as a queryset gives them."""

    def __call__(self, *_, **__):
        return self

    @property
    def objects(self):
        return self

    filter = exclude = order_by = values_list = distinct = select_for_update = __call__

    def __getitem__(self, at):
        return Query(super().__getitem__(at)) if isinstance(at, slice) else super().__getitem__(at)


def things(**more):
    """Objects that are known by their ids, which are numbers where a statement reads them."""
    return Query(
        SimpleNamespace(
            name=name, id=n, pk=name, slug=name, account_id=name, finished_at=timezone.now(), **more
        )
        for n, name in enumerate(ROWS)
    )


def in_turn(found):
    """One after the other, then none."""
    waiting = [*found, None]
    return lambda *_: waiting.pop(0) if waiting else None


class Model(Query):
    """Rows that are listed; updates of one go nowhere."""

    class Status:
        FINISHED, FAILED, RUNNING, OPEN, ACTIVE = "finished", "failed", "running", "open", "active"

    def update(self, **_):
        return 0


NAMES = Model(ROWS)
TUPLES = Model((name, 0) for name in ROWS)

# By duty: what gives it its rows and what it does with one, as names in their module.
SCENES = {
    "turns": lambda p: (recovery, {"_overdue": lambda _: ROWS, "get_match": p.act, "announce": id}),
    "clocks": lambda p: (recovery, {"_late": lambda: ROWS, "_time_out": p.act}),
    "loads": lambda p: (
        joining,
        {"Match": TUPLES, "keeps_back_alone": bool, "_call_off_alone": p.act},
    ),
    "unfit ratings": lambda p: (
        fitness,
        {"Match": Model((name, b"", "active") for name in ROWS), "_end_unfit": p.act},
    ),
    "causes": lambda p: (
        deriving,
        {"SOURCES": {name: (lambda name=name: p.act(name)) for name in ROWS}},
    ),
    "simulations": lambda p: (
        simulations,
        {"_claim_part": in_turn(parts()), "_run": p.act},
    ),
    "pictures": lambda p: (
        simulations.draw_missing_pictures.__globals__,
        {"Simulation": Model(things()), "_draw_of": p.act},
    ),
    "old exports": None,
    "exports": lambda p: (writing, {"RecordFile": NAMES, "_write_part": p.act}),
    "analyses": lambda p: (
        coaching,
        {"_taken": in_turn(things()), "Analysis": Model(), "_judge_unless_secret": p.act},
    ),
    "exercises": lambda p: (
        looking,
        {"_taken": in_turn(things()), "Scan": Model(), "_look_unless_secret": p.act},
    ),
    "matches for exercises": None,
    "shipped exercises": None,
    "old hints": None,
    "daily deals": lambda p: (
        turning,
        {
            "games_of_the_day": lambda: [(one, None) for one in things()],
            "_publish": lambda _day, game, _terms: p.act(game),
        },
    ),
    "daily computers": lambda p: (
        computers,
        {"_missing": lambda: [(one, one) for one in things()], "_play": p.act},
    ),
    "nudges": lambda p: (nudging, {"_due": things, "_nudges": p.listed}),
    "tournaments": lambda p: (
        advancing,
        {"selectors": SimpleNamespace(due=lambda: ROWS), "advance": p.act},
    ),
    "seeks": lambda p: (
        pairing,
        {
            "end_lapsed": lambda: None,
            "_pools": lambda: dict.fromkeys(ROWS),
            "_is_known": bool,
            "_name": str,
            "_pair": p.act,
        },
    ),
    "challenges": lambda p: (expiring, {"Match": NAMES_OF_MATCHES, "_expire": p.act}),
    "mirrored": lambda p: (going_on, {"running_sets": lambda: ROWS, "go_on": p.act}),
    "results": lambda p: (counting, {"_next": lambda *_: list(things()), "_count": p.batch}),
    "ratings": lambda p: (rating, {"_next": lambda *_: list(things()), "_rate": p.batch}),
    "silent bot accounts": lambda p: (programs, {"Seat": TUPLES, "_replace": p.act}),
    "clean-up": lambda p: (
        retention,
        {"_KINDS": dict.fromkeys(ROWS), "_count": p.act, "fold": lambda: None},
    ),
    "folding": lambda p: (
        retention.folding,
        {"foldable": lambda _: ROWS, "fold": p.act},
    ),
    "round robins": lambda p: (
        round_robins,
        {"catalog": SimpleNamespace(GAMES=things()), "_start_if_rated": p.act},
    ),
    "played round robins": lambda p: (
        round_robins,
        {"RoundRobin": Model(things()), "_finish_if_played": p.act},
    ),
    "audits": lambda p: (audits, {"ReplayAudit": NAMES, "work_off": p.act}),
    "bulk runs": lambda p: (bulk, {"BulkRun": NAMES, "work_off": p.act}),
    "seats left behind": lambda p: (leaving, {"_left_behind": things, "_mend": p.act}),
    "suspensions": lambda p: (people, {"Suspension": Model(things()), "_lift": p.act}),
    "erasures": lambda p: (
        people,
        {"User": Model(things()), "_finish_erasure": p.act, "Actor": lambda *_: None},
    ),
    "orphans": lambda p: (people, {"Program": Model(things()), "_close": p.act}),
    "leagues": lambda p: (leagues, {"_over": lambda: NAMES, "_turn": p.act}),
    "deliveries": lambda p: (
        routing,
        {
            "Cause": Model(things(account=None)),
            "Wishes": lambda _: None,
            "_deliveries": lambda cause, *_: iter([] if p.act(cause) else []),
            "Delivery": SimpleNamespace(objects=SimpleNamespace(bulk_create=lambda *_, **__: None)),
        },
    ),
}
# One statement, or one row: there is nothing beside what fails.
WHOLE = {
    *("old notifications", "old hints", "old seeks", "old challenges", "old nudges"),
    *("old phrases", "old exports", "old troubles", "samples", "audit of the night"),
    *("matches for exercises", "shipped exercises", "daily deals of new games"),
}
NAMES_OF_MATCHES = Model(ROWS)


def parts():
    """Parts of simulations, by the names of these."""
    return [SimpleNamespace(id=n, name=name, simulation_id=name) for n, name in enumerate(ROWS)]


SCENES = {name: scene for name, scene in SCENES.items() if scene is not None}


def test_the_contract_knows_every_duty():
    assert duties.registry().keys() == SCENES.keys() | WHOLE
    assert not SCENES.keys() & WHOLE


@pytest.mark.parametrize("name", sorted(SCENES))
def test_one_bad_row_stops_no_other_one(name, monkeypatch, settings):
    settings.RETENTION = settings.RETENTION | {"archive": 1}
    if name == "folding":
        retention.CleanUp.objects.create()
    poison = Poison()
    module, replaced = SCENES[name](poison)
    for attribute, value in replaced.items():
        if isinstance(module, dict):
            monkeypatch.setitem(module, attribute, value)
        else:
            monkeypatch.setattr(module, attribute, value)
    for _ in range(4):  # some have a row a piece
        duties.work(name)
    assert set(poison.done) == set(GOOD)
    (trouble,) = Trouble.objects.filter(duty=name)
    assert {BAD, str(ROWS.index(BAD))} & set(trouble.row.split())
    assert trouble.error == "KeyError"
    assert "secret" not in str([trouble.row, trouble.error])
