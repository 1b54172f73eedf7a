"""Turns of computers: taking due ones, thinking, playing; a turn played for a person."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from random import Random, SystemRandom
from time import monotonic, sleep
from types import FrameType
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import Error
from django.utils import timezone
from redis.exceptions import RedisError

from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.search import stopping_when
from cardroom.rules.values import Event, Move, View, pick_seat
from config.postgres.connections import LOST, leave_connection, plan_for_few_rows
from config.tasks import rows
from config.telemetry import metrics, work
from config.telemetry.work import request_id
from games.matches import announcements, moves
from games.matches.announcements import Taken, TurnClass, announce, send_drain, turn_class_of
from games.matches.commit import commit_all
from games.matches.selectors.access import Caller, Wanted, find_each, get_match
from games.matches.selectors.log import events_remembered
from games.matches.snapshot import MatchSnapshot
from games.matches.transition import Transition

# A bot's time to think: how long a move may take, and which bot moves instead.

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


# Bot turns: the match row says when one is due; a run of moves is written in one commit.

PLIES_A_COMMIT = 32
SECONDS_A_COMMIT = 0.25
SLOW_ANSWER: Final = timedelta(seconds=0.6)  # after the move before it; one ply a commit


def play_bot_turns(*, match_id: UUID, version: int) -> bool:
    """Plays the due turn of one match at once, as ``play_turns``; whether anything was written."""
    return play_turns([Taken(match_id, version)], paced=False) > 0


def play_turns(turns: Sequence[Taken], *, paced: bool = True) -> int:
    """Plays bots until a person is to act, the match is over or the commit is full.

    Returns how many matches moved on. One read and one write for all. Nothing is written of a
    match that is no longer at the version (a duplicate or late message) or that moves on meanwhile:
    that move has announced it. A match that fails does not stop the others; without a database
    none can be played.
    """
    accesses = find_each([Wanted(turn.match_id) for turn in turns])
    due = [
        access.match
        for turn, access in zip(turns, accesses, strict=True)
        if access and access.match.version == turn.version
    ]
    runs = [run for run in map(_run_or_nothing, due) if run is not None]
    if paced:
        _wait_for_the_pace(runs)
    written = [
        (run, after) for run, after in zip(runs, _written(runs), strict=True) if after is not None
    ]
    announce(*(after for _, after in written))
    for run, after in written:
        _log(run, after)
    return len(written)


def failure_of(match: MatchSnapshot) -> Exception | None:
    """An error of the bots' turn of which nothing was written; nothing is written here."""
    try:
        _run(match)
    except Error:
        raise
    except Exception as error:  # noqa: BLE001 - told to an operator
        return error
    return None


def _log(run: Transition, after: MatchSnapshot) -> None:
    """Writes a line of the log, as for a request that moves: the task and what it led to."""
    due, plies = run.match.bot_due_at or after.updated_at, len(run.plies)
    seconds = max(0.0, (after.updated_at - due).total_seconds())
    metrics.BOT_SECONDS.labels(turn_class_of(run.match)).observe(seconds)
    facts = {"match": after.id, "version": after.version, "plies": plies}
    work.write("bots", request_id=request_id(), ms=round(1000 * seconds, 1), **facts)


def _run_or_nothing(match: MatchSnapshot) -> Transition | None:
    try:
        return _run(match) if match.is_playable and match.awaits_bot else None
    except Error:
        raise
    except Exception as error:
        log.exception("turn_failed", match=str(match.id))
        rows.note("turns", str(match.id), error)  # it is announced again after a growing pause
        return None


def _written(runs: Sequence[Transition]) -> list[MatchSnapshot | None]:
    """The matches after their runs. A statement that fails for one match is sent for each alone."""
    if not runs:
        return []
    try:
        return commit_all(runs)
    except LOST:
        raise
    except Exception:
        if len(runs) > 1:
            return [after for run in runs for after in _written([run])]
        log.exception("turn_failed", match=str(runs[0].match.id))
        return [None]


def _wait_for_the_pace(runs: Sequence[Transition]) -> None:
    """Costly bots answer no sooner than SLOW_ANSWER: their thinking time would show their cards."""
    due = [run.match.bot_due_at for run in runs if turn_class_of(run.match) == "slow"]
    ready = max((at + SLOW_ANSWER for at in due if at), default=None)
    if ready is not None:
        sleep(min(max(0.0, (ready - timezone.now()).total_seconds()), SLOW_ANSWER.total_seconds()))


