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
from games.matches.services.transition import Transition
from games.matches.snapshot import MatchSnapshot
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
    match = get_match(match_id)
    if match.version != version or not match.awaits_bot:
        return False
    after = commit.write(_run(match))
    if after is None:
        return False
    announce(after)
    return True


def _run(match: MatchSnapshot) -> Transition:
    draft = Transition(match)
    memory = BotMemory(draft)
    rng = Random(SystemRandom().getrandbits(64))
    until = monotonic() + SECONDS_A_COMMIT
    while len(draft.plies) < PLIES_A_COMMIT and (monotonic() < until or not draft.plies):
        seat = next((seat for seat in draft.to_act if draft.bot_in_control(seat)), None)
        if seat is None:
            break
        _take_turn(draft, seat, memory, rng)
    return draft


def _take_turn(draft: Transition, seat: int, memory: "BotMemory", rng: Random) -> None:
    """The bot's move; for one that fails or cheats any legal one, so that nobody waits for ever."""
    game = draft.match.rules
    bot = game.bot(draft.bot_in_control(seat) or game.stand_in)
    view, events = game.view(draft.state, seat), memory.of(seat, bot)
    try:
        draft.play(seat, bot.choose(view, events, rng))
    except Exception:
        log.exception("bot_failed", match=str(draft.match.id), bot=bot.slug, seat=seat)
        draft.play(seat, rng.choice(view.legal_moves))


class BotMemory:
    """What the bots of a run remember: read from the log once a seat, then kept up."""

    def __init__(self, draft: Transition) -> None:
        self._draft = draft
        self._past: dict[int, list[Event]] = {}

    def of(self, seat: int, bot: Bot[Any]) -> Sequence[Event]:
        if bot.remembers == "nothing":
            return ()
        if seat not in self._past:
            self._past[seat] = events_remembered(self._draft.match, seat, bot.remembers)
        drafted = [e.seen_by(seat) for ply in self._draft.plies for e in ply.events]
        return self._draft.match.rules.recent_events(self._past[seat] + drafted, bot.remembers)
