"""The typed packages: built as `make packages` does, installed, and played."""

import asyncio
import importlib
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.clients import packages
from tests.patience import WAITING

pytestmark = WAITING
ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).with_name("uv")
EXAMPLE = Path(__file__).with_name("typed.py")
OF_HTTPX = ("httpx", "httpcore", "h11", "anyio", "idna", "certifi", "sniffio", "typing_extensions")


def installed(test):
    """A wheel, an environment and mypy take seconds of a processor."""
    return pytest.mark.sweep(pytest.mark.xdist_group("typed packages")(test))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    subprocess.run(["make", "packages", f"PACKAGES={folder}"], cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="module")
def alone(built: Path) -> Path:
    """The interpreter of an empty environment with the wheel and what it needs, of no registry."""
    (wheel,) = built.glob("dist/cardroom_client-*.whl")
    python = built / "venv" / "bin" / "python"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, built / "venv"], check=True)
    install = [UV, "pip", "install", "--quiet", "--python", python, "--no-deps", wheel]
    subprocess.run(install, check=True)
    (site,) = (built / "venv" / "lib").glob("python*/site-packages")
    for name in OF_HTTPX:
        found = Path(str(getattr(find_spec(name), "origin", "")))
        if found.name == "__init__.py":
            shutil.copytree(found.parent, site / name)
        elif found.is_file():
            shutil.copy(found, site)
    return python


def run(*command: object, **more: object) -> list[str]:
    done = subprocess.run([*map(str, command)], check=False, capture_output=True, text=True, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@installed
def test_it_plays_one_after_the_other_at_once_and_as_a_bot(alone, url, tmp_path):
    told = run(alone, EXAMPLE, url, cwd=tmp_path)
    assert told[0].startswith("match_not_active ")
    assert re.fullmatch(r"finished \d+ \['pisti'\]", told[1])
    assert told[2] == "finished finished finished"
    assert "winners" in told[3]
    assert told[4] == "finished"


CUT = """
import asyncio, sys, httpx
from cardroom_client import AsyncCardroom

class Broken(httpx.AsyncByteStream):
    def __init__(self, stream):
        self._stream = stream

    async def __aiter__(self):
        async for part in self._stream:
            yield part
            raise httpx.ReadError("lost")

    async def aclose(self):
        await self._stream.aclose()

class Losing(httpx.AsyncHTTPTransport):
    moves = 0

    async def handle_async_request(self, request):
        answer = await super().handle_async_request(request)
        if request.url.path.endswith("/stream"):
            answer.stream = Broken(answer.stream)
        elif request.url.path.endswith(("/moves", "/matches")) and request.method == "POST":
            Losing.moves += 1
            if Losing.moves % 2:
                await answer.aread()
                raise httpx.ReadError("lost")
        return answer

async def main():
    async with await AsyncCardroom.guest(sys.argv[1]) as room:
        room._http = httpx.AsyncClient(transport=Losing())
        match = await room.create_match("pazaak", ["me", "bot random"], {"rounds_to_win": 1})
        choose = lambda match: match["legal_moves"][0]["move"]
        playing = asyncio.create_task(room.play(match["id"], choose))
        heard = []
        async for message in room.stream(match["id"], after=-1):
            heard += dict.fromkeys(event["version"] for event in message["events"])
        over = await playing
        made = [match["id"] async for match in room.matches(mine=True)] == [match["id"]]
        print(over["status"], heard == list(range(over["version"] + 1)), Losing.moves > 3, made)

asyncio.run(main())
"""


@installed
def test_streams_go_on_where_they_were_cut_and_a_lost_move_is_played_once(alone, url, tmp_path):
    assert run(alone, "-c", CUT, url, cwd=tmp_path) == ["finished True True True"]


@installed
def test_its_types_hold_and_find_a_fault(alone, tmp_path):
    """The example is strict; a field of another game, or one that is not there, is refused."""
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "from cardroom_client import Cardroom\n"
        "room = Cardroom('')\n"
        "match = room.match('1')\n"
        "if match['game'] == 'pazaak' and match['view']:\n"
        "    match['view']['hand'], match['view']['pile']\n"
        "room.create_match('pisti', ['me'], visibility='secret')\n"
        "room.change_me(colour='red')\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", alone]
    command += ["--config-file=", "--cache-dir", tmp_path / "cache", EXAMPLE, wrong]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    faults = re.findall(r"^\S*wrong.py:(\d+): error", done.stdout, re.MULTILINE)
    assert sorted(faults) == ["5", "6", "7"], done.stdout
    assert "typed.py" not in done.stdout


@pytest.fixture
def clients(tmp_path) -> Path:
    packages.main(tmp_path / "clients")
    return tmp_path / "clients"


def test_asyncio_plays_a_match_as_it_is_made(clients, url, monkeypatch):
    monkeypatch.syspath_prepend(str(clients / "python"))
    module = importlib.import_module("cardroom_client")

    async def played():
        async with await module.AsyncCardroom.guest(url) as room:
            match = await room.create_match("pazaak", ["me", "bot random"], {"rounds_to_win": 1})
            return await room.play(match["id"], lambda match: match["legal_moves"][0]["move"])

    assert asyncio.run(played())["status"] == "finished"


def test_every_operation_has_a_type_in_both(clients):
    """By the names of the document; what JavaScript runs is the file that is served."""
    javascript = clients / "javascript"
    declared = set(re.findall(r"^  (\w+)\(", (javascript / "index.d.ts").read_text(), re.MULTILINE))
    assert set(packages.OPERATIONS) <= declared
    aio = (clients / "python/cardroom_client/aio.py").read_text()
    methods = set(re.findall(r"^    (?:async )?def (\w+)\(", aio, re.MULTILINE))
    assert set(packages.OPERATIONS) <= methods
    served = (packages.SOURCES / "cardroom.js").read_bytes()
    assert (javascript / "index.js").read_bytes() == served
