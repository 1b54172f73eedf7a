"""The match as JSON. Only ``match_response`` turns a match into what its reader may see."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from config.api.components import drawn
from config.api.pagination import PageQuery
from games.absent import check_installed, is_absent
from games.api.schemas.fields import (
    Body,
    OnTimeout,
    Reason,
    SeatIndex,
    Status,
    Version,
    Visibility,
)
from games.language import speaker
from games.matches.models import Match as MatchRow
from games.matches.models import Seat as SeatRow
from games.matches.refusals import NotYourSeat
from games.matches.seating.opening import LONGEST_DELAY, LONGEST_TURN, SHORTEST_TURN
from games.matches.seating.seats import SeatRequest
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot, SeatSnapshot
from games.matches.time_bank import LEAST_BANK, MOST_BANK, MOST_INCREMENT, Clock
from games.rules.match_shape import RoundShape, Streak
from games.rules.text import Words
from games.rules.values import Move, Outcome

# The service refuses others (422), with the sentence that it has for each option.
TurnSeconds = Annotated[
    int, msgspec.Meta(extra_json_schema=drawn(minimum=SHORTEST_TURN, maximum=LONGEST_TURN))
]


class ClockTerms(Body, frozen=True):
    """Seconds that everybody has for the whole match, and seconds that each move adds."""

    bank: Annotated[
        int, msgspec.Meta(extra_json_schema=drawn(minimum=LEAST_BANK, maximum=MOST_BANK))
    ]
    increment: Annotated[
        int, msgspec.Meta(extra_json_schema=drawn(minimum=0, maximum=MOST_INCREMENT))
    ] = 0

    @property
    def clock(self) -> Clock:
        return Clock(self.bank, self.increment)


class NewMatch(Body, frozen=True):
    """``turn_seconds`` limits each move, ``clock`` all moves of a person together; not both.

    ``watch_delay``: those who look on see the match so many plies later, while it runs.
    ``rated``: true for a match that must be rated, so that nobody joins who cannot be; false for
    one that is not; by default it is rated where that is possible. People with accounts are rated,
    among themselves or one against computers, where a player whose time is up loses.
    """

    game: str
    seats: Annotated[list[SeatRequest], msgspec.Meta(max_length=32)]
    preset: str | None = None
    options: dict[str, Any] | None = None
    visibility: Visibility = "unlisted"
    turn_seconds: TurnSeconds | None = None
    on_timeout: OnTimeout | None = None
    clock: ClockTerms | None = None
    watch_delay: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_DELAY)] = 0
    rated: bool | None = None


class Join(Body, frozen=True):
    seat: SeatIndex | None = None
    deck: str | None = None


class Load(Body, frozen=True):
    cards: Literal["same", "reshuffled"]
    round: Version | None = None
    version: Version | None = None


class MoreTime(Body, frozen=True):
    """``seconds`` by default the match's limit, of a clock a minute; ``seat`` one of the others to
    act, else all."""

    seconds: Annotated[int, msgspec.Meta(ge=1, le=14 * 24 * 3600)] | None = None
    seat: SeatIndex | None = None


class Leave(Body, frozen=True):
    """``reason``: why an invitation is declined, as its host is told."""

    reason: Reason = "generic"


class SeatOffer(Body, frozen=True):
    """To whom the host gives a free seat: a person by name, anybody who comes, any of the host's
    friends, or a computer.
    """

    bounds: ClassVar = {"minProperties": 2, "maxProperties": 2}

    seat: SeatIndex
    username: Annotated[str, msgspec.Meta(max_length=150)] | UnsetType = UNSET
    open: Literal[True] | UnsetType = UNSET
    friends: Literal[True] | UnsetType = UNSET
    bot: Annotated[str, msgspec.Meta(max_length=64)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        given = (self.username, self.open, self.friends, self.bot)
        if sum(each is not UNSET for each in given) != 1:
            raise ValueError("Give one of `username`, `open`, `friends` and `bot`")


class TakeBackRequest(Body, frozen=True):
    """``version``: the match as you see it; ``round``: by default that of the last move."""

    version: Version
    round: Version | None = None


class TakeBackAnswer(Body, frozen=True):
    """``version``: that of ``take_back`` in the match."""

    version: Version
    accept: bool


class TakeBackWithdrawal(Body, frozen=True):
    """``version``: that of ``take_back`` in the match."""

    version: Version


class SeatTakenBack(Body, frozen=True):
    seat: SeatIndex | None = None


class MatchesQuery(PageQuery, frozen=True):
    game: str = ""
    status: Status | Literal[""] = ""
    mine: bool = False
    joinable: bool = False


class SeatQuery(msgspec.Struct, frozen=True):
    seat: SeatIndex | None = None


class SeatJson(msgspec.Struct, frozen=True):
    """``bot`` also names who plays on a seat that resigned or was handed to a bot.

    ``can_return``: its person may take it back from the bot that plays since the time was up.
    ``invited``: kept for the person of this name; ``for_friends``: for friends of the host.
    ``declined``: why that person does not come, as the host is told it (others read ``generic``);
    the seat is kept until the host says what becomes of it.
    """

    index: int
    kind: Literal["open", "user", "local", "bot"]
    name: str
    points: int
    place: int | None
    is_you: bool
    bot: str | None
    invited: bool
    resigned: bool
    can_return: bool
    declined: Reason | None
    for_friends: bool


class SeatClock(msgspec.Struct, frozen=True):
    """``seconds`` were left when the bank was started or stopped last; where it runs now, it is
    empty at ``until``."""

    seconds: float
    until: datetime | None


class MatchClock(msgspec.Struct, frozen=True):
    """``bank`` and ``increment`` are the terms, in seconds.

    ``seats``: what each seat has, null for one without a person. It is empty until the cards are
    dealt, and where the match is shown as it was at an earlier version.
    """

    bank: int
    increment: int
    seats: list[SeatClock | None]


class WishToTakeBack(msgspec.Struct, frozen=True):
    """A player wants the round to be dealt again; once all other people accept, it is.

    ``seat`` is that player's, ``version`` what an answer names, ``agreed`` who accepted so far.
    With the next move it is over.
    """

    seat: int
    round: int
    version: int
    status: Literal["waiting", "accepted", "declined", "withdrawn"]
    agreed: list[int]


class LegalMove(msgspec.Struct, frozen=True):
    move: str
    label: str


class RatingChangeJson(msgspec.Struct, frozen=True):
    """``deviation``: two of three ratings of this certainty are within so much of the strength."""

    seat: int
    before: float
    after: float
    deviation: float
    provisional: bool


class Match(msgspec.Struct, frozen=True):
    """The match as the caller may see it; ``view`` is the game's own and null before the deal.

    ``on_timeout`` is what happens at ``deadline_at``, null where moves have no limit. ``clock`` is
    there where everybody has a bank of time for the whole match. ``rated`` is
    false where computers found that more than a quarter of the matches by these options never end;
    it may become false a moment after the match was opened. It is settled when the match begins.
    ``rating_changes``: what a rated match made of the ratings of its people, a moment after its
    end. Those who look on see a running match as it was ``watch_delay`` plies ago.
    """

    id: UUID
    game: str
    rules_version: int
    options: Any
    status: Status
    version: int
    round: int
    seats: list[SeatJson]
    to_act: list[int]
    your_seats: list[int]
    acting_seat: int | None
    view: Any
    legal_moves: list[LegalMove]
    outcome: Outcome | None
    commitment: str
    seed: str | None
    visibility: Visibility
    turn_seconds: int | None
    on_timeout: OnTimeout | None
    deadline_at: datetime | None
    created_at: datetime
    updated_at: datetime
    links: dict[str, str]
    rated: bool
    watch_delay: int
    parent: UUID | None
    parent_version: int | None
    clock: MatchClock | None = None
    take_back: WishToTakeBack | None = None
    rating_changes: list[RatingChangeJson] | None = None


class MatchSummary(msgspec.Struct, frozen=True):
    """A match in a list: no view. ``host`` opened it, ``watchers`` look on while it runs (null: not
    known now). ``game_installed`` is false where the service does not have the
    match's game now: the match is kept, can be read as a record when it is over, and cannot be
    played. Elsewhere it is left out.
    """

    id: UUID
    game: str
    status: Status
    version: int
    round: int
    seats: list[SeatJson]
    to_act: list[int]
    your_seats: list[int]
    visibility: Visibility
    turn_seconds: int | None
    deadline_at: datetime | None
    created_at: datetime
    updated_at: datetime
    links: dict[str, str]
    options: Any
    rated: bool
    host: str
    watchers: int | None
    game_installed: bool | UnsetType = UNSET


class Notice(msgspec.Struct, frozen=True):
    """What an operator told the players."""

    at: datetime
    text: str


class MatchList(msgspec.Struct, frozen=True):
    results: list[MatchSummary]
    next: str | None


class Save(msgspec.Struct, frozen=True):
    round: int
    version: int
    opened_at: datetime
    closed_at: datetime | None
    scores: list[int] | None


class Shape(msgspec.Struct, frozen=True):
    """How the match went, by its finished rounds; sides and rounds are numbers.

    ``match_point``: the sides that may win with the next round, none when the match is over.
    ``turning_point``: the round since which the side in front has led, null if nobody led before.
    """

    match_point: list[int]
    lead_changes: int
    turning_point: int | None
    streak: Streak | None
    rounds: list[RoundShape]


def links(match_id: UUID) -> dict[str, str]:
    here = f"/api/v1/matches/{match_id}"
    calls = ("moves", "events", "saves", "notices", "record")
    return {"self": here, "page": f"/matches/{match_id}"} | {c: f"{here}/{c}" for c in calls}


def match_response(
    match: MatchSnapshot,
    user: UUID | None,
    seat: int | None = None,
    render: Callable[[Words], str] | None = None,
) -> Match:
    """The match for one reader; ``seat`` is one of the reader's, by default the one to act.

    ``render`` turns phrases into the reader's language, by default that of the request. Raises
    ``NotYourSeat``, ``GameNotInstalled``.
    """
    check_installed(match.rules)
    own = match.seats_of(user)
    if seat is not None and seat not in own:
        raise NotYourSeat
    acting = match.acting_seat(user) if seat is None else seat
    game = match.rules
    dealt = match.state_json is not None and match.status != "open"
    view = game.view(match.state, acting) if dealt else None
    moves = view.legal_moves if view and match.status == "active" else ()
    render = render or speaker()
    return Match(
        id=match.id,
        game=match.game,
        rules_version=match.rules_version,
        options=match.options,
        status=match.status,  # type: ignore[arg-type]
        version=match.version,
        round=match.round,
        seats=[
            seat_response(
                s,
                is_you=s.index in own,
                stand_in=game.stand_in,
                sees_reason=user is not None and user in (match.creator_id, s.invited_id),
            )
            for s in match.seats
        ],
        to_act=list(match.to_act),
        your_seats=list(own),
        acting_seat=acting,
        view=view,
        legal_moves=_legal_moves(game.label, moves, render),
        outcome=match.outcome,
        commitment=match.commitment,
        seed=match.seed.hex() if match.is_over and may_tell_all(match, user) else None,
        visibility=match.visibility,  # type: ignore[arg-type]
        turn_seconds=match.turn_seconds,
        on_timeout=match.on_timeout if match.has_limit else None,  # type: ignore[arg-type]
        deadline_at=match.deadline_at,
        created_at=match.created_at,
        updated_at=match.updated_at,
        links=links(match.id),
        rated=match.rated,
        watch_delay=match.watch_delay,
        parent=match.parent_id,
        parent_version=match.parent_version,
        clock=_clock(match) if match.clock_json else None,
        take_back=_wish(match) if match.take_back_json else None,
    )


def _clock(match: MatchSnapshot) -> MatchClock | None:
    banks = match.banks
    if banks is None:
        return None
    runs = match.deadline_at is not None
    seats = [
        None if left is None else SeatClock(left / 1000, until if runs else None)
        for left, until in zip(banks.left, banks.until, strict=True)
    ]
    return MatchClock(banks.bank, banks.increment, seats)


def _wish(match: MatchSnapshot) -> WishToTakeBack | None:
    """For everybody who sees the match: the answer is public, too."""
    wish = match.take_back
    if wish is None or match.status != "active":
        return None
    return WishToTakeBack(wish.seat, wish.round, wish.version, wish.status, list(wish.agreed))


def _legal_moves(
    label: Callable[[Move], Words], moves: Sequence[Move], render: Callable[[Words], str]
) -> list[LegalMove]:
    if render is str:
        return [_in_english(label, move) for move in moves]
    return [LegalMove(move, render(label(move))) for move in moves]


@lru_cache(maxsize=4096)
def _in_english(label: Callable[[Move], Words], move: Move) -> LegalMove:
    return LegalMove(move, str(label(move)))


def seat_response(
    seat: SeatSnapshot | SeatRow, *, is_you: bool, stand_in: str, sees_reason: bool
) -> SeatJson:
    """``sees_reason``: the reader is the host or the invited person, who may know why."""
    resigned = seat.resigned_at is not None
    return SeatJson(
        index=seat.index,
        kind=seat.kind,  # type: ignore[arg-type]
        name=seat.name,
        points=seat.points,
        place=seat.place,
        is_you=is_you,
        bot=seat.bot or seat.stand_in or (stand_in if resigned else None),
        invited=seat.invited_id is not None,
        declined=_declined(seat, sees_reason=sees_reason),
        resigned=resigned,
        for_friends=seat.for_friends and seat.kind == "open",
        can_return=seat.handed_by_clock and bool(seat.stand_in) and not resigned,
    )


def _declined(seat: SeatSnapshot | SeatRow, *, sees_reason: bool) -> Reason | None:
    """The others see that nobody comes, but not why."""
    if not seat.declined or seat.invited_id is None:
        return None
    return seat.declined if sees_reason else "generic"  # type: ignore[return-value]


def summary_response(
    match: MatchRow, user: UUID | None, watchers: int | None = None
) -> MatchSummary:
    """Read the match with its seats and its creator."""
    stand_in = match.rules.stand_in
    seats = [
        seat_response(
            seat,
            is_you=user is not None and seat.user_id == user,
            stand_in=stand_in,
            sees_reason=user is not None and user in (match.creator_id, seat.invited_id),
        )
        for seat in sorted(match.seats.all(), key=lambda seat: seat.index)
    ]
    return MatchSummary(
        id=match.id,
        game=match.game,
        status=match.status,  # type: ignore[arg-type]
        version=match.version,
        round=match.round,
        seats=seats,
        to_act=match.to_act,
        your_seats=[seat.index for seat in seats if seat.is_you],
        visibility=match.visibility,  # type: ignore[arg-type]
        turn_seconds=match.turn_seconds,
        deadline_at=match.deadline_at,
        created_at=match.created_at,
        updated_at=match.updated_at,
        links=links(match.id),
        options=msgspec.json.decode(bytes(match.options)),
        rated=match.rated,
        host=match.creator.display_name,
        watchers=watchers,
        game_installed=False if is_absent(match.rules) else UNSET,
    )
