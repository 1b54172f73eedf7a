"""Two acts on the same seeks, begun at the same moment by a barrier: one winner, nothing left over.

A few rounds here; ``make races`` plays a thousand of each and says who won how often.
"""

import os
from collections import Counter
from functools import partial
from random import Random

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.models import User
from accounts.social import services
from accounts.social.models import Block, Friendship
from accounts.social.selectors import NoSuchAccount
from games.lobby import seeking
from games.lobby.models import Seek
from games.lobby.selectors import AlreadyPaired
from games.matches.models import Match, Seat
from tests.lobby.seekers import guests, now, waits
from tests.matches.test_races_by_barrier import MANY, late, told
from tests.security.test_presses import at_once

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("RACES", "4"))


@pytest.fixture(autouse=True)
def looked():
    cache.set(seeking.LOOKED, timezone.now().timestamp())


AHEAD = 0.05  # seconds that pairing may begin before the other act, which is quicker


def raced(rng, act, pair=seeking.pair_all):
    return at_once(partial(late, act, rng.uniform(0, AHEAD)), pair)


def no_orphans():
    """Each match seats whose seeks it answers, and each of these sits at one."""
    for match in Match.objects.prefetch_related("seats"):
        people = {seat.user_id for seat in match.seats.all() if seat.user_id}
        seeks = Seek.objects.filter(match=match)
        assert {seek.account_id for seek in seeks} == people
        assert seeks.count() == len(people)
        assert match.status == "active"
    assert Seat.objects.filter(kind="open").count() == 0
    Seek.objects.all().delete()
    Match.objects.all().delete()


def test_one_seek_and_two_partners():
    ada, ben, cleo = guests(3)
    counts = Counter()
    for _ in range(ROUNDS):
        seek = waits(ada)
        results = at_once(partial(waits, ben), partial(waits, cleo), *[seeking.pair_all] * 2)
        assert not [each for each in results if isinstance(each, Exception)]
        cache.set(seeking.LOOKED, timezone.now().timestamp())
        seeking.pair_all()
        assert now(seek).match_id is not None
        paired = Seek.objects.filter(match__isnull=False).exclude(account=ada).get()
        counts["Ben" if paired.account_id == ben.pk else "Cleo"] += 1
        assert Match.objects.count() == 1
        assert Seek.objects.filter(match=None, ended_at=None).count() == 1
        no_orphans()
    told("One seek and two partners", counts)


def test_workers_pair_the_same_people_at_once():
    people, counts = guests(6), Counter()
    for _ in range(ROUNDS):
        for person in people:
            waits(person)
        results = at_once(*[seeking.pair_all] * 3)
        assert not [each for each in results if isinstance(each, Exception)], results
        seeking.pair_all()
        assert Match.objects.count() == 3
        assert Seek.objects.filter(match=None).count() == 0
        counts[f"{sum(1 for each in results if each)} workers"] += 1
        no_orphans()
    told("Workers at the same seeks", counts)


def test_giving_up_against_pairing():
    (ada, ben), rng, counts = guests(2), Random(5), Counter()
    for _ in range(ROUNDS):
        seek, _ = waits(ada), waits(ben)
        give_up = partial(seeking.withdraw, account=ada, seek_id=seek.id)
        gave_up, paired = raced(rng, give_up)
        after = now(seek)
        if isinstance(gave_up, AlreadyPaired):
            assert (after.status, paired, Match.objects.count()) == ("paired", 1, 1)
            assert gave_up.extras["match_id"] == str(after.match_id)
        else:
            assert (after.ending, paired, Match.objects.count()) == ("withdrawn", 0, 0)
        counts[f"times it {after.status}"] += 1
        no_orphans()
    told("Giving up against pairing", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def test_a_block_against_pairing():
    (ada, ben), rng, counts = guests(2), Random(5), Counter()
    for _ in range(ROUNDS):
        seek, _ = waits(ada), waits(ben)
        block, paired = raced(rng, partial(services.block, owner=ben, blocked=ada.pk))
        after = now(seek)
        assert isinstance(block, Block)
        assert (after.match_id is not None) == bool(paired)
        if not paired:  # the block came first, and holds
            assert seeking.pair_all() == 0
        counts["times the pairing came first" if paired else "times the block came first"] += 1
        Block.objects.all().delete()
        no_orphans()
    told("A block against pairing", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def test_another_wish_against_pairing():
    """Whoever changes the wish at the moment of pairing sits at one table or waits for one."""
    (ada, ben), rng, counts = guests(2), Random(5), Counter()
    for _ in range(ROUNDS):
        seek, _ = waits(ada), waits(ben)
        changed, paired = raced(rng, partial(waits, ada, pace="blitz"))
        assert isinstance(changed, Seek), changed
        assert (now(seek).status == "paired") == bool(paired)
        counts["times paired before" if paired else "times changed before"] += 1
        assert Seek.objects.filter(account=ada, match=None, ended_at=None).count() <= 1
        no_orphans()
    told("Another wish against pairing", counts)


def test_the_same_wish_twice_at_once_is_one_seek():
    (ada,) = guests(1)
    for _ in range(ROUNDS):
        results = at_once(partial(waits, ada), partial(waits, ada), partial(waits, ada))
        assert len({seek.id for seek in results}) == 1, results
        no_orphans()


def test_a_block_against_a_friend_request():
    ada, ben = (User.objects.create(username=name) for name in ("Ada", "Ben"))
    rng, counts = Random(5), Counter()
    for _ in range(ROUNDS):
        ask = partial(
            late, partial(services.befriend, user=ada, other=ben.pk), rng.uniform(0, 0.01)
        )
        block = partial(services.block, owner=ben, blocked=ada.pk)
        friendship, blocked = at_once(ask, block)
        assert isinstance(blocked, Block)
        assert isinstance(friendship, Friendship | NoSuchAccount), friendship
        assert Friendship.objects.count() == 0
        came_first = isinstance(friendship, Friendship)
        counts["times the request came first" if came_first else "times the block did"] += 1
        Block.objects.all().delete()
    told("A block against a friend request", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def test_two_ask_each_other():
    ada, ben = (User.objects.create(username=name) for name in ("Ada", "Ben"))
    for _ in range(ROUNDS):
        results = at_once(
            partial(services.befriend, user=ada, other=ben.pk),
            partial(services.befriend, user=ben, other=ada.pk),
        )
        assert not [each for each in results if isinstance(each, Exception)]
        assert Friendship.objects.get().state == "accepted"
        Friendship.objects.all().delete()
