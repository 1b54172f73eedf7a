"""Postgres and Valkey of one machine: started once, found by all, whole after every kill."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg
import pytest
import redis

from config.host import embedded
from config.host.embedded import postgres, processes, valkey
from tests.patience import PATIENCE, WAITING

pytestmark = WAITING

ENSURE = """
import sys
from pathlib import Path
from config.host import embedded
print(*embedded.ensure(Path(sys.argv[1])))
"""


def ensure_elsewhere(state):
    return subprocess.Popen(
        [sys.executable, "-c", ENSURE, str(state)], stdout=subprocess.PIPE, text=True
    )


def postmaster(state):
    return postgres.pid(processes.home(state))


def valkey_process(state):
    return valkey.pid(processes.home(state))


def test_racing_processes_get_the_one_server(state):
    racers = [ensure_elsewhere(state) for _ in range(3)]
    answers = {racer.communicate(timeout=PATIENCE)[0] for racer in racers}
    assert len(answers) == 1
    database, broker = answers.pop().split()
    assert (database, broker) == (embedded.database_url(state), embedded.valkey_url(state))
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT current_database()").fetchone() == ("cardroom",)
    assert redis.Redis.from_url(broker).ping()


def test_no_server_listens_on_the_network(state):
    with psycopg.connect(embedded.ensure(state).database_url) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
    assert redis.Redis.from_url(embedded.valkey_url(state)).config_get("port") == {"port": "0"}
    assert processes.home(state).sockets.stat().st_mode & 0o077 == 0


def test_servers_do_not_run_as_root(state):
    embedded.ensure(state)
    for pid in (postmaster(state), valkey_process(state)):
        assert Path(f"/proc/{pid}").stat().st_uid != 0


@pytest.mark.sweep
def test_kill_9_of_postgres_keeps_what_was_committed(state):
    url = embedded.ensure(state).database_url
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (x int)")
        connection.execute("INSERT INTO kept VALUES (7)")
        killed = postmaster(state)
        os.kill(killed, signal.SIGKILL)
    processes.wait_until(lambda: not embedded.postgres_runs(state), 5)
    embedded.ensure(state)
    assert postmaster(state) != killed
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT x FROM kept").fetchall() == [(7,)]


@pytest.mark.sweep
def test_kill_9_of_valkey_keeps_the_queue(state):
    url = embedded.ensure(state).valkey_url
    redis.Redis.from_url(url).rpush("queue", "task")
    time.sleep(1.1)  # the append-only file is on disk every second
    os.kill(valkey_process(state), signal.SIGKILL)
    processes.wait_until(lambda: not embedded.valkey_runs(state), 5)
    embedded.ensure(state)
    assert redis.Redis.from_url(url).lrange("queue", 0, -1) == [b"task"]


@pytest.mark.sweep
def test_a_pid_file_with_the_number_of_another_process_does_not_prevent_a_start(state):
    embedded.ensure(state)
    os.kill(postmaster(state), signal.SIGKILL)
    processes.wait_until(lambda: not embedded.postgres_runs(state), 5)
    stale = processes.home(state).data / "postgres" / "postmaster.pid"
    lines = stale.read_text().splitlines()
    stale.write_text("\n".join([str(os.getpid()), *lines[1:]]) + "\n")
    assert not embedded.postgres_runs(state)
    embedded.ensure(state)
    assert embedded.postgres_runs(state)


@pytest.mark.sweep
def test_a_half_made_database_is_made_again():
    folder = Path(tempfile.mkdtemp(prefix="cardroom-test-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        half = processes.home(folder).folder("postgres.new")
        (half / "PG_VERSION").write_text("18\n")
        embedded.ensure_postgres(folder)
        assert embedded.postgres_runs(folder)
    finally:
        embedded.stop(folder)
        shutil.rmtree(folder)


def test_stop_ends_both_and_may_be_called_twice(state, processes_of):
    embedded.ensure(state)
    embedded.stop(state)
    embedded.stop(state)
    assert not embedded.postgres_runs(state)
    assert not embedded.valkey_runs(state)
    assert processes_of(state) == set()


@pytest.mark.sweep
def test_data_of_another_version_is_named(state):
    embedded.ensure_postgres(state)
    embedded.stop(state)
    version = processes.home(state).data / "postgres" / "PG_VERSION"
    version.write_text("9\n")
    try:
        with pytest.raises(embedded.ServiceError, match="made by Postgres 9"):
            embedded.ensure_postgres(state)
    finally:
        version.write_text("18\n")


def test_data_is_kept_where_the_servers_user_can_reach_it():
    hidden = Path(tempfile.mkdtemp(prefix="cardroom-test-", dir="/tmp"))  # 0700
    home = processes.home(hidden / "var")
    try:
        assert home.owner.dropped == (os.geteuid() == 0)
        assert (home.data.parent == processes.SYSTEM_STATE) == home.owner.dropped
        assert (hidden / "var" / "services").resolve() == home.data
        assert processes.home(hidden / "var") == home
        assert hidden.stat().st_mode & 0o777 == 0o700
    finally:
        shutil.rmtree(home.data)
        shutil.rmtree(hidden)


def test_a_long_path_gets_short_sockets():
    deep = Path(tempfile.mkdtemp(prefix="cardroom-test-", dir="/tmp"))
    deep.chmod(0o755)
    home = processes.home(deep / ("long" * 30))
    try:
        assert len(str(home.sockets / ".s.PGSQL.5432.lock")) <= processes.LONGEST_SOCKET_PATH
        assert home.sockets.stat().st_mode & 0o777 == 0o700
        assert processes.home(deep / ("long" * 30)).sockets == home.sockets
    finally:
        home.sockets.rmdir()
        shutil.rmtree(deep)


def test_the_secret_key_is_made_once_and_kept_private(tmp_path):
    first = embedded.secret_key(tmp_path)
    assert len(first) >= 64
    assert embedded.secret_key(tmp_path) == first
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0


def test_a_socket_that_vanished_is_no_server(state):
    """Somebody tidied the folder for temporary files: the server goes on and cannot be reached."""
    url = embedded.ensure(state)
    sockets = processes.home(state).sockets
    before = postmaster(state), valkey_process(state)
    for socket in (".s.PGSQL.5432", "valkey.sock"):
        (sockets / socket).unlink()
    assert not embedded.postgres_runs(state)
    assert not embedded.valkey_runs(state)
    assert embedded.ensure(state) == url
    assert (postmaster(state), valkey_process(state)) != before
    with psycopg.connect(url.database_url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert redis.Redis.from_url(url.valkey_url).ping()


def test_a_folder_that_the_databases_user_may_not_enter_is_named_at_once(monkeypatch):
    above = Path(tempfile.mkdtemp(prefix="cardroom-test-", dir="/tmp"))
    state = above / "state"
    state.mkdir()
    data = state / "services"
    data.mkdir(mode=0o700)  # made when everybody could enter
    nobody = processes.Owner(os.geteuid(), os.getegid(), dropped=True)
    monkeypatch.setattr(processes, "owner", lambda: nobody)
    try:
        with pytest.raises(embedded.ServiceError, match=f"nobody, who may not enter {above} "):
            processes.home(state)
        above.chmod(0o755)
        assert processes.home(state).data == data
    finally:
        shutil.rmtree(above)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "is full. Make room"),
        (errno.EROFS, "is read-only. Set CARDROOM_STATE"),
        (errno.EACCES, "may not use"),
        (errno.EIO, "cannot be used"),
    ],
)
def test_what_the_system_refuses_is_a_sentence(tmp_path, number, words):
    with (
        pytest.raises(embedded.ServiceError, match=words) as refused,
        processes.explained(tmp_path),
    ):
        raise OSError(number, os.strerror(number))
    assert str(tmp_path) in str(refused.value)


def test_a_state_folder_that_cannot_be_made_stops_every_command_with_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    done = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        env={"PATH": os.environ["PATH"], "CARDROOM_STATE": str(tmp_path / "file" / "state")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "is below something that is no folder" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_full_disk_is_said_before_anything_is_started(state, monkeypatch):
    embedded.stop(state)
    monkeypatch.setattr(processes, "LEAST_FREE", 2**62)
    for ensure in (embedded.ensure_postgres, embedded.ensure_valkey):
        with pytest.raises(embedded.ServiceError, match="is full"):
            ensure(state)


def test_what_a_server_wrote_as_it_ended_is_said_at_once(state):
    """Of its log only what is new counts."""
    place = processes.home(state)
    settings, log = place.data / "postgres/postgresql.conf", place.data / "postgres.log"
    embedded.ensure_postgres(state)
    embedded.stop(state)
    with log.open("a") as file:
        file.write("FATAL: No space left on device\n")
    mode = settings.stat().st_mode
    settings.chmod(0)
    begun = time.monotonic()
    try:
        with pytest.raises(embedded.ServiceError, match="may not use"):
            embedded.ensure_postgres(state)
        assert time.monotonic() - begun < postgres.SECONDS_TO_START / 2
    finally:
        settings.chmod(mode)
    embedded.ensure_postgres(state)


def test_a_long_log_begins_again_while_its_server_writes(tmp_path):
    log = tmp_path / "postgres.log"
    with log.open("ab") as server:
        server.write(b"a" * 100)
        server.flush()
        processes.cut(log, 1000)
        assert log.stat().st_size == 100
        processes.cut(log, 99)
        server.write(b"b")
    assert log.read_bytes() == b"b"
    assert (tmp_path / "postgres.log.1").read_bytes() == b"a" * 100
