"""`manage.py serve`, as a person starts it: it responds, restarts what ends, and stops whole.

What hangs, and what is killed besides a web process, is for ``make sweeps``: it waits for clocks,
with two processes of a kind, and starts from an empty folder. `make test` starts one of each kind
on tables that the suite has migrated and on files that an earlier run has collected.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg.conninfo import conninfo_to_dict

from config.host import backups, embedded
from config.host.embedded import postgres, valkey
from config.host.embedded import processes as folders
from config.host.embedded.processes import wait_until
from config.host.supervisor import SECONDS_OF_SILENCE
from tests.patience import PATIENCE, WAITING, on_a_busy_machine
from tests.served import Caller, free_port
from tests.settings import STATE

# The services end with a test run that is killed.
OURS = [sys.executable, "-m", "config.host.supervisor", str(os.getpid())]
ROOT = Path(__file__).resolve().parents[3]
pytestmark = [
    pytest.mark.django_db,  # alone, too, there is a migrated database to start from
    pytest.mark.slow,
    WAITING,
    pytest.mark.random_order(disabled=True),  # one service from its start to its end
]


class Service:
    """One `manage.py serve` and its output."""

    def __init__(self, state, port, **environment):
        state.mkdir(exist_ok=True)
        self.state, self.port, self.log = state, port, state / "serve.log"
        kept = {k: v for k, v in os.environ.items() if not k.endswith(("_URL", "DATABASE"))}
        kept |= {"CARDROOM_STATE": str(state)} | environment
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*OURS, "manage", "serve", "--port", str(port)],
                cwd=ROOT,
                env=kept | {"DJANGO_SETTINGS_MODULE": "config.settings"},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def output(self):
        return self.log.read_text()

    def wait_for(self, condition, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, self.output()
            assert self.process.poll() is None, self.output()
            time.sleep(0.1)

    def readyz(self):
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5) as answer:
                return json.load(answer)
        except HTTPError as error:
            return json.load(error)
        except OSError:
            return {"status": "no answer"}

    def caller(self):
        return Caller(self.port)

    def answers(self, path):
        """Whether it does within the time that a client waits, however often it has to ask."""
        for _ in range(10):
            try:
                with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=1.5):
                    return True
            except OSError:
                continue
        return False

    def ready(self):
        return self.readyz()["status"] == "ready"

    def children(self, module):
        mark = f"config.processes.{module}".replace(" ", "\0").encode()
        return {
            int(place.name)
            for place in Path("/proc").glob("[0-9]*")
            if _parent(place) == self.process.pid and mark in (place / "cmdline").read_bytes()
        }

    def stop(self, number=signal.SIGINT):
        begun = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(timeout=PATIENCE)
        return code, time.monotonic() - begun


def _parent(place):
    try:
        return int((place / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


@pytest.fixture(scope="module")
def sweeps(request):
    """Whether this is `make sweeps`."""
    here = (item for item in request.session.items if item.path == request.path)
    return any(item.get_closest_marker("sweep") for item in here)


@pytest.fixture(scope="module")
def processes(sweeps):
    """How many there are of each kind."""
    several = 2 if sweeps else 1
    return {**PROCESSES, "web": several, "worker interactive": several}


@pytest.fixture(scope="module")
def environment(sweeps, state, processes, django_db_setup, django_db_blocker):
    number = str(processes["web"])
    counts = {"WEB_PROCESSES": number, "WORKER_PROCESSES": number}
    if sweeps:
        return counts
    with django_db_blocker.unblock():
        restore_migrated(state)
    return counts | {"STATIC_ROOT": str(STATE / "collected")}


def restore_migrated(state):
    """To migrate from nothing takes as long as a hundred tests."""
    file, place = state / "migrated.dump", conninfo_to_dict(embedded.ensure_postgres(state))
    backups.dump_database(connection.settings_dict, file)
    names = {"HOST": place["host"], "NAME": place["dbname"], "USER": place["user"]}
    backups.restore_database(connection.settings_dict | names, file, replace=False)


@pytest.fixture(scope="module")
def service(state, environment):
    service = Service(state, free_port(), **environment)
    try:
        service.wait_for(service.ready)
        yield service
    finally:
        if service.process.poll() is None:
            service.stop()


def test_the_first_start_prints_the_administrators_password_once(service):
    """At last: who reads it can sign in. Pages are served before the workers are there."""
    service.wait_for(lambda: "changepassword admin" in service.output())
    output = service.output()
    assert len(re.findall(r"admin / \S{12,}", output)) == 1
    address = f"http://127.0.0.1:{service.port}/"
    steps = ["Database", "Tables", "Web ", "Workers ", address, "admin / ", "changepassword admin"]
    assert sorted(steps, key=output.index) == steps
    (preloader,) = service.children("preload")  # where links in mail lead
    place = f"SITE_URL=http://127.0.0.1:{service.port}\0".encode()
    assert place in Path(f"/proc/{preloader}/environ").read_bytes()


def test_probes_name_each_part(service):
    parts = {"database", "schema", "disk", "broker", "worker", "duties", "bots", "announcer"}
    assert service.readyz() == {"status": "ready", **dict.fromkeys(parts, "up")}


def test_a_second_service_on_the_same_state_is_refused(service, state):
    second = Service(state, free_port())
    assert second.process.wait(timeout=PATIENCE) != 0
    assert f"Cardroom already runs on {state}" in second.output()
    assert "Traceback" not in second.output()


PROCESSES = {"web": 2, "worker interactive": 2, "worker duties": 1, "preload": 1}
PULSES = {"web", "worker interactive", "worker duties"}  # the others run on demand


@pytest.mark.parametrize(
    "module",
    [pytest.param(each, marks=pytest.mark.sweep if each != "web" else ()) for each in PROCESSES],
)
def test_a_killed_child_is_started_again(service, processes, module):
    before = service.children(module)
    assert len(before) == processes[module]
    os.kill(min(before), signal.SIGKILL)
    service.wait_for(lambda: is_replaced(service, module, before) and service.ready())


@pytest.mark.sweep
def test_a_child_that_hangs_is_replaced_after_ten_seconds(service):
    """One of each kind. A stopped process takes no SIGTERM.

    One that has only just been started has longer.
    """
    before = {each: service.children(each) for each in PULSES}
    service.wait_for(lambda: all(map(has_begun, set().union(*before.values()))))
    time.sleep(1)
    begun = time.monotonic()
    for pids in before.values():
        os.kill(min(pids), signal.SIGSTOP)
    for module, pids in before.items():
        service.wait_for(lambda module=module, pids=pids: is_replaced(service, module, pids))
        after = time.monotonic() - begun
        assert SECONDS_OF_SILENCE - 1 < after < SECONDS_OF_SILENCE + on_a_busy_machine(4)
    sentence = r"showed no sign of life for 1\d s; starting it again"
    assert len(re.findall(sentence, service.output())) == len(PULSES)
    service.wait_for(service.ready)


@pytest.mark.sweep
def test_a_preloader_that_hangs_is_replaced_when_it_has_to_fork(service):
    """Nobody needs it before."""
    hangs, killed = service.children("preload"), min(service.children("web"))
    os.kill(min(hangs), signal.SIGSTOP)
    os.kill(killed, signal.SIGKILL)
    service.wait_for(lambda: service.children("preload") - hangs)
    service.wait_for(lambda: len(service.children("web") - {killed}) == 2)
    assert "The preloader ended; starting it again" in service.output()
    service.wait_for(service.ready)


@pytest.mark.sweep
def test_new_code_is_taken_while_pages_are_answered(service):
    """By SIGUSR2: new processes first, then the old ones end."""
    before = service.children("web") | service.children("worker")
    service.process.send_signal(signal.SIGUSR2)
    while service.output().count("Upgrade   done") == 0:
        assert service.answers("/healthz")
        time.sleep(0.1)
    service.wait_for(lambda: not before & (service.children("web") | service.children("worker")))
    assert len(service.children("web")) == 2
    service.wait_for(service.ready)


def has_begun(pid):
    """It has a thread that shows signs of life."""
    return len(list(Path(f"/proc/{pid}/task").iterdir())) > 1


def is_replaced(service, module, before):
    """The first of them is gone, and there are as many as before."""
    now = service.children(module)
    return min(before) not in now and len(now) == len(before)


@pytest.mark.sweep
def test_while_a_web_process_hangs_the_other_answers(service):
    stopped = min(service.children("web"))
    os.kill(stopped, signal.SIGSTOP)
    try:
        waits = []
        for _ in range(20):
            begun = time.monotonic()
            assert service.answers("/healthz")
            waits.append(time.monotonic() - begun)
        most = sorted(waits)[-3]  # the stopped one may have taken one or two
        assert most < on_a_busy_machine(2), waits
    finally:
        os.kill(stopped, signal.SIGCONT)


@pytest.mark.sweep
def test_what_stopped_together_with_its_parent_is_not_replaced(service):
    """As a machine that slept for a while: nobody had time for a sign."""
    everything = [service.process.pid, *service.children("web"), *service.children("worker")]
    for pid in everything:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(SECONDS_OF_SILENCE + 2)
    for pid in everything:
        os.kill(pid, signal.SIGCONT)
    time.sleep(3)
    assert set(everything[1:]) == service.children("web") | service.children("worker")


@pytest.mark.sweep
def test_without_a_broker_nobody_hangs(service, state):
    """Workers and their beat wait for it, and show that they do."""
    before, broker = service.children("worker"), valkey.pid(folders.home(state))
    os.kill(broker, signal.SIGSTOP)
    try:
        time.sleep(SECONDS_OF_SILENCE + 8)
        assert service.children("worker") == before
    finally:
        os.kill(broker, signal.SIGCONT)
    service.wait_for(service.ready)


@pytest.mark.sweep
def test_the_beat_goes_on_in_the_other_worker(service):
    """Each has one, and the lock lets one of them work: the first or the second that is killed."""
    for pid in service.children("worker interactive"):
        os.kill(pid, signal.SIGKILL)
        time.sleep(4)  # more than the time between two sweeps
        assert service.readyz()["duties"] == "up"
        service.wait_for(lambda: len(service.children("worker interactive")) == 2)
        service.wait_for(service.ready)


@pytest.mark.sweep
@pytest.mark.parametrize("server", [postgres, valkey])
def test_a_killed_server_is_started_again(service, state, server):
    killed = server.pid(folders.home(state))
    os.kill(killed, signal.SIGKILL)
    service.wait_for(lambda: server.pid(folders.home(state)) not in (None, killed))
    service.wait_for(service.ready, seconds=on_a_busy_machine(20))


@pytest.fixture(scope="module")
def sought(service):
    """The key of a guest, and the address of the seek that waits for a partner."""
    ada = service.caller().sign_in_as_guest()
    seek = ada.post("/api/v1/seeks", {"game": "pisti"}).json()
    return ada.key, f"/api/v1/seeks/{seek['id']}"


@pytest.mark.sweep
def test_kill_9_of_everything_and_a_new_start(service, state, environment, processes_of, sought):
    children = service.children("web") | service.children("worker")
    service.process.kill()
    service.process.wait()
    none_outlives_its_parent = wait_until(
        lambda: not children & processes_of(state), on_a_busy_machine(5)
    )
    assert none_outlives_its_parent
    for pid in processes_of(state):
        with suppress(ProcessLookupError):  # those of Postgres end with each other
            os.kill(pid, signal.SIGKILL)
    again = Service(state, service.port, **environment)
    again.wait_for(again.ready)
    assert again.output().count("Administrator") == 1  # the first start's
    service.process = again.process


@pytest.mark.sweep
def test_a_seek_survives_the_killing_of_every_process(service, sought):
    """The one above killed them all."""
    key, mine = sought
    ada, ben = service.caller(), service.caller().sign_in_as_guest()
    ada.use_key(key)
    assert ada.get(mine).json()["match"] is None
    his = f"/api/v1/seeks/{ben.post('/api/v1/seeks', {'game': 'pisti'}).json()['id']}"
    both = ((ada, mine), (ben, his))  # each has to show that it is still there
    service.wait_for(lambda: all(one.get(where).json()["match"] for one, where in both))
    match = ada.get(mine).json()["match"]
    assert ben.get(f"/api/v1/matches/{match}").json()["status"] == "active"
    matches = ada.get("/api/v1/matches?mine=true").json()["results"]
    assert [one["id"] for one in matches] == [match]


def test_its_logs_and_command_lines_hold_no_secret(service, state, processes_of):
    """Of those who play: keys and seeds; of the service: its secret key, which is in a file."""
    ada = service.caller().sign_in_as_guest()
    seats = [{"kind": "me"}, {"kind": "local", "name": "Twin"}]
    match = ada.post("/api/v1/matches", {"game": "pisti", "seats": seats}).json()
    move = {"move": match["legal_moves"][0]["move"], "version": 0}
    assert ada.post(f"/api/v1/matches/{match['id']}/moves", move).status == 201
    over = ada.post(f"/api/v1/matches/{match['id']}/resign", {"seat": 0}).json()
    secrets = [ada.key, over["seed"], (state / "secret-key").read_text().strip()]
    logs = [service.log, *(state / "services").resolve().glob("*.log*")]
    read = [log.read_bytes() for log in logs]
    read += [text for pid in processes_of(state) for text in environment_and_command(pid)]
    assert len(read) > 10
    assert not [text for text in read for secret in secrets if secret.encode() in text]


def environment_and_command(pid):
    """Nothing of a process that has ended."""
    with suppress(OSError):
        yield Path(f"/proc/{pid}/environ").read_bytes()
        yield Path(f"/proc/{pid}/cmdline").read_bytes()


def test_ctrl_c_stops_all_within_five_seconds(service, state, processes_of):
    code, seconds = service.stop()
    assert code == 0
    assert seconds < on_a_busy_machine(5)
    assert processes_of(state) == set()
    assert not embedded.postgres_runs(state)


@pytest.fixture
def signals():
    """Those of this process, which a service takes over."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    own = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in own.items():
        signal.signal(number, handler)


def test_a_taken_port_is_named(settings, tmp_path, signals):
    """In this process: another one takes longer to start than to be refused."""
    settings.STATE = tmp_path
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=f"Port {port} is taken"):
            call_command("serve", port=str(port))
