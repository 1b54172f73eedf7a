"""The services of `docker/compose.yml` with its variables, started as `docker/entrypoint` does."""

import http.client
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
import redis

from tests.config.compose import HOST, SECRETS, Composition
from tests.served import Caller

API = "/api/v1/"
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("compose")]


class ThroughProxy(Caller):
    """A caller as the proxy passes it on."""

    def __init__(self, port):
        super().__init__(port)
        self._headers |= {
            "Host": HOST,
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "198.51.100.9",
        }

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
    caller = ThroughProxy(composition.port)
    until(lambda: answers(caller), composition)
    return caller.sign_in_as_guest()


def answers(caller):
    try:
        return caller.get("/healthz").status == 200
    except (OSError, http.client.HTTPException):
        return False


def until(condition, composition, seconds=120):
    """Patient: a busy machine starts six processes slowly, and the batch worker is nice."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, composition.last_outputs()
        time.sleep(0.05)


def test_a_bot_answers_a_move(composition, program):
    match = program.call(
        "matches", {"game": "pisti", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]}
    )
    here = f"matches/{match['id']}"
    until(lambda: program.read(here)["legal_moves"], composition)  # the bot may begin
    before = program.read(here)
    move = {"move": before["legal_moves"][0]["move"], "version": before["version"]}
    program.call(f"{here}/moves", move)
    until(lambda: program.read(here)["version"] >= before["version"] + 2, composition)


def test_a_simulation_is_played(composition, program):
    asked = program.call("simulations", {"game": "pisti", "games": 20, "bots": ["greedy"]})
    here = f"simulations/{asked['id']}"
    until(lambda: program.read(here)["status"] == "finished", composition)
    assert program.read(here)["played"] == 20


def test_readyz_sees_every_part(composition, program):
    until(lambda: program.get("/readyz").status == 200, composition)
    assert set(program.get("/readyz").json().values()) == {"ready", "up"}


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
