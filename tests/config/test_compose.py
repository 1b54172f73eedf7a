"""The services of `docker/compose.yml` with its variables, started as `docker/entrypoint` does.

For ``make sweeps``: a dozen processes start, and some of them hang. ``make test`` starts the
service of one machine (``tests/config/host/test_serve.py``).
"""

import http.client
import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
import redis

from config.counting import PREFIX
from config.host.supervisor import SECONDS_OF_SILENCE
from tests.chaos.kills import children, forked
from tests.config.compose import PROXIED, ROOT, SECRETS, Composition
from tests.patience import PATIENCE, on_a_busy_machine
from tests.served import Caller

API = "/api/v1/"
TASKS = "games.matches.tasks"
pytestmark = [pytest.mark.sweep, pytest.mark.xdist_group("compose")]


class ThroughProxy(Caller):
    """A caller as the proxy passes it on."""

    def __init__(self, port):
        super().__init__(port)
        # A test may pause for longer than a connection is kept.
        self._headers |= PROXIED | {"Connection": "close"}

    def call(self, path, body):
        answer = self.post(API + path, body)
        assert answer.status < 300, answer.body
        return answer.json()

    def read(self, path):
        return self.get(API + path).json()


@pytest.fixture(scope="module")
def composition(state):
    running = Composition(state)
    try:
        running.up()
        yield running
    finally:
        running.down()


@pytest.fixture(scope="module")
def program(composition):
    caller = ThroughProxy(composition.ports["web"])
    until(lambda: answers(caller), composition)
    return caller.sign_in_as_guest()


@pytest.fixture(scope="module")
def other(composition, program):
    """The same player at the other web process."""
    caller = ThroughProxy(composition.ports["web 2"])
    until(lambda: answers(caller), composition)
    caller.use_key(program.key)
    return caller


def answers(caller):
    try:
        return caller.get("/healthz").status == 200
    except (OSError, http.client.HTTPException):
        return False


