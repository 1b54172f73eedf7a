"""Nothing about a match of the day teaches its deal before the day is over: no door, nobody.

Ada plays; Ben is her second account; the third is staff with all rights.
Every address of the service that names a match is called by each of them.
"""

import json
import re

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule
from time_machine import travel

from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import NotAllowed
from games.daily import playing
from games.daily.models import DailyDeal, Entry
from games.daily.selectors import games_of_the_day, today
from games.matches import loading, records, rolling_back
from games.matches.models import Match
from games.matches.refusals import DealIsSealed
from games.matches.selectors import secrecy
from games.matches.selectors.access import get_match
from games.operations import finding, refereeing
from games.operations.own_data import data_of
from tests.api.calls import get, post, refused
from tests.daily.days import ONE_DAY, again, begin, begun, deal, over, to_its_end
from tests.rules.playing import FUZZING
from tests.security import sealed_machine, walking
from tests.security.sealed_machine import SealedMatches, people
from tests.security.walking import secrets_of

pytestmark = pytest.mark.django_db


def addresses(match):
    """Every address that names a match, and the pages of the day."""
    day = deal(match.game)
    names = {"day": day.day, "entry_id": Entry.objects.get(match=match.id).pk, "name": "undo"}
    return walking.addresses(match, {"daily/dailydeal": day.pk}, names, "daily")


@pytest.mark.parametrize(("game", "is_over"), [("pazaak", True), ("shithead", False)])
def test_no_address_tells_the_deal(settings, ada, ben, game, is_over):
    begun(settings, ada, ben)
    match = to_its_end(ada, game) if is_over else begin(ada, game)
    readers, paths = walking.readers(ada=ada, ben=ben), list(addresses(match))
    assert list(walking.faults(match, secrets_of(match), paths, readers, ["ben"])) == []


@pytest.mark.parametrize("game", [game.slug for game, _ in games_of_the_day()])
def test_the_person_reads_what_the_seat_saw_and_all_of_it_later(settings, ada, first, game):
    begun(settings, ada)
    match = to_its_end(ada, game)
    path = f"matches/{match.id}"
    shown = get(first, path).json()
    assert (shown["status"], shown["seed"]) == ("finished", None)
    refused(get(first, f"{path}/record"), "deal_is_sealed")
    for cards in ("same", "reshuffled"):
        answer = post(first, f"{path}/load", {"cards": cards, "version": 0})
        refused(answer, "deal_is_sealed")
    over()
    assert get(first, path).json()["seed"] == match.seed.hex()
    assert get(first, f"{path}/record").status_code == 200
    assert post(first, f"{path}/load", {"cards": "same", "version": 0}).status_code == 201


def test_nothing_is_loaded_taken_back_rolled_back_looked_at_or_exported(settings, ada, ben):
    begun(settings, ada)
    match = begin(ada)
    operator = User.objects.create_superuser("Super")
    by = Actor.of(operator, "A look at it.")
    with pytest.raises(DealIsSealed):
        loading.load(match_id=match.id, user=ada, cards="reshuffled", version=0)
    with pytest.raises(DealIsSealed):
        rolling_back.ask_to_take_back(match_id=match.id, user=ada, version=match.version)
    with pytest.raises(refereeing.CannotReferee):
        refereeing.roll_back(match_id=match.id, by=by, round=1)
    for cards in (True, False):
        with pytest.raises(NotAllowed):
            finding.open_look(
                match_id=match.id, user=operator, reason="A look.", session={}, cards=cards
            )
    refereeing.abort(match_id=match.id, by=by)
    with pytest.raises(DealIsSealed):
        refereeing.export_record(match_id=match.id, by=by)
    with pytest.raises(DealIsSealed):
        records.of(again(match), ada.pk)


def test_the_data_of_a_person_hold_no_seed(settings, ada):
    begun(settings, ada)
    match = to_its_end(ada)
    text = json.dumps(data_of(ada), default=str)
    assert str(match.id) in text
    assert not [secret for secret in secrets_of(match) if secret in text]


def test_no_list_has_the_match_of_another(settings, ada, ben, first, second):
    begun(settings, ada)
    match = to_its_end(ada)
    lists = ("matches", "users/ada/matches", "matches?status=finished")
    for path in lists:
        assert str(match.id) not in get(second, path).content.decode()
    assert str(match.id) in get(first, "matches?mine=true").content.decode()


def test_results_are_told_nobody_before_the_end(settings, ada, ben, first, second):
    begun(settings, ada, ben)
    to_its_end(ada)
    day = deal().day
    told = get(second, f"daily/{day}/pisti").json()
    assert (told["results"], told["deal"]["seed"], told["deal"]["yours"]) == (None, None, None)
    assert get(first, f"daily/{day}/pisti").json()["deal"]["yours"]["score"] is not None
    page = Client().get(f"/daily/{day}/pisti").content.decode()
    assert not re.search(r"\bAda\b", page)


def test_a_seal_that_is_not_looked_at_would_be_noticed(settings, ada, first, monkeypatch):
    begun(settings, ada)
    match = to_its_end(ada)
    monkeypatch.setattr(secrecy, "is_sealed", lambda _match: False)
    assert get(first, f"matches/{match.id}").json()["seed"] == match.seed.hex()


def test_a_match_is_private_for_all_but_its_person(settings, ada):
    begun(settings, ada)
    row = Match.objects.get(id=begin(ada).id)
    assert (row.visibility, row.rated) == ("private", False)


# The secrets of a day against everything that people, operators and the beat do, in any order.
#
# After each step somebody reads every match, each in turn; in ``make sweeps`` everybody does.
# While a deal is sealed nobody reads its seed or a whole deck of it, nobody but its person reads
# a match, and no match of it can be loaded; afterwards all is told. ``make soak`` runs many and
# longer ones.

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
