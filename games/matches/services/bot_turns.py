"""Bot turns: what is owed is a fact in the match row; this pays it, a run of moves a commit."""

from collections.abc import Sequence
from random import Random, SystemRandom
from time import monotonic
from typing import Any
from uuid import UUID

import structlog

from games.matches.announcements import announce
from games.matches.selectors.access import get_match
from games.matches.selectors.log import events_remembered
from games.matches.services import commit
from games.matches.services.transition import Draft
from games.matches.snapshot import Table
from games.rules.bot import Bot
from games.rules.values import Event

PLIES_A_COMMIT = 32
SECONDS_A_COMMIT = 0.25

log = structlog.get_logger(__name__)


def play_bot_turns(*, match_id: UUID, version: int) -> bool:
    """Plays bots until a person is to act, the match is over or the commit is full.

    Returns whether anything was written: nothing is when the match is no longer at ``version``
    (a duplicate or late message) or moves on meanwhile; then who moved it has announced it.
    """
    table = get_match(match_id)
    if table.version != version or not table.owes_a_bot_move:
        return False
    after = commit.write(_run(table))
    if after is None:
        return False
    announce(after)
    return True


def _run(table: Table) -> Draft:
    draft = Draft(table)
    memory = Memory(draft)
    rng = Random(SystemRandom().getrandbits(64))
    until = monotonic() + SECONDS_A_COMMIT
    while len(draft.plies) < PLIES_A_COMMIT and (monotonic() < until or not draft.plies):
        seat = next((seat for seat in draft.to_act if draft.mover(seat)), None)
        if seat is None:
            break
        _take_turn(draft, seat, memory, rng)
    return draft


def _take_turn(draft: Draft, seat: int, memory: "Memory", rng: Random) -> None:
    """The bot's move; for one that fails or cheats any legal one, so that nobody waits for ever."""
    game = draft.table.game
    bot = game.bot(draft.mover(seat) or game.stand_in)
    view, events = game.view(draft.state, seat), memory.of(seat, bot)
    try:
        draft.play(seat, bot.choose(view, events, rng))
    except Exception:
        log.exception("bot_failed", match=str(draft.table.id), bot=bot.slug, seat=seat)
        draft.play(seat, rng.choice(view.legal_moves))


class Memory:
    """What the bots of a run remember: read from the log once a seat, then kept up."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._past: dict[int, list[Event]] = {}

    def of(self, seat: int, bot: Bot[Any]) -> Sequence[Event]:
        if bot.remembers == "nothing":
            return ()
        if seat not in self._past:
            self._past[seat] = events_remembered(self._draft.table, seat, bot.remembers)
        drafted = [e.seen_by(seat) for ply in self._draft.plies for e in ply.events]
        return self._draft.table.game.memory(self._past[seat] + drafted, bot.remembers)
