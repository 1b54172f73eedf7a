"""Playing on from a save: a new match whose past is the old one's (FORMAT.md, Loaded matches).

The past is copied, so that the new match is whole by itself; the old one stays as it was.
"""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

import msgspec
from django.db import connection, transaction

from accounts.models import User
from config.refusals import NotAllowed
from games.matches.models import Match, Round, Seat, new_seed
from games.matches.refusals import BadSave, NoSuchMatch
from games.matches.selectors.access import Caller, find_match, get_match
from games.matches.selectors.history import history_until, match_at
from games.matches.services.seats import carry_over_seat
from games.matches.services.starting import write_new
from games.matches.snapshot import LoadOrigin, MatchSnapshot, SeatSnapshot
from games.rules.shuffles import Sealed
from games.rules.values import HistoryStep, Redealt

Cards = Literal["same", "reshuffled"]

_encode = msgspec.json.encode


def load(
    *,
    match_id: UUID,
    user: User,
    cards: Cards,
    round: int | None = None,  # noqa: A002 - the name in the API
    version: int | None = None,
) -> MatchSnapshot:
    """Opens a match that plays on from a round's opening or any version; raises ``Refusal``.

    ``same`` plays on with the cards as they lie, which only one person alone may do;
    ``reshuffled`` deals again all that the loading player could not see. The new match is unrated.
    """
    found = find_match(match_id, Caller(user=user.id))
    if found is None or not found.match.is_visible_to(user.id):
        raise NoSuchMatch
    match = found.match
    seats = match.seats_of(user.id)
    if not seats:
        raise NotAllowed("Only who played this match can play on from its saves.")
    if cards == "same" and any(s.user_id not in (None, user.id) for s in match.seats):
        raise NotAllowed("With the same cards you would know the others'; ask for reshuffled.")
    version = _version(match, round, version)
    match = _source_of(match, version)
    return _open(match, version, user, seats, cards)


def _version(match: MatchSnapshot, number: int | None, version: int | None) -> int:
    if number is not None and version is None:
        version = _opening(match, number)
    elif version is None or number is not None:
        raise BadSave("Name either a round or a version to play on from.")
    if match.state_json is None or not 0 <= version <= match.version:
        raise BadSave(f"The match has no version {version}; it has 0 to {match.version}.")
    if version == match.version and match.is_over:
        raise BadSave("The match is over at this point; choose an earlier one.")
    return version


def _opening(match: MatchSnapshot, number: int) -> int:
    found = Round.objects.filter(match_id=match.id, number=number)
    opening = found.values_list("opening_version", flat=True).first()
    if opening is None:
        raise BadSave(f"The match has no round {number}; it has {match.round} so far.")
    return opening


def _source_of(match: MatchSnapshot, version: int) -> MatchSnapshot:
    """The match whose own cards a version was played with: the past belongs to the parent."""
    while match.parent_id is not None and version < (match.parent_version or 0):
        match = get_match(match.parent_id)
    return match


def _open(
    old: MatchSnapshot, version: int, user: User, seats: tuple[int, ...], cards: Cards
) -> MatchSnapshot:
    then = match_at(old, version)
    history = history_until(old, version)
    seed = new_seed()
    sealed = Sealed(seed)
    redealt = None
    if cards == "reshuffled":
        redealt = old.rules.redeal(then.state, history, frozenset(seats), sealed)
    loaded = LoadOrigin(
        cards=cards,
        shuffles=sum(len(step.decks) for step in history),
        seats=seats,
        state=_encode(redealt.state if redealt else then.state).decode(),
        moved=redealt.moved if redealt else (),
    )
    row = _continuation(then, user, loaded)
    row.seed, row.shuffles_used = seed, sealed.used
    with transaction.atomic():
        match = write_new(row, [_seat(seat, user) for seat in then.seats])
        _copy_past(old, row, _rewritten(history, redealt) if redealt else [])
    return match


def _continuation(then: MatchSnapshot, user: User, loaded: LoadOrigin) -> Match:
    return Match.on_same_terms(
        then,
        rules_version=then.rules_version,
        creator=user,
        rated=False,
        version=then.version,
        round=then.round,
        state=loaded.state.encode(),
        parent_id=then.id,
        parent_version=then.version,
        loaded=_encode(loaded),
    )


def _seat(old: SeatSnapshot, user: User) -> Seat:
    """The same person or bot with its points; a seat that had resigned is not free again."""
    seat = carry_over_seat(old, old.index, user)
    if old.resigned_at is not None:
        seat.kind, seat.user_id, seat.invited_id = old.kind, old.user_id, None
    seat.points, seat.resigned_at, seat.timed_out = old.points, old.resigned_at, old.timed_out
    return seat


Rewritten = tuple[int, bytes, bytes]


def _rewritten(history: Sequence[HistoryStep], redealt: Redealt[Any]) -> list[Rewritten]:
    """The events and decks, as JSON, of each version that re-dealing changed.

    What seats were shown of re-dealt cards is told as if they had always lain there.
    """
    steps = enumerate(zip(history, redealt.history(history), strict=True))
    return [(n, _encode(now.events), _encode(now.decks)) for n, (old, now) in steps if now != old]


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
SELECT %s, number, opening_version, opening_state, coalesce(now.decks, r.decks), opened_at,
    CASE WHEN number < %s THEN scores END, CASE WHEN number < %s THEN closed_at END
FROM games_round r LEFT JOIN unnest(%s::int[], %s::bytea[], %s::bytea[])
    AS now(version, events, decks) ON now.version = opening_version
WHERE match_id = %s AND number <= %s"""


def _copy_past(old: MatchSnapshot, new: Match, rewritten: Sequence[Rewritten]) -> None:
    """Plies and rounds up to the loaded version; the round that it lies in is open again."""
    changed = [[row[n] for row in rewritten] for n in range(3)]
    with connection.cursor() as cursor:
        cursor.execute(_PLIES, [new.id, *changed, old.id, new.version])
        cursor.execute(_ROUNDS, [new.id, new.round, new.round, *changed, old.id, new.round])
