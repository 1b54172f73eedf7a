"""A golden playthrough: one match as lines of JSON, with everything that was dealt, played, told,
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
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Sealed, commitment
from cardroom.rules.values import Event, Move, Seat, Setup, Step

SEED = bytes(range(32))
PLIES_BETWEEN_VIEWS = 8

Choice = Callable[[Any, Sequence[Event]], tuple[Seat, Move]]  # (state, all events so far)


class Playthrough(msgspec.Struct, frozen=True):
    """How the match of a file is set up."""

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
    """What is said of each step; what has not changed is not said twice."""

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
        """The event as it is told to those who may not know all of it."""
        readers: dict[Event, list[Seat | None]] = {}
        for reader in (*range(len(self._names)), None):
            if (seen := event.seen_by(reader)) != event:
                readers.setdefault(seen, []).append(reader)
        for seen, who in readers.items():
            yield {"readers": who, "event": seen, "words": self._sentence(seen)}

    def _sentence(self, event: Event) -> str:
        return str(self._game.sentence(event, self._names))


def read(text: str) -> tuple[Playthrough, list[tuple[Seat, Move]]]:
    """How a file's match is set up, and its moves."""
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
