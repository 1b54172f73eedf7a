"""Golden playthroughs: whole matches as text, so that a change of a game shows in a diff.

``python -m cardroom.contract.golden durak`` writes those of one game.

Where the golden playthroughs of a game lie, and which it needs.

A golden playthrough: one match as lines of JSON, with everything that was dealt, played, told,
seen and said.

A file is named ``<game>-<preset>.jsonl`` (``default`` where the game has no preset with its default
options) or ``<game>-<variant>.jsonl``. Its lines:

* ``game``, ``seed``, ``commitment``, ``options``; then how the match was set up: ``preset``, the
  option values laid over it (``changes``), ``seats``, and the ``rules_version`` where it is not 1.
  A person who regenerates a file starts from these.
* ``ply``, ``seat``, ``move``, ``events`` with their secrets, ``scores`` if the move ended a round.
* ``words``: the events in words. ``others``: each event that some readers see otherwise, as they
  see it (reader ``null`` is a spectator). ``legal``: the legal moves of the seats to act now, of
  each seat where they changed. ``labels``: the label of each legal move at its first occurrence.
* ``view`` of every seat and of a spectator and the whole ``state``: at the start, after every
  eighth ply, after every round and at the end.
* ``outcome``.

``python -m cardroom.contract.golden``: write the golden playthroughs of every game again; with
the slug of a game, those of this game.

Each file keeps its setup and its moves as long as the rules accept them; from the first refused
move on, bots choose. A preset without a file gets one. With the name of a file it writes this one,
its moves chosen by bots:

    python -m cardroom.contract.golden NAME [PRESET] [OPTION=VALUE …]

NAME is the file's, the game's slug first: ``durak-long rounds=9 players=3``.
Without PRESET it is the preset or ``default`` that the name says. The options of a file are part of
it, so a long match is made shorter here and nowhere else.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from cardroom.contract.playing import NAMES
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Sealed, commitment, seeded
from cardroom.rules.values import Event, Move, MoveRefused, Seat, Setup, Step

HOUSE = Path(catalog.__file__).parents[2] / "tests" / "rules" / "golden"


def folder_of(game: AnyGame) -> Path:
    """A game from outside keeps them in its package, those of this tree lie with the tests."""
    own = catalog.installed(game.slug)
    return own.folder / "golden" if own else HOUSE


def golden_path(name: str) -> Path:
    return folder_of(game_of(name)) / f"{name}.jsonl"


def of(game: AnyGame) -> list[Path]:
    return sorted(folder_of(game).glob(f"{game.slug}-*.jsonl"))


def all_of_them() -> list[Path]:
    return [path for game in catalog.GAMES for path in of(game)]


def needed(*games: AnyGame) -> Iterator[tuple[str, AnyGame, str | None]]:
    """One file for every preset, and one for the defaults where no preset has them."""
    for game in games or catalog.GAMES:
        for preset in game.presets:
            yield f"{game.slug}-{preset}", game, preset
        if game.options() not in game.presets.values():
            yield f"{game.slug}-default", game, None


def game_of(name: str) -> AnyGame:
    """The game whose slug a file's name begins with, or is; ``LookupError`` if there is none."""
    named = [g for g in catalog.GAMES if name == g.slug or name.startswith(f"{g.slug}-")]
    if not named:
        known = ", ".join(catalog.slugs())
        raise LookupError(f"{name!r} begins with no game's slug; there are: {known}.")
    return max(named, key=lambda game: len(game.slug))


def preset_of(name: str) -> str | None:
    """The preset that the name says, if there is one of that name."""
    game = game_of(name)
    preset = name.removeprefix(f"{game.slug}-")
    return preset if preset in game.presets else None


SEED = bytes(range(32))
PLIES_BETWEEN_VIEWS = 8

Choice = Callable[[Any, Sequence[Event]], tuple[Seat, Move]]  # (state, all events so far)


class Playthrough(msgspec.Struct, frozen=True):
    """The set-up of the match of a file."""

    game: str
    preset: str | None
    changes: dict[str, Any]
    seats: tuple[Setup, ...]
    rules_version: int = 1

    @property
    def rules(self) -> AnyGame:
        return catalog.find(self.game).by_version(self.rules_version)

    def lines(self, choose: Choice) -> Iterator[str]:
        """The whole match in text, its moves chosen by ``choose``."""
        game, shuffle = self.rules, Sealed(SEED)
        options = game.choose_options(self.changes, self.preset)
        yield _line(game=self.game, seed=SEED.hex(), commitment=commitment(SEED), options=options)
        later = {"rules_version": self.rules_version} if self.rules_version > 1 else {}
        yield _line(preset=self.preset, changes=self.changes, seats=self.seats, **later)
        step = game.start(options, self.seats, shuffle)
        events, ply = list(step.events), 0
        words = _Words(game, [setup.name for setup in self.seats])
        yield _line(ply=ply, events=step.events)
        yield from (words.of(step), *self._position(step.state))
        while game.to_act(step.state):
            seat, move = choose(step.state, events)
            step, ply = game.play(step.state, seat, move, shuffle), ply + 1
            events += step.events
            scores = {} if step.scores is None else {"scores": step.scores}
            yield _line(ply=ply, seat=seat, move=step.move, events=step.events, **scores)
            yield words.of(step)
            if ply % PLIES_BETWEEN_VIEWS == 0 or scores:
                yield from self._position(step.state)
        yield _line(outcome=game.outcome(step.state))

    def _position(self, state: Any) -> Iterator[str]:
        for seat in (*range(len(self.seats)), None):
            seen = msgspec.to_builtins(self.rules.view(state, seat))
            seen.pop("options", None)  # the same in every view and in the first line
            yield _line(view=seen)
        whole = msgspec.to_builtins(state)
        whole.pop("options", None)
        yield _line(state=whole)


