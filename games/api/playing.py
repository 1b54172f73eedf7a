"""Acts of players on a match: moves, seats, agreements, rematches, plans."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.utils.translation import gettext
from msgspec.structs import asdict
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from config.api.operations import Api, IdempotencyKey, Nothing, answer
from config.api.throttles import Loads
from config.refusals import NotSignedIn
from games.api.authentication import (
    DEFERRED,
    MovesByKey,
    caller_of,
    check_caller,
    key_or_session,
    visible,
)
from games.api.bodies import (
    Body,
    Join,
    Leave,
    Load,
    MoreTime,
    NewMove,
    Resignation,
    SeatOffer,
    SeatTakenBack,
    Status,
    TakeBackAnswer,
    TakeBackRequest,
    TakeBackWithdrawal,
)
from games.api.match_answers import TOO_MANY_MATCHES, MatchAnswer, match_answer
from games.api.text import PlainText, lines_of, with_names
from games.idle import ending
from games.lobby import rematches
from games.lobby.rematches import series_of, standing_of
from games.matches import joining, leaving, loading, moves, overdue, planned, rolling_back
from games.matches import refusals as matches
from games.matches.planned import Planned
from games.matches.plans import PlanLine, Steps
from games.matches.refusals import GameNotInstalled
from games.matches.seats import SeatIndex
from games.matches.selectors.access import Caller

api = Api("playing", "matches/<uuid:match_id>/")


@api.post(
    "moves",
    name="games.api.matches.moves.MatchMoves",  # which dashboards ask for
    plain_text=PlainText,
    authentication_classes=DEFERRED,  # the service asks who is calling
    throttle_classes=(MovesByKey,),
    auth=key_or_session("play"),
    refuses=[
        *(matches.MalformedMove, matches.NotYourSeat, matches.StaleVersion, matches.NotYourTurn),
        *(matches.MatchNotActive, matches.IllegalMove, matches.TimeIsUp, matches.SeatHandedOver),
        matches.GameNotInstalled,
    ],
    status=201,
)
def move(request: Request, body: NewMove, key: IdempotencyKey, match_id: UUID) -> MatchAnswer:
    """Play a move

    Plays a move for the version that it was thought out for.

    The answer is the match right after the move, which is then on disk, as the seat that moved
    sees it. Bots that follow move later; `events` and the streams tell of them.
    """
    try:
        played = moves.play(match_id=match_id, caller=caller_of(request), key=key, **asdict(body))
    except (matches.NoSuchMatch, NotSignedIn):
        check_caller(request)
        raise
    return match_answer(played.match, played.user, played.seat, status=201)


@api.post(
    "join",
    plain_text=PlainText,
    refuses=[
        *(matches.SeatTaken, matches.AlreadySeated, matches.MatchNotOpen, matches.UnknownDeck),
        *(matches.BadDeck, matches.CannotBeRated, matches.ProgramDeclines, GameNotInstalled),
    ],
)
def join(user: User, body: Join, match_id: UUID) -> MatchAnswer:
    """Take a seat

    Takes an open seat, or the one you are invited to.
    """
    return match_answer(joining.join(match_id=match_id, user=user, **asdict(body)), user.pk)


@api.post("leave", refuses=[matches.MatchNotOpen, GameNotInstalled])
def leave(user: User, body: Leave, match_id: UUID) -> MatchAnswer:
    """Give a seat back

    Gives the seat back, or declines an invitation, while the match is open.

    The creator leaving aborts the match. Its host is told of an invitation that is declined,
    and the seat is kept until the host invites somebody, opens it or lets a computer play.
    """
    return match_answer(joining.leave(match_id=match_id, user=user, **asdict(body)), user.pk)


@api.post(
    "invite",
    refuses=[
        *(matches.MatchNotOpen, matches.SeatTaken, matches.BadSeats, matches.BadDeck),
        *(matches.UnknownUser, matches.UnknownBot, matches.InvitedIsBlocked),
        *(matches.NoMoreInvitations, matches.TooManyInvitations, matches.TooManyActiveMatches),
        *(matches.TooManyBotMatches, matches.CannotBeRated, matches.ProgramDeclines),
        GameNotInstalled,
    ],
)
def invite(user: User, body: SeatOffer, match_id: UUID) -> MatchAnswer:
    """Give a free seat to somebody

    Invites a person to a seat of your match, opens it, or lets a computer play.

    A person who was invited before and has not answered is told that the invitation is withdrawn.
    """
    free: Any = {"match_id": match_id, "host": user, "seat": body.seat}
    if isinstance(body.username, str):
        match = joining.invite(**free, username=body.username)
    elif isinstance(body.bot, str):
        match = joining.fill_seat(**free, bot=body.bot)
    else:
        match = joining.open_seat(**free, friends=body.friends is True)
    return match_answer(match, user.pk)


@api.post(
    "abort",
    body=Nothing,
    refuses=[matches.MatchNotActive, matches.CannotAbort, GameNotInstalled],
)
def abort(user: User, match_id: UUID) -> MatchAnswer:
    """Stop a match of your own

    Stops a match that nobody but you sat in: bots alone, or you before the second round.
    """
    return match_answer(joining.stop(match_id=match_id, user=user), user.pk)


@api.post(
    "resign",
    plain_text=PlainText,
    refuses=[
        *(matches.NotYourSeat, matches.MatchNotActive, matches.SeatIsOut, matches.StaleVersion),
        GameNotInstalled,
    ],
)
def resign(user: User, body: Resignation, match_id: UUID) -> MatchAnswer:
    """Resign

    Gives up; among more than two sides a bot plays the seat on.
    """
    match = leaving.resign(match_id=match_id, caller=Caller(user=user.pk), seat=body.seat)
    return match_answer(match, user.pk)


@api.post(
    "time",
    plain_text=PlainText,
    refuses=[
        *(matches.NotYourSeat, matches.MatchNotActive, matches.NobodyToGiveTime, matches.TimeIsUp),
        *(matches.TooMuchTime, GameNotInstalled),
    ],
)
def give_time(user: User, body: MoreTime, match_id: UUID) -> MatchAnswer:
    """Give the others time

    Gives the others who are to act more time for this move, by default the limit again.
    """
    return match_answer(overdue.give_time(match_id=match_id, user=user, **asdict(body)), user.pk)


@api.post(
    "reclaim",
    plain_text=PlainText,
    refuses=[
        *(matches.NotYourSeat, matches.MatchNotActive, matches.SeatHandedOver, GameNotInstalled)
    ],
)
def reclaim(user: User, body: SeatTakenBack, match_id: UUID) -> MatchAnswer:
    """Take your seat back

    Takes your seat back from the bot that took over when your time was up.
    """
    return match_answer(overdue.reclaim(match_id=match_id, user=user, **asdict(body)), user.pk)


@api.post(
    "load",
    limits=(Loads,),
    refuses=[matches.BadSave, matches.DealIsSealed, *TOO_MANY_MATCHES, GameNotInstalled],
    status=201,
)
def load(user: User, body: Load, match_id: UUID) -> MatchAnswer:
    """Load a saved point

    Opens a new match that plays on from a saved point; the old one stays as it was.
    """
    return match_answer(
        loading.load(match_id=match_id, user=user, **asdict(body)), user.pk, status=201
    )


@api.post(
    "take-back",
    plain_text=PlainText,
    refuses=[
        *(matches.NotYourSeat, matches.MatchNotActive, matches.MatchIsRated, matches.NobodyToAsk),
        *(matches.StaleVersion, matches.WantedAlready, matches.CannotTakeBack),
        *(matches.DealIsSealed, matches.BadSave, GameNotInstalled),
    ],
)
def take_back(user: User, body: TakeBackRequest, match_id: UUID) -> MatchAnswer:
    """Ask to take a round back

    Asks all other people to deal a round of an unrated match again.

    It is the round of the last move, unless `round` names an earlier one. The request is over
    with the next move. Each player may ask once at a version; asking for what another has asked
    for accepts it. Where nobody else plays, load an earlier version instead.
    """
    return match_answer(
        rolling_back.ask_to_take_back(match_id=match_id, user=user, **asdict(body)), user.pk
    )


@api.post(
    "take-back/answer",
    plain_text=PlainText,
    refuses=[
        *(matches.NotYourSeat, matches.NoWishToTakeBack, matches.CannotTakeBack, matches.BadSave),
        GameNotInstalled,
    ],
)
def answer_take_back(user: User, body: TakeBackAnswer, match_id: UUID) -> MatchAnswer:
    """Accept or decline taking a round back

    Answers what was asked at `version`. When all have accepted the round is dealt again.

    Nothing is deleted: it is a roll-back, one more version. What nobody could know at the
    opening of the round is dealt again.
    """
    return match_answer(
        rolling_back.answer_take_back(match_id=match_id, user=user, **asdict(body)), user.pk
    )


@api.post(
    "take-back/withdraw",
    plain_text=PlainText,
    refuses=[matches.NotYourSeat, matches.NoWishToTakeBack, GameNotInstalled],
)
def withdraw_take_back(user: User, body: TakeBackWithdrawal, match_id: UUID) -> MatchAnswer:
    """Withdraw your request to take a round back

    Ends a request that you made at `version` and that not everybody has accepted.
    """
    return match_answer(
        rolling_back.withdraw_take_back(match_id=match_id, user=user, **asdict(body)), user.pk
    )


@api.post(
    "claim",
    plain_text=PlainText,
    body=Nothing,
    refuses=[matches.NotYourSeat, matches.MatchNotActive, ending.NotAbsent, GameNotInstalled],
)
def claim(user: User, match_id: UUID) -> MatchAnswer:
    """Claim a match from an absent player

    A player who has kept you waiting for three days, without a clock, loses by time.
    """
    return match_answer(ending.claim(match_id=match_id, user=user), user.pk)


@api.post(
    "call-off",
    plain_text=PlainText,
    body=Nothing,
    refuses=[matches.NotYourSeat, matches.MatchNotActive, ending.NotAbsent, GameNotInstalled],
)
def call_off(user: User, match_id: UUID) -> MatchAnswer:
    """Call off a match with an absent player

    Where somebody has kept you waiting for three days: the match is over, nobody wins.
    """
    return match_answer(ending.call_off(match_id=match_id, user=user), user.pk)


class SeriesJson(msgspec.Struct, frozen=True):
    """``wins`` by seat of the match that was asked about; ``id`` is that of the first match.

    ``matches`` are those that are finished, ``draws`` those of them that nobody won.
    """

    id: UUID
    matches: int
    draws: int
    wins: list[int]


class RematchJson(msgspec.Struct, frozen=True):
    """The newest rematch, null while nobody wants one; the lists name seats of this match.

    ``wants`` are those who want it, ``awaited`` those who have not answered, ``declined`` those
    who said no. ``series`` is null until a match of one is finished.
    """

    match: UUID | None
    status: Status | None
    wants: list[int]
    awaited: list[int]
    declined: list[int]
    series: SeriesJson | None


@api.get("rematch", tag="watching", plain_text=PlainText)
def rematch_standing(reader: UUID | None, match_id: UUID) -> Annotated[Response, RematchJson]:
    """Read who wants a rematch

    The seats that want a rematch, have not answered or said no; and the score of the series.

    A match belongs to a series from its first rematch on.
    """
    match = visible(match_id, reader)
    standing, series = standing_of(match, reader), series_of(match)
    score = answer(SeriesJson, series) if series else None
    if standing is None:
        return with_names(RematchJson(None, None, [], [], [], score), match.names)
    return with_names(answer(RematchJson, standing, series=score), match.names)


@api.post(
    "rematch",
    body=Nothing,
    refuses=[
        *(matches.MatchNotOver, matches.MatchNotOpen, matches.SeatTaken, matches.AlreadySeated),
        *(matches.BadDeck, matches.CannotBeRated),
        *TOO_MANY_MATCHES,
        matches.GameNotInstalled,
    ],
    status=201,
)
def rematch(user: User, match_id: UUID) -> MatchAnswer:
    """Open a rematch

    The same players, options and decks once more, seats rotated by one.

    The first player to ask opens it and invites the others; players who ask later join it.
    """
    return match_answer(rematches.ask(match_id=match_id, user=user), user.pk, status=201)


@api.delete("rematch", refuses=[matches.GameNotInstalled, matches.MatchNotOpen])
def decline_rematch(user: User, match_id: UUID) -> None:
    """Decline a rematch

    Calls off a rematch that you were asked for, or asked for; the others learn who it was.

    Again, or where there is none, is no error; one that has begun is refused.
    """
    visible(match_id, user.pk)
    rematches.refuse(match_id=match_id, user=user)


Dropped = Literal["no_line", "refused", "by_hand", "rolled_back", "given_up", "over"]


class NewPlan(Body, frozen=True):
    """``steps``: one for each of your turns to come, each a list of lines.

    Of a step the first line is played whose conditions hold: ``move`` (the last move before your
    turn), ``event`` (facts of what it led to), ``top`` (the card on the pile, or its rank); a line
    without conditions always is. If none holds, or the move is not allowed, the plan is dropped.
    """

    steps: Steps
    seat: SeatIndex | None = None


class PlanQuery(msgspec.Struct, frozen=True):
    """``seat``: one of yours."""

    seat: SeatIndex | None = None


class PlanJson(msgspec.Struct, frozen=True):
    """What is left of your plan; ``dropped`` says why the rest does not stand any more."""

    seat: int
    steps: list[list[PlanLine]]
    dropped: Dropped | None
    dropped_version: int | None
    at: datetime | None


def plan_response(planned: Planned) -> PlanJson:
    return answer(PlanJson, planned, dropped=planned.dropped or None)


@api.get("plans", refuses=[matches.NoSuchMatch, matches.NotYourSeat])
def plan(user: User, query: PlanQuery, match_id: UUID) -> PlanJson:
    """Read your plan

    What is left of it, or why it was dropped. Nobody else can read it.
    """
    caller = Caller(user=user.pk)
    return plan_response(planned.read(match_id=match_id, caller=caller, seat=query.seat))


@api.put(
    "plans",
    refuses=[
        *(matches.NoSuchMatch, matches.NotYourSeat, matches.MatchNotActive, matches.MalformedMove),
        *(matches.CannotPlan, matches.SeatHandedOver, matches.YourTurnNow),
        matches.GameNotInstalled,
    ],
)
def put_plan(user: User, body: NewPlan, match_id: UUID) -> PlanJson:
    """Plan your moves

    Takes the place of your plan, while others are to move; for matches without a clock or
    with days for a move. A planned move is played together with the move that it answers.
    """
    return plan_response(planned.put(match_id=match_id, user=user, **asdict(body)))


@api.delete(
    "plans",
    refuses=[matches.NoSuchMatch, matches.NotYourSeat, matches.GameNotInstalled],
)
def withdraw_plan(user: User, query: PlanQuery, match_id: UUID) -> None:
    """Withdraw your plan

    Deletes it; what was played stays. Again is no error.
    """
    planned.withdraw(match_id=match_id, user=user, seat=query.seat)


@lines_of.register
def _(rematch: RematchJson, names: Sequence[str]) -> Iterator[str]:
    if rematch.match is None:
        yield gettext("Nobody wants a rematch.")
    else:
        yield gettext("Rematch {id}: {status}").format(
            id=rematch.match, status=gettext(rematch.status or "")
        )
    for label, seats in (
        (gettext("want it"), rematch.wants),
        (gettext("not answered"), rematch.awaited),
        (gettext("said no"), rematch.declined),
    ):
        if seats:
            yield f"  {label:<14} {', '.join(names[seat] for seat in seats)}"
    if rematch.series is not None:
        wins = zip(names, rematch.series.wins, strict=True)
        score = ", ".join(f"{name} {won}" for name, won in wins)
        yield gettext("Series: {score}").format(score=score)