def until(condition, composition, seconds=PATIENCE):
    """Patient: a busy machine starts seven processes slowly, and the batch worker is nice."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, composition.last_outputs()
        time.sleep(0.05)


@pytest.fixture(scope="module")
def match(composition, program, other):
    """Played to its end against a bot, each move at the other of two web processes."""
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    asked = {"game": "pisti", "preset": "single", "seats": seats}
    here = f"matches/{program.call('matches', asked)['id']}"
    webs, now = cycle([program, other]), program.read(here)
    while now["status"] == "active":
        until(lambda: over_or_mine(program.read(here)), composition)  # the bot answers
        now = program.read(here)
        if now["legal_moves"]:
            move = {"move": now["legal_moves"][0]["move"], "version": now["version"]}
            next(webs).call(f"{here}/moves", move)
    return now


def over_or_mine(match):
    return match["status"] != "active" or match["legal_moves"]


def test_a_match_against_a_bot_is_played_to_its_end(match):
    assert match["status"] == "finished"
    assert match["outcome"]["reason"] == "deal"


def lines(composition, *names):
    """The log of these services, by lines."""
    text = "\n".join(map(composition.output, names))
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def test_a_bots_answer_leads_through_the_logs_to_the_request_that_called_it(composition, match):
    """One task may answer several moves: it stays for a moment.

    A turn that no message announced in time is announced by the beat, or by a worker that has just
    reached the broker: then the chain begins with the line of what they sent.
    """
    posts = [line for line in lines(composition, "web", "web 2") if line.get("method") == "POST"]
    moves = [line for line in posts if line.get("match") == match["id"]]
    assert {line["status"] for line in moves} == {201}
    answers = [line for line in lines(composition, "worker") if line.get("match") == match["id"]]
    assert {line["event"] for line in answers} == {"bots"}
    answered = {line["request_id"] for line in answers}
    until(lambda: answered <= ids_of(composition, "drain"), composition)  # the task is over
    called = {line["request_id"] for line in posts} | sent_by(composition, "beat", "worker")
    assert answered <= called
    assert match["version"] in {line["version"] for line in moves + answers}
    until(lambda: ids_of(composition, "resend_all") & sent_by(composition, "worker"), composition)
    sent = sent_by(composition, "beat")
    until(lambda: sent & {line["request_id"] for line in lines(composition, "duties")}, composition)


def sent_by(composition, *services):
    """The chains that began with a task these sent, without a request."""
    sent = [line for line in lines(composition, *services) if line["event"] == "sent"]
    return {line["request_id"] for line in sent}


def ids_of(composition, task):
    """The requests that called this task of the worker, so far."""
    worked = lines(composition, "worker")
    return {line["request_id"] for line in worked if line.get("task") == f"{TASKS}.{task}"}


def test_the_logs_hold_no_secret(composition, program, match):
    text = "\n".join(map(composition.output, composition.services.keys() - {"proxy"}))
    secret = [*SECRETS.values(), program.key, match["seed"]]
    assert match["id"] in text
    assert [word for word in secret if word and word in text] == []


@pytest.mark.parametrize("service", ["worker", "duties", "batch", "long", "outward", "beat"])
def test_a_container_that_works_is_healthy(composition, match, service):
    until(lambda: composition.is_healthy(service), composition)


PROCESSES = {"web": 2, "worker": 2, "duties": 1, "batch": 1, "long": 1, "outward": 1, "beat": 1}


def test_what_hangs_in_a_container_is_replaced_after_ten_seconds(composition, match):
    """No engine does that. One process of each kind; a stopped one takes no SIGTERM."""
    containers = {service: composition.started[service].pid for service in PROCESSES}
    before = {service: forked(pid) for service, pid in containers.items()}
    begun = time.monotonic()
    for service, pids in before.items():
        assert len(pids) == min(PROCESSES[service], len(os.sched_getaffinity(0)))
        os.kill(min(pids), signal.SIGSTOP)
    for service, pids in before.items():
        container = containers[service]
        until(lambda pids=pids, now=container: len(forked(now) - pids) == 1, composition)
        assert min(pids) not in forked(container)
        after = time.monotonic() - begun
        assert SECONDS_OF_SILENCE - 1 < after < SECONDS_OF_SILENCE + on_a_busy_machine(5)
        assert "showed no sign of life" in composition.output(service)
    for service in sorted(PROCESSES.keys() - {"web"}):
        until(lambda service=service: composition.is_healthy(service), composition)


def test_a_container_whose_process_cannot_start_ends(composition):
    """The engine waits longer each time, and the log says why."""
    broken = composition._variables("web") | {"WEB_THREADS": "many", "PORT": "0"}
    words = ["sh", "docker/entrypoint", "web"]
    done = subprocess.run(
        words, cwd=ROOT, env=broken, capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 1
    assert b"WEB_THREADS=many is not a whole number." in done.stderr


def test_a_container_that_never_worked_is_not(composition):
    assert not composition.is_healthy("init", "worker")


def test_a_simulation_is_played(composition, program):
    asked = program.call("simulations", {"game": "pisti", "games": 20, "bots": ["greedy"]})
    here = f"simulations/{asked['id']}"
    until(lambda: program.read(here)["status"] == "finished", composition)
    assert program.read(here)["played"] == 20


def test_readyz_sees_every_part(composition, program):
    until(lambda: program.get("/readyz").status == 200, composition)
    assert set(program.get("/readyz").json().values()) == {"ready", "up"}


def test_the_web_containers_tell_each_other_what_they_counted(composition, match):
    """Else a limit of requests would hold for each of them alone."""
    there = {"port": composition.ports["valkey"], "password": SECRETS["valkey_password"]}
    valkey = redis.Redis(**there)
    until(lambda: any(valkey.scan_iter(PREFIX + "*")), composition)


def test_a_stranger_to_the_network_needs_the_passwords(composition):
    with pytest.raises(redis.exceptions.AuthenticationError):
        redis.Redis(port=composition.ports["valkey"]).ping()
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(host="127.0.0.1", port=composition.ports["postgres"], user="cardroom")


def test_no_secret_is_in_an_environment_or_on_a_command_line(composition):
    secrets = [secret.encode() for secret in SECRETS.values() if secret]
    spellings = secrets + [quote(secret).encode() for secret in secrets]
    processes = [each for each in Path("/proc").iterdir() if each.name.isdecimal()]
    read = [text for each in processes for text in environment_and_command(each)]
    assert len(read) > 2 * len(composition.started)
    assert not [text for text in read for secret in spellings if secret in text]


def environment_and_command(process):
    """Nothing for a process that has ended."""
    with suppress(OSError):
        yield (process / "environ").read_bytes()
        yield (process / "cmdline").read_bytes()


def test_what_a_service_is_not_given_it_does_not_need(composition):
    given = {
        name: set(service.get("secrets", ())) for name, service in composition.services.items()
    }
    assert given["valkey"] == {"valkey_password"}
    assert given["postgres"] == {"database_password"}


def test_a_container_stops_all_that_it_started(composition, match):
    container = composition.started["web 2"]
    inside = children(container.pid)
    assert inside
    container.send_signal(signal.SIGTERM)
    assert container.wait(on_a_busy_machine(8)) == 0
    assert not [pid for pid in inside if Path(f"/proc/{pid}").exists()]
