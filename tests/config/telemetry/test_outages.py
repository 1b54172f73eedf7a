"""A server that is away is a line of the log; a bug has its traceback."""

import io
import logging
import logging.config

import psycopg
import pytest
import redis
import structlog
from django.conf import settings
from django.db import OperationalError, connection
from kombu import Connection
from psycopg_pool import ConnectionPool
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.telemetry.logs import is_outage, logging_config


def no_postgres():
    psycopg.connect("host=/nowhere dbname=x", connect_timeout=1)


def no_pool():
    with ConnectionPool("host=/nowhere", min_size=1, timeout=0.05, open=True) as pool:
        pool.getconn()


def no_valkey():
    redis.Redis(unix_socket_path="/nowhere/valkey.sock", retry=Retry(NoBackoff(), 0)).ping()


def no_broker():
    Connection("redis+socket:///nowhere/valkey.sock").ensure_connection(
        max_retries=1, interval_start=0
    )


def sql(state):
    with connection.cursor() as cursor:
        cursor.execute(f"DO $$ BEGIN RAISE EXCEPTION 'Told' USING ERRCODE = '{state}'; END $$")


@pytest.mark.parametrize("away", [no_postgres, no_pool, no_valkey, no_broker])
def test_servers_that_are_away(away):
    with pytest.raises(Exception) as raised:  # noqa: PT011
        away()
    assert is_outage(raised.value)


@pytest.mark.parametrize(
    ("state", "outage"),
    [
        ("53100", True),
        ("53300", True),
        ("57P01", True),
        ("08006", True),
        ("57014", False),
        ("40P01", False),
    ],
)
def test_of_postgres_its_states_tell(db, state, outage):
    """A full disk, too many connections, a stop: yes. A statement too slow, a deadlock: no."""
    with pytest.raises(OperationalError) as raised:
        sql(state)
    assert is_outage(raised.value) is outage


def test_a_bug_is_none_even_if_it_happens_meanwhile():
    def fail():
        try:
            no_valkey()
        except redis.ConnectionError:
            {}["a"]

    with pytest.raises(KeyError) as raised:
        fail()
    assert not is_outage(raised.value)


@pytest.fixture
def written(monkeypatch):
    """The lines of a logger by the service's own formatter, in either shape."""
    # Loggers keep the processors with which they first wrote; others could not be listened to.
    monkeypatch.setattr("structlog.configure", lambda **_: None)

    def write(shape, told):
        line = logging_config("INFO", shape)["formatters"]["line"]
        formatter = logging.config.DictConfigurator({"version": 1}).configure_formatter(line)
        stream, logger = io.StringIO(), logging.getLogger("tests.outages")
        handler = logging.StreamHandler(stream)
        handler.setFormatter(formatter)
        monkeypatch.setattr(logger, "handlers", [handler])
        monkeypatch.setattr(logger, "propagate", False)
        logger.setLevel(logging.INFO)
        told(logger)
        return stream.getvalue().splitlines()

    yield write
    logging_config(settings.LOG_LEVEL, settings.LOG_FORMAT)  # of INFO, it writes lines of requests


def while_away(log):
    try:
        no_valkey()
    except redis.ConnectionError:
        log("Could not look\nTrying again")


def with_a_bug(log):
    try:
        {}["a"]
    except KeyError:
        log("Could not look")


@pytest.mark.parametrize("shape", ["text", "json"])
def test_an_outage_is_one_line_with_its_cause(written, shape):
    (line,) = written(shape, lambda logger: while_away(logger.exception))
    assert "Could not look" in line
    assert "ConnectionError: Error 2 connecting" in line
    assert "Trying again" not in line
    assert "Traceback" not in line


def test_of_structlog_too(written):
    (line,) = written("text", lambda _: while_away(structlog.get_logger("tests.outages").exception))
    assert "ConnectionError: Error 2 connecting" in line


def test_a_bug_keeps_its_traceback(written):
    lines = written("text", lambda logger: with_a_bug(logger.exception))
    assert "Traceback (most recent call last):" in lines
    assert lines[-1] == "KeyError: 'a'"


def test_a_message_of_several_lines_is_one(written):
    (line,) = written("text", lambda logger: logger.warning("Refused\n\tIs it running?"))
    assert "Refused \tIs it running?" in line
