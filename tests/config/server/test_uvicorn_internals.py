"""uvicorn is still the one that `config.server.uvicorn_internals` was written for.

When a fingerprint differs: read the page at the top of that module, compare, mend, then record what
the failure prints.
"""

import asyncio
import re
from functools import cache
from pathlib import Path

import pytest
import structlog
import uvicorn
from uvicorn.protocols.http import httptools_impl
from uvicorn.protocols.http.flow_control import FlowControl

from config.processes import web
from config.server import protocol, uvicorn_internals
from config.server.uvicorn_internals import USED, fingerprint

ROOT = Path(__file__).resolve().parents[3]
PAGE = "config/server/uvicorn_internals.py"


@pytest.mark.parametrize("name", USED)
def test_uvicorn_is_as_it_was_when_its_internals_were_used(name):
    found = fingerprint(name)
    assert found == USED[name], (
        f"uvicorn {uvicorn.__version__} changed {name}, which {PAGE} uses or replaces. Read its "
        f"page, compare, then record {found!r} there."
    )


def test_another_uvicorn_is_used_by_its_public_interface(monkeypatch):
    """The protocol is its own, no cycle is touched, and the log says once what changed."""
    monkeypatch.setattr(httptools_impl.RequestResponseCycle, "send", lambda *_: None)
    monkeypatch.setattr(uvicorn_internals, "changed", cache(uvicorn_internals.changed.__wrapped__))
    cycle = object.__new__(httptools_impl.RequestResponseCycle)
    assert uvicorn_internals.changed() == ("RequestResponseCycle.send",)
    assert uvicorn_internals.cycle_of(cycle.receive) is None
    with structlog.testing.capture_logs() as lines:
        assert web.protocol() == "httptools"
    assert [line["changed"] for line in lines] == [("RequestResponseCycle.send",)]


def test_the_known_uvicorn_is_used_whole():
    assert web.protocol() is protocol.PunctualProtocol


def test_a_part_that_is_gone_is_a_change(monkeypatch):
    monkeypatch.delattr(httptools_impl.HttpToolsProtocol, "send_400_response")
    assert fingerprint("HttpToolsProtocol.send_400_response") == ""


def test_nothing_else_reaches_into_uvicorn():
    private = re.compile(r"^\s*(?:from|import) uvicorn\.", re.MULTILINE)
    names = ("accounts", "config", "decks", "games")
    files = (path for name in names for path in (ROOT / name).rglob("*.py"))
    reaching = {str(path.relative_to(ROOT)) for path in files if private.search(path.read_text())}
    assert reaching == {PAGE}


class Wire:
    """A transport that keeps what is written."""

    def __init__(self):
        self.written, self.closed = b"", False

    def write(self, data):
        self.written += data

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed

    def pause_reading(self):
        pass

    resume_reading = pause_reading


HEADERS = [(b"content-type", b"text/plain"), (b"content-length", b"5"), (b"etag", b'"1"')]
FACTS = (
    "disconnected", "keep_alive", "waiting_for_100_continue", "response_started",
    "response_complete",
)  # fmt: skip


async def answered(send, *, status, keep_alive, expects, disconnected):
    """The effects of a response: on the wire, in its cycle, with its connection."""
    wire, ended = Wire(), []
    cycle = httptools_impl.RequestResponseCycle(
        scope={"method": "POST", "type": "http", "http_version": "1.1"},
        transport=wire,
        flow=FlowControl(wire),
        logger=None,
        access_logger=None,
        access_log=False,
        default_headers=[(b"date", b"today"), (b"x-request-id", b"1")],
        message_event=asyncio.Event(),
        expect_100_continue=expects,
        keep_alive=keep_alive,
        on_response=lambda: ended.append(True),
    )
    cycle.disconnected = disconnected
    await send(cycle, status, HEADERS, b"" if status == 304 else b"hello")
    facts = {name: getattr(cycle, name) for name in FACTS}
    return wire.written, wire.closed, ended, cycle.message_event.is_set(), facts


async def by_uvicorn(cycle, status, headers, body):
    await cycle.send({"type": "http.response.start", "status": status, "headers": headers})
    await cycle.send({"type": "http.response.body", "body": body})


@pytest.mark.parametrize("status", [200, 201, 503])
@pytest.mark.parametrize("keep_alive", [True, False])
@pytest.mark.parametrize("expects", [True, False])
@pytest.mark.parametrize("disconnected", [True, False])
def test_a_whole_response_is_what_uvicorn_would_send(status, keep_alive, expects, disconnected):
    how = {"keep_alive": keep_alive, "expects": expects, "disconnected": disconnected}
    ours = asyncio.run(answered(uvicorn_internals.send_whole, status=status, **how))
    theirs = asyncio.run(answered(by_uvicorn, status=status, **how))
    assert ours == theirs
    assert bool(ours[0]) is not disconnected


def test_a_cycle_is_found_behind_its_own_calls_only():
    cycle = object.__new__(httptools_impl.RequestResponseCycle)
    assert uvicorn_internals.cycle_of(cycle.send) is cycle
    assert uvicorn_internals.cycle_of(cycle.receive) is cycle
    assert uvicorn_internals.cycle_of(Wire().write) is None
    assert uvicorn_internals.cycle_of(lambda: None) is None


def test_what_the_protocol_overrides_is_there_to_override():
    own = [name for name in vars(protocol.PunctualProtocol) if not name.startswith("_")]
    theirs = vars(httptools_impl.HttpToolsProtocol)
    assert [name for name in own if name not in theirs] == []
    assert len(own) > 6
