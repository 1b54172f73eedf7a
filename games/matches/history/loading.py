"""Playing on from a save: a new match whose past is the old one's (FORMAT.md, Loaded matches).

The old match stays as it was; the new one reads its past there (``selectors.lineage``).
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from cardroom.rules.game import AnyGame
from cardroom.rules.record import MAX_LOADS
from cardroom.rules.text import say
from config.refusals import NotAllowed
from config.tasks import after_commit
from games.matches.announcements import announce
from games.matches.history import continuation
from games.matches.history.continuation import Cards
from games.matches.models import Match, Round, Seat, new_seed
from games.matches.refusals import BadSave, DealIsSealed, NoSuchMatch
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.seating.joining import call_off_waiting_loads
from games.matches.seating.seats import carry_over_seat
from games.matches.seating.starting import write_new
from games.matches.selectors.access import Caller, find_match, get_match
from games.matches.selectors.lineage import loads
from games.matches.selectors.rounds import rounds_of_match
from games.matches.selectors.secrecy import (
    is_only_person,
    is_revealed,
    is_sealed,
    lock_past,
    uses_decks_of,
)
from games.matches.snapshot import MatchSnapshot


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
        raise NotAllowed("Only who played this match can play on from its saves.")


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
    beginning = continuation.of(old, version, cards, old.seats_of(user.id), new_seed())
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
