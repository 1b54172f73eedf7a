"""Playing on from a save: a new match whose past is the old one's (FORMAT.md, Loaded matches).

The past is copied, so that the new match is whole by itself; the old one stays as it was.
"""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

import msgspec
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from config.refusals import NotAllowed
from games.matches.announcements import announce
from games.matches.models import Match, Round, Seat, new_seed
from games.matches.refusals import BadSave, NoSuchMatch
from games.matches.selectors.access import Caller, find_match, get_match
from games.matches.selectors.history import history_until, match_at, openings_of
from games.matches.selectors.secrecy import (
    generations,
    is_only_person,
    is_told,
    lock_past,
    uses_decks_of,
)
from games.matches.services.joining import call_off_waiting_loads
from games.matches.services.seats import carry_over_seat
from games.matches.services.starting import write_new
from games.matches.snapshot import LoadOrigin, MatchSnapshot, SeatSnapshot
from games.rules.record import MAX_LOADS
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
    ``reshuffled`` deals again all that the loading player could not see. Both are judged by the
    match whose cards they are. The new match is unrated.
    """
    found = find_match(match_id, Caller(user=user.id))
    if found is None or not found.match.is_visible_to(user.id):
        raise NoSuchMatch
    _check_played(found.match, user)
    version = _version(found.match, round, version)
    match = _source_of(found.match, version)
    _check_played(match, user)
    if cards == "same" and not is_only_person(match, user.id):
        raise NotAllowed("With the same cards you would know the others'; ask for reshuffled.")
    if generations(match.id) >= MAX_LOADS:
        raise BadSave(f"A match can be loaded over at most {MAX_LOADS} generations.")
    return _open(match, version, user, cards)


def _check_played(match: MatchSnapshot, user: User) -> None:
    if not match.seats_of(user.id):
        raise NotAllowed("Only who played this match can play on from its saves.")


def _version(match: MatchSnapshot, number: int | None, version: int | None) -> int:
    if number is not None and version is None:
        version = _opening(match, number)
    elif version is None or number is not None:
        raise BadSave("Name either a round or a version to play on from.")
    if match.state_json is None or not 0 <= version <= match.version:
        raise BadSave(f"The match has no version {version}; it has 0 to {match.version}.")
    rolled_back = Round.objects.filter(match_id=match.id, undone_at__lte=version)
    if rolled_back.exists():
        raise BadSave("An operator rolled the match back; only what was before can be loaded.")
    if version == match.version and match.is_over:
        raise BadSave("The match is over at this point; choose an earlier one.")
    return version


def _opening(match: MatchSnapshot, number: int) -> int:
    found = Round.objects.filter(match_id=match.id, number=number, undone_at=None)
    opening = found.values_list("opening_version", flat=True).first()
    if opening is None:
        raise BadSave(f"The match has no round {number}; it has {match.round} so far.")
    return opening


def _source_of(match: MatchSnapshot, version: int) -> MatchSnapshot:
    """The match whose own cards a version was played with: the past belongs to the parent."""
    while match.parent_id is not None and version < (match.parent_version or 0):
        match = get_match(match.parent_id)
    return match


def _open(old: MatchSnapshot, version: int, user: User, cards: Cards) -> MatchSnapshot:
    then, seats = match_at(old, version), old.seats_of(user.id)
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
    plies, openings = _rewritten(old, history, redealt) if redealt else ([], [])
    told = cards == "same" and old.rated and uses_decks_of(old, version)
    with transaction.atomic():
        lock_past(old.id)  # which tells nothing before this is there
        call_off_waiting_loads(parent_id=old.id)
        row.past_was_told = is_told(old.id)
        match = write_new(row, [_seat(seat, user) for seat in then.seats])
        _copy_past(old, row, plies, openings)
        if told:
            _end_rating(old)
    return match


def _end_rating(match: MatchSnapshot) -> None:
    """Who can look the cards up plays for no rating."""
    running = Match.objects.filter(id=match.id, status=Match.Status.ACTIVE)
    if running.update(rated=False, updated_at=timezone.now()):
        transaction.on_commit(lambda: announce(match))


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


RewrittenPly = tuple[int, bytes, bytes]
RewrittenOpening = tuple[int, bytes]


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


def _copy_past(
    old: MatchSnapshot,
    new: Match,
    plies: Sequence[RewrittenPly],
    openings: Sequence[RewrittenOpening],
) -> None:
    """Plies and rounds up to the loaded version; the round that it lies in is open again."""
    changed: list[Any] = [[row[n] for row in plies] for n in range(3)]
    opened: list[Any] = [[row[0] for row in openings], [row[1] for row in openings]]
    with connection.cursor() as cursor:
        cursor.execute(_PLIES, [new.id, *changed, old.id, new.version])
        numbers: list[Any] = [new.id, new.round, new.round]
        cursor.execute(_ROUNDS, [*numbers, *changed, *opened, old.id, *[new.version] * 2])
