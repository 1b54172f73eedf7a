"""A worker pairs those who wait: scenes on a real database, through the services."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.audit.log import Actor
from accounts.models import User
from accounts.social import services
from decks.models import Deck
from games.lobby import seeking
from games.lobby.models import Seek
from games.matches.models import Match
from games.operations import people
from games.operations.own_data import data_of
from tests.lobby.seekers import began, guests, now, waits
from tests.web.browsing import signed_in

NOT_IN_KOTOR1 = ["P1", "P2", "P3", "P4", "P5", "M1", "M2", "M3", "M4", "T"]

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def looked():
    """Somebody looked a moment ago: the service did not stand still."""
    cache.set(seeking.LOOKED, timezone.now().timestamp())


def seated(match):
    return {seat.user_id for seat in match.seats.all() if seat.kind == "user"}


def test_two_who_want_the_same_sit_at_one_table(ada, ben):
    one, other = waits(ada), waits(ben)
    assert seeking.pair_all() == 1
    one, other = now(one), now(other)
    assert one.match_id == other.match_id
    assert one.status == other.status == "paired"
    match = one.match
    assert (match.status, match.turn_seconds, match.rated) == ("active", 60, True)
    assert seated(match) == {ada.pk, ben.pk}
    assert seeking.pair_all() == 0
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    "other",
    [
        {"game": "pazaak"},
        {"pace": "blitz"},
        {"rated": False},
        {"preset": "single"},
        {"seats": 3},
    ],
    ids=lambda other: next(iter(other)),
)
def test_two_who_want_something_else_do_not_meet(other):
    ada, ben = guests(2)
    waits(ada)
    waits(ben, **other)
    assert seeking.pair_all() == 0


def test_presets_of_the_same_rules_meet():
    ada, ben = guests(2)
    waits(ada)
    waits(ben, preset="classic", seats=2)
    assert seeking.pair_all() == 1


@pytest.mark.parametrize(
    ("game", "more", "seats"),
    [
        ("pisti", {"preset": "partnership"}, 4),
        ("shithead", {"seats": 8}, 8),
        ("pyanitsa", {"seats": 8}, 8),
        ("pazaak", {}, 2),
    ],
)
def test_a_table_of_many_fills(game, more, seats):
    found = [waits(person, game, **more) for person in guests(seats)]
    assert seeking.pair_all() == 1
    assert len({now(seek).match_id for seek in found}) == 1
    match = now(found[0]).match
    assert match.status == "active"
    assert len(seated(match)) == seats


def test_an_unrated_seek_opens_an_unrated_match():
    ada, ben = guests(2)
    seek = waits(ada, rated=False)
    waits(ben, rated=False)
    seeking.pair_all()
    assert now(seek).match.rated is False


def test_computers_fill_a_table_after_the_chosen_time():
    ada, ben = guests(2)
    first = waits(ada, preset="four", computers_after=30)
    second = waits(ben, preset="four", computers_after=60)
    assert seeking.pair_all() == 0
    first = began(first, 30)
    assert seeking.pair_all() == 1
    match = now(first).match
    assert match == now(second).match
    assert sorted(seat.kind for seat in match.seats.all()) == ["bot", "bot", "user", "user"]


def test_who_blocked_somebody_does_not_meet_them(ada, ben):
    waits(ada)
    waits(ben)
    services.block(owner=ben, blocked=ada.pk)
    assert seeking.pair_all() == 0
    (cleo,) = guests(1)
    seek = waits(cleo)
    assert seeking.pair_all() == 1
    assert now(seek).match_id is not None


def paired(*people: User) -> Match:
    found = [waits(person) for person in people]
    seeking.pair_all()
    assert len({now(seek).match_id for seek in found}) == 1
    return now(found[0]).match


def test_the_same_two_meet_a_third_time_in_a_row_only_if_nobody_else_waits():
    ada, ben, cleo = guests(3)
    paired(ada, ben)
    paired(ada, ben)
    first, second = waits(ada), waits(ben)
    third = waits(cleo)
    assert seeking.pair_all() == 1
    assert now(first).match_id == now(third).match_id
    assert now(second).match_id is None
    paired(ada, ben)  # nobody else is there; ada and cleo met in between


def test_who_is_seated_at_a_live_table_waits_for_no_other():
    ada, ben = guests(2)
    waits(ada)
    waits(ben)
    pazaak, slow = waits(ada, "pazaak"), waits(ada, "shithead", "slow_3")
    seeking.pair_all()
    assert (now(pazaak).status, now(pazaak).ending) == ("ended", "withdrawn")
    assert now(slow).status == "waiting"


def test_without_a_sign_of_life_a_seek_ends():
    ada, ben = guests(2)
    gone = waits(ada)
    Seek.objects.filter(id=gone.id).update(seen_at=timezone.now() - timedelta(seconds=16))
    waits(ben)
    assert seeking.pair_all() == 0
    assert (now(gone).status, now(gone).ending) == ("ended", "lapsed")
    again = waits(ada)
    assert again.id != gone.id
    assert seeking.pair_all() == 1


def test_a_sign_of_life_keeps_a_seek():
    (ada,) = guests(1)
    seek = waits(ada)
    Seek.objects.filter(id=seek.id).update(seen_at=timezone.now() - timedelta(seconds=14))
    seeking.sign_of_life([ada.pk])
    assert timezone.now() - now(seek).seen_at < timedelta(seconds=5)


def test_a_seek_survives_that_the_whole_service_stood_still():
    ada, ben = guests(2)
    seeks = [waits(ada), waits(ben)]
    Seek.objects.update(seen_at=timezone.now() - timedelta(minutes=5))
    cache.set(seeking.LOOKED, timezone.now().timestamp() - 300)
    assert seeking.pair_all() == 1
    assert all(now(seek).match_id for seek in seeks)


def test_somebody_who_is_suspended_or_erased_waits_no_more(ada, ben, cleo):
    seeks = [waits(ada), waits(ben, "pazaak")]
    by = Actor(None, "referee", "A reason.")
    people.suspend(user_id=ada.pk, by=by, until=None, resigns=False)
    assert (now(seeks[0]).status, now(seeks[0]).ending) == ("ended", "refused")
    assert data_of(ben)["seeks"][0]["game"] == "pazaak"
    people.erase(user_id=ben.pk, by=by)
    assert not Seek.objects.filter(account=ben).exists()
    waits(cleo)
    assert seeking.pair_all() == 0


def test_an_account_that_was_closed_while_it_waited_is_not_seated(ada, ben):
    seek = waits(ada)
    waits(ben)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert seeking.pair_all() == 0
    assert (now(seek).status, now(seek).ending) == ("ended", "refused")


def test_who_cannot_sit_down_any_more_leaves_the_others_waiting(ada, ben, settings):
    first, second = began(waits(ada), 5), waits(ben)
    settings.LIMITS = settings.LIMITS | {"active_matches": 0}
    assert seeking.pair_all() == 0
    assert (now(first).status, now(first).ending) == ("ended", "refused")
    assert now(second).status == "waiting"


def test_a_side_deck_that_is_not_allowed_any_more_is_its_owners_fault(ada, ben):
    first, second = (waits(one, "pazaak", preset="kotor1") for one in (ada, ben))
    Deck.objects.create(owner=ben, name="New", cards=NOT_IN_KOTOR1, is_default=True)
    assert seeking.pair_all() == 0
    assert now(first).status == "waiting"
    assert (now(second).status, now(second).ending) == ("ended", "refused")


def test_what_is_over_is_forgotten(ada, ben):
    kept, ended = waits(ada), waits(ben)
    seeking.withdraw(account=ben, seek_id=ended.id)
    assert seeking.forget_seeks() == 0
    Seek.objects.filter(id=ended.id).update(ended_at=timezone.now() - timedelta(hours=2))
    assert seeking.forget_seeks() == 1
    assert list(Seek.objects.all()) == [kept]


class TestOfANewerRelease:
    """An old worker leaves what it does not understand to a new one, and goes on with the rest."""

    @pytest.fixture(params=[{"pace": "hourglass"}, {"game": "bridge"}, {"options": b'{"trump":1}'}])
    def unknown(self, request):
        ada, ben = guests(2)
        both = Seek.objects.filter(id__in=[waits(ada).id, waits(ben).id])
        both.update(**request.param)
        return ada, both

    def test_a_worker_leaves_it(self, unknown):
        others = [waits(person) for person in guests(2)]
        assert seeking.pair_all() == 1
        assert all(now(seek).status == "paired" for seek in others)
        assert [seek.status for seek in unknown[1]] == ["waiting", "waiting"]

    def test_its_person_can_read_and_withdraw_it(self, unknown):
        ada, both = unknown
        browser = signed_in(ada)
        assert browser.open("/lobby").status == 200
        assert browser.open("/").status == 200
        seek = both.get(account=ada)
        assert browser.open(f"/seeks/{seek.id}").status == 200
        for form in ("application/json", "text/plain"):
            answer = browser.client.get("/api/v1/seeks", headers={"Accept": form})
            assert answer.status_code == 200
        seeking.withdraw(account=ada, seek_id=seek.id)
        assert now(seek).status == "ended"
