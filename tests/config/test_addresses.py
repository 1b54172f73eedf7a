"""A wrong address of a server is a sentence: which variable, what is wrong, what a right one is."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import redis
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config.environment import Environment
from config.host import reaching
from config.settings.addresses import check_database_url, check_valkey_url, database, redis_url
from config.valkey import listening_client, sentinels_of, valkey_client
from tests.patience import PATIENCE
from tests.served import free_port

ROOT = Path(__file__).resolve().parents[2]
SECRET = "s3cret-word"


@pytest.mark.parametrize(
    "url",
    [
        "postgres://cardroom@db.example/cardroom",
        f"postgresql://cardroom:{SECRET}@db.example:5432/cardroom?sslmode=require",
        "postgres://cardroom@%2Fvar%2Frun%2Fpostgresql/cardroom",
        "postgres:///cardroom?host=/run/postgresql",
        "postgres://cardroom@[::1]:5432/cardroom",
        "postgres://u@db1:5432,db2:5433/x?target_session_attrs=read-write",
        "postgres://u@db1,[::1],db3/x?sslmode=verify-full&sslrootcert=/ca.pem",
        "postgres:///x?host=db1,db2&port=5432",
        "postgres://db1,db2/x?load_balance_hosts=random&channel_binding=require",
        "postgres:///?service=cardroom",
    ],
)
def test_right_addresses_of_postgres(url):
    check_database_url(url)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (
            f"mysql://u:{SECRET}@db/cards",
            "begins with mysql://, not with postgres:// or postgresql://",
        ),
        ("db.example/cards", "is not an address"),
        ("postgres:db.example/cards", "is not an address"),
        ("postgres:///cards", "names no host"),
        (f"postgres://u:{SECRET}@/cards", "names no host"),
        (f"postgres://u:{SECRET}@db.example", "names no database"),
        (f"postgres://u:{SECRET}@db.example/", "names no database"),
        (f"postgres://u:{SECRET}@db.example:54x32/cards", "has a port that is no number"),
        (f"postgres://u:{SECRET}@db.example:70000/cards", "has a port that is no number"),
        (f"postgres://u:{SECRET}@db.example:0/cards", "has a port that is no number"),
        (f"postgres://u:{SECRET}/x@db.example/cards", "has a port that is no number"),
        (f"postgres://u:{SECRET}#x@db.example/cards", "has a # in it"),
        (f"postgres://u:{SECRET}%x@db.example/cards", "has a % that begins no code"),
        (f"postgres://u:{SECRET} x@db.example/cards", "has a space or a line break"),
        (f"postgres://u:{SECRET}@[::1/cards", "cannot be read as an address"),
        (f"postgres://u:{SECRET}@db1:5432,db2:x/cards", "has a port that is no number"),
        (f"postgres://u:{SECRET}@db1,,db3/cards", "has a comma with no host beside it"),
        (f"postgres://u:{SECRET}@/x?host=a,b&port=1,2,3", "has neither one port for all hosts"),
        (f"postgres://u:{SECRET}@db/x?sslmod=a", "that libpq does not know: sslmod"),
    ],
)
def test_wrong_addresses_of_postgres(url, says):
    with pytest.raises(ImproperlyConfigured) as refused:
        check_database_url(url)
    told = str(refused.value)
    assert told.startswith("DATABASE_URL ")
    assert says in told
    assert "For example DATABASE_URL=postgres://" in told
    assert SECRET not in told


@pytest.mark.parametrize(
    "url",
    [
        "valkey://valkey.example:6379/0",
        f"rediss://:{SECRET}@valkey.example",
        "unix:///run/valkey.sock?db=3",
        "rediss://v/0?ssl_ca_certs=/ca.pem&ssl_certfile=/own.pem&ssl_keyfile=/own.key",
        f"redis+sentinel://u:{SECRET}@h1:26379,h2,[::1]:26379/mymaster/0",
        f"valkeys+sentinel://h1/mymaster?sentinel_password={SECRET}&ssl_ca_certs=/ca.pem",
    ],
)
def test_right_addresses_of_valkey(url):
    check_valkey_url(url)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (f"http://:{SECRET}@v:6379/0", "begins with http://, not with valkey:// or valkeys://"),
        ("valkey.example:6379", "is not an address"),
        ("valkey://:6379/0", "names no host"),
        (f"valkey://:{SECRET}@v:port/0", "has a port that is no number"),
        (f"valkey://:{SECRET}@v:6379/zero", "not the number of a database"),
        ("unix://", "names no socket"),
        (f"valkey://:{SECRET}\n@v", "has a space or a line break"),
        (f"valkey://:{SECRET}@a:1,b:2/0", "names several servers; only Sentinels are several"),
        (f"valkey+sentinel://:{SECRET}@a,b", "not name what its Sentinels call the server"),
        (f"valkey+sentinel://:{SECRET}@a,b/0", "not name what its Sentinels call the server"),
        (f"valkey+sentinel://:{SECRET}@a,/m/0", "names no host"),
        (f"valkey+sentinel://:{SECRET}@a,b:x/m/0", "has a port that is no number"),
        (f"valkey+sentinel://:{SECRET}@a/m/zero", "not the number of a database"),
        (f"valkey://:{SECRET}@v/0?socket_timeout=x", "a value that socket_timeout does not take"),
    ],
)
def test_wrong_addresses_of_valkey(url, says):
    with pytest.raises(ImproperlyConfigured) as refused:
        check_valkey_url(url)
    told = str(refused.value)
    assert told.startswith("VALKEY_URL ")
    assert says in told
    assert SECRET not in told


def test_a_silent_server_is_given_up_as_soon_as_a_dead_one():
    """Postgres' connection as the kernel has it: five seconds without an answer end it."""
    options = database(Environment(), "postgres://u@db1,db2/x?keepalives_idle=9", threads=1)
    options = options["OPTIONS"]
    assert options["tcp_user_timeout"] == 5000
    assert (options["keepalives_interval"], options["keepalives_count"]) == (1, 2)
    assert (options["target_session_attrs"], options["connect_timeout"]) == ("read-write", 2)
    assert options["keepalives_idle"] == "9"  # the address comes first
    alone = database(Environment(), "postgres://u@db1/x", threads=1)["OPTIONS"]
    assert "target_session_attrs" not in alone
    listening = listening_client("redis://127.0.0.1:1/0").connection_pool.connection_kwargs
    asking = valkey_client("redis+sentinel://a,b/m").connection_pool.connection_kwargs
    for kept in (listening, asking):
        assert kept["socket_keepalive"]
        assert kept["socket_keepalive_options"][socket.TCP_KEEPIDLE] == 3


