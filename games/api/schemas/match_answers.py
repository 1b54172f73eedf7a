"""The match as JSON. Only ``match_response`` turns a match into what its reader may see."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from cardroom.rules.text import Words
from cardroom.rules.values import Move
from games.absent import check_installed, is_absent
from games.api.schemas.fields import (
    Reason,
)
from games.api.schemas.match_requests import ClockTerms
from games.api.schemas.matches import (
    FirstMove,
    LegalMove,
    Match,
    MatchClock,
    MatchSummary,
    SeatClock,
    SeatJson,
    WishToTakeBack,
)
from games.language import speaker
from games.matches.models import Match as MatchRow
from games.matches.models import Seat as SeatRow
from games.matches.refusals import NotYourSeat
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot
from games.matches.time_bank import terms_of


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
        clock=ClockTerms(clock.bank, clock.increment) if clock else UNSET,
    )
