"""The beginning of a match that plays on from another one (FORMAT.md, Loaded matches).

The past stays where it is stored (``selectors.lineage``). Written beside the new match are the
round that it goes on with and what was dealt again, as if it had always lain so: about as much
after fifteen thousand plies as after fifteen. Nothing is written before ``write_past``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

import msgspec

from accounts.models import User
from cardroom.rules.shuffles import Sealed
from cardroom.rules.values import HistoryStep, Redealt, State
from games.matches.models import Match, Ply, Round
from games.matches.selectors.history import (
    first_opening,
    match_at,
    opening_state,
    openings_of,
    running_round,
    shuffles_at,
)
from games.matches.selectors.log import LogEntry, decks_of, log_entries, moves_between
from games.matches.selectors.rounds import standing_rounds
from games.matches.snapshot import LoadOrigin, MatchSnapshot

Cards = Literal["same", "reshuffled"]

TRIED: Final = (200, 1600)  # plies from the end, before the whole of a long round is read

_encode = msgspec.json.encode


@dataclass(frozen=True)
class Continuation:
    """``then`` is the old match at the version that is played on from.

    ``plies`` and ``rounds`` are the rows of its past that the new match has of its own.
    """

    old: MatchSnapshot
    then: MatchSnapshot
    loaded: LoadOrigin
    seed: bytes
    shuffles_used: int
    plies: Sequence[Ply]
    rounds: Sequence[Round]

    def row(self, creator: User) -> Match:
        then = self.then
        return Match.on_same_terms(
            then,
            rules_version=then.rules_version,
            creator=creator,
            rated=False,
            seed=self.seed,
            shuffles_used=self.shuffles_used,
            version=then.version,
            round=then.round,
            state=self.loaded.state.encode(),
            parent_id=then.id,
            parent_version=then.version,
            loaded=_encode(self.loaded),
        )

    def write_past(self, new: Match) -> None:
        for ply in self.plies:
            ply.match = new
        for round_ in self.rounds:
            round_.match = new
        Ply.objects.bulk_create(self.plies)
        Round.objects.bulk_create(self.rounds)


def of(
    old: MatchSnapshot, version: int, cards: Cards, seats: tuple[int, ...], seed: bytes
) -> Continuation:
    """``seats`` are those of the player who loads it: what they cannot know is dealt again."""
    then, running = match_at(old, version), running_round(old, version)
    loaded = LoadOrigin(
        cards=cards,
        shuffles=shuffles_at(old, version),
        seats=seats,
        state=_encode(then.state).decode(),
        past_in_parent=True,
    )
    if cards == "same":
        return Continuation(old, then, loaded, seed, 0, (), (_opened(old, running),))
    sealed = Sealed(seed)
    past = _past_in_use(then, running)
    redealt = old.rules.redeal(then.state, past.steps, frozenset(seats), sealed)
    changed_past = _ChangedPast(old, running, past, redealt)
    before = loaded.shuffles - sum(len(step.decks) for step in past.steps)
    loaded = msgspec.structs.replace(
        loaded,
        state=_encode(redealt.state).decode(),
        moved=tuple((before + deck, positions) for deck, positions in redealt.moved),
        retold_since=changed_past.since,
    )
    rounds = tuple(changed_past.rounds())
    return Continuation(old, then, loaded, seed, sealed.used, tuple(changed_past.plies()), rounds)


class _Past(NamedTuple):
    """The part of a history whose cards may be dealt again, entry by entry and step by step."""

    entries: Sequence[LogEntry]
    rounds: Mapping[int, Round]
    steps: Sequence[HistoryStep]


def _past_in_use(then: MatchSnapshot, running: Round) -> _Past:
    """The past that a re-deal needs: the running round or its last plies, or everything."""
    if not then.rules.deals_anew:
        return _past_since(then, standing_rounds(then, then.version), -1)
    opening = running.opening_version
    for length in TRIED:
        if then.version - length <= opening:
            break
        past = _past_since(then, [running], then.version - length)
        if then.rules.redeal_suffices(then.state, past.steps):
            return past
    return _past_since(then, [running], opening - 1)


def _past_since(then: MatchSnapshot, rounds: Sequence[Round], after: int) -> _Past:
    entries = list(log_entries(then, after=after, until=then.version))
    opened = {one.opening_version: one for one in rounds if one.opening_version > after}
    return _Past(entries, opened, list(_steps(entries, opened, rounds[-1].number)))


def _steps(
    entries: Sequence[LogEntry], opened: Mapping[int, Round], number: int
) -> Iterator[HistoryStep]:
    for entry in entries:
        decks = entry.decks
        if entry.version in opened:
            number = opened[entry.version].number
            decks += decks_of(bytes(opened[entry.version].decks))
        yield HistoryStep(number, decks, entry.events)


class _ChangedPast:
    """The rows of a past in which some cards were dealt again."""

    def __init__(
        self, old: MatchSnapshot, running: Round, past: _Past, redealt: Redealt[Any]
    ) -> None:
        self._old, self._running, self._past = old, running, past
        lines = zip(past.entries, past.steps, redealt.history(past.steps), strict=True)
        changed = [(entry, now) for entry, was, now in lines if now != was]
        self._changed = {entry.version: (entry, now) for entry, now in changed}
        self.since = min(self._changed, default=None)

    def plies(self) -> Iterator[Ply]:
        for entry, now in self._changed.values():
            yield Ply(
                version=entry.version,
                seat=entry.seat,
                move=entry.move,
                events=_encode(now.events),
                decks=_encode(now.decks) if entry.decks else None,
                at=entry.at,
            )

    def rounds(self) -> Iterator[Round]:
        """The running round, and those whose own decks were dealt again."""
        goes_on, states = self._running.opening_version, dict(self._states())
        for version, was in {**self._past.rounds, goes_on: self._running}.items():
            if version in self._changed or version == goes_on:
                row = _opened(self._old, was, goes_on=version == goes_on)
                if version in states:
                    row.opening_state = _encode(states[version])
                if version in self._changed:
                    row.decks = _encode(self._changed[version][1].decks)
                yield row

    def _states(self) -> Iterator[tuple[int, State]]:
        """The openings as they are now, from the first that was dealt again."""
        since, last = self.since, self._running.opening_version
        if since is None or since > last:
            return
        base = self._base(since)
        if base.opening_version == since:
            yield since, self._old.rules.decode_state(bytes(base.opening_state))
        entries = moves_between(self._old, base.opening_version, last)
        decks = {entry.version: entry.decks for entry in entries}
        lines = zip(self._past.entries, self._past.steps, strict=True)
        decks |= {entry.version: step.decks for entry, step in lines}
        decks |= {version: now.decks for version, (_, now) in self._changed.items()}
        yield from openings_of(self._old, base, entries, decks)

    def _base(self, since: int) -> Round:
        """The last opening that lies as before, or the first deal as it lies now."""
        if since == 0:
            state = first_opening(self._old, self._changed[0][1].decks)
            return Round(opening_version=0, opening_state=_encode(state))
        base = running_round(self._old, since - 1)
        return _opened(self._old, base)


def _opened(old: MatchSnapshot, was: Round, *, goes_on: bool = True) -> Round:
    """A round as the new match has it; the one that it goes on with is open."""
    return Round(
        number=was.number,
        opening_version=was.opening_version,
        opening_state=_encode(opening_state(old, was)),
        decks=was.decks,
        scores=None if goes_on else was.scores,
        opened_at=was.opened_at,
        closed_at=None if goes_on else was.closed_at,
    )
