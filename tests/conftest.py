"""Users whom the whole suite knows, programs that hold their keys, and the count of tests."""

import gc
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from copy import copy
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random, SystemRandom
from typing import Any

import django.test.client
import pytest
from django.contrib.auth.hashers import make_password
from django.core.cache import caches
from django.template import Context
from django.test import Client, TransactionTestCase
from django.test.utils import ContextList
from hypothesis import HealthCheck, settings
from knox.crypto import create_token_string, hash_token
from pytest_django import DjangoDbBlocker
from pytest_django.plugin import blocking_manager_key
from rest_framework.settings import api_settings
from rest_framework.test import APIClient
from time_machine import TimeMachineFixture

from accounts import services
from accounts.models import Key, User
from accounts.skeleton import skeleton
from config import club
from config.api.scopes import SCOPES
from config.server import streams
from tests import emptying, migrated
from tests.counting import Counting
from tests.settings import BY_A_WORKER, NAMED_SERVERS
from tests.sweeping import Sweeping

pytest.register_assert_rewrite("tests.matches.machine")

PASSWORD = "a long and quiet evening"
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
SHORTEST_EVENING = timedelta(seconds=20)
MIGRATING = pytest.StashKey[subprocess.Popen[bytes]]()

# The same examples in every run, other ones with LUCK=1 (make shake) and for make soak. How long
# one takes is the machine's affair: by itself Hypothesis fails a test whose example took 0.2 s.
settings.register_profile(
    "suite",
    derandomize=not (os.environ.get("LUCK") or os.environ.get("FUZZ_EXAMPLES")),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")


def keep_what_a_page_was_drawn_with(store: dict[str, Any], context: Context, **_: Any) -> None:
    """And not a copy for each part that the page includes: that took a fortieth of its time."""
    if "context" not in store:
        store["context"] = ContextList([copy(context)])


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()
    django.test.client.store_rendered_templates = keep_what_a_page_was_drawn_with
    config.pluginmanager.register(Sweeping())
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Counting())


def pytest_sessionstart(session: pytest.Session) -> None:
    options = session.config.option
    if getattr(options, "numprocesses", None) and not options.collectonly and not NAMED_SERVERS:
        session.stash[MIGRATING] = migrated.begin()


def pytest_collection_finish() -> None:
    """As in a web process: what was loaded by now is never looked through for garbage again."""
    gc.freeze()
    gc.set_threshold(streams.NEW_OBJECTS, streams.YOUNG_COLLECTIONS, streams.MIDDLE_COLLECTIONS)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """After the fixtures' own ends, also where one interrupts the run: a server is left by none."""
    if migrating := session.stash.get(MIGRATING, None):
        migrating.terminate()  # which it outlives only where no test needed the database
        migrating.wait()
    is_first = not hasattr(session.config, "workerinput") and not BY_A_WORKER
    if is_first and not session.config.option.collectonly:
        with session.config.stash[blocking_manager_key].unblock():
            migrated.drop()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    request: pytest.FixtureRequest,
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    if hasattr(request.config, "workerinput") or BY_A_WORKER or not NAMED_SERVERS:
        with django_db_blocker.unblock():
            migrated.copied_from_now_on()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A test with real transactions takes out what it left there, and no more."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        if emptying.allowed():
            empty = emptying.Emptying()
            patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _case: empty())
        yield
        migrated.end_other_sessions()


@pytest.fixture(autouse=True)
def nothing_set() -> Iterator[None]:
    """Settings and announcements of a test are gone after it; so is what the lobby keeps for its
    readers.
    """
    yield
    club.forget()
    if lobby := sys.modules.get("games.web.lobby"):
        lobby.ANNOUNCED = lobby.Kept(most=1)


@pytest.fixture(autouse=True)
def one_day() -> None:
    """A scene begins and ends on the same day: none begins in the last seconds of one.

    The clock of Postgres is no fake one, so a scene cannot simply be moved to noon.
    """
    now = datetime.now(UTC)
    midnight = (now + SHORTEST_EVENING).replace(hour=0, minute=0, second=0, microsecond=0)
    if midnight > now:
        time.sleep((midnight - now).total_seconds())


@pytest.fixture(autouse=True)
def no_luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test deals the same cards in every run, other ones with LUCK=1 (make shake)."""
    if os.environ.get("LUCK"):
        return
    chance = Random(request.node.nodeid)

    def token_bytes(size: int | None = None) -> bytes:
        return chance.randbytes(32 if size is None else size)

    monkeypatch.setattr(secrets, "token_bytes", token_bytes)
    monkeypatch.setattr(SystemRandom, "getrandbits", lambda _self, bits: chance.getrandbits(bits))


@cache
def password_hash() -> str:
    return make_password(PASSWORD)


def registered(name: str) -> User:
    """An account as ``people.register`` leaves it, without its judgement of name and password."""
    user = User(username=name, display_name=name, name_skeleton=skeleton(name))
    user.password = password_hash()
    user.save(force_insert=True)
    return user


def client_of(user: User) -> Client:
    """A browser in which the user is signed in."""
    browser = Client()
    browser.force_login(user, BACKEND)
    return browser


def key_of(user: User) -> str:
    """The secret of a key as ``keys.issue`` leaves it, without its look at how many there are."""
    secret = create_token_string()
    expires_at = None if user.is_guest else services.key_expiry()
    Key.objects.create(
        user=user, scopes=[*SCOPES], digest=hash_token(secret), expires_at=expires_at
    )
    return secret


@pytest.fixture
def ada(db: None) -> User:
    return registered("Ada")


@pytest.fixture
def ben(db: None) -> User:
    return registered("Ben")


@pytest.fixture
def cleo(db: None) -> User:
    return registered("Cleo")


@pytest.fixture
def guest(db: None) -> User:
    return services.open_guest()


@pytest.fixture
def api() -> APIClient:
    return APIClient()


@pytest.fixture
def holding() -> Callable[[str], APIClient]:
    """A program that sends this key."""

    def client(secret: str) -> APIClient:
        program = APIClient()
        program.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
        return program

    return client


@pytest.fixture
def keyed(holding: Callable[[str], APIClient]) -> Callable[[User], APIClient]:
    """A program with a new key of this user's."""
    return lambda user: holding(key_of(user))


@pytest.fixture
def rates(monkeypatch: pytest.MonkeyPatch, time_machine: TimeMachineFixture) -> Callable[..., None]:
    """Sets throttles for one scene: `rates(moves="3/hour")`. Counts begin, no window ends in it."""
    for name in ("default", "memory"):
        caches[name].clear()
    time_machine.move_to(datetime.now(UTC).replace(minute=30))

    def set_rates(**rates: str) -> None:
        known = {**api_settings.DEFAULT_THROTTLE_RATES, **rates}
        monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", known)

    return set_rates


@pytest.fixture
def first(ada: User, keyed: Callable[[User], APIClient]) -> APIClient:
    """Ada's program."""
    return keyed(ada)


@pytest.fixture
def second(ben: User, keyed: Callable[[User], APIClient]) -> APIClient:
    """Ben's program."""
    return keyed(ben)
