"""Matches for scenes, through the services alone: opened in a line, played on, played out."""

from random import Random
from typing import Any

from accounts.models import User
from games.matches.selectors.access import Caller, get_match
from games.matches.services import bot_turns, moves, opening
from games.matches.services.seats import SeatWish
from games.matches.snapshot import Table

NAMED = {"bot": "bot", "user": "username", "local": "name"}
SHORT = {
    "pisti": {"preset": "single"},
    "pazaak": {"options": {"rounds_to_win": 2}},
    "shithead": {"options": {"games": 1, "max_turns": 24}},
    "pyanitsa": {"options": {"max_tricks": 9}},
}


def wishes(text: str) -> list[SeatWish]:
    """`me, bot greedy, user ben, open, local Cleo` as the seats of a new match."""
    return [_wish(*seat.split(" ")) for seat in text.split(", ")]


def _wish(kind: str, name: str | None = None) -> SeatWish:
    return SeatWish(kind=kind, **({NAMED[kind]: name} if name else {}))


def opened(
    creator: User, seats: str = "me, local Twin", game: str = "pisti", **rules: Any
) -> Table:
    return opening.open_match(creator=creator, game=game, seats=wishes(seats), **rules)


def short(creator: User, game: str, seats: str = "me, local Twin", **more: Any) -> Table:
    """A match that is over soon."""
    return opened(creator, seats, game, **SHORT[game], **more)


def now(table: Table) -> Table:
    return get_match(table.id)


def move(
    table: Table, text: str = "", seat: int | None = None, key: str | None = None, **said: Any
) -> Table:
    """A person's move, by default the first legal one of the first person to act."""
    if seat is None:
        seat = next(s for s in table.to_act if not table.mover(s))
    text = text or table.game.legal_moves(table.state, seat)[0]
    said = {"version": table.version, "caller": Caller(user=table.seats[seat].user)} | said
    return moves.play(match_id=table.id, move=text, seat=seat, key=key, **said).table


def played(table: Table, until: int = 10**6, rng: Random | None = None) -> Table:
    """The match at version ``until`` or later (bots move in runs), or at its end."""
    rng = rng or Random(1)
    while table.status == "active" and table.version < until:
        if table.owes_a_bot_move:
            bot_turns.play_bot_turns(match_id=table.id, version=table.version)
            table = now(table)
        else:
            seat = rng.choice(table.to_act)
            table = move(table, rng.choice(table.game.legal_moves(table.state, seat)), seat)
    return table


def played_to_round(table: Table, number: int) -> Table:
    """The match right after the deal of its round ``number``."""
    while table.round < number:
        table = played(table, table.version + 1)
    return table


def resigned(table: Table, seat: int) -> Table:
    caller = Caller(user=table.seats[seat].user)
    return moves.resign(match_id=table.id, caller=caller, seat=seat).table
