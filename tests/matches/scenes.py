"""Matches for scenes, through the services alone: opened in a line, played on, played out."""

from collections.abc import Callable
from random import Random
from typing import Any

from accounts.models import User
from cardroom.rules import catalog
from games.matches import bot_turns, joining, leaving, moves, opening
from games.matches.announcements import announce
from games.matches.commit import commit
from games.matches.models import Match
from games.matches.seats import SeatRequest
from games.matches.selectors.access import Caller, get_match
from games.matches.snapshot import MatchSnapshot
from games.matches.transition import Transition
from tests.rules.short import short_options

Reached = Callable[[MatchSnapshot | Transition], bool]
NAMED = {"bot": "bot", "user": "username", "local": "name"}


def seat_requests(text: str) -> list[SeatRequest]:
    """`me, bot greedy, user ben, open, local Cleo` as the seats of a new match."""
    return [_seat_request(*seat.split(" ")) for seat in text.split(", ")]


def _seat_request(kind: str, name: str | None = None) -> SeatRequest:
    return SeatRequest(kind=kind, **({NAMED[kind]: name} if name else {}))


def opened(
    creator: User, seats: str = "me, local Twin", game: str = "pisti", **rules: Any
) -> MatchSnapshot:
    return opening.open_match(creator=creator, game=game, seats=seat_requests(seats), **rules)


def short(creator: User, game: str, seats: str = "me, local Twin", **more: Any) -> MatchSnapshot:
    """A match that is over soon."""
    return opened(creator, seats, game, options=short_options(catalog.find(game)), **more)


def now(match: MatchSnapshot) -> MatchSnapshot:
    return get_match(match.id)


def move(
    match: MatchSnapshot,
    text: str = "",
    seat: int | None = None,
    key: str | None = None,
    **said: Any,
) -> MatchSnapshot:
    """A person's move, by default the first legal one of the first person to act."""
    if seat is None:
        seat = next(s for s in match.to_act if not match.bot_in_control(s))
    text = text or match.rules.legal_moves(match.state, seat)[0]
    said = {"version": match.version, "caller": Caller(user=match.seats[seat].user_id)} | said
    return moves.play(match_id=match.id, move=text, seat=seat, key=key, **said).match


def played(match: MatchSnapshot, until: int = 10**6, rng: Random | None = None) -> MatchSnapshot:
    """The match at version ``until`` or later (bots move in runs), or at its end."""
    return played_until(match, lambda now: now.version >= until, rng)


def played_until(
    match: MatchSnapshot, reached: Reached, rng: Random | None = None
) -> MatchSnapshot:
    """The match as it is when that is ``reached``, or at its end."""
    rng = rng or Random(1)
    return _played(match, reached, lambda: rng)


def _played(match: MatchSnapshot, reached: Reached, chance: Callable[[], Random]) -> MatchSnapshot:
    """Where nobody counts the time, what people play between two turns of bots is one commit."""
    while match.status == "active" and not reached(match):
        if match.awaits_bot:
            bot_turns.play_bot_turns(match_id=match.id, version=match.version)
            match = now(match)
        elif match.has_limit:
            seat, text = _move_of(match, match, chance())
            match = move(match, text, seat)
        else:
            match = _written(_run_of_people(match, reached, chance))
    return match


def _run_of_people(
    match: MatchSnapshot, reached: Reached, chance: Callable[[], Random]
) -> Transition:
    run = Transition(match)
    while not run.outcome and not reached(run) and run.people_to_act == list(run.to_act):
        run.play(*_move_of(match, run, chance()))
    return run


def _move_of(match: MatchSnapshot, now: MatchSnapshot | Transition, rng: Random) -> tuple[int, str]:
    seat = rng.choice(now.to_act)
    return seat, rng.choice(match.rules.legal_moves(now.state, seat))


def _written(run: Transition) -> MatchSnapshot:
    match = commit(run)
    assert match, "Somebody else moved."
    announce(match, causes={match.id: run.request_id})
    return match


def played_on(match: MatchSnapshot, until: int, rng: Random | None = None) -> MatchSnapshot:
    """The same without bots and without a request a move: for matches of thousands of plies."""
    rng = rng or Random(1)
    while not match.is_over and match.version < until:
        moves = Transition(match)
        while not moves.outcome and len(moves.plies) < 500 and moves.version < until:
            seat = rng.choice(moves.to_act)
            moves.play(seat, rng.choice(match.rules.legal_moves(moves.state, seat)))
        match = commit(moves) or match
    return match


def played_to_round(match: MatchSnapshot, number: int) -> MatchSnapshot:
    """The match right after the deal of its round ``number``."""
    return _played(match, lambda now: now.round >= number, lambda: Random(1))


def pair(host: User, guest: User, game: str = "pisti", **more: Any) -> MatchSnapshot:
    """Two people at one match; the host has seat 0."""
    return joining.join(match_id=opened(host, "me, open", game, **more).id, user=guest)


def called_off(match: MatchSnapshot) -> MatchSnapshot:
    row = Match.objects.get(id=match.id)
    return joining.abort(row, list(row.seats.all()))


def resigned(match: MatchSnapshot, seat: int) -> MatchSnapshot:
    caller = Caller(user=match.seats[seat].user_id)
    return leaving.resign(match_id=match.id, caller=caller, seat=seat)
