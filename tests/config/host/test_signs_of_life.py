"""Who is replaced: a child that shows no sign of life, and nobody else."""

import os
import signal
import time
from pathlib import Path

import pytest

from config.host import supervisor
from config.host.supervisor import ChildProcess, call_others, end_all
from tests.patience import PATIENCE, WAITING, on_a_busy_machine, wait_until

pytestmark = WAITING
SILENCE = 1.5


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(supervisor, "SECONDS_OF_SILENCE", SILENCE)
    monkeypatch.setattr(supervisor, "SECONDS_TO_BEGIN", PATIENCE)


@pytest.fixture
def child(tmp_path):
    """`child("beats")`, a process that runs and is ended with the test."""
    started = []

    def start(how):
        heard = tmp_path / f"heard {len(started)}"
        started.append(ChildProcess("A child", ["tests.config.host.living", how, str(heard)]))
        started[-1].start()
        return started[-1]

    yield start
    end_all(started, 0.1)


def watched(seconds, *children):
    """The first sentence about a restart within so many seconds, or None."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for one in children:
            if sentence := one.restart_if_ended():
                return sentence
        time.sleep(0.05)
    return None


def begun(*children):
    """They all show their first signs of life, and nobody is replaced."""
    wait_until(lambda: watched(0.1, *children) or all(one.has_begun for one in children))
    assert all(one.has_begun for one in children)


def test_who_works_or_may_wait_stays(child, monkeypatch):
    monkeypatch.setattr(supervisor, "SECONDS_OF_SILENCE", on_a_busy_machine(SILENCE))
    children = [child(how) for how in ("beats", "rests", "waits")]
    before = [one.pid for one in children]
    begun(*children)
    assert watched(on_a_busy_machine(3 * SILENCE), *children) is None
    assert [one.pid for one in children] == before


def test_a_thread_that_beats_no_more_is_a_process_that_hangs(child, capfd):
    one = child("hangs")
    before = one.pid
    assert watched(PATIENCE, one).startswith("A child showed no sign of life for ")
    assert not Path(f"/proc/{before}").exists()
    told = capfd.readouterr().err
    assert "living.py" in told  # where it hangs


def test_one_that_never_begins_has_longer(child, monkeypatch):
    monkeypatch.setattr(supervisor, "SECONDS_TO_BEGIN", 2 * SILENCE)
    one, since = child("never"), time.monotonic()
    assert "no sign of life for " in watched(PATIENCE, one)
    assert time.monotonic() - since > SILENCE + 1


@pytest.mark.parametrize(("state", "stays"), [("R", True), ("D", True), ("S", False)])
def test_what_only_waits_for_the_machine_is_slow_and_not_dead(child, monkeypatch, state, stays):
    """Twelve busy loops a core let an import of three seconds take more than a minute."""
    monkeypatch.setattr(supervisor, "SECONDS_TO_BEGIN", 0.3)
    monkeypatch.setattr(supervisor, "processor_time", lambda _: (state, 0.1))
    sentence = watched(1, child("never"))
    assert (sentence is None) is stays


def test_a_stopped_process_is_killed(child):
    one = child("beats")
    begun(one)
    os.kill(one.pid, signal.SIGSTOP)
    assert "no sign of life" in watched(PATIENCE, one)


def test_after_its_first_end_a_child_is_there_at_once_and_later_after_a_pause(child):
    """People wait for it; one that ends again and again would take the machine from others."""
    one = child("beats")
    begun(one)
    for at_once in (True, False):
        os.kill(one.pid, signal.SIGKILL)
        assert "SIGKILL" in watched(PATIENCE, one)
        assert (one.process is not None) is at_once
    assert one.start_again_at > time.monotonic() - supervisor.SHORTEST_PAUSE


def test_the_end_of_one_is_told_to_its_like(child, tmp_path):
    one, other = child("beats"), child("beats")
    begun(one, other)
    os.kill(one.pid, signal.SIGKILL)
    assert watched(PATIENCE, one) == "A child ended (SIGKILL); starting it again"
    call_others([one, other], one)
    wait_until((tmp_path / "heard 1").exists)
    assert not (tmp_path / "heard 0").exists()
