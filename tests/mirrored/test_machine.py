"""The secrets of mirrored sets against everything that people, operators and the beat do.

After each step somebody reads every match. While a set runs nobody reads a seed or a whole deck of
any of its matches, nobody but its seats reads a match that has begun, none is loaded, and nobody
is told which are a pair; afterwards all is told. ``make fuzz`` runs many and longer ones.
"""

from contextlib import suppress
from random import Random

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import Refusal
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.mirrored import going_on
from games.mirrored.models import Leg, MirroredSet
from games.operations.refereeing import judgements
from tests.api.calls import get, post
from tests.matches.scenes import played
from tests.mirrored.sets import SHORT
from tests.mirrored.test_secrecy import all_secrets
from tests.rules.playing import FUZZING

EXAMPLES, STEPS = (FUZZING // 4, 40) if FUZZING else (2, 12)
names = st.sampled_from(["ada", "ben"])
games = st.sampled_from(sorted(SHORT))
which = st.integers(0, 9)
ACTS = ["join", "resign", "abort", "rematch", "leave"]
RIVALS = {"pisti": "greedy", "pazaak": "gambler", "shithead": "lowest"}


class Sets(RuleBasedStateMachine):
    programs: dict
    users: dict
    operator: Actor

    def __init__(self):
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.steps = 0

    def teardown(self):
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    @initialize(game=games)
    def begin(self, game):
        self.open_set("ada", game, against="bot")

    @rule(name=names, game=games, against=st.sampled_from(["bot", "open", "teams"]))
    def open_set(self, name, game, against):
        bot = {"kind": "bot", "bot": RIVALS[game]}
        other = {"ada": "ben", "ben": "ada"}[name]
        partner = {"kind": "user", "username": other}
        seats = {"bot": [bot], "open": [{"kind": "open"}], "teams": [bot, partner, bot]}[against]
        body = {"game": game, "options": SHORT[game], "mirrored": True}
        answer = post(self.programs[name], "matches", body | {"seats": [{"kind": "me"}, *seats]})
        assert answer.status_code in (201, 422, 429)

    @rule(
        at=which, name=names, act=st.sampled_from(["join", "resign", "abort", "rematch", "leave"])
    )
    def act(self, at, name, act):
        if match := self.match(at):
            answer = post(self.programs[name], f"matches/{match.id}/{act}")
            assert answer.status_code < 500

    @rule(at=which, plies=st.integers(1, 60), seed=st.integers(0, 99))
    def move(self, at, plies, seed):
        if match := self.match(at):
            played(match, match.version + plies, Random(seed))

    @rule(at=which)
    def play_out(self, at):
        if match := self.match(at):
            played(match)

    @rule(at=which, name=names, cards=st.sampled_from(["same", "reshuffled"]))
    def load(self, at, name, cards):
        if match := self.match(at):
            body = {"version": 0, "cards": cards}
            answer = post(self.programs[name], f"matches/{match.id}/load", body)
            assert answer.status_code < 500
            assert answer.status_code != 201 or not self.is_sealed(match)

    @rule(at=which, act=st.sampled_from(["roll_back", "abort", "export"]))
    def operate(self, at, act):
        if match := self.match(at):
            fails = self.is_sealed(match) and act != "abort"
            with pytest.raises(Refusal) if fails else suppress(Refusal):
                match act:
                    case "roll_back":
                        judgements.roll_back(match_id=match.id, by=self.operator, round=1)
                    case "abort":
                        judgements.abort(match_id=match.id, by=self.operator)
                    case "export":
                        judgements.export_record(match_id=match.id, by=self.operator)

    @rule()
    def beat(self):
        going_on.go_on_with_all()

    def match(self, at):
        ids = list(Leg.objects.exclude(match=None).order_by("id").values_list("match", flat=True))
        return get_match(ids[at % len(ids)]) if ids else None

    def is_sealed(self, match):
        return MirroredSet.objects.filter(legs__match=match.id, over_at=None).exists()

    @invariant()
    def nobody_learns_a_sealed_deal(self):
        self.steps += 1
        names = list(self.programs)
        name = names[self.steps % len(names)]
        read = "".join(self.reads(self.programs[name]))
        for match_id in Leg.objects.exclude(match=None).values_list("match", flat=True):
            match = get_match(match_id)
            if not self.is_sealed(match):
                continue
            assert not [secret for secret in all_secrets(match) if secret in read], name
            seated = any(seat.user_id == self.users[name].pk for seat in match.seats)
            answer = get(self.programs[name], f"matches/{match_id}")
            if match.started_at is not None and not seated:
                assert answer.status_code == 404
            if answer.status_code == 200:
                told = get(self.programs[name], f"matches/{match_id}/mirrored").json()
                assert told["result"] is None

    @invariant()
    def a_set_that_is_over_has_no_match_that_runs_and_at_most_one_of_a_set_runs(self):
        over = Match.objects.filter(
            id__in=Leg.objects.filter(of__over_at__isnull=False).values("match")
        )
        assert not over.filter(status__in=["open", "active"]).exists()
        for of in MirroredSet.objects.filter(form="set"):
            running = of.legs.filter(match__status__in=["open", "active"])
            assert running.count() <= 1

    def reads(self, program):
        yield get(program, "matches", {"mine": True}).content.decode()
        for match_id in Match.objects.values_list("id", flat=True):
            for part in ("", "/record", "/saves", "/shape", "/mirrored"):
                yield get(program, f"matches/{match_id}{part}").content.decode()
            events = get(program, f"matches/{match_id}/events", {"limit": 100})
            yield events.content.decode()


def test_a_set_keeps_its_secrets(ada, ben, cleo, keyed, rates):
    rates(user="1000000/min", moves="1000000/min")
    users = {"ada": ada, "ben": ben, "cleo": cleo}
    facts = {
        "users": users,
        "programs": {name: keyed(user) for name, user in users.items()},
        "operator": Actor.of(User.objects.create_superuser("Super"), "To see what happens."),
    }
    run_state_machine_as_test(
        type("Machine", (Sets,), facts),
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            derandomize=not FUZZING,
            deadline=None,
            phases=tuple(Phase) if FUZZING else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