def _run(match: MatchSnapshot) -> Transition:
    transition = Transition(match)
    memory = BotMemory(transition)
    rng = Random(SystemRandom().getrandbits(64))
    turn_class = turn_class_of(match)
    plies = 1 if turn_class == "slow" else PLIES_A_COMMIT
    until = monotonic() + SECONDS_A_COMMIT
    while len(transition.plies) < plies and (monotonic() < until or not transition.plies):
        bots = [seat for seat in transition.to_act if transition.bot_in_control(seat)]
        slow = turn_class == "quick" and any(_bot(transition, s).cost == "slow" for s in bots)
        if slow or not bots:
            break
        seat = pick_seat(bots, rng)
        _take_turn(transition, seat, _bot(transition, seat), memory, rng)
    return transition


def _bot(transition: Transition, seat: int) -> Bot[Any]:
    game = transition.match.rules
    return game.bot(transition.bot_in_control(seat) or game.stand_in)


def play_instead(match: MatchSnapshot, seats: Iterable[int]) -> MatchSnapshot | None:
    """Plays one turn for each of these people; the match then, ``None`` if it had moved on.

    Their time is up: a bot that answers at once moves, until the seat would have new time.
    """
    transition, game, bot = Transition(match), match.rules, strongest_quick(match.rules)
    memory, rng = BotMemory(transition), Random(SystemRandom().getrandbits(64))
    for seat in seats:
        goes_on = True
        while goes_on and seat in transition.to_act and len(transition.plies) < PLIES_A_COMMIT:
            _take_turn(transition, seat, bot, memory, rng)
            goes_on = game.time_goes_on(transition.state)
    (after,) = _written([transition] if transition.plies else []) or (None,)
    if after is not None:
        announce(after)
    return after


def _take_turn(
    transition: Transition, seat: int, chosen: Bot[Any], memory: "BotMemory", rng: Random
) -> None:
    """The bot's move, or a cheaper bot's when it thinks too long.

    If the bot fails or cheats, any legal move is played, so that nobody waits for ever.
    """
    game = transition.match.rules
    about = {"match": str(transition.match.id), "seat": seat}
    view = game.view(transition.state, seat)
    for bot in (quickest_form(game, chosen), strongest_quick(game)):
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
    """Memories of the bots of a run: read from the log once a seat, then kept up."""

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


# Playing due turns: one task takes those of a class until none is left or its time is up.
#
# Quick turns are taken many at a time: one read, a run of moves for each match, one write. The
# task stays for a moment after the last one, because a task costs more than many turns. Slow
# turns and those of matches without a person are taken one by one: each may take long, and others
# wait.

# Of one task. The workers of costly turns have other things to do in between.
SECONDS: Final[dict[TurnClass, float]] = {"quick": 2.0, "slow": 1.0, "alone": 0.5}
AT_ONCE: Final[dict[TurnClass, int]] = {"quick": 64, "slow": 1, "alone": 1}
STAYS: Final[dict[TurnClass, float]] = {"quick": 0.3, "slow": 0.0, "alone": 0.0}


def drain(turn_class: TurnClass) -> int:
    """Plays due turns, one account after the other; how many. Sends a task for the rest."""
    plan_for_few_rows()
    if not STAYS[turn_class]:
        announcements.release_task(turn_class)  # the next due turn sends another task
    try:
        played = _play_all(turn_class)
    finally:
        if STAYS[turn_class]:
            with suppress(RedisError):  # then the reservation runs out
                announcements.release_task(turn_class)
    seconds = announcements.reserve_next_task(turn_class)
    if seconds is not None:
        send_drain(turn_class, seconds)
    return played


def _play_all(turn_class: TurnClass) -> int:
    until, played, stays = monotonic() + SECONDS[turn_class], 0, STAYS[turn_class]
    has_help = not stays
    while monotonic() < until:
        turns, more = announcements.take_turns(turn_class, AT_ONCE[turn_class], stays=stays > 0)
        if more and not has_help:
            has_help = True
            send_drain(turn_class)
        _play(turns)
        played += len(turns)
        if not more and not (stays and announcements.wait_for_turn(turn_class, stays)):
            break
    return played


def _play(turns: Sequence[Taken]) -> None:
    """Plays them, once more if the connection is lost: the versions show what was written."""
    try:
        play_turns(turns)
    except LOST:
        leave_connection()
        play_turns(turns)


# Moves that are no choice, one after the other, until something happens.
#
# A match may take hundreds of them. Each goes through the one door of every move. The computers'
# turns in between are played here as a worker would play them.


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
        if match.awaits_bot and turn_class_of(match) != "quick":
            break
        if match.awaits_bot:
            play_bot_turns(match_id=match_id, version=match.version)
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
