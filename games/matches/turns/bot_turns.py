"""Bot turns: the match row says when one is due; a run of moves is written in one commit."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from random import Random, SystemRandom
from time import monotonic, sleep
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import Error
from django.utils import timezone

from cardroom.rules.bot import Bot
from cardroom.rules.values import Event, pick_seat
from config.postgres.connections import LOST
from config.tasks import rows
from config.telemetry import lines, metrics
from config.telemetry.work import request_id
from games.matches.announcements import announce
from games.matches.selectors.access import Wanted, find_each
from games.matches.selectors.log import events_remembered
from games.matches.snapshot import MatchSnapshot
from games.matches.turn_queue import Taken, class_of
from games.matches.turns.thinking import OutOfTime, choose_in_time, quickest_form, strongest_quick
from games.matches.writing.commit import commit_all
from games.matches.writing.transition import Transition

PLIES_A_COMMIT = 32
SECONDS_A_COMMIT = 0.25
SLOW_ANSWER: Final = timedelta(seconds=0.6)  # after the move before it; one ply a commit

log = structlog.get_logger(__name__)


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
    """What the bots' turn raises, where nothing was written of it; nothing is written here."""
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
    metrics.BOT_SECONDS.labels(class_of(run.match)).observe(seconds)
    facts = {"match": after.id, "version": after.version, "plies": plies}
    lines.write("bots", request_id=request_id(), ms=round(1000 * seconds, 1), **facts)


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
    due = [run.match.bot_due_at for run in runs if class_of(run.match) == "slow"]
    ready = max((at + SLOW_ANSWER for at in due if at), default=None)
    if ready is not None:
        sleep(min(max(0.0, (ready - timezone.now()).total_seconds()), SLOW_ANSWER.total_seconds()))


def _run(match: MatchSnapshot) -> Transition:
    transition = Transition(match)
    memory = BotMemory(transition)
    rng = Random(SystemRandom().getrandbits(64))
    turn_class = class_of(match)
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
