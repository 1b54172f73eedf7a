import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from cardroom.arena.request import Part, run_parts
from cardroom.arena.statistics import BotFault
from tests.patience import wait_until

ROOT = Path(__file__).parents[2]
PARTS = [Part(first, 5) for first in range(0, 60, 5)]


def add_up(factor, part):
    return factor * sum(range(part.first, part.first + part.games))


def refuse(part):
    if part.first == 20:
        raise BotFault("Bot 'mine' played nonsense.")
    return part.first


def say_where(part):
    return os.getpid()


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_part_is_run_once(jobs):
    found = dict(run_parts(partial(add_up, 2), PARTS, jobs))
    assert found == {part: add_up(2, part) for part in PARTS}


def test_one_job_runs_here_and_in_order():
    found = list(run_parts(say_where, PARTS, 1))
    assert [part for part, _ in found] == PARTS
    assert {pid for _, pid in found} == {os.getpid()}


def test_a_fault_in_a_worker_arrives_as_it_was_raised():
    with pytest.raises(BotFault, match="nonsense"):
        list(run_parts(refuse, PARTS, 2))


def processes():
    """Every living process: its id, its parent's id and its command line."""
    listed = subprocess.run(
        ["ps", "-eww", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = (line.split(None, 3) for line in listed.splitlines())
    return [(int(pid), int(ppid), args) for pid, ppid, stat, args in rows if stat[0] != "Z"]


def workers_of(pid):
    return [own for own, parent, args in processes() if parent == pid and "spawn_main" in args]


PROGRAM = """
from time import sleep
from cardroom.arena.request import Part
from cardroom.arena.request import run_parts
def dawdle(part):
    sleep(0.2)
if __name__ == "__main__":
    list(run_parts(dawdle, [Part(n, 1) for n in range(300)], 2))
"""


def test_workers_do_not_outlive_a_killed_parent(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    parent = subprocess.Popen(
        [sys.executable, str(program)], env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    wait_until(lambda: len(workers_of(parent.pid)) == 2)
    workers = workers_of(parent.pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    wait_until(lambda: not set(workers) & {pid for pid, _, _ in processes()})
