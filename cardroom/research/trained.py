"""What a training keeps: a file that says what it is, and the bot that plays it.

``policy.npz`` holds arrays and a header, which names the game, the ``kind`` of player (a module of
the game's folder here), the shapes of the arrays and the version of the encoding. A file for
another encoding, or with other shapes, is refused: its numbers would mean something else. The arena
plays a file by the name ``trained:FILE``.
"""

import hashlib
import zipfile
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

import msgspec
import numpy

from cardroom.arena.errors import BadRequest
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Move, View

FORMAT: Final = "cardroom-trained/1"
HEADER: Final = "header"

Choice = Callable[[View, Sequence[Event], Random], Move]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``shapes`` are those of the arrays, by their names; ``notes`` is what a training may add."""

    format: str
    game: str
    kind: str
    encoding: str
    shapes: dict[str, tuple[int, ...]]
    notes: dict[str, Any] = {}


class Kind(Protocol):
    """A module ``cardroom.research.<slug>.<kind>`` that can play what it wrote."""

    REMEMBERS: str
    SHAPES: Mapping[str, tuple[int | None, ...]]  # None: of any size

    def player(self, arrays: Mapping[str, Any]) -> Choice: ...


def encoding_version(game: AnyGame) -> str:
    """Changes with every action number and every place of an observation."""
    layout: Any = game.observation
    features = [(each.name, each.size, each.least, each.most) for each in layout.features]
    content = msgspec.json.encode((features, game.actions.texts, game.rules_version))  # type: ignore[union-attr]
    return hashlib.sha256(content).hexdigest()[:16]


def save(path: Path, game: AnyGame, kind: str, arrays: Mapping[str, Any], **notes: Any) -> None:
    """Writes the file beside its name first, so that a half one is never read."""
    shapes = {name: tuple(numpy.shape(array)) for name, array in arrays.items()}
    header = Header(FORMAT, game.slug, kind, encoding_version(game), shapes, notes)
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = path.with_suffix(".part.npz")
    text = numpy.frombuffer(msgspec.json.encode(header), dtype=numpy.uint8)
    whole: dict[str, Any] = {HEADER: text, **arrays}
    numpy.savez(begun, **whole)
    begun.replace(path)


def load(path: Path, game: AnyGame | None = None) -> tuple[Header, dict[str, Any]]:
    """The header and the arrays; ``BadRequest`` says why a file cannot be used (for this game)."""
    try:
        with numpy.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        header = msgspec.json.decode(arrays.pop(HEADER).tobytes(), type=Header)
    except FileNotFoundError:
        raise BadRequest(f"There is no file {path}.") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise BadRequest(f"{path} is no file that a training of Cardroom wrote.") from None
    if game is not None:
        _check(path, header, arrays, game)
    return header, arrays


def _check(path: Path, header: Header, arrays: Mapping[str, Any], game: AnyGame) -> None:
    if header.format != FORMAT:
        raise BadRequest(f"{path} has the format {header.format}; {FORMAT} can be read here.")
    if header.game != game.slug:
        raise BadRequest(f"{path} was trained for {header.game}, not for {game.slug}.")
    if header.encoding != encoding_version(game):
        raise BadRequest(
            f"{path} was trained with another encoding of {game.name}: {header.encoding}, now it "
            f"is {encoding_version(game)}. Train again."
        )
    shapes = {name: tuple(array.shape) for name, array in arrays.items()}
    if shapes != header.shapes:
        raise BadRequest(f"{path} has arrays of other shapes than its header says.")


def bot(game: AnyGame, path: Path, slug: str) -> Bot[Any]:
    """The player in a file, never rated."""
    header, arrays = load(path, game)
    kind = _kind(path, header, game)
    _check_shapes(path, header, kind)
    return Bot(
        slug=slug,
        name=f"Trained ({path.stem})",
        summary="A player that was trained.",
        level=1,
        choose=kind.player(arrays),
        rated=False,
        suggested=False,
        remembers=kind.REMEMBERS,
    )


def _kind(path: Path, header: Header, game: AnyGame) -> Kind:
    """A file may name those alone that its game lists, and no other module."""
    room = f"cardroom.research.{game.slug.replace('-', '_')}"
    known: Sequence[str] = ()
    if game in catalog.OF_THE_HOUSE and find_spec(room):
        known = getattr(import_module(room), "TRAINED", ())
    if header.kind not in known:
        raise BadRequest(f"{path} holds a {header.kind!r}, which is not known here.")
    module: Any = import_module(f"{room}.{header.kind}")
    return module  # type: ignore[no-any-return]


def _check_shapes(path: Path, header: Header, kind: Kind) -> None:
    """Every array that the kind needs, with the sizes that it states."""
    for name, wanted in kind.SHAPES.items():
        shape = header.shapes.get(name)
        if shape is None or len(shape) != len(wanted) or not _fits(shape, wanted):
            raise BadRequest(f"{path}: array {name!r} has the shape {shape}, not {wanted}.")


def _fits(shape: Sequence[int], wanted: Sequence[int | None]) -> bool:
    return all(own in (None, size) for own, size in zip(wanted, shape, strict=True))
