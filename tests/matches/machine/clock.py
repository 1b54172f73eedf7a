"""Acts of the clock and the workers, and workers that end on their way."""

from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic, sleep
from typing import Any, get_args
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import rule

from games.matches import announcements, bot_turns, folding, overdue
from games.matches.announcements import Taken, TurnClass
from games.matches.commit import deadlines
from games.matches.models import ArchivedMatch, Ply
from tests.matches.machine.tables import Tables, is_on, number
from tests.matches.scenes import now

PATIENCE = 10.0  # seconds for the thread that announces


class Clock(Tables):
    @rule(at=number)
    def bots_move(self, at: int) -> None:
        match = self.match(at)
        if match.awaits_bot:
            with self.later():
                bot_turns.play_bot_turns(match_id=match.id, version=match.version)
            self._moved_as_bots(match)

    def _moved_as_bots(self, match: Any) -> None:
        """Nobody is moved who has something to choose."""
        model = self.models[match.id]
        for ply in model.follow(now(match)):
            seat = match.seats[ply.seat]
            given_up = seat.resigned_at is not None or ply.seat in model.handed
            assert seat.kind == "bot" or given_up or ply.had_no_choice

    @rule(worker_ends=st.booleans())
    def lost_turns_are_announced_again(self, worker_ends: bool) -> None:
        """All that was announced is lost, and a worker ends with the turns that it had taken."""
        if not self._owed():
            return
        _forget_turns()
        with self.later(overdue.OVERDUE.total_seconds() + 1):
            if worker_ends:
                self._sweep(overdue.resend_overdue)
                _taken({match.id for match in self._owed() if match.has_people})
            late = self._sweep(overdue.resend_all)
            owed = [match for match in self._owed() if match.id not in late]
            turns = _taken({match.id for match in owed})
            bot_turns.play_turns(turns, paced=False)
        for match in owed:
            assert now(match).version > match.version
            self._moved_as_bots(match)

    def _owed(self) -> list[Any]:
        """The matches whose bots are due by now."""
        return [one for one in self.matches() if one.bot_due_at and one.bot_due_at < self.clock]

    @rule(at=number, sometimes=number)
    def time_runs_out(self, at: int, sometimes: int) -> None:
        match = self.match(at)
        if match.deadline_at is None or (match.on_timeout == "resign" and sometimes % 4):
            return
        self.clock = max(self.clock, match.deadline_at)
        with self.later():
            self._sweep(overdue.resend_overdue)

    def _sweep(self, resend: Callable[[], None]) -> set[UUID]:
        """The matches in which somebody's time was up."""
        late = [one for one in self.matches() if _somebody_is_late(one, self.clock)]
        resend()
        for one in late:
            self._was_late(one)
        return {one.id for one in late}

    def _was_late(self, before: Any) -> None:
        late, after, model = set(before.people_to_act), now(before), self.models[before.id]
        if before.on_timeout == "bot_takes_over":
            taken = [seat for seat in late if after.seats[seat].stand_in]
            assert taken
            model.handed |= dict.fromkeys(taken, True)
            return
        new = model.follow(after)
        assert new
        assert {ply.seat for ply in new} <= late
        if before.on_timeout == "resign":
            assert all(after.seats[ply.seat].timed_out for ply in new)

    @rule(at=number)
    def fold(self, at: int) -> None:
        match = self.one_of(at, "finished", "aborted") or self.match(at)
        model = self.models[match.id]
        may = self._may_be_folded(match)
        with self.later():
            assert folding.fold(match.id) == may
        model.folded |= may

    @rule()
    def night_falls(self) -> None:
        folded = [match for match in self.matches() if self._may_be_folded(match)]
        with self.later():
            assert folding.fold_some(older_than=timedelta(0)) == len(folded)
        for match in folded:
            self.models[match.id].folded = True
            assert not Ply.objects.filter(match=match.id).exists()

    def _may_be_folded(self, match: Any) -> bool:
        model = self.models[match.id]
        return not (is_on(match) or self.family(match) or model.folded or match.state_json is None)

    @rule(at=number)
    def unfold(self, at: int) -> None:
        folded = [model for model in self.models.values() if model.folded]
        if not folded:
            return
        model = folded[at % len(folded)]
        with self.later():
            assert folding.unfold(model.id)
        model.folded = False
        assert not ArchivedMatch.objects.filter(match=model.id).exists()


def _somebody_is_late(match: Any, at: datetime) -> bool:
    """By the match's deadline and by their own, which others may have moved."""
    over = match.deadline_at is not None and match.deadline_at < at
    return over and any(until <= at for until in deadlines(match).values())


def _forget_turns() -> None:
    valkey = announcements._valkey()
    for name in valkey.scan_iter(f"{announcements.NAME}:*"):
        valkey.delete(name)


def _taken(owed: set[UUID]) -> list[Taken]:
    """The turns that a worker takes, as soon as the thread has announced all that are due."""
    taken: list[Taken] = []
    until = monotonic() + PATIENCE
    while not owed <= {turn.match_id for turn in taken}:
        assert monotonic() < until, "what is due was not announced"
        for turn_class in get_args(TurnClass):
            taken += announcements.take_turns(turn_class, 64)[0]
        sleep(0.001)
    return taken
