"""Bot turns: the match row says that one is due; a run of moves is written in one commit."""

from collections.abc import Sequence
from random import Random, SystemRandom
from time import monotonic
from typing import Any
from uuid import UUID

import structlog

from games.matches.announcements import announce
from games.matches.selectors.access import get_match
from games.matches.selectors.log import events_remembered
from games.matches.services.commit import commit
from games.matches.services.thinking import OutOfTime, choose_in_time, strongest_quick
from games.matches.services.transition import Transition
from games.matches.snapshot import MatchSnapshot
from games.matches.turn_queue import class_of
from games.rules.bot import Bot
from games.rules.seats import pick_seat
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
    after = commit(_run(match))
    if after is None:
        return False
    announce(after)
    return True


def _run(match: MatchSnapshot) -> Transition:
    transition = Transition(match)
    memory = BotMemory(transition)
    rng = Random(SystemRandom().getrandbits(64))
    quick_only = class_of(match) == "quick"
    until = monotonic() + SECONDS_A_COMMIT
    while len(transition.plies) < PLIES_A_COMMIT and (monotonic() < until or not transition.plies):
        bots = [seat for seat in transition.to_act if transition.bot_in_control(seat)]
        slow = quick_only and any(_bot(transition, seat).cost == "slow" for seat in bots)
        if slow or not bots:
            break
        _take_turn(transition, pick_seat(bots, rng), memory, rng)
    return transition


def _bot(transition: Transition, seat: int) -> Bot[Any]:
    game = transition.match.rules
    return game.bot(transition.bot_in_control(seat) or game.stand_in)


def _take_turn(transition: Transition, seat: int, memory: "BotMemory", rng: Random) -> None:
    """The bot's move, or a cheaper bot's when it thinks too long.

    For one that fails or cheats any legal move is played, so that nobody waits for ever.
    """
    game, asked = transition.match.rules, _bot(transition, seat)
    about = {"match": str(transition.match.id), "seat": seat}
    view = game.view(transition.state, seat)
    for bot in (asked, strongest_quick(game)):
        try:
            transition.play(seat, choose_in_time(bot, view, memory.of(seat, bot), rng))
        except OutOfTime:
            log.warning("bot_cut_off", bot=bot.slug, seconds=bot.seconds, **about)
        except Exception:
            log.exception("bot_failed", bot=bot.slug, **about)
            break
        else:
            return
    transition.play(seat, rng.choice(view.legal_moves))


class BotMemory:
    """What the bots of a run remember: read from the log once a seat, then kept up."""

    def __init__(self, transition: Transition) -> None:
        self._transition = transition
        self._past: dict[int, list[Event]] = {}

    def of(self, seat: int, bot: Bot[Any]) -> Sequence[Event]:
        if bot.remembers == "nothing":
            return ()
        if seat not in self._past:
            self._past[seat] = events_remembered(self._transition.match, seat, bot.remembers)
        recent = [event.seen_by(seat) for event in self._transition.events]
        return self._transition.match.rules.recent_events(self._past[seat] + recent, bot.remembers)
