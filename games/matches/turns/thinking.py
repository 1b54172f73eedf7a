"""A bot's time to think: how long a move may take, and which bot moves instead."""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from time import monotonic
from types import FrameType
from typing import Any, Final

import structlog

from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.search import stopping_when
from cardroom.rules.values import Event, Move, View

log = structlog.get_logger(__name__)

SEARCHING: Final = 0.8  # of a bot's seconds

# Given a game and its bot, a form of the bot that chooses the same in less time, or the bot itself.
# Workers have one; it may load code, so it is called before the time of a move begins.
quicker_forms: list[Callable[[AnyGame, Bot[Any]], Bot[Any]]] = []


class OutOfTime(BaseException):
    """The bot thought longer than its budget. No bot can catch it by accident."""


def choose_in_time(bot: Bot[Any], view: View, events: Sequence[Event], rng: Random) -> Move:
    """The bot's choice; raises ``OutOfTime`` after the seconds that it declares.

    A search ends by itself a little earlier, with the best move found by then.

    Only a process's main thread can be interrupted; workers play there. Elsewhere there is no
    limit.
    """
    enough = monotonic() + SEARCHING * bot.seconds
    with _at_most(bot.seconds), stopping_when(lambda: monotonic() >= enough):
        return bot.choose(view, events, rng)


def quickest_form(game: AnyGame, bot: Bot[Any]) -> Bot[Any]:
    """The bot as this process plays it in the least time; its choices do not depend on that."""
    for form in quicker_forms:
        try:
            bot = form(game, bot)
        except Exception:
            log.exception("bot_form_failed", bot=bot.slug)
    return bot


def strongest_quick(game: AnyGame) -> Bot[Any]:
    """The bot that moves for one that was cut off: fair, and done in a few milliseconds."""
    quick = [bot for bot in game.bots if bot.cost == "quick" and bot.rated]
    return max(quick, key=lambda bot: bot.level, default=game.bot(game.stand_in))


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise OutOfTime
