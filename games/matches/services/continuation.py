"""What a match that plays on from a version of another one begins with (FORMAT.md, Loaded matches).

The past is copied as it is to be told there: what was dealt again is told as if it had always lain
so. Nothing is written before ``write_past``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from django.db import connection

from accounts.models import User
from games.matches.models import Match
from games.matches.selectors.history import history_until, match_at, openings_of
from games.matches.services import archiving
from games.matches.snapshot import LoadOrigin, MatchSnapshot
from games.rules.shuffles import Sealed
from games.rules.values import HistoryStep, Redealt

Cards = Literal["same", "reshuffled"]

_encode = msgspec.json.encode

RewrittenPly = tuple[int, bytes, bytes]
RewrittenOpening = tuple[int, bytes]


@dataclass(frozen=True)
class Continuation:
    """``then`` is the old match at the version that is played on from."""

    old: MatchSnapshot
    then: MatchSnapshot
    loaded: LoadOrigin
    seed: bytes
    shuffles_used: int
    plies: Sequence[RewrittenPly]
    openings: Sequence[RewrittenOpening]

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
        """Plies and rounds up to the loaded version; the round that it lies in is open again."""
        if self.old.is_over:
            archiving.unfold(self.old.id)  # its rows are copied in the database
        changed: list[Any] = [[row[n] for row in self.plies] for n in range(3)]
        opened: list[Any] = [[row[n] for row in self.openings] for n in range(2)]
        numbers: list[Any] = [new.id, new.round, new.round]
        with connection.cursor() as cursor:
            cursor.execute(_PLIES, [new.id, *changed, self.old.id, new.version])
            cursor.execute(_ROUNDS, [*numbers, *changed, *opened, self.old.id, *[new.version] * 2])


def of(
    old: MatchSnapshot, version: int, cards: Cards, seats: tuple[int, ...], seed: bytes
) -> Continuation:
    """``seats`` are those of the player who loads it: what they cannot know is dealt again."""
    then, history = match_at(old, version), history_until(old, version)
    sealed, redealt = Sealed(seed), None
    if cards == "reshuffled":
        redealt = old.rules.redeal(then.state, history, frozenset(seats), sealed)
    loaded = LoadOrigin(
        cards=cards,
        shuffles=sum(len(step.decks) for step in history),
        seats=seats,
        state=_encode(redealt.state if redealt else then.state).decode(),
        moved=redealt.moved if redealt else (),
    )
    plies, openings = _rewritten(old, history, redealt) if redealt else ([], [])
    return Continuation(old, then, loaded, seed, sealed.used, plies, openings)


def _rewritten(
    old: MatchSnapshot, history: Sequence[HistoryStep], redealt: Redealt[Any]
) -> tuple[list[RewrittenPly], list[RewrittenOpening]]:
    """The events and decks of each version that re-dealing changed, and the rounds' openings.

    All as JSON. What was dealt again is told as if it had always lain there.
    """
    past = redealt.history(history)
    steps = enumerate(zip(history, past, strict=True))
    plies = [(n, _encode(now.events), _encode(now.decks)) for n, (was, now) in steps if now != was]
    return plies, [(version, _encode(state)) for version, state in openings_of(old, past)]


_PLIES = """
INSERT INTO games_ply (match_id, version, seat, move, events, decks, at)
SELECT %s, p.version, seat, move, coalesce(now.events, p.events),
    CASE WHEN p.decks IS NOT NULL THEN coalesce(now.decks, p.decks) END, at
FROM games_ply p LEFT JOIN unnest(%s::int[], %s::bytea[], %s::bytea[])
    AS now(version, events, decks) ON now.version = p.version
WHERE match_id = %s AND p.version <= %s"""

_ROUNDS = """
INSERT INTO games_round (match_id, number, opening_version, opening_state, decks, opened_at,
    scores, closed_at)
SELECT %s, number, opening_version, coalesce(again.state, opening_state),
    coalesce(now.decks, r.decks), opened_at,
    CASE WHEN number < %s THEN scores END, CASE WHEN number < %s THEN closed_at END
FROM games_round r LEFT JOIN unnest(%s::int[], %s::bytea[], %s::bytea[])
    AS now(version, events, decks) ON now.version = opening_version
LEFT JOIN unnest(%s::int[], %s::bytea[]) AS again(version, state) ON again.version = opening_version
WHERE match_id = %s AND opening_version <= %s AND (undone_at IS NULL OR undone_at > %s)"""
