"""The secrets of a day against everything that people, operators and the beat do, in any order.

After each step somebody reads every match, each in turn; in ``make sweeps`` everybody does. While
a deal is sealed nobody reads its seed or a whole deck of it, nobody but its person reads a match,
and no match of it can be loaded; afterwards all is told. ``make fuzz`` runs many and longer ones.
"""

from contextlib import suppress
from random import Random

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from time_machine import travel

from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import Refusal
from games.daily import turning
from games.daily.models import DailyDeal, Entry
from games.daily.selectors import today
from games.daily.terms import TERMS
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.operations.refereeing import judgements
from games.operations.watching import looking
from tests.api.calls import get, post
from tests.daily.days import ONE_DAY, begun
from tests.daily.test_secrecy import secrets_of
from tests.matches.scenes import played
from tests.rules.playing import FUZZING

EXAMPLES, STEPS = (FUZZING // 4, 30) if FUZZING else (2, 10)
names = st.sampled_from(["ada", "ben", "guest"])
games = st.sampled_from(sorted(TERMS))
which = st.integers(0, 9)


class Days(RuleBasedStateMachine):
    programs: dict
    operator: Actor
    staff: User
    everybody: bool

    def __init__(self):
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.clock = travel(timezone.now(), tick=True)
        self.clock.start()
        self.turned = self.steps = 0

    def teardown(self):
        self.clock.stop()
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    @initialize(game=games)
    def begin(self, game):
        self.play("ada", game)

    @rule(name=names, game=games)
    def play(self, name, game):
        answer = post(self.programs[name], f"daily/{game}")
        assert answer.status_code in ((403,) if name == "guest" else (200, 201))

    @rule(name=names, game=games, back=st.integers(0, 2))
    def practise(self, name, game, back):
        day = today() - back * ONE_DAY
        answer = post(self.programs[name], f"daily/{game}", {"practise": str(day)})
        sealed = DailyDeal.objects.filter(day=day, game=game, deal__revealed_at=None).exists()
        assert answer.status_code in ((409,) if sealed else (201, 404, 409))

    @rule(at=which, plies=st.integers(1, 30), seed=st.integers(0, 99))
    def move(self, at, plies, seed):
        if match := self.match(at):
            played(match, match.version + plies, Random(seed))

    @rule(at=which, name=names, act=st.sampled_from(["resign", "abort", "rematch"]))
    def act(self, at, name, act):
        if match := self.match(at):
            answer = post(self.programs[name], f"matches/{match.id}/{act}")
            assert answer.status_code < 500

    @rule(at=which, name=names, cards=st.sampled_from(["same", "reshuffled"]))
    def load(self, at, name, cards):
        if match := self.match(at):
            body = {"version": 0, "cards": cards}
            answer = post(self.programs[name], f"matches/{match.id}/load", body)
            assert answer.status_code < 500
            assert answer.status_code != 201 or not self.is_sealed(match)

    @rule(at=which, act=st.sampled_from(["roll_back", "abort", "look", "export"]))
    def operate(self, at, act):
        if match := self.match(at):
            with (
                pytest.raises(Refusal)
                if self.is_sealed(match) and act != "abort"
                else suppress(Refusal)
            ):
                self.operates(match.id, act)

    def operates(self, match_id, act):
        match act:
            case "roll_back":
                judgements.roll_back(match_id=match_id, by=self.operator, round=1)
            case "abort" if get_match(match_id).status == "active":
                judgements.abort(match_id=match_id, by=self.operator)
            case "look":
                looking.open_look(
                    match_id=match_id, user=self.staff, reason="A look.", session={}, cards=True
                )
            case "export":
                judgements.export_record(match_id=match_id, by=self.operator)

    @rule()
    def turn_the_day(self):
        if self.turned < 2:
            self.turned += 1
            self.clock.stop()
            self.clock = travel(timezone.now() + ONE_DAY, tick=True)
            self.clock.start()
            turning.publish()

    @rule()
    def beat(self):
        turning.publish()
        turning.reveal()

    def match(self, at):
        ids = list(Match.objects.exclude(deal=None).order_by("id").values_list("id", flat=True))
        return get_match(ids[at % len(ids)]) if ids else None

    def is_sealed(self, match):
        return DailyDeal.objects.filter(deal=match.deal_id, deal__revealed_at=None).exists()

    @invariant()
    def nobody_learns_a_sealed_deal(self):
        text = {name: "".join(self.reads(self.programs[name])) for name in self.readers()}
        for match_id, deal_id in Match.objects.exclude(deal=None).values_list("id", "deal"):
            match = get_match(match_id)
            assert match.deal_id == deal_id
            if not self.is_sealed(match):
                continue
            for name, read in text.items():
                assert not [secret for secret in secrets_of(match) if secret in read], name
            others = [one for one, user in self.users.items() if user != match.creator_id]
            for name in others:
                answer = get(self.programs[name], f"matches/{match_id}")
                assert answer.status_code == 404

    def readers(self):
        self.steps += 1
        names = list(self.programs)
        return names if self.everybody else [names[self.steps % len(names)]]

    @invariant()
    def a_revealed_deal_has_no_match_that_anybody_competes_in(self):
        over = Entry.objects.filter(daily__deal__revealed_at__isnull=False)
        assert not over.filter(match__status="active").exists()

    def reads(self, program):
        yield get(program, "daily").content.decode()
        yield get(program, "matches", {"mine": True}).content.decode()
        for day, game in DailyDeal.objects.values_list("day", "game"):
            yield get(program, f"daily/{day}/{game}").content.decode()
        for match_id in Match.objects.values_list("id", flat=True):
            for part in ("", "/record", "/saves", "/shape"):
                yield get(program, f"matches/{match_id}{part}").content.decode()
            events = get(program, f"matches/{match_id}/events", {"limit": 100})
            yield events.content.decode()


@pytest.mark.parametrize(
    "everybody", [bool(FUZZING), pytest.param(True, marks=pytest.mark.sweep)], ids=["turns", "all"]
)
def test_a_day_keeps_its_secrets(ada, ben, guest, keyed, rates, settings_of_a_day, everybody):
    rates(user="1000000/min", moves="1000000/min")
    staff = User.objects.create_superuser("Super")
    users = {"ada": ada, "ben": ben, "guest": guest}
    facts = {
        "users": {name: user.pk for name, user in users.items()},
        "programs": {name: keyed(user) for name, user in users.items()},
        "operator": Actor.of(staff, "To see what happens."),
        "staff": staff,
        "everybody": everybody,
    }
    run_state_machine_as_test(
        type("Machine", (Days,), facts),
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            derandomize=not FUZZING,
            deadline=None,
            phases=tuple(Phase) if FUZZING else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.fixture
def settings_of_a_day(request, ada, ben):
    """Under another name: ``settings`` is hypothesis's here."""
    begun(request.getfixturevalue("settings"), ada, ben)
