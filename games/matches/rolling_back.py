"""Rolling a running match back to the opening of a round (FORMAT.md §2, Rolled back).

Nothing is deleted: the roll-back is a ply, the rounds since then are marked as undone, and the
round opens once more, with the cards that nobody knew dealt again. A move judged at the same
time finds the match at another version and writes nothing.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NoReturn
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone
from msgspec.structs import asdict, astuple, replace

from accounts.locking import check_may_play
from accounts.models import User
from cardroom.rules.text import say
from config.clock import now_after
from config.tasks import after_commit
from games.matches import loading, refusals
from games.matches.announcements import announce
from games.matches.commit import progress_at
from games.matches.joining import locked_match
from games.matches.models import Match, Plan, Ply, Round, Seat
from games.matches.plans import apply_plans
from games.matches.resting import add_rest
from games.matches.selectors.access import Caller, find_match, get_match, snapshot_of
from games.matches.selectors.history import Reopened, last_choice, visible
from games.matches.selectors.secrecy import is_only_person, is_sealed
from games.matches.snapshot import MatchSnapshot, Progress, SeatProgress, TakeBack, columns
from games.matches.transition import Transition
from games.matches.verification import opening_of


def can_roll_back_to(match: MatchSnapshot, round_: Round) -> bool:
    """Whether this match dealt the round itself; rounds before its load belong to its parent."""
    return match.parent_version is None or round_.opening_version > match.parent_version


def write_roll_back(row: Match, match: MatchSnapshot, round_: Round) -> int:
    """Writes it and returns its version. Call it in a transaction, the match locked and active."""
    transition, at = Transition(match), timezone.now()
    moved = transition.roll_back(opening_of(match, round_))
    reopened = msgspec.json.encode(Reopened(match.shuffles_used, moved))
    _write_round(transition, round_.number, reopened, at)
    _write_ply(transition, at)
    add_rest([transition], at)
    _write_seats(transition)
    apply_plans(transition)  # none stands after it
    for plan in transition.new_plans.values():
        Plan.objects.filter(match=row.id, seat=plan.seat).update(**asdict(plan))
    progress = progress_at(transition, at)
    changes: dict[str, Any] = dict(zip(columns(Progress), astuple(progress), strict=True))
    Match.objects.filter(id=row.id).update(**changes, plans=transition.plans, rated=False)
    return transition.version


def _write_round(transition: Transition, number: int, reopened: bytes, at: datetime) -> None:
    match_id, new = transition.match.id, transition.rounds[number]
    standing = Round.objects.filter(match_id=match_id, number__gte=number, undone_at=None)
    standing.update(undone_at=transition.version)
    Round.objects.create(
        match_id=match_id,
        number=number,
        opening_version=transition.version,
        opening_state=new.opening_state_json,
        decks=new.decks_json,
        opened_at=at,
        reopened=reopened,
    )


def _write_ply(transition: Transition, at: datetime) -> None:
    ply = transition.plies[-1]
    Ply.objects.create(
        match_id=transition.match.id,
        version=ply.version,
        move=ply.move,
        events=ply.events_json,
        at=at,
    )


def _write_seats(transition: Transition) -> None:
    names: Sequence[str] = columns(SeatProgress)[1:]
    for seat in transition.seats:
        changes: dict[str, Any] = {name: getattr(seat, name) for name in names}
        Seat.objects.filter(match_id=transition.match.id, index=seat.index).update(**changes)


# Taking a round back, when all people at the table agree: the roll-back of FORMAT.md §2.
#
# One of them wants it, the others accept or decline. What becomes of it stands in the row of the
# match and is over with the next move, by its version: the move path knows nothing of it. Every
# act locks the row, so of two that begin at once one comes first; a move that is judged meanwhile
# is judged again. A person who plays alone asks nobody: it is a load with the same cards.


@transaction.atomic
def ask_to_take_back(
    *,
    match_id: UUID,
    user: User,
    version: int,
    round: int | None = None,  # noqa: A002 - the name in the API
) -> MatchSnapshot:
    """Wants a round back, without one that of the last move; raises ``Refusal`` by cause.

    The same again changes nothing. Where another wants the same round back, this accepts.
    """
    row, seats = locked_match(match_id, user)
    check_may_play(user.id)
    match = snapshot_of(row, seats)
    own = _own_seats(match, user)
    _check_running(match, user, version)
    opened = _opened(match, round)
    before = match.take_back
    if before is not None and before.status == "waiting":
        if before.round != opened.number:
            raise refusals.WantedAlready("Another round is asked for. Answer that first.")
        return match if before.seat in own else _accept(row, seats, before, own, opened)
    tried = before.tried if before is not None and before.version == version else ()
    if set(own) & set(tried):
        raise refusals.WantedAlready
    _check_nobody_resigned(match, opened)
    wish = TakeBack(
        seat=own[0],
        round=opened.number,
        version=match.version,
        at=now_after(row.updated_at),
        tried=(*tried, own[0]),
    )
    return _written(row, seats, wish)


@transaction.atomic
def answer_take_back(*, match_id: UUID, user: User, version: int, accept: bool) -> MatchSnapshot:
    """Accepts or declines what was wanted at this version; raises ``Refusal`` by cause.

    The round is dealt again as soon as the last of the others accepts. The same answer again
    changes nothing.
    """
    row, seats = locked_match(match_id, user)
    check_may_play(user.id)
    match = snapshot_of(row, seats)
    own, wish = _own_seats(match, user), match.take_back
    if wish is None or wish.version != version or match.status != "active":
        raise refusals.NoWishToTakeBack
    if _is_settled(wish, own, accept=accept):
        return match
    if wish.status != "waiting" or wish.seat in own:
        raise refusals.NoWishToTakeBack
    if not accept:
        at = now_after(row.updated_at)
        declined = replace(wish, status="declined", declined_by=own[0], at=at)
        return _written(row, seats, declined)
    return _accept(row, seats, wish, own, _opened(match, wish.round))


def _is_settled(wish: TakeBack, own: Sequence[int], *, accept: bool) -> bool:
    """Whether it came to what this answer says, by this person too."""
    if accept:
        return wish.status == "accepted" and bool(set(own) & set(wish.agreed))
    return wish.status == "declined" and wish.declined_by in own


@transaction.atomic
def withdraw_take_back(*, match_id: UUID, user: User, version: int) -> MatchSnapshot:
    """Wants it no more; again is no error. Raises ``Refusal`` by cause."""
    row, seats = locked_match(match_id, user)
    match = snapshot_of(row, seats)
    own, wish = _own_seats(match, user), match.take_back
    if wish is None or wish.version != version or wish.seat not in own:
        raise refusals.NoWishToTakeBack
    if wish.status == "withdrawn":
        return match
    if wish.status != "waiting" or match.status != "active":
        raise refusals.NoWishToTakeBack
    at = now_after(row.updated_at)
    return _written(row, seats, replace(wish, status="withdrawn", at=at))


def take_back_alone(*, match_id: UUID, user: User) -> MatchSnapshot:
    """A new match from the last point at which the user had a choice, with the same cards.

    Raises ``Refusal`` by cause, as ``loading.load``, which this is.
    """
    match, _ = visible(find_match(match_id, Caller(user=user.id)))
    version = _last_choice(match, match.seats_of(user.id))
    if version is None:
        raise refusals.BadSave("There is no move of yours in this round to take back.")
    return loading.load(match_id=match_id, user=user, cards="same", version=version)


def _last_choice(match: MatchSnapshot, own: Sequence[int]) -> int | None:
    """Of this match, or of those that it was loaded from."""
    if match.state_json is None:
        return None
    version = last_choice(match, own, match.version)
    while version is None and match.parent_id is not None:
        until, match = match.parent_version or 0, get_match(match.parent_id)
        version = last_choice(match, own, until)
    return version


def _own_seats(match: MatchSnapshot, user: User) -> list[int]:
    """The seats that the user plays in person; raises ``NotYourSeat``."""
    own = [seat for seat in _in_person(match) if match.seats[seat].user_id == user.id]
    if not own:
        raise refusals.NotYourSeat("Only its players can take back a round of a match.")
    return own


def _in_person(match: MatchSnapshot) -> list[int]:
    """The seats of people who play on themselves: no bot stands in, and they have not resigned."""
    return [
        seat.index
        for seat in match.seats
        if seat.user_id is not None and seat.resigned_at is None and not seat.stand_in
    ]


def _check_running(match: MatchSnapshot, user: User, version: int) -> None:
    if match.status != "active":
        raise refusals.MatchNotActive
    if match.rated:
        raise refusals.MatchIsRated
    if is_sealed(match):
        raise refusals.DealIsSealed
    if is_only_person(match, user.id):
        raise refusals.NobodyToAsk
    if match.version != version:
        raise refusals.StaleVersion(match, user.id)


def _opened(match: MatchSnapshot, number: int | None) -> Round:
    """The standing row of a round that can be taken back; raises ``BadSave``."""
    standing = Round.objects.filter(match_id=match.id, undone_at=None)
    if number is None:
        before = standing.filter(opening_version__lt=match.version)
        opened = before.order_by("-number").first() or standing.order_by("-number").first()
    else:
        opened = standing.filter(number=number).first()
    if opened is None or not can_roll_back_to(match, opened):
        _no_such_round(match, number)
    if opened.opening_version == match.version:
        raise refusals.CannotTakeBack("Nobody has moved in this round yet.")
    return opened


def _no_such_round(match: MatchSnapshot, number: int | None) -> NoReturn:
    raise refusals.BadSave(
        say(
            "Round {number} cannot be taken back: this match has not dealt it.",
            number=match.round if number is None else number,
        )
    )


def _check_nobody_resigned(match: MatchSnapshot, opened: Round) -> None:
    """Somebody who is gone cannot agree to be back."""
    if any((seat.resigned_at or 0) > opened.opening_version for seat in match.seats):
        raise refusals.CannotTakeBack(
            "Somebody has resigned in this round; it cannot be taken back."
        )


def _accept(
    row: Match, seats: Sequence[Seat], wish: TakeBack, own: Sequence[int], opened: Round
) -> MatchSnapshot:
    """The last of the others to accept takes the round back."""
    match = snapshot_of(row, seats)
    agreed = tuple(sorted({*wish.agreed, *own}))
    asker = match.seats[wish.seat].user_id
    others = [n for n in _in_person(match) if match.seats[n].user_id != asker]
    if not set(others) <= set(agreed):
        return (
            match if agreed == wish.agreed else _written(row, seats, replace(wish, agreed=agreed))
        )
    _check_nobody_resigned(match, opened)
    write_roll_back(row, match, opened)
    accepted = replace(wish, agreed=agreed, status="accepted", at=now_after(row.updated_at))
    Match.objects.filter(id=row.id).update(take_back=accepted.encode())
    after = get_match(row.id)
    after_commit.when_committed(lambda: announce(after))
    return after


def _written(row: Match, seats: Sequence[Seat], wish: TakeBack) -> MatchSnapshot:
    row.take_back, row.updated_at = wish.encode(), now_after(row.updated_at)
    row.save(update_fields=["take_back", "updated_at"])
    match = snapshot_of(row, seats)
    after_commit.when_committed(lambda: announce(match))
    return match
