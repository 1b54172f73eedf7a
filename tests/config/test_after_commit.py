"""The thread that sends announcements: its failures are seen, and it is started again."""

import threading

import pytest
import redis

from config.monitoring import health
from config.tasks import after_commit
from tests.announcer import own_announcer
from tests.patience import PATIENCE, wait_until

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


@pytest.fixture(autouse=True)
def announcer(monkeypatch):
    with own_announcer(monkeypatch, pause=0.02):
        yield


class Failing:
    """An announcement that raises these errors one after the other and then gets through."""

    def __init__(self, *errors):
        self.errors, self.sent = list(errors), threading.Event()

    def send(self, _broker):
        if self.errors:
            raise self.errors.pop(0)
        self.sent.set()


def announcer_in_readyz():
    return health.check()["announcer"]


def test_a_thread_that_dies_is_seen_by_readyz_and_started_again(db):
    after_commit.announce(Failing(SystemExit()))  # no error of a broker: it ends the thread
    dead = after_commit._thread
    dead.join(PATIENCE)
    assert announcer_in_readyz() == "stopped"
    assert after_commit._thread is not dead
    assert announcer_in_readyz() == "failing"  # until one announcement gets through
    announcement = Failing()
    after_commit.announce(announcement)
    assert announcement.sent.wait(PATIENCE)
    wait_until(lambda: announcer_in_readyz() == "up")


def test_an_address_that_no_client_reads_is_no_readiness(db, settings):
    settings.VALKEY_URL = "nonsense://valkey:6379/0"
    after_commit.announce(Failing())
    after_commit._thread.join(PATIENCE)
    assert announcer_in_readyz() == "stopped"
    after_commit._thread.join(PATIENCE)  # started again, it died of the same address


def test_readiness_returns_with_the_broker_though_nothing_more_is_announced():
    announcement = Failing(redis.ConnectionError(), redis.ConnectionError())
    after_commit.announce(announcement)
    wait_until(lambda: after_commit.status() == "failing")
    assert announcement.sent.wait(PATIENCE)
    wait_until(lambda: after_commit.status() == "up")


def test_behind_a_dead_broker_only_the_newest_announcement_is_kept():
    first, older, newest = Failing(*[redis.ConnectionError()] * 10**3), Failing(), Failing()
    after_commit.announce(first)
    wait_until(lambda: after_commit.status() == "failing")
    after_commit.announce(older)
    after_commit.announce(newest)
    assert newest.sent.wait(PATIENCE)
    assert not first.sent.is_set()


class Together(Failing):
    """Sent with others of its kind, one that fails breaks them all."""

    @classmethod
    def send_all(cls, several, _broker):
        raise next(one.errors[0] for one in several if one.errors)


def test_an_announcement_that_fails_by_itself_is_dropped_and_the_others_are_sent():
    poison, beside = Together(*[ZeroDivisionError()] * 10**3), Together()
    other, later = Failing(), Failing()
    after_commit.announce(poison, beside, other)
    after_commit.announce(later)
    for one in (beside, other, later):
        assert one.sent.wait(PATIENCE)
    assert len(poison.errors) == 10**3 - 1  # tried once by itself, and not for ever
    wait_until(lambda: after_commit.status() == "up")
