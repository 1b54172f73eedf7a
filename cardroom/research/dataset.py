"""Decisions as a Parquet file with a card that says what is in it.

A row is a decision (``cardroom.research.dataset``). The file's metadata hold the game, the
version of its encoding and the options. It needs pyarrow, from the extra ``data``.

Decisions that were made: what a seat observed, could do and did, and how the match ended.

``of_series`` lets computers play, ``of_record`` plays a record again. A decision is a move among
two or more; forced moves teach nothing. Nothing of a decision says who a person is: players are
the slug of a computer or the word ``PERSON``.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from cardroom.arena import compiled_code
from cardroom.arena.request import Part, SimulationRequest, parts_of, run_parts, series
from cardroom.arena.series import Series
from cardroom.arena.statistics import BadRequest
from cardroom.research.environment import by_margin, rewards
from cardroom.research.parallel import encoding_version
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.record import BadRecord, Record
from cardroom.rules.record.playback import Playback, play
from cardroom.rules.values import Event, Move, Options, Outcome, Seat, View

PERSON: Final = "person"
PART: Final = 20  # matches that a process plays before it hands over their decisions


class Decision(NamedTuple):
    """``legal`` are action numbers in ascending order. Results are those of the deciding seat."""

    match: int
    ply: int
    seat: Seat
    player: str
    observation: Any
    legal: tuple[int, ...]
    action: int
    move: Move
    reward: float
    margin: float
    place: int


class Choice(NamedTuple):
    """A decision before the end of its match is known."""

    ply: int
    view: View
    move: Move
    player: str


def of_request(request: SimulationRequest, jobs: int) -> Iterator[Decision]:
    """Every decision of the matches that are asked for, in their order, whatever the ``jobs``."""
    parts = parts_of(request, PART)
    done: dict[Part, list[Decision]] = {}
    left = deque(parts)
    for part, decisions in run_parts(partial(_of_part, request), parts, jobs):
        done[part] = decisions
        while left and left[0] in done:
            yield from done.pop(left.popleft())


def _of_part(request: SimulationRequest, part: Part) -> list[Decision]:
    played = series(request, custom=True)
    if any(bot.search is not None for bot in played.bots):
        compiled_code.warm_searches(played.game.slug)
    return list(of_series(played, range(part.first, part.first + part.games)))


def of_series(played: Series, numbers: Iterable[int]) -> Iterator[Decision]:
    """Every decision of these matches, which are played as the arena plays them."""
    for number in numbers:
        choices: list[Choice] = []
        watched = replace(
            played, bots=tuple(_watched(played.game, bot, choices) for bot in played.bots)
        )
        outcome = watched.play(number).outcome
        yield from _with_result(played.game, played.options, number, choices, outcome)


def _watched(game: AnyGame, bot: Bot[Any], choices: list[Choice]) -> Bot[Any]:
    quick = compiled_code.quick(game, bot)

    def choose(view: Any, events: Sequence[Event], rng: Random) -> Move:
        move = quick.choose(view, events, rng)
        choices.append(Choice(len(choices), view, move, bot.slug))
        return move

    return replace(bot, choose=choose, search=None)


def of_record(record: Record, number: int) -> Iterator[Decision]:
    """Every decision of a match that was played to its end as it was dealt.

    None of one that was loaded from another or rolled back: its cards were dealt again, so what
    its players observed is not what the record lists. None of a seat after it resigned, for then a
    computer plays it. ``BadRecord`` for a record that contradicts itself.
    """
    if record.loaded_from is not None or any(line.undone for line in record.rounds):
        return
    playback = _Watching(record)
    outcome = play(record, playback)
    game, options = playback.game, playback.options
    if game.outcome(playback.state) is not None:
        yield from _with_result(game, options, number, playback.choices, outcome)


class _Watching(Playback):
    """A playback that notes every choice before it is made."""

    def __init__(self, record: Record) -> None:
        super().__init__(record, sealed=False)
        self.choices: list[Choice] = []
        self._players = [seat.bot or PERSON for seat in record.seats]

    @property
    def game(self) -> AnyGame:
        return self._game

    @property
    def options(self) -> Options:
        return self._seating.options

    def _step(self, seat: Seat, move: Move, noted: Any) -> Any:
        if seat not in self._resigned:
            view = self._game.view(self.state, seat)
            self.choices.append(Choice(self._version, view, move, self._players[seat]))
        return super()._step(seat, move, noted)


def _with_result(
    game: AnyGame, options: Options, number: int, choices: Iterable[Choice], outcome: Outcome
) -> Iterator[Decision]:
    """The choices among two or more, with how the match ended for their seats."""
    seats = game.seats(options)
    worth = rewards(game, outcome, seats)
    margins = by_margin(game, outcome, game.sides_of(options), seats)
    for choice in choices:
        seat = choice.view.seat
        legal = game.actions.among(choice.view.legal_moves)  # type: ignore[union-attr]
        if seat is None or len(legal) < 2:
            continue
        (action,) = game.actions.among((choice.move,))  # type: ignore[union-attr]
        yield Decision(
            number, choice.ply, seat, choice.player, game.observe(choice.view),  # type: ignore[misc]
            tuple(sorted(legal)), action, choice.move, worth[seat], margins[seat],
            outcome.places[seat],
        )  # fmt: skip


def readable(records: Iterable[Record]) -> Iterator[tuple[int, list[Decision]]]:
    """The number of each record and its decisions; none where it cannot be used."""
    for number, record in enumerate(records):
        try:
            yield number, list(of_record(record, number))
        except BadRecord:
            yield number, []


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
    """The contents of a file: its rows and matches, and the rows of each player."""

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
