"""Acts on matches whose deal is sealed, and reads of them, by people and by operators.

Machines of hypothesis have their own ways to open matches; this is their common part.
"""

from contextlib import suppress
from random import Random

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    rule,
    run_state_machine_as_test,
)

from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import Refusal
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.operations import refereeing
from tests.api.calls import get, post
from tests.matches.scenes import played
from tests.rules.playing import FUZZING

which = st.integers(0, 9)
people = st.runner().flatmap(lambda machine: st.sampled_from(sorted(machine.programs)))
acts = st.runner().flatmap(lambda machine: st.sampled_from(machine.ACTS))
judged = st.runner().flatmap(lambda machine: st.sampled_from(machine.OPERATED))


class SealedMatches(RuleBasedStateMachine):
    """``users`` and ``programs`` by their names; an ``operator`` is a member of the staff."""

    ACTS = ("resign", "abort", "rematch")
    OPERATED = ("roll_back", "abort", "export")
    PARTS = ("", "/record", "/saves", "/shape")
    programs: dict
    users: dict
    operator: Actor
    staff: User

    def __init__(self):
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.steps = 0

    def teardown(self):
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    @rule(at=which, plies=st.integers(1, 60), seed=st.integers(0, 99))
    def move(self, at, plies, seed):
        if match := self.match(at):
            played(match, match.version + plies, Random(seed))

    @rule(at=which, name=people, act=acts)
    def act(self, at, name, act):
        if match := self.match(at):
            answer = post(self.programs[name], f"matches/{match.id}/{act}")
            assert answer.status_code < 500

    @rule(at=which, name=people, cards=st.sampled_from(["same", "reshuffled"]))
    def load(self, at, name, cards):
        if match := self.match(at):
            body = {"version": 0, "cards": cards}
            answer = post(self.programs[name], f"matches/{match.id}/load", body)
            assert answer.status_code < 500
            assert answer.status_code != 201 or not self.is_sealed(match)

    @rule(at=which, act=judged)
    def operate(self, at, act):
        if match := self.match(at):
            fails = self.is_sealed(match) and act != "abort"
            with pytest.raises(Refusal) if fails else suppress(Refusal):
                self.operates(match.id, act)

    def operates(self, match_id, act):
        match act:
            case "roll_back":
                refereeing.roll_back(match_id=match_id, by=self.operator, round=1)
            case "abort":
                refereeing.abort(match_id=match_id, by=self.operator)
            case "export":
                refereeing.export_record(match_id=match_id, by=self.operator)

    def match(self, at):
        ids = list(self.ids())
        return get_match(ids[at % len(ids)]) if ids else None

    def ids(self):
        """Of the matches whose deals are sealed, or were."""
        raise NotImplementedError

    def is_sealed(self, match):
        raise NotImplementedError

    def reads(self, program):
        yield get(program, "matches", {"mine": True}).content.decode()
        for match_id in Match.objects.values_list("id", flat=True):
            for part in self.PARTS:
                yield get(program, f"matches/{match_id}{part}").content.decode()
            events = get(program, f"matches/{match_id}/events", {"limit": 100})
            yield events.content.decode()


def run(machine, users, keyed, *, examples, steps, **facts):
    """``make soak`` runs others every time, ``make test`` the same few."""
    staff = User.objects.create_superuser("Super")
    facts |= {
        "users": users,
        "programs": {name: keyed(user) for name, user in users.items()},
        "operator": Actor.of(staff, "To see what happens."),
        "staff": staff,
    }
    run_state_machine_as_test(
        type("Machine", (machine,), facts),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=not FUZZING,
            deadline=None,
            phases=tuple(Phase) if FUZZING else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
