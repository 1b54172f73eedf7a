"""What a command has played so far, so that it goes on where it was stopped.

``journal.ndjson`` has a line a part: the fingerprint of its request, the part, its result. Parts
merge in any order to the same figures, so a command that went on prints what it would have printed
at once; times a move are those of the processes that played.
"""

import hashlib
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from cardroom.arena.errors import BadRequest
from cardroom.arena.request import Part, SimulationRequest

NAME = "journal.ndjson"
T = TypeVar("T")


class Journal(Generic[T]):
    """The parts of one request that were played; ``kind`` is the type of a result."""

    def __init__(self, folder: Path, request: SimulationRequest, kind: Any) -> None:
        self._path = folder / NAME
        self._request = fingerprint(request)
        self._decoder = msgspec.json.Decoder(tuple[str, Part, kind])
        self._encoder = msgspec.json.Encoder()

    def played(self) -> dict[Part, T]:
        """The results by part."""
        if not self._path.exists():
            return {}
        known: dict[Part, T] = {}
        for number, line in enumerate(self._path.read_bytes().splitlines(), start=1):
            try:
                request, part, result = self._decoder.decode(line)
            except msgspec.DecodeError:
                raise BadRequest(f"{self._path}, line {number}, is no part.") from None
            if request == self._request:
                known[part] = result
        return known

    def note(self, part: Part, result: T) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.write(self._encoder.encode((self._request, part, result)) + b"\n")


def fingerprint(request: SimulationRequest) -> str:
    return hashlib.sha256(msgspec.json.encode(request)).hexdigest()[:16]


def end(folder: Path) -> None:
    """The command has written all that it was to write."""
    (folder / NAME).unlink(missing_ok=True)


def begin(folder: Path, *, resume: bool) -> None:
    """Forgets an earlier journal of the folder, unless its command is to go on."""
    if not resume:
        (folder / NAME).unlink(missing_ok=True)
    elif not (folder / NAME).exists():
        raise BadRequest(f"There is no {NAME} in {folder} to go on with.")
    else:
        _drop_half_line(folder / NAME)


def _drop_half_line(path: Path) -> None:
    """What was being written when the command was killed."""
    content = path.read_bytes()
    path.write_bytes(content[: content.rfind(b"\n") + 1])
