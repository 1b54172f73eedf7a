"""Who is replaced: a child that shows no sign of life, and nobody else."""

import os
import signal
import time
from pathlib import Path

import pytest

from config.host import supervisor
from config.host.supervisor import ChildProcess, call_others, end_all


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(supervisor, "SECONDS_OF_SILENCE", 1.5)
    monkeypatch.setattr(supervisor, "SECONDS_TO_BEGIN", 8.0)


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
    """What is said of them in so many seconds; at most until something is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for one in children:
            if sentence := one.restart_if_ended():
                return sentence
        time.sleep(0.05)
    return None


def test_who_works_or_may_wait_stays(child):
    children = [child(how) for how in ("beats", "rests", "waits")]
    before = [one.pid for one in children]
    assert watched(6, *children) is None
    assert [one.pid for one in children] == before
    assert all(one.has_begun for one in children)


def test_a_thread_that_beats_no_more_is_a_process_that_hangs(child, capfd):
    one = child("hangs")
    before = one.pid
    assert watched(20, one) == "A child showed no sign of life for 2 s; starting it again"
    assert not Path(f"/proc/{before}").exists()
    told = capfd.readouterr().err
    assert "living.py" in told  # where it hangs


def test_one_that_never_begins_has_longer(child):
    one, since = child("never"), time.monotonic()
    assert "no sign of life for 8 s" in watched(20, one)
    assert time.monotonic() - since > 7


def test_a_stopped_process_is_killed(child):
    one = child("beats")
    watched(3, one)
    os.kill(one.pid, signal.SIGSTOP)
    assert "no sign of life" in watched(10, one)


def test_the_end_of_one_is_told_to_its_like(child, tmp_path):
    one, other = child("beats"), child("beats")
    watched(3, one, other)
    assert other.has_begun
    os.kill(one.pid, signal.SIGKILL)
    assert watched(10, one) == "A child ended (SIGKILL); starting it again"
    call_others([one, other], one)
    end = time.monotonic() + 5
    while not (tmp_path / "heard 1").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    assert not (tmp_path / "heard 0").exists()