class _Words:
    """The words of each step, without those that have not changed."""

    def __init__(self, game: AnyGame, names: Sequence[str]) -> None:
        self._game = game
        self._names = names
        self._legal: dict[Seat, Sequence[Move]] = {}
        self._labelled: set[Move] = set()

    def of(self, step: Step[Any]) -> str:
        record: dict[str, Any] = {"words": [self._sentence(event) for event in step.events]}
        if others := [read for event in step.events for read in self._otherwise(event)]:
            record["others"] = others
        if changed := self._changed_moves(step.state):
            record["legal"] = changed
        moves = [move for legal in changed.values() for move in legal]
        if new := {
            move: str(self._game.label(move)) for move in moves if move not in self._labelled
        }:
            record["labels"] = new
            self._labelled |= new.keys()
        return _line(**record)

    def _changed_moves(self, state: Any) -> dict[Seat, Sequence[Move]]:
        before = self._legal
        self._legal = {s: self._game.legal_moves(state, s) for s in self._game.to_act(state)}
        return {s: legal for s, legal in self._legal.items() if before.get(s) != legal}

    def _otherwise(self, event: Event) -> Iterator[dict[str, Any]]:
        """The event as redacted for readers who may not know all of it."""
        readers: dict[Event, list[Seat | None]] = {}
        for reader in (*range(len(self._names)), None):
            if (seen := event.seen_by(reader)) != event:
                readers.setdefault(seen, []).append(reader)
        for seen, who in readers.items():
            yield {"readers": who, "event": seen, "words": self._sentence(seen)}

    def _sentence(self, event: Event) -> str:
        return str(self._game.sentence(event, self._names))


def read(text: str) -> tuple[Playthrough, list[tuple[Seat, Move]]]:
    """The set-up of a file's match, and its moves."""
    first, second, *rest = map(msgspec.json.decode, text.splitlines())
    read = msgspec.convert({"game": first["game"], **second}, Playthrough)
    return read, [(line["seat"], line["move"]) for line in rest if "move" in line]


def replayed(text: str) -> list[str]:
    """The lines of a file as they come out today, its moves played again."""
    match, moves = read(text)
    rest = iter(moves)
    return list(match.lines(lambda _state, _events: next(rest)))


def _line(**values: Any) -> str:
    return msgspec.json.encode(values).decode()


def new(game: AnyGame, preset: str | None, changes: dict[str, Any]) -> Playthrough:
    """A match of the game's bots; each preset begins with another one."""
    options = game.choose_options(changes, preset)
    first = list(game.presets).index(preset) if preset else 0
    bots = [game.bots[-1 - (first + seat) % len(game.bots)] for seat in range(game.seats(options))]
    setups = [Setup(name, bot.slug) for name, bot in zip(NAMES, bots, strict=False)]
    complete = tuple(game.complete_setup(options, setup) for setup in setups)
    return Playthrough(game.slug, preset, changes, complete, game.rules_version)


def by_bots(match: Playthrough) -> Choice:
    rng, game = Random(1), match.rules

    def choose(state: Any, events: Sequence[Event]) -> tuple[Seat, Move]:
        seat = rng.choice(game.to_act(state))
        bot = game.bot(match.seats[seat].bot or game.stand_in)
        seen = [event.seen_by(seat) for event in game.recent_events(events, bot.remembers)]
        return seat, bot.choose(game.view(state, seat), seen, rng)

    return choose


def as_before(match: Playthrough, moves: Sequence[tuple[Seat, Move]]) -> Choice:
    """The recorded moves while the rules accept them, then the bots."""
    rest, bots = list(reversed(moves)), by_bots(match)

    def choose(state: Any, events: Sequence[Event]) -> tuple[Seat, Move]:
        if rest and _accepted(match.rules, state, *rest[-1]):
            return rest.pop()
        rest.clear()
        return bots(state, events)

    return choose


def _accepted(game: AnyGame, state: Any, seat: Seat, move: Move) -> bool:
    try:
        return game.play(state, seat, move, seeded(Random(1))).move == move
    except MoveRefused:
        return False


def write_all(*games: AnyGame) -> None:
    for name, game, preset in needed(*games):
        if not golden_path(name).exists():
            write_new(name, game, preset, {})
    for path in [path for game in games for path in of(game)]:
        match, moves = read(path.read_text(encoding="utf-8"))
        write(path.stem, match, as_before(match, moves))


def write_one(name: str, *arguments: str) -> None:
    game = game_of(name)
    changes = dict(one.split("=", 1) for one in arguments if "=" in one)
    named = [one for one in arguments if "=" not in one]
    preset = named[0] if named else preset_of(name)
    write_new(name, game, preset, {key: _value(text) for key, text in changes.items()})


def write_new(name: str, game: AnyGame, preset: str | None, changes: dict[str, Any]) -> None:
    match = new(game, preset, changes)
    write(name, match, by_bots(match))


def write(name: str, match: Playthrough, choose: Choice) -> None:
    lines = list(match.lines(choose))
    golden_path(name).parent.mkdir(exist_ok=True)
    golden_path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"{name}: {sum(map(len, lines)) // 1024} KiB, {lines[-1]}\n")


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def main(arguments: Sequence[str]) -> None:
    if not arguments:
        write_all(*catalog.GAMES)
    elif arguments[0] in catalog.slugs():
        write_all(catalog.find(arguments[0]))
    else:
        write_one(*arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
