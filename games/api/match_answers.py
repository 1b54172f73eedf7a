"""A match in JSON. Only ``match_response`` turns a match into what its reader may see."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace
from rest_framework.response import Response

from cardroom.rules.course import RoundShape, Streak
from cardroom.rules.text import Words
from cardroom.rules.values import Move, Outcome
from config.api.errors import ProblemResponse, translates
from config.api.operations import answer
from config.telemetry import work
from games.absent import check_installed, is_absent
from games.api.bodies import OnTimeout, Status
from games.language import speaker, tag_of_language
from games.live.hub import TooManyStreams
from games.lobby.challenges import Reason
from games.matches import refusals as refused
from games.matches.models import Match as MatchRow
from games.matches.models import Seat as SeatRow
from games.matches.refusals import NotYourSeat, StaleVersion
from games.matches.seats import Visibility
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot, SeatSnapshot
from games.matches.time_bank import ClockTerms, terms_of
from games.ratings.people import RatingChange, at_table, changes_of

TOO_MANY_MATCHES: Final = (
    *(refused.TooManyLobbyTables, refused.TooManyOpenMatches, refused.TooManyActiveMatches),
    *(refused.TooManyInvitations, refused.NoMoreInvitations, refused.InvitedIsBlocked),
    *(refused.ProgramDeclines, refused.TooManyOpenings),
)
"""The limits that may refuse any call that opens a match."""


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


class FirstMove(msgspec.Struct, frozen=True):
    """``seats``: whose people have not moved yet. Without a first move until then the match is
    called off and not rated; ``until`` is null where nobody of them is to move, or nobody came.
    """

    seats: list[int]
    until: datetime | None


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


class Match(msgspec.Struct, frozen=True):
    """The match as the caller may see it; ``view`` is the game's own and null before the deal.

    ``on_timeout`` is what happens at ``deadline_at``, null where moves have no limit. ``clock`` is
    there where everybody has a bank of time for the whole match. ``rated`` is
    false where computers found that more than a quarter of the matches by these options never end;
    it may become false a moment after the match was opened. It is settled when the match begins.
    ``rating_changes``: what a rated match made of the ratings of its people, a moment after its
    end. Those who look on see a running match as it was ``watch_delay`` plies ago. ``coached``: its
    player could ask for hints, so it counts in no results. ``mirrored``: it is one of several that
    are dealt alike with the sides swapped. ``first_move``: who among several people has to make a
    first move in time; in a match that was called off for it, who did not; else it is left out.
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
    coached: bool = False
    mirrored: bool = False
    rating_changes: list[RatingChange] | None = None
    first_move: FirstMove | UnsetType = UNSET


MatchAnswer = Annotated[Response, Match]


class MatchSummary(msgspec.Struct, frozen=True):
    """A match in a list: no view. ``host`` opened it, ``watchers`` look on while it runs (null: not
    known now). ``clock`` are the terms of a bank of time for the whole match, and is left out where
    there is none. ``game_installed`` is false where the service does not have the
    match's game now: the match is kept, can be read as a record when it is over, and cannot be
    played. Elsewhere it is left out. Of a match with a ``watch_delay`` those who look on find here
    what the match itself shows them, and nobody in ``to_act``.
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
    clock: ClockTerms | UnsetType = UNSET


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


@lru_cache(maxsize=1024)
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
        coached=match.coached,
        mirrored=match.is_mirrored,
        first_move=_first_move(match) if match.awaited else UNSET,
    )


def _first_move(match: MatchSnapshot) -> FirstMove | UnsetType:
    seats = match.awaited
    if match.status == "active":
        return FirstMove(seats, match.first_move_until)
    missing = [seat for seat in seats if match.seats[seat].timed_out]
    return FirstMove(missing, None) if match.status == "aborted" and missing else UNSET


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
        bot=seat.stand_in or seat.bot or (stand_in if resigned else None),
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
    stand_in, clock = match.rules.stand_in, terms_of(match.clock)
    seats = [
        seat_response(
            seat,
            is_you=user is not None and seat.user_id == user,
            stand_in=stand_in,
            sees_reason=user is not None and user in (match.creator_id, seat.invited_id),
        )
        for seat in sorted(match.seats.all(), key=lambda seat: seat.index)
    ]
    return answer(
        MatchSummary,
        match,
        seats=seats,
        your_seats=[seat.index for seat in seats if seat.is_you],
        links=links(match.id),
        options=msgspec.json.decode(bytes(match.options)),
        host=match.creator.display_name,
        watchers=watchers,
        game_installed=False if is_absent(match.rules) else UNSET,
        clock=ClockTerms(clock.bank, clock.increment) if clock else UNSET,
    )


def match_answer(
    match: MatchSnapshot, user: UUID | None, seat: int | None = None, *, status: int = 200
) -> Response:
    """The match for one reader, as ``match_response`` shows it; raises ``NotYourSeat``."""
    work.note(user=user, match=match.id, version=match.version)
    body = with_rating_changes(match_response(match, user, seat))
    return Response(body, status=status, headers=match_headers(body, user, status=status))


def with_rating_changes(body: Match) -> Match:
    """The match with what it made of the ratings; the move that ends it does not wait for that."""
    if body.status != "finished" or not body.rated:
        return body
    changes = at_table(changes_of(body.id), body.seats)
    return replace(body, rating_changes=changes or None)


def match_headers(
    body: Match, user: UUID | None, language: str | None = None, *, status: int
) -> dict[str, str]:
    """201 also has ``Location``: of the new match, or of the match in which the move was played.

    ``language`` is the ``tag_of_language`` of the reader, if that is known.
    """
    tag = {"ETag": etag(body, user, language)}
    return tag | {"Location": body.links["self"]} if status == 201 else tag


def etag(body: Match, user: UUID | None, language: str | None = None) -> str:
    """Names what one reader sees of a match: any change of it changes the tag.

    The seed may be shown long after the match is over, once another match with its cards is over;
    the changes of ratings a moment after.
    """
    kept = "-kept" if body.outcome and body.seed is None else ""
    kept += "-rated" if body.rating_changes else ""
    language = tag_of_language() if language is None else language
    return _tag(body.version, body.updated_at, user, body.acting_seat, kept + language)


def etag_of_running(
    match: MatchSnapshot, user: UUID | None, seat: int | None, language: str
) -> str:
    """The same of a match that is not over, without the body."""
    acting = match.acting_seat(user) if seat is None else seat
    return _tag(match.version, match.updated_at, user, acting, language)


def _tag(
    version: int, updated_at: datetime, user: UUID | None, seat: int | None, variant: str
) -> str:
    changed = int(updated_at.timestamp() * 1_000_000)
    return f'"{version}-{changed:x}-{user.hex[-8:] if user else ""}-{seat}{variant}"'


def is_known(tag: str, if_none_match: str) -> bool:
    """Whether the caller has this already (RFC 9110 §13.1.2)."""
    tags = if_none_match.split(",")
    return any(one.strip().removeprefix("W/") in (tag, "*") for one in tags)


SECONDS_UNTIL_A_STREAM_ENDS = 5


@translates(TooManyStreams)
def _too_many_streams(error: TooManyStreams) -> ProblemResponse:
    return ProblemResponse(error, {"Retry-After": str(SECONDS_UNTIL_A_STREAM_ENDS)})


@translates(StaleVersion)
def _stale(error: StaleVersion) -> ProblemResponse:
    """The caller gets the match as it stands, so that it can decide again at once."""
    match = msgspec.to_builtins(match_response(error.match, error.user))
    return ProblemResponse(error, match=match)