def test_tls_and_passwords_by_sentinels():
    found = sentinels_of(
        redis_url(f"valkeys+sentinel://u:{SECRET}@[::1]:9,b/m/4?sentinel_password=o&ssl_ca_certs=c")
    )
    assert found.hosts == [("::1", 9), ("b", 26379)]
    assert found.server == {
        "username": "u", "password": SECRET, "db": 4, "ssl": True, "ssl_ca_certs": "c",
    }  # fmt: skip
    assert found.own == {"password": "o", "ssl": True, "ssl_ca_certs": "c"}


@pytest.fixture
def postgres(settings, db, monkeypatch):
    """Names another Postgres, or another way into this one."""

    def use(**changed):
        for name, value in changed.items():
            monkeypatch.setitem(settings.DATABASES["default"], name, value)
        return connection.settings_dict | changed

    return use


def fault(monkeypatch, entry):
    monkeypatch.setattr(connection, "settings_dict", entry)
    return reaching.postgres_fault()


@pytest.mark.parametrize(
    ("changed", "says", "lasts"),
    [
        ({"NAME": "no_such"}, "has no database 'no_such' (DATABASE_URL). Make it", True),
        ({"USER": "nobody_known"}, "knows no user 'nobody_known' (DATABASE_URL)", True),
        ({"HOST": "127.0.0.1", "PORT": "1"}, "Postgres at 127.0.0.1:1 does not answer", False),
        ({"HOST": "/nowhere"}, "Postgres at /nowhere does not answer", False),
        ({"HOST": "nowhere.invalid"}, "There is no host 'nowhere.invalid'", False),
    ],
)
def test_a_postgres_that_cannot_be_reached(monkeypatch, postgres, changed, says, lasts):
    found = fault(monkeypatch, postgres(**changed))
    assert says in found.sentence
    assert found.lasts is lasts
    assert "\n" not in found.sentence


def test_the_postgres_that_is_there(db):
    assert reaching.postgres_fault() is None


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ('FATAL:  password authentication failed for user "cardroom"', "refuses the password of"),
        ("fe_sendauth: no password supplied", "wants a password for"),
        ('FATAL:  no pg_hba.conf entry for host "10.0.0.1"', "does not let"),
        ("connection timeout expired", "does not answer within 5 s"),
    ],
)
def test_what_a_server_says_that_asks_for_passwords(told, says):
    """The suite's own lets everybody in by its socket."""
    assert says in reaching._postgres(told).sentence


@pytest.fixture
def valkey_with_password(settings):
    """The suite's Valkey with a user who needs one, and the address for a password."""
    url = settings.VALKEY_URL
    client = redis.Redis.from_url(url)
    client.execute_command("ACL", "SETUSER", "guarded", "on", f">{SECRET}", "~*", "+@all")
    yield lambda password: url.replace("unix://", f"unix://guarded:{password}@", 1)
    client.execute_command("ACL", "DELUSER", "guarded")


def test_a_valkey_that_refuses_the_password(settings, valkey_with_password):
    settings.VALKEY_URL = valkey_with_password("wrong")
    found = reaching.valkey_fault()
    assert "refuses the password" in found.sentence
    assert found.lasts
    settings.VALKEY_URL = valkey_with_password(SECRET)
    assert reaching.valkey_fault() is None


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("unix:///nowhere/valkey.sock", "Valkey at /nowhere/valkey.sock does not answer"),
        ("valkey://127.0.0.1:1/0", "Valkey at 127.0.0.1:1 does not answer"),
        ("valkey://nowhere.invalid:6379/0", "There is no host 'nowhere.invalid' (VALKEY_URL)"),
    ],
)
def test_a_valkey_that_cannot_be_reached(settings, url, says):
    settings.VALKEY_URL = redis_url(url)
    found = reaching.valkey_fault()
    assert says in found.sentence
    assert not found.lasts


