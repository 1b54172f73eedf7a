"""Safe defaults: the settings when nothing, or only the servers, is configured."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import redis
from django.core.exceptions import ImproperlyConfigured
from kombu.utils.url import url_to_parts
from psycopg_pool.base import AttemptWithBackoff

from config.environment import Environment
from config.host import crew
from config.settings.club import CLUB, OF_PLACE
from config.settings.limits import LIMITS, RETENTION, mail
from config.tasks.queues import WORKERS
from tests.config import compose
from tests.config.forked import forked

ROOT = Path(__file__).parents[2]
SHOW = """
import json
from django.conf import settings
names = %r
print(json.dumps({name: getattr(settings, name) for name in names}, default=str))
"""
CHECK = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
SERVERS = {
    "DATABASE_URL": "postgres://u:p@db.example/cards",
    "VALKEY_URL": "valkey://v.example:6379/1",
    "ALLOWED_HOSTS": "cards.example",
}

READS = re.compile(r"env\.(str|int|float|bool|list)|os\.environ\.get|named|secret")
# Settings of the image or its entrypoint, of a file in docker/secrets, and those that only one
# machine, a laptop or a test has.
NOT_THE_OPERATORS = {
    *("ALIVE_FILE", "CARDROOM_KERNELS", "CARDROOM_KERNEL_CACHE", "CARDROOM_ONE_MACHINE"),
    "CARDROOM_COMMIT",  # a build argument
    "MEMORY_MB",  # a container has a cgroup
    *("CARDROOM_STATE", "COMPRESS_STATIC", "METRICS_PORT", "PROMETHEUS_MULTIPROC_DIR"),
    *("DOCS_ROOT", "PORT", "STATIC_ROOT", "XDG_CACHE_HOME"),
    *("DATABASE_PASSWORD", "EMAIL_URL", "METRICS_TOKEN", "SECRET_KEY", "VALKEY_PASSWORD"),
    *("OIDC_CLIENT_SECRET", "VAPID_PRIVATE_KEY"),
    "SECRET_KEY_FALLBACKS",  # in a compose.override.yml, while a key is changed
    *("COLUMNS", "DEBUG", "HOST", "PYTHONHASHSEED", "TEST_DATABASE"),
}


def settings_with(*names, **environment):
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    known = kept | {"DJANGO_SETTINGS_MODULE": "config.settings"} | environment
    return forked(SHOW % (names,), known)


def shown(*names, **environment):
    done = settings_with(*names, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_production_is_closed_by_default():
    names = ["DEBUG", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT"]
    names += ["ALLOWED_HOSTS", "SECURE_HSTS_SECONDS", "LOG_FORMAT"]
    assert shown(*names, **SERVERS, SECRET_KEY="k" * 50) == {
        "DEBUG": False,
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_SSL_REDIRECT": True,
        "ALLOWED_HOSTS": ["cards.example"],
        "SECURE_HSTS_SECONDS": 3600,
        "LOG_FORMAT": "json",
    }


def test_production_without_a_key_does_not_start():
    refused = settings_with("DEBUG", **SERVERS)
    assert refused.returncode != 0
    assert "SECRET_KEY (or SECRET_KEY_FILE) is not set" in refused.stderr


@pytest.mark.parametrize("name", SERVERS)
def test_what_every_process_has_to_know_is_asked_for_by_name(name):
    known = {"CARDROOM_ONE_MACHINE": "0", "SECRET_KEY": "k" * 50} | SERVERS
    del known[name]
    refused = settings_with("DEBUG", **known)
    assert refused.returncode != 0
    assert f"{name} is not set, for example {name}=" in refused.stderr


@pytest.mark.parametrize(
    "url", ["smtp+tls://u:s3cr3t/a@h:587", "smtp://u:s3cr3t#a@h", "x://u:s3cr3t@h"]
)
def test_an_address_of_mail_that_is_none_is_refused_without_its_password(url):
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL is not an address") as refused:
        mail(Environment(), url)
    assert "s3cr3t" not in str(refused.value) + str(refused.value.__cause__)
    assert mail(Environment(), "smtp+tls://u:s3cr3t%2Fa@h:587")["EMAIL_HOST_PASSWORD"] == "s3cr3t/a"


def test_djangos_own_check_of_a_deployment_finds_nothing():
    """With the variables of docker/compose.yml, in an interpreter that has read nothing before."""
    services = compose.read()
    paths = {k: v for k, v in services["web"]["environment"].items() if not k.endswith("_FILE")}
    known = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": "a long and random key of more than fifty characters",
    }
    done = subprocess.run(
        CHECK, cwd=ROOT, env=known | paths, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def names_read():
    """Every variable of the environment that the code reads."""
    tables = [*RETENTION.values(), *LIMITS.values()]
    found = {name for name, *_ in tables} | set(map(crew.variable, WORKERS))
    found |= {one.variable for one in (*CLUB, *OF_PLACE) if one.variable}
    for app in ("accounts", "cardroom", "config", "decks", "games"):
        texts = (file.read_text("utf-8") for file in (compose.ROOT / app).rglob("*.py"))
        for text in filter(READS.search, texts):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and READS.fullmatch(ast.unparse(node.func)):
                    found |= {a.value for a in node.args[:2] if _is_name(a)}
    return found


def _is_name(node):
    return isinstance(node, ast.Constant) and re.fullmatch("[A-Z][A-Z_]+", str(node.value))


def test_the_containers_are_given_every_setting_that_the_code_reads():
    read = names_read()
    assert read >= {"KEEP_GUESTS_DAYS", "WEB_THREADS", "DATABASE_LOCK_SECONDS", "SECRET_KEY"}
    for name in ("web", "worker", "duties", "batch", "long", "outward", "beat", "init"):
        given = compose.as_written()[name]["environment"].keys()
        given = {each for each in given if not each.endswith("_FILE")}
        assert read - given == NOT_THE_OPERATORS
        assert given <= read


def test_the_file_lets_web_be_scaled_and_bounds_every_service():
    services = compose.read()
    assert "ports" not in services["web"]
    assert services["proxy"]["environment"]["SITE"] == compose.HOST
    for name, service in services.items():
        assert service["deploy"]["resources"]["limits"].keys() >= {"memory", "pids"}
        assert name in ("init", "proxy") or service["healthcheck"]["test"]
        assert service["image"] == compose.IMAGE or re.search(r":\d+\.\d+", service["image"])
    streams = (compose.ROOT / "docker/Caddyfile").read_text()
    assert "flush_interval -1" in streams
    assert "dynamic a web 8000" in streams


def test_what_the_operator_sets_reaches_the_containers(monkeypatch):
    assert "KEEP_GUESTS_DAYS" not in compose.read()["worker"]["environment"]
    monkeypatch.setitem(compose.OPERATOR, "KEEP_GUESTS_DAYS", "7")
    assert compose.read()["worker"]["environment"]["KEEP_GUESTS_DAYS"] == "7"


def test_one_machine_finds_its_servers_and_key_in_the_state_folder(state):
    seen = shown("DATABASES", "VALKEY_URL", "SECRET_KEY", "DEBUG", CARDROOM_STATE=str(state))
    again = shown("SECRET_KEY", CARDROOM_STATE=str(state))
    assert seen["DATABASES"]["default"]["HOST"].endswith("/run")
    assert seen["VALKEY_URL"].startswith("unix:///")
    assert seen["SECRET_KEY"] == again["SECRET_KEY"] == (state / "secret-key").read_text()
    assert seen["DEBUG"] is False


def test_named_servers_are_taken_and_nothing_is_made(tmp_path):
    state = tmp_path / "state"
    key = {"SECRET_KEY": "k" * 50, "CARDROOM_STATE": str(state)}
    database = shown("DATABASES", **SERVERS, **key)["DATABASES"]["default"]
    assert (database["HOST"], database["NAME"], database["USER"]) == ("db.example", "cards", "u")
    assert database["ATOMIC_REQUESTS"] is False
    assert not state.exists()


def test_every_connection_has_limits_in_time():
    options = shown("DATABASES", **SERVERS, SECRET_KEY="k" * 50)["DATABASES"]["default"]["OPTIONS"]
    assert "-c jit=off" in options["options"]
    assert "-c statement_timeout=30s -c lock_timeout=5s" in options["options"]
    pooled = {"DATABASE_SESSION": "false", "SECRET_KEY": "k" * 50}
    database = shown("DATABASES", **SERVERS, **pooled)["DATABASES"]["default"]
    assert database["DISABLE_SERVER_SIDE_CURSORS"]  # they are closed with the transaction
    options = database["OPTIONS"]
    assert "options" not in options  # pgbouncer refuses them
    assert options["prepare_threshold"] == 2
    old = {"DATABASE_PREPARE_THRESHOLD": "none", "SECRET_KEY": "k" * 50}
    options = shown("DATABASES", **SERVERS, **old)["DATABASES"]["default"]["OPTIONS"]
    assert options["prepare_threshold"] is None


def test_policy_allows_no_script_in_a_page(client):
    policy = client.get("/no-such-page")["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_argon2_comes_first():
    first = shown("PASSWORD_HASHERS", **SERVERS, SECRET_KEY="k" * 50)["PASSWORD_HASHERS"][0]
    assert first.endswith("Argon2PasswordHasher")


@pytest.mark.parametrize("password", ["p4ss", "a:b@c/d?e#f%41 g&h'\"ö$", "\\n"])
def test_secrets_of_any_characters_come_from_files(tmp_path, password):
    named = {}
    for name in ("SECRET_KEY", "DATABASE_PASSWORD", "VALKEY_PASSWORD"):
        (tmp_path / name).write_text(password + "\n")
        named[f"{name}_FILE"] = str(tmp_path / name)
    servers = SERVERS | {"DATABASE_URL": "postgres://u@db.example/cards"}
    seen = shown("SECRET_KEY", "DATABASES", "VALKEY_URL", **servers, **named)
    assert seen["SECRET_KEY"] == password
    assert seen["DATABASES"]["default"]["PASSWORD"] == password
    options = redis.connection.parse_url(seen["VALKEY_URL"])
    assert (options["password"], options["host"], options["db"]) == (password, "v.example", 1)
    assert url_to_parts(seen["VALKEY_URL"]).password == password  # as Celery reads it


def test_a_secret_file_that_is_not_there_stops_the_start(tmp_path):
    refused = settings_with("DEBUG", **SERVERS, SECRET_KEY_FILE=str(tmp_path / "none"))
    assert refused.returncode != 0
    assert "SECRET_KEY_FILE cannot be read" in refused.stderr


def test_a_pool_finds_its_server_soon_after_it_is_back():
    attempt, away = AttemptWithBackoff(timeout=60), 0.0
    while away < 10:
        attempt.update_delay(away)
        assert attempt.delay < 0.3 + away / 3
        away += attempt.delay


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("WEB_PROCESSES", "many", "a whole number"),
        ("DEBUG", "perhaps", "true or false"),
    ],
)
def test_a_value_that_cannot_be_read_is_refused_by_name(name, value, allowed):
    done = settings_with("DEBUG", **{name: value})
    assert done.returncode == 1
    assert f"{name}={value} is not {allowed}." in done.stderr


def test_an_empty_number_is_one_that_is_not_set():
    assert shown("WEB_THREADS", WEB_THREADS="") == shown("WEB_THREADS")
