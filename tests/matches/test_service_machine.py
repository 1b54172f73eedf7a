"""The service against a model of one match, whatever people, clocks and operators do to it.

The model plays the log again by the rules alone and knows who holds each seat. After each step the
stored match, the log and the verifier must agree with it. ``make fuzz`` runs many and longer ones.
"""

from datetime import timedelta
from random import Random
from typing import Any, ClassVar

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from accounts.audit.log import Actor
from config.refusals import Refusal
from games.matches.models import Ply
from games.matches.refusals import StaleVersion
from games.matches.selectors.access import Caller
from games.matches.services import (
    bot_turns,
    clocks,
    joining,
    moves,
    records,
    recovery,
    refereeing,
    resigning,
)
from games.matches.services.verification import faults
from games.rules import catalog, record
from games.rules.resigning import RESIGN
from games.rules.shuffles import Sealed
from tests.matches.scenes import now, opened
from tests.rules.playing import FUZZING

EXAMPLES, STEPS = (FUZZING // 4, 40) if FUZZING else (1, 16)
AT_ZERO = ["resign", "bot_move", "bot_takes_over"]
which = st.integers(0, 99)


class Model:
    """What the log says of a match, played by the rules; a roll-back is taken as it is stored."""

    def __init__(self, match: Any) -> None:
        self.rules, self.version = match.rules, 0
        self.sealed = Sealed(match.seed)
        self.state = self.rules.start(match.options, match.setups, self.sealed).state
        self.handed: dict[int, bool] = {}  # seat: whether its person may take it back
        self.resigned: list[int] = []
        self.rated = match.rated

    def follow(self, match: Any) -> list[Any]:
        """Plays what is new in the log; the new plies."""
        plies = Ply.objects.filter(match_id=match.id, version__gt=self.version)
        new = list(plies.order_by("version"))
        for ply in new:
            self.version += 1
            assert ply.version == self.version
            if ply.seat is None:
                self.state, self.sealed = match.state, Sealed(match.seed, match.shuffles_used)
            elif ply.move == RESIGN:
                self.resigned.append(ply.seat)
            else:
                self.state = self.rules.play(self.state, ply.seat, ply.move, self.sealed).state
        return new


class OneMatch(RuleBasedStateMachine):
    slug: ClassVar[str]
    people: ClassVar[tuple[Any, Any]]

    def __init__(self) -> None:
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.clock = timezone.now()
        self.keys: dict[str, tuple[int, str, int]] = {}

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    @initialize(at_zero=st.sampled_from(AT_ZERO))
    def begin(self, at_zero: str) -> None:
        ada, ben = self.people
        terms = {"turn_seconds": 60, "on_timeout": at_zero}
        with self.later():
            match = opened(ada, "me, open", self.slug, **terms)
            self.match = joining.join(match_id=match.id, user=ben)
        self.model = Model(self.match)

    def later(self, seconds: float = 1) -> Any:
        self.clock += timedelta(seconds=seconds)
        return time_machine.travel(self.clock, tick=False)

    @property
    def runs(self) -> bool:
        return bool(self.match.status == "active")

    @property
    def operator(self) -> Actor:
        return Actor.of(self.people[1], "The machine asks for it.")

    def play(self, seat: int, move: str, version: int, key: str | None = None) -> Any:
        caller = Caller(user=self.match.seats[seat].user_id)
        asked = {"match_id": self.match.id, "caller": caller, "version": version, "key": key}
        return moves.play(move=move, seat=seat, **asked).match

    # What people do

    @precondition(lambda self: self.runs and self.match.people_to_act)
    @rule(seat=which, move=which, keyed=st.booleans())
    def move(self, seat: int, move: int, keyed: bool) -> None:
        to_act, version = self.match.people_to_act, self.match.version
        seat = to_act[seat % len(to_act)]
        legal = self.match.rules.legal_moves(self.match.state, seat)
        chosen, key = legal[move % len(legal)], f"key {version}" if keyed else None
        with self.later():
            assert self.play(seat, chosen, version, key).version == version + 1
        (ply,) = self.model.follow(now(self.match))
        assert ply.seat == seat
        if key:
            self.keys[key] = seat, ply.move, version

    @precondition(lambda self: self.keys)
    @rule(at=which)
    def send_again(self, at: int) -> None:
        """Also what was rolled back since, and from a seat that a bot plays now."""
        key = sorted(self.keys)[at % len(self.keys)]
        seat, move, version = self.keys[key]
        with self.later():
            assert self.play(seat, move, version, key).version == version + 1

    @precondition(lambda self: self.runs and self.match.version and self.match.people_to_act)
    @rule()
    def move_for_another_version(self) -> None:
        seat = self.match.people_to_act[0]
        with self.later(), pytest.raises(StaleVersion):
            self.play(seat, "nonsense", self.match.version + 1)

    @precondition(lambda self: self.runs)
    @rule(seat=st.integers(0, 1), sometimes=which)
    def resign(self, seat: int, sometimes: int) -> None:
        if sometimes % 12:
            return
        with self.later():
            resigning.resign(
                match_id=self.match.id, caller=Caller(user=self.people[seat].id), seat=seat
            )

    @precondition(lambda self: self.runs and self.match.awaits_bot)
    @rule()
    def bots_move(self) -> None:
        with self.later():
            bot_turns.play_bot_turns(match_id=self.match.id, version=self.match.version)
        assert all(ply.seat in self.model.handed for ply in self.model.follow(now(self.match)))

    # What the clock does

    @precondition(lambda self: self.runs and self.match.deadline_at)
    @rule(sometimes=which)
    def time_runs_out(self, sometimes: int) -> None:
        if self.match.on_timeout == "resign" and sometimes % 8:
            return  # it ends the match
        late, before = list(self.match.people_to_act), self.match
        self.clock = max(self.clock, before.deadline_at)
        with self.later():
            recovery.resend_overdue()
        after = now(before)
        if before.on_timeout == "resign":
            assert after.outcome.reason == "timeout"
        elif before.on_timeout == "bot_takes_over":
            taken = [s for s in late if after.seats[s].stand_in]
            assert taken
            self.model.handed |= dict.fromkeys(taken, True)
        else:
            new = self.model.follow(after)
            assert new
            assert {ply.seat for ply in new} <= set(late)

    @precondition(lambda self: self.runs and self.match.deadline_at)
    @rule(seat=st.integers(0, 1))
    def give_time(self, seat: int) -> None:
        with self.later(0.1):
            try:
                after = clocks.give_time(match_id=self.match.id, user=self.people[seat])
            except Refusal:
                return
        assert after.deadline_at >= self.match.deadline_at

    @precondition(lambda self: self.runs)
    @rule(seat=st.integers(0, 1))
    def reclaim(self, seat: int) -> None:
        with self.later():
            try:
                clocks.reclaim(match_id=self.match.id, user=self.people[seat])
            except Refusal:
                assert self.model.handed.get(seat) is False
                return
        self.model.handed.pop(seat, None)

    # What operators do

    @precondition(lambda self: self.runs)
    @rule(seat=st.integers(0, 1))
    def hand_over(self, seat: int) -> None:
        with self.later():
            try:
                refereeing.hand_to_bot(match_id=self.match.id, by=self.operator, seat=seat)
            except Refusal:
                return
        self.model.handed[seat], self.model.rated = False, False

    @precondition(lambda self: self.runs and self.model.handed)
    @rule()
    def give_back(self) -> None:
        seat = next(iter(self.model.handed))
        with self.later():
            refereeing.give_back(match_id=self.match.id, by=self.operator, seat=seat)
        del self.model.handed[seat]

    @precondition(lambda self: self.runs)
    @rule(number=which, sometimes=which)
    def roll_back(self, number: int, sometimes: int) -> None:
        if sometimes % 4:
            return
        target, version = 1 + number % self.match.round, self.match.version
        with self.later():
            refereeing.roll_back(match_id=self.match.id, by=self.operator, round=target)
        after = now(self.match)
        assert (after.version, after.round) == (version + 1, target)
        self.model.rated = False

    @rule()
    def nothing_happens(self) -> None:
        """Also when the match is over."""

    # What must hold

    @invariant()
    def all_agree(self) -> None:
        if not hasattr(self, "match"):
            return
        self.match = match = now(self.match)
        self.model.follow(match)
        assert match.version == self.model.version
        assert match.state == self.model.state
        assert match.rated == self.model.rated
        if self.runs:
            assert tuple(match.to_act) == match.rules.to_act(match.state)
            handed = {s.index: s.handed_by_clock for s in match.seats if s.stand_in}
            assert handed == self.model.handed
            assert bool(match.bot_due_at) == match.awaits_bot
        else:
            assert record.verify(records.of(match)) is None
        assert not list(faults(match))


@pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
def test_a_match_is_what_its_model_says(game, ada, ben, monkeypatch):
    made = Random(1)
    monkeypatch.setattr(bot_turns, "SystemRandom", lambda: made, raising=False)
    run_state_machine_as_test(
        type("Machine", (OneMatch,), {"slug": game, "people": (ada, ben)}),
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            derandomize=not FUZZING,
            deadline=None,
            phases=tuple(Phase) if FUZZING else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
