"""The secrets of a day against everything that people, operators and the beat do, in any order.

After each step somebody reads every match, each in turn; in ``make sweeps`` everybody does. While
a deal is sealed nobody reads its seed or a whole deck of it, nobody but its person reads a match,
and no match of it can be loaded; afterwards all is told. ``make fuzz`` runs many and longer ones.
"""

import pytest
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule
from time_machine import travel

from games.daily import playing
from games.daily.models import DailyDeal, Entry
from games.daily.selectors import games_of_the_day, today
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.operations import finding
from tests.api.calls import get, post
from tests.daily.days import ONE_DAY, begun
from tests.rules.playing import FUZZING
from tests.security import sealed_machine
from tests.security.sealed_machine import SealedMatches, people
from tests.security.walking import secrets_of

EXAMPLES, STEPS = (FUZZING // 4, 30) if FUZZING else (2, 7)
games = st.sampled_from(sorted(game.slug for game, _ in games_of_the_day()))


class Days(SealedMatches):
    OPERATED = (*SealedMatches.OPERATED, "look")
    everybody: bool

    def __init__(self):
        super().__init__()
        self.clock = travel(timezone.now(), tick=True)
        self.clock.start()
        self.turned = 0

    def teardown(self):
        self.clock.stop()
        super().teardown()

    @initialize(game=games)
    def begin(self, game):
        self.play("ada", game)

    @rule(name=people, game=games)
    def play(self, name, game):
        answer = post(self.programs[name], f"daily/{game}")
        assert answer.status_code in ((403,) if name == "guest" else (200, 201))

    @rule(name=people, game=games, back=st.integers(0, 2))
    def practise(self, name, game, back):
        day = today() - back * ONE_DAY
        answer = post(self.programs[name], f"daily/{game}", {"practise": str(day)})
        sealed = DailyDeal.objects.filter(day=day, game=game, deal__revealed_at=None).exists()
        assert answer.status_code in ((409,) if sealed else (201, 404, 409))

    def operates(self, match_id, act):
        if act == "look":
            finding.open_look(
                match_id=match_id, user=self.staff, reason="A look.", session={}, cards=True
            )
        elif act != "abort" or get_match(match_id).status == "active":
            super().operates(match_id, act)

    @rule()
    def turn_the_day(self):
        if self.turned < 2:
            self.turned += 1
            self.clock.stop()
            self.clock = travel(timezone.now() + ONE_DAY, tick=True)
            self.clock.start()
            playing.publish()

    @rule()
    def beat(self):
        playing.publish()
        playing.reveal()

    def ids(self):
        return Match.objects.exclude(deal=None).order_by("id").values_list("id", flat=True)

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
            others = [one for one, user in self.users.items() if user.pk != match.creator_id]
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
        for day, game in DailyDeal.objects.values_list("day", "game"):
            yield get(program, f"daily/{day}/{game}").content.decode()
        yield from super().reads(program)


@pytest.mark.parametrize(
    "everybody", [bool(FUZZING), pytest.param(True, marks=pytest.mark.sweep)], ids=["turns", "all"]
)
def test_a_day_keeps_its_secrets(ada, ben, guest, keyed, rates, a_day, everybody):
    rates(user="1000000/min", moves="1000000/min")
    users = {"ada": ada, "ben": ben, "guest": guest}
    budget = {"examples": EXAMPLES, "steps": STEPS}
    sealed_machine.run(Days, users, keyed, **budget, everybody=everybody)


@pytest.fixture
def a_day(settings, ada, ben):
    begun(settings, ada, ben)
