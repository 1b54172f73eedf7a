"""Playing on from a save: a new match whose past is the old one's (FORMAT.md, Loaded matches).

The old match stays as it was; the new one reads its past there (``selectors.lineage``).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from cardroom.rules.game import AnyGame
from cardroom.rules.record import MAX_LOADS
from cardroom.rules.shuffles import Sealed
from cardroom.rules.text import say
from cardroom.rules.values import HistoryStep, Redealt, State
from config.refusals import NotAllowed
from config.tasks import after_commit
from games.matches.announcements import announce
from games.matches.joining import call_off_waiting_loads
from games.matches.models import Match, Ply, Round, Seat, new_seed
from games.matches.opening import write_new
from games.matches.refusals import BadSave, DealIsSealed, NoSuchMatch
from games.matches.seats import carry_over_seat
from games.matches.selectors.access import Caller, find_match, get_match
from games.matches.selectors.history import (
    first_opening,
    match_at,
    opening_state,
    openings_of,
    running_round,
    shuffles_at,
)
from games.matches.selectors.lineage import loads, rounds_of_match, standing_rounds
from games.matches.selectors.log import LogEntry, decks_of, log_entries, moves_between
from games.matches.selectors.secrecy import (
    is_only_person,
    is_revealed,
    is_sealed,
    lock_past,
    uses_decks_of,
)
from games.matches.snapshot import LoadOrigin, MatchSnapshot, SeatSnapshot

# The beginning of a match that plays on from another one (FORMAT.md, Loaded matches).
#
# The past stays where it is stored (``selectors.lineage``). Written beside the new match are the
# round that it goes on with and what was dealt again, as if it had always lain so: about as much
# after fifteen thousand plies as after fifteen. Nothing is written before ``write_past``.

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


def continuation_of(
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
    access = find_match(match_id, Caller(user=user.id))
    if access is None or not access.match.is_visible_to(user.id):
        raise NoSuchMatch
    _check_played(access.match, user)
    version = _version(access.match, round, version)
    match = _source_of(access.match, version)
    _check_played(match, user)
    if is_sealed(match):
        raise DealIsSealed
    if cards == "same" and not is_only_person(match, user.id):
        raise NotAllowed("With the same cards you would know the others'; ask for reshuffled.")
    if len(loads(match)) >= MAX_LOADS:
        raise BadSave(say("A match can be loaded over at most {n} generations.", n=MAX_LOADS))
    return _open(match, version, user, cards)


def _check_played(match: MatchSnapshot, user: User) -> None:
    if not match.seats_of(user.id):
        raise NotAllowed("Only its players can play on from the saves of a match.")


def _version(match: MatchSnapshot, number: int | None, version: int | None) -> int:
    rounds = rounds_of_match(match, with_cards=False)
    if number is not None and version is None:
        version = _opening(match, rounds, number)
    elif version is None or number is not None:
        raise BadSave("Name either a round or a version to play on from.")
    if match.state_json is None or not 0 <= version <= match.version:
        raise BadSave(
            say(
                "The match has no version {version}; it has 0 to {last}.",
                version=version,
                last=match.version,
            )
        )
    if any(one.undone_at is not None and one.undone_at <= version for one in rounds):
        raise BadSave("The match was rolled back; only what was before can be loaded.")
    if version == match.version and match.is_over:
        raise BadSave("The match is over at this point; choose an earlier one.")
    return version


def _opening(match: MatchSnapshot, rounds: Sequence[Round], number: int) -> int:
    for save in rounds:
        if save.number == number and save.undone_at is None:
            return save.opening_version
    raise BadSave(
        say(
            "The match has no round {number}; it has {last} so far.",
            number=number,
            last=match.round,
        )
    )


def _source_of(match: MatchSnapshot, version: int) -> MatchSnapshot:
    """The match whose own cards a version was played with: the past belongs to the parent."""
    while match.parent_id is not None and version < (match.parent_version or 0):
        match = get_match(match.parent_id)
    return match


def _open(old: MatchSnapshot, version: int, user: User, cards: Cards) -> MatchSnapshot:
    beginning = continuation_of(old, version, cards, old.seats_of(user.id), new_seed())
    row = beginning.row(user)
    shows_cards = cards == "same" and old.rated and uses_decks_of(old, version)
    with transaction.atomic():
        lock_past(old.id)  # it reveals nothing before this match is there
        call_off_waiting_loads(parent_id=old.id)
        row.past_was_told = is_revealed(old.id)
        match = write_new(row, [_seat(old.rules, seat, user) for seat in beginning.then.seats])
        beginning.write_past(row)
        if shows_cards:
            _end_rating(old)
    return match


def _end_rating(match: MatchSnapshot) -> None:
    """A person who can look the cards up plays for no rating."""
    running = Match.objects.filter(id=match.id, status=Match.Status.ACTIVE)
    if running.update(rated=False, updated_at=timezone.now()):
        after_commit.when_committed(lambda: announce(match))


def _seat(game: AnyGame, old: SeatSnapshot, user: User) -> Seat:
    """The same person or bot with its points; a seat that had resigned is not free again."""
    seat = carry_over_seat(game, old, old.index, user)
    if old.resigned_at is not None:
        seat.kind, seat.user_id, seat.invited_id = old.kind, old.user_id, None
    seat.points, seat.resigned_at, seat.timed_out = old.points, old.resigned_at, old.timed_out
    return seat