def test_a_database_of_valkey_that_is_not_there(settings):
    settings.VALKEY_URL = settings.VALKEY_URL.partition("?")[0] + "?db=9999"
    assert "has no database 9999" in reaching.valkey_fault().sentence


def test_a_parameter_that_valkey_does_not_have(settings):
    settings.VALKEY_URL = "redis://127.0.0.1:1/0?timeout=5"
    found = reaching.valkey_fault()
    assert found == ("VALKEY_URL has a parameter that nobody knows: timeout.", True)


PORT = str(free_port())
COMMANDS = {
    "migrate": ["manage.py", "migrate", "--check"],
    "serve": ["manage.py", "serve", "--port", PORT],
    "web": ["-m", "config.processes.web", "--port", PORT],
    "worker": ["-m", "config.processes.worker", "interactive"],
    "beat": ["-m", "config.processes.beat"],
    "container": ["-m", "config.host.container", "beat"],
}
PROCESSES = ("web", "worker", "beat", "container")


def told_by(command, tmp_path, **environment):
    """The output of a process that cannot start."""
    known = {
        "CARDROOM_ONE_MACHINE": "0", "SECRET_KEY": "x" * 50, "ALLOWED_HOSTS": "localhost",
        "CARDROOM_STATE": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOG_LEVEL": "WARNING",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, *COMMANDS[command]],
        cwd=ROOT, env=os.environ | known | environment,
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    return done.stdout + done.stderr


@pytest.fixture
def postgres_url():
    """The suite's Postgres with another database."""
    host, user = (
        connection.settings_dict["HOST"].replace("/", "%2F"),
        connection.settings_dict["USER"],
    )
    return lambda name: f"postgres://{user}:{SECRET}@{host}/{name}"


def one_of(chosen, *commands):
    """A process takes a second to start: `make test` starts one of them, `make sweeps` the rest."""
    return pytest.mark.parametrize(
        "command",
        [
            pytest.param(each, marks=pytest.mark.slow if each == chosen else pytest.mark.sweep)
            for each in commands
        ],
    )


@one_of("web", *COMMANDS)
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"DATABASE_URL": f"mysql://u:{SECRET}@db/cards"}, "DATABASE_URL begins with mysql://"),
        ({"VALKEY_URL": f"valkey://:{SECRET}@v:x/0"}, "VALKEY_URL has a port that is no number"),
    ],
)
def test_no_process_starts_with_a_wrong_address(tmp_path, command, wrong, says):
    told = told_by(command, tmp_path, **wrong)
    assert told.count(says) == 1
    assert "Traceback" not in told
    assert SECRET not in told


@one_of("beat", "migrate", "serve", *PROCESSES)
def test_no_process_starts_without_its_database(tmp_path, db, settings, postgres_url, command):
    """It is a fault that only another configuration mends, so waiting would be no use."""
    url = postgres_url("no_such")
    told = told_by(command, tmp_path, DATABASE_URL=url, VALKEY_URL=settings.VALKEY_URL)
    assert told.count("has no database 'no_such' (DATABASE_URL)") == 1
    assert "Traceback" not in told
    assert SECRET not in told


@one_of("worker", *PROCESSES)
def test_no_process_starts_with_a_password_that_valkey_refuses(
    tmp_path, db, postgres_url, valkey_with_password, command
):
    wrong = valkey_with_password("wrong")
    told = told_by(command, tmp_path, DATABASE_URL=postgres_url("postgres"), VALKEY_URL=wrong)
    assert told.count("refuses the password. Set it in VALKEY_URL") == 1
    assert "Traceback" not in told


@one_of("serve", "migrate", "serve")
def test_a_database_that_does_not_answer(tmp_path, settings, command):
    url = "postgres://cardroom@127.0.0.1:1/cards"
    told = told_by(command, tmp_path, DATABASE_URL=url, VALKEY_URL=settings.VALKEY_URL)
    assert "Postgres at 127.0.0.1:1 does not answer (DATABASE_URL): nothing listens there." in told
    assert "Traceback" not in told


@pytest.mark.parametrize("name", ["Dockerfile", "try_dockerfile"])
def test_the_image_is_built_with_addresses_that_the_settings_take(name):
    """No server is asked for them: they stand there so that the settings can be read."""
    text = (ROOT / "docker" / name).read_text("utf-8")
    found = re.findall(r"(DATABASE|VALKEY)_URL\W{1,4}(\w+://[^\s\"]+)", text)
    assert {kind for kind, _ in found} == {"DATABASE", "VALKEY"}
    for kind, url in found:
        {"DATABASE": check_database_url, "VALKEY": check_valkey_url}[kind](url)
