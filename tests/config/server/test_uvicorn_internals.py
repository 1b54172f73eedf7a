"""uvicorn is still the one that `config.server.uvicorn_internals` was written for.

A fingerprint is of the code without comments and layout. When one of them fails: read the page at
the top of that module, compare, mend, then record what the failure prints.
"""

import ast
import asyncio
import hashlib
import inspect
import re
import textwrap
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import uvicorn
from packaging.requirements import Requirement
from uvicorn.protocols.http import flow_control, httptools_impl

from config.server import protocol, uvicorn_internals

ROOT = Path(__file__).resolve().parents[3]
PAGE = "config/server/uvicorn_internals.py"
USED = {
    "RequestResponseCycle.__init__": "6f7b16ad25ee",
    "RequestResponseCycle.send": "e4355b337add",
    "RequestResponseCycle.receive": "5c6d69bd5c2e",
    "HttpToolsProtocol.__init__": "ef1b7c9c785b",
    "HttpToolsProtocol.connection_made": "52a70c678525",
    "HttpToolsProtocol.connection_lost": "8a5a84898dab",
    "HttpToolsProtocol.data_received": "8583b7d501b5",
    "HttpToolsProtocol.send_400_response": "659826341373",
    "HttpToolsProtocol.on_message_begin": "4f7bac281585",
    "HttpToolsProtocol.on_headers_complete": "f5d7f89383b9",
    "HttpToolsProtocol.on_body": "04bff947c3d5",
    "HttpToolsProtocol.on_message_complete": "4ce97e51d988",
    "HttpToolsProtocol.on_response_complete": "3b835da51ff0",
    "HttpToolsProtocol._unset_keepalive_if_required": "c8a2b3d2c654",
    "HttpToolsProtocol.timeout_keep_alive_handler": "c0df9496ee68",
    "FlowControl": "37b3f0d49510",
}


def part(name):
    owner, _, method = name.partition(".")
    module = flow_control if owner == "FlowControl" else httptools_impl
    found = getattr(module, owner, None)
    return getattr(found, method, None) if method else found


def fingerprint(code):
    text = ast.unparse(ast.parse(textwrap.dedent(inspect.getsource(code))))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@pytest.mark.parametrize("name", USED)
def test_uvicorn_is_as_it_was_when_its_internals_were_used(name):
    code = part(name)
    assert code is not None, (
        f"uvicorn {uvicorn.__version__} has no {name}, which {PAGE} uses. Read its page."
    )
    assert fingerprint(code) == USED[name], (
        f"uvicorn {uvicorn.__version__} changed {name}, which {PAGE} uses or replaces. Read its "
        f"page, compare, then record {fingerprint(code)!r} here."
    )


def test_the_pinned_range_holds_what_is_tested_and_no_other_minor_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (pin,) = (r for line in project["dependencies"] if (r := Requirement(line)).name == "uvicorn")
    major, minor = map(int, version("uvicorn").split(".")[:2])
    assert pin.specifier.contains(version("uvicorn"))
    for other in (f"{major}.{minor - 1}.9", f"{major}.{minor + 1}.0", f"{major + 1}.0.0"):
        assert not pin.specifier.contains(other), f"nobody has tried uvicorn {other} with {PAGE}"


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
    """What a response leaves behind: on the wire, in its cycle, with its connection."""
    wire, ended = Wire(), []
    cycle = httptools_impl.RequestResponseCycle(
        scope={"method": "POST", "type": "http", "http_version": "1.1"},
        transport=wire,
        flow=flow_control.FlowControl(wire),
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
