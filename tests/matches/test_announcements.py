"""Messages that leave the process after a commit; a request never waits for them."""

import queue
import time
from threading import Event, Thread
from uuid import uuid4

import pytest
import redis
from celery import current_app
from msgspec.structs import replace

from config.tasks import after_commit
from games.matches import announcements
from games.matches.announcements import announce
from tests.announcer import own_announcer
from tests.matches.scenes import move, opened
from tests.patience import PATIENCE, on_a_busy_machine, wait_until

# So ends the thread of a scene's own announcer.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


@pytest.fixture
def sent(monkeypatch):
    """The tasks that were sent to the workers."""
    tasks = []
    monkeypatch.setattr(
        current_app,
        "send_task",
        lambda name, args, *, queue, **_: tasks.append((name, *args, queue)),
    )
    return tasks


@pytest.fixture(autouse=True)
def empty_queue(settings):
    redis.Redis.from_url(settings.VALKEY_URL).flushdb()


@pytest.fixture
def quiet(monkeypatch):
    """The threads that a scene with its own announcer starts."""
    started = []
    monkeypatch.setattr(
        Thread, "start", lambda t, start=Thread.start: (started.append(t), start(t))
    )
    with own_announcer(monkeypatch, pause=0.05):
        yield started


def heard_by(ear):
    message = ear.get_message(timeout=0.1)
    return list(announcements.changes_in(message["data"])) if message else []


def test_listeners_hear_the_version_and_workers_what_is_owed(ada, quiet, sent, settings):
    match = opened(ada, "me, bot greedy")
    ear = redis.Redis.from_url(settings.VALKEY_URL).pubsub(ignore_subscribe_messages=True)
    ear.subscribe(announcements.CHANNEL)
    after = move(match)
    wait_until(lambda: (match.id, 1) in heard_by(ear))
    wait_until(lambda: sent)
    assert sent == [("games.matches.tasks.drain", "quick", "interactive")]
    assert announcements.take_turn("quick") == (match.id, 1)
    assert after.bot_due_at


def test_no_task_where_a_person_is_to_act(ada, quiet, sent):
    move(opened(ada))
    move(opened(ada, "me, bot greedy"))
    wait_until(lambda: sent)
    assert len(sent) == 1


def test_a_move_does_not_wait_while_valkey_is_away(ada, quiet, settings, sent):
    settings.VALKEY_URL = "redis://10.255.255.1:6379/0"  # nobody answers, not even with a no
    match = opened(ada, "me, bot greedy")
    began = time.monotonic()
    after = move(match)
    assert time.monotonic() - began < on_a_busy_machine(0.3)
    assert (after.version, sent) == (1, [])
    assert after.bot_due_at  # the row says what is owed


def test_the_announcer_outlives_every_failure(ada, quiet, sent, monkeypatch):
    failed = Event()

    def fail(*_):
        failed.set()
        raise redis.ConnectionError

    match = opened(ada, "me, bot greedy")
    with monkeypatch.context() as patch:
        patch.setattr(announcements.MatchChanged, "send_all", fail)
        announce(move(match))
        assert failed.wait(PATIENCE)
    later = replace(match, version=7, bot_due_at=match.created_at)
    wait_until(lambda: announce(later) or sent)  # it forgets what waited meanwhile


def test_a_full_queue_drops_the_note_not_the_request(ada, quiet, monkeypatch):
    match = opened(ada)
    monkeypatch.setattr(after_commit, "_ensure_thread", lambda: None)
    monkeypatch.setattr(after_commit, "_waiting", queue.Queue(1))
    for _ in range(3):
        announce(match)
    assert after_commit._waiting.qsize() == 1


def test_one_thread_a_process_however_many_begin_at_once(ada, quiet, sent):
    match = replace(opened(ada), id=uuid4())
    callers = [Thread(target=announce, args=(match,)) for _ in range(20)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert sum(thread.name == "after-commit" for thread in quiet) == 1
