"""Hints weighed by a worker, read by the seat that asked."""

from datetime import timedelta
from time import monotonic, sleep
from typing import Final

import msgspec
from django.utils import timezone

from cardroom.arena import compiled_code
from cardroom.rules.values import Move, Seat
from config.tasks.duties import Duty
from games.coaching.judging.advice import Advice, AdvisedMove, advise
from games.coaching.judging.decisions import Decision, judge_of
from games.coaching.judging.weighing import PLAYOUTS
from games.coaching.models import Hint
from games.matches.selectors.access import get_match
from games.matches.selectors.log import events_remembered
from games.matches.snapshot import MatchSnapshot

SECONDS_BETWEEN_LOOKS: Final = 0.03
KEPT: Final = timedelta(days=1)
LATE: Final = timedelta(seconds=20)  # then nobody waits for a worker any more

_advice = msgspec.json.Decoder(Advice)


def weigh(hint_id: int) -> None:
    """Weighs what is still asked for; a match that went on needs it no more."""
    row = Hint.objects.filter(id=hint_id, advice=None).first()
    if row is None:
        return
    match = get_match(row.match_id)
    if match.version != row.version or match.status != "active":
        return
    advice = advice_for(match, row.seat)
    Hint.objects.filter(id=row.id).update(advice=msgspec.json.encode(advice))


def advice_for(match: MatchSnapshot, seat: Seat) -> Advice:
    """From the view of the seat and the events as it saw them; from nothing else."""
    game = match.rules
    bot = judge_of(game)
    if bot is None:
        return Advice(())
    events = game.recent_events(events_remembered(match, seat, bot.remembers), bot.remembers)
    view = game.view(match.state, seat)
    decision = Decision(match.version, match.round, seat, view, events, move="")
    return advise(game, compiled_code.quick(game, bot), decision, PLAYOUTS)


def forget_old() -> None:
    """Nobody needs a hint of yesterday."""
    Hint.objects.filter(created_at__lt=timezone.now() - KEPT).delete()


def wait_for(row: Hint, seconds: float) -> Advice | None:
    """The advice as soon as it is there; ``None`` if that takes longer."""
    until = monotonic() + seconds
    while row.advice is None and monotonic() < until:
        sleep(SECONDS_BETWEEN_LOOKS)
        row.refresh_from_db(fields=["advice"])
    return advice_of(row)


def advice_of(row: Hint) -> Advice | None:
    return None if row.advice is None else _advice.decode(bytes(row.advice))


def shown(match: MatchSnapshot, seat: Seat | None) -> Hint | None:
    """The hint that the seat asked to see at this version; without advice a worker is at it."""
    if not match.coached or seat is None:
        return None
    shown_here = Hint.objects.filter(
        match_id=match.id, version=match.version, seat=seat, is_shown=True
    )
    row = shown_here.first()
    is_late = row is not None and row.created_at < timezone.now() - LATE and row.advice is None
    return None if is_late else row


def blunder(row: Hint, match: MatchSnapshot, move: Move, seconds: float) -> AdvisedMove | None:
    """What the coach says of this move if it is a blunder, as far as it knows in time."""
    advice = wait_for(row, seconds)
    advised = advice.of(match.rules, move) if advice else None
    return advised if advised is not None and advised.grade == "blunder" else None


FORGOTTEN: Final = Duty(name="old hints", piece=forget_old, every=3600)
