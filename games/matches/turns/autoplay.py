"""Moves that are no choice, one after the other, until something happens.

A match may take hundreds of them. Each goes through the one door of every move. The computers'
turns in between are played here as a worker would play them.
"""

from collections.abc import Callable
from time import monotonic
from uuid import UUID

from games.matches.moving import moves
from games.matches.selectors.access import Caller, get_match
from games.matches.snapshot import MatchSnapshot
from games.matches.turn_queue import class_of
from games.matches.turns import bot_turns


def play_forced_moves(
    *,
    match_id: UUID,
    caller: Caller,
    move: str,
    version: int,
    seat: int | None,
    until: Callable[[MatchSnapshot], bool],
    seconds: float,
) -> MatchSnapshot:
    """Plays ``move`` and, as long as it is the only one of a seat of the caller's, plays it again.

    Stops when ``until`` says so, somebody else or a choice is to act, or the time is up. The first
    move is refused as any other; raises ``Refusal`` by cause.
    """
    ends = monotonic() + seconds
    played = moves.play(match_id=match_id, caller=caller, move=move, version=version, seat=seat)
    match = played.match
    while match.status == "active" and not until(match) and monotonic() < ends:
        if match.awaits_bot and class_of(match) != "quick":
            break
        if match.awaits_bot:
            bot_turns.play_bot_turns(match_id=match_id, version=match.version)
            match = get_match(match_id)
            continue
        forced = _forced_seat(match, played.user, move)
        if forced is None:
            break
        match = moves.play(
            match_id=match_id, caller=caller, move=move, version=match.version, seat=forced
        ).match
    return match


def _forced_seat(match: MatchSnapshot, user: UUID, move: str) -> int | None:
    """A seat of the caller's that is to act and has no other move than this one."""
    own = [seat for seat in match.to_act if seat in match.seats_of(user)]
    forced = [seat for seat in own if match.rules.forced_move(match.state, seat) == move]
    return next(iter(forced), None)
