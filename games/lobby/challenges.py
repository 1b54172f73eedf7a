"""A person is asked for one match on full terms, until a time: made, answered, expired, read."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from random import SystemRandom
from typing import Annotated, Any, ClassVar, Final, Literal
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from accounts.models import User
from config.refusals import NotAllowed
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.absent import of_installed_games
from games.lobby.models import MOST_SEATS, Challenge
from games.lobby.selectors import ChallengeIsOver, KeyOfAnotherChallenge, NoSuchChallenge
from games.matches import opening, time_bank
from games.matches.joining import abort, join, leave
from games.matches.models import Match, Seat
from games.matches.refusals import AlreadySeated, BadSeats, MatchNotOpen, SeatTaken
from games.matches.seats import SeatIndex, SeatRequest, Visibility, find_invited
from games.matches.time_bank import Clock, ClockTerms, PaceName, find_pace
from games.mirrored.opening import open_asked

# The terms of a challenge, and how it is shown to those whom it concerns. Values only.

SHORTEST: Final = 30  # seconds
LONGEST: Final = 7 * 24 * 3600
USUAL: Final = 24 * 3600

Slug = Annotated[str, Meta(max_length=64)]
Status = Literal["waiting", "accepted", "declined", "withdrawn", "expired"]
Reason = Literal["game", "time", "busy", "generic"]


class NewChallenge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """To a person or a program by ``username``, or to a computer of the game: ``bot``.

    ``seat`` is yours; without it seats are drawn by lot. ``seats`` is the number of players;
    ``computers`` is the bot on those beyond two. ``pace`` is a time for each move, a ``clock``
    takes its place; without both nobody is in a hurry. ``rated``: true for a match that must be
    rated, false for one that is not, by default where it can be. It waits ``expires_in`` seconds.
    """

    bounds: ClassVar = {"oneOf": [{"required": ["username"]}, {"required": ["bot"]}]}

    game: Annotated[str, Meta(max_length=32)]
    username: Annotated[str, Meta(max_length=150)] | UnsetType = UNSET
    bot: Slug | UnsetType = UNSET
    preset: Slug | None = None
    options: dict[str, Any] | None = None
    seats: Annotated[int, Meta(ge=2, le=MOST_SEATS)] | None = None
    seat: SeatIndex | None = None
    computers: Slug | None = None
    pace: PaceName | None = None
    clock: ClockTerms | None = None
    rated: bool | None = None
    mirrored: bool = False
    visibility: Visibility = "unlisted"
    expires_in: Annotated[int, Meta(ge=SHORTEST, le=LONGEST)] = USUAL

    def __post_init__(self) -> None:
        if isinstance(self.username, str) == isinstance(self.bot, str):
            raise ValueError("Give one of `username` and `bot`")

    @property
    def digest(self) -> str:
        """The same for the same terms."""
        missing = {name: None for name in ("username", "bot") if getattr(self, name) is UNSET}
        whole = replace(self, **missing)
        return sha256(msgspec.json.encode(whole, order="deterministic")).hexdigest()


class ChallengeParty(msgspec.Struct, frozen=True):
    """A person by account, or a computer of the house, which has no ``username``."""

    username: str | None
    name: str


class ChallengeTerms(msgspec.Struct, frozen=True):
    """A challenge with its full terms; ``id`` is that of its match, too.

    ``options`` are all options of the game as they are played. ``seat`` is the challenger's,
    ``challenged_seat`` the other one's. ``reason`` is why it was declined.
    """

    id: UUID
    status: Status
    challenger: ChallengeParty
    challenged: ChallengeParty
    game: str
    options: dict[str, Any]
    seats: int
    seat: int
    challenged_seat: int
    turn_seconds: int | None
    clock: Clock | None
    rated: bool
    mirrored: bool
    visibility: Visibility
    created_at: datetime
    expires_at: datetime | None
    reason: Reason | None


# Challenging somebody: an open match with a seat kept for one person, and what it is kept for.
#
# A computer of the house needs no answer, so the match begins at once.

_TRIES: Final = 3
_chance = SystemRandom()


def send_challenge(*, account: User, terms: NewChallenge, key: str | None = None) -> UUID:
    """The id of the challenge; the same ``key`` again gives the one that it made.

    Raises a refusal where the match could not be opened, or the person takes no invitation.
    """
    for left in reversed(range(_TRIES)):
        try:
            with transaction.atomic():
                return _answered(account, terms, key) or _made(account, terms, key)
        except IntegrityError:  # another request with the same key was quicker
            if not left:
                raise
    raise AssertionError("the last try returns or raises")


def _answered(account: User, terms: NewChallenge, key: str | None) -> UUID | None:
    if key is None:
        return None
    before = Challenge.objects.filter(challenger=account, key=key).first()
    if before is not None and before.terms != terms.digest:
        raise KeyOfAnotherChallenge
    return before.match_id if before else None


def _made(account: User, terms: NewChallenge, key: str | None) -> UUID:
    pace = find_pace(terms.pace) if terms.pace else None
    person = find_invited(account, terms.username) if isinstance(terms.username, str) else None
    match = open_asked(
        creator=account,
        game=terms.game,
        preset=terms.preset,
        options=_options(terms),
        seats=_seats(terms),
        visibility=terms.visibility,
        turn_seconds=pace.turn_seconds if pace and terms.clock is None else None,
        clock=terms.clock,
        rated=terms.rated,
        mirrored=terms.mirrored,
        answer_by=timezone.now() + timedelta(seconds=terms.expires_in) if person else None,
    )
    Challenge.objects.create(
        match_id=match.id, challenger=account, challenged=person, terms=terms.digest, key=key
    )
    return match.id


def _options(terms: NewChallenge) -> Mapping[str, Any] | None:
    """With the number of players, if one was named, where the game has that option."""
    rules, _ = opening.find_terms(terms.game, terms.options, terms.preset)
    if terms.seats is None or "players" not in rules.options.__struct_fields__:
        return terms.options
    return {**(terms.options or {}), "players": terms.seats}


def _seats(terms: NewChallenge) -> Sequence[SeatRequest]:
    rules, options = opening.find_terms(terms.game, _options(terms), terms.preset)
    count = rules.seats(options)
    if terms.seats not in (None, count):
        raise BadSeats("This game is not played by as many.")
    if terms.seat is not None and terms.seat >= count:
        raise BadSeats("The match has no such seat.")
    if count > 2 and terms.computers is None:
        raise BadSeats("Name the computer that plays the other seats: `computers`.")
    if isinstance(terms.username, str):
        challenged = SeatRequest("user", username=terms.username)
    else:
        challenged = SeatRequest("bot", bot=str(terms.bot))
    rest = [SeatRequest("bot", bot=terms.computers)] * (count - 2)
    others = [challenged, *rest]
    own = _chance.randrange(count) if terms.seat is None else terms.seat
    if terms.seat is None:
        _chance.shuffle(others)
    return [*others[:own], SeatRequest("me"), *others[own:]]


# Every read of a challenge. Only the two whom it concerns learn that there is one.

SHOWN_AFTER: Final = timedelta(minutes=10)  # those that were answered
MOST: Final = 100


def challenges_of(account: UUID) -> list[ChallengeTerms]:
    """Waiting ones, and those that were made and answered a while ago; the newest first."""
    wait = Q(match__status=Match.Status.OPEN)
    wait |= Q(match__updated_at__gt=timezone.now() - SHOWN_AFTER)
    mine = Q(challenger=account) | Q(challenged=account)
    return _shown(_rows().filter(mine, wait).order_by("-match")[:MOST])


def challenge_of(account: UUID | None, challenge_id: UUID) -> ChallengeTerms:
    """As one of the two sees it; raises NoSuchChallenge for everybody else."""
    mine = Q(challenger=account) | Q(challenged=account)
    rows = _rows().filter(mine, match=challenge_id) if account else Challenge.objects.none()
    for shown in _shown(rows):
        return shown
    raise NoSuchChallenge


def open_challenges(matches: Collection[UUID]) -> dict[UUID, ChallengeTerms]:
    """The challenges among these matches, for their players alone."""
    if not matches:
        return {}
    return {shown.id: shown for shown in _shown(_rows().filter(match__in=matches))}


def is_challenge_of(account: UUID | None, match_id: UUID) -> bool:
    """Whether this match is a challenge that the account made, or received."""
    mine = Q(challenger=account) | Q(challenged=account)
    return account is not None and Challenge.objects.filter(mine, match=match_id).exists()


def _rows() -> QuerySet[Challenge]:
    rows = Challenge.objects.select_related("match", "challenger", "challenged")
    return rows.defer("match__state", "match__seed", "match__loaded").prefetch_related(
        "match__seats"
    )


def _shown(rows: Iterable[Challenge]) -> list[ChallengeTerms]:
    return [_one(row, sorted(row.match.seats.all(), key=lambda seat: seat.index)) for row in rows]


def _one(row: Challenge, seats: list[Seat]) -> ChallengeTerms:
    match, challenged = row.match, _challenged_seat(row, seats)
    visibility: Any = match.visibility
    reason: Any = challenged.declined or None
    return ChallengeTerms(
        id=match.id,
        status=_status(row, challenged),
        challenger=ChallengeParty(row.challenger.username, row.challenger.display_name),
        challenged=_party(row, challenged),
        game=match.game,
        options=msgspec.json.decode(bytes(match.options)),
        seats=len(seats),
        seat=_challenger_seat(row, seats),
        challenged_seat=challenged.index,
        turn_seconds=match.turn_seconds,
        clock=time_bank.terms_of(match.clock),
        rated=match.rated,
        mirrored=match.deal_id is not None,
        visibility=visibility,
        created_at=row.created_at,
        expires_at=match.answer_by,
        reason=reason,
    )


def _party(row: Challenge, seat: Seat) -> ChallengeParty:
    if row.challenged is None:
        return ChallengeParty(None, seat.name)
    return ChallengeParty(row.challenged.username, row.challenged.display_name)


def _challenger_seat(row: Challenge, seats: list[Seat]) -> int:
    own = (seat.index for seat in seats if seat.user_id == row.challenger_id)
    return next(own, 0)


def _challenged_seat(row: Challenge, seats: list[Seat]) -> Seat:
    """The challenged person's, or the first of a computer's."""
    if row.challenged_id is None:
        return next(seat for seat in seats if seat.bot)
    own = (seat for seat in seats if row.challenged_id in (seat.user_id, seat.invited_id))
    return next(own, seats[-1])


def _status(row: Challenge, challenged: Seat) -> Status:
    match = row.match
    if match.started_at is not None:
        return "accepted"
    if challenged.declined:
        return "declined"
    if match.status != Match.Status.OPEN:
        return "expired" if row.lapsed else "withdrawn"
    late = match.answer_by is not None and match.answer_by <= timezone.now()
    return "expired" if late else "waiting"


# Accepting, declining and withdrawing a challenge, each exactly once.
#
# All three and its expiry lock the match first, so that one of them wins and the others learn
# what became of it. The same answer again is no error.


def accept(*, account: User, challenge_id: UUID, deck: str | None = None) -> ChallengeTerms:
    """Seats the challenged person, and the match begins. Raises a refusal by cause."""
    _check_is_challenged(challenge_of(account.pk, challenge_id), account)
    try:
        join(match_id=challenge_id, user=account, deck=deck)
    except (AlreadySeated, MatchNotOpen, SeatTaken):
        return _settled(account, challenge_id, "accepted")
    return challenge_of(account.pk, challenge_id)


def decline(*, account: User, challenge_id: UUID, reason: Reason = "generic") -> ChallengeTerms:
    _check_is_challenged(challenge_of(account.pk, challenge_id), account)
    try:
        leave(match_id=challenge_id, user=account, reason=reason)
    except MatchNotOpen:
        return _settled(account, challenge_id, "declined")
    return challenge_of(account.pk, challenge_id)


def withdraw(*, account: User, challenge_id: UUID) -> ChallengeTerms:
    shown = challenge_of(account.pk, challenge_id)
    if shown.challenger.username != account.username:
        raise NotAllowed("Only the challenger can withdraw a challenge. You can decline it.")
    try:
        leave(match_id=challenge_id, user=account)
    except MatchNotOpen:
        return _settled(account, challenge_id, "withdrawn")
    return challenge_of(account.pk, challenge_id)


def _check_is_challenged(shown: ChallengeTerms, account: User) -> None:
    if shown.challenged.username != account.username:
        raise NotAllowed("Only the person who was challenged can answer. You can withdraw it.")


def _settled(account: User, challenge_id: UUID, wanted: Status) -> ChallengeTerms:
    """The challenge if it ended as it was to; raises ChallengeIsOver with how it did."""
    shown = challenge_of(account.pk, challenge_id)
    if shown.status != wanted:
        raise ChallengeIsOver(ending=shown.status)
    return shown


# Challenges that nobody answered in time: the beat calls them off, and forgets old ones.
#
# Nobody can accept one after its time, whether or not the beat has come by (``joining``).

KEPT: Final = timedelta(days=30)
AT_ONCE: Final = 200


def expire_all() -> int:
    """The number of challenges called off."""
    due = Match.objects.filter(
        of_installed_games(), status=Match.Status.OPEN, answer_by__lte=timezone.now()
    )
    ids = list(due.order_by("answer_by").values_list("id", flat=True)[:AT_ONCE])
    return sum(each("challenges", ids, _expire))


@transaction.atomic
def _expire(match_id: UUID) -> bool:
    row = Match.objects.select_for_update().get(id=match_id)
    if row.status != Match.Status.OPEN:
        return False
    Challenge.objects.filter(match=match_id).update(lapsed=True)
    abort(row, list(row.seats.order_by("index")))
    return True


def forget_challenges() -> int:
    """Deletes those that were made long ago; their matches stay."""
    return Challenge.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]


CHALLENGES: Final = Duty(
    name="challenges",
    piece=expire_all,
    due="""
SELECT answer_by, id::text FROM games_match
WHERE status = 'open' AND answer_by <= %(now)s AND game = ANY(%(games)s)""",
)
FORGOTTEN: Final = Duty(name="old challenges", piece=forget_challenges, every=3600)
