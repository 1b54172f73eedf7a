"""Decisions as a Parquet file with a card that says what is in it.

A row is a decision (``cardroom.research.decisions``). The file's metadata hold the game, the
version of its encoding and the options. It needs pyarrow, from the extra ``data``.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from cardroom.arena.errors import BadRequest
from cardroom.research.decisions import Decision
from cardroom.research.trained import encoding_version
from cardroom.rules.game import AnyGame

FORMAT: Final = "cardroom-decisions/1"
ROWS: Final = 20_000  # of a group, which is written at once
COLUMNS: Final = {
    "match": "number of the match in this file, from 0",
    "ply": "what was played before it: plies in records, decisions in computers' play",
    "seat": "the seat that decided, from 0",
    "player": "the computer on it, or `person`",
    "observation": "`Game.observe` of its view, as listed below",
    "legal": "the numbers of all legal actions, ascending: the ones of the legal mask",
    "action": "the number of what it did",
    "move": "the same as text",
    "reward": "how the match ended for it, by who won: -1 to 1, the sum of all seats is 0",
    "margin": "its points less the mean of the other sides'; with places as points, the reverse",
    "place": "its place, 1 is best",
}


class Written(msgspec.Struct):
    """What a file holds."""

    rows: int = 0
    matches: int = 0
    players: dict[str, int] = {}

    def count(self, decisions: Iterable[Decision]) -> None:
        for decision in decisions:
            self.rows += 1
            self.players[decision.player] = self.players.get(decision.player, 0) + 1


def write(
    path: Path, game: AnyGame, decisions: Iterable[Decision], facts: Mapping[str, str]
) -> Written:
    """Writes the file and its card beside it; ``facts`` say where the decisions come from."""
    arrow = _arrow()
    schema = _schema(arrow, game, facts)
    written, matches, begun = Written(), set[int](), path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    with import_module("pyarrow.parquet").ParquetWriter(begun, schema, compression="zstd") as file:
        for group in _groups(decisions):
            file.write_table(_table(arrow, schema, group))
            written.count(group)
            matches.update(decision.match for decision in group)
    begun.replace(path)
    written.matches = len(matches)
    card(path).write_text(_card(path, game, written, facts), encoding="utf-8")
    return written


def card(path: Path) -> Path:
    return path.with_suffix(".md")


def _groups(decisions: Iterable[Decision]) -> Iterator[tuple[Decision, ...]]:
    left = iter(decisions)
    while group := tuple(islice(left, ROWS)):
        yield group


def _arrow() -> Any:
    try:
        return import_module("pyarrow")
    except ImportError:
        raise BadRequest(
            "Data sets need pyarrow, which is not installed: pip install 'cardroom[data]'."
        ) from None


def _schema(arrow: Any, game: AnyGame, facts: Mapping[str, str]) -> Any:
    size = game.observation.size  # type: ignore[union-attr]
    kinds = {
        "match": arrow.int32(),
        "ply": arrow.int32(),
        "seat": arrow.int8(),
        "player": arrow.dictionary(arrow.int16(), arrow.string()),
        "observation": arrow.list_(arrow.int16(), size),
        "legal": arrow.list_(arrow.int16()),
        "action": arrow.int16(),
        "move": arrow.string(),
        "reward": arrow.float32(),
        "margin": arrow.float32(),
        "place": arrow.int8(),
    }
    about = {"format": FORMAT, "game": game.slug, "encoding": encoding_version(game), **facts}
    return arrow.schema(list(kinds.items()), metadata=about)


def _table(arrow: Any, schema: Any, decisions: Iterable[Decision]) -> Any:
    columns = zip(*decisions, strict=True)
    arrays = [
        arrow.array(list(column), type=field.type)
        for column, field in zip(columns, schema, strict=True)
    ]
    return arrow.Table.from_arrays(arrays, schema=schema)


def _card(path: Path, game: AnyGame, written: Written, facts: Mapping[str, str]) -> str:
    layout: Any = game.observation
    actions = len(game.actions.texts)  # type: ignore[union-attr]
    features = (
        f"| {layout.starts[each.name]} | {each.size} | `{each.name}` | {each.meaning} |"
        for each in layout.features
    )
    players = (f"| `{name}` | {count:,} |" for name, count in sorted(written.players.items()))
    return "\n".join([
        f"# {path.name}",
        "",
        f"{written.rows:,} decisions of {written.matches:,} matches of {game.name}, one a row.",
        "A decision is a move among two or more.",
        "",
        *(f"* {name}: {text}" for name, text in facts.items()),
        f"* format: `{FORMAT}`, rules of version {game.rules_version}, {actions:,} actions",
        f"* encoding: `{encoding_version(game)}`",
        "",
        "## Columns",
        "",
        "| Column | Meaning |",
        "| --- | --- |",
        *(f"| `{name}` | {meaning} |" for name, meaning in COLUMNS.items()),
        "",
        "## Players",
        "",
        "| Player | Decisions |",
        "| --- | --- |",
        *players,
        "",
        "## The observation",
        "",
        "Seats and sides are counted from the deciding one on, which is 0.",
        "",
        "| From | Numbers | Feature | Meaning |",
        "| --- | --- | --- | --- |",
        *features,
        "",
        "## What is not in it",
        "",
        "No names, accounts, addresses or times, and no match by which they could be found.",
        "An observation holds what the seat saw and no hidden card. Of records: no match whose",
        "cards are still somebody's secret, none that was loaded or rolled back, none that was",
        "given up, and no private one.",
        "",
    ])  # fmt: skip
