"""Answers to one challenge at the same moment: one counts, and the others learn which it was.

``make races`` plays a thousand rounds of each.
"""

import os
from collections import Counter
from datetime import timedelta
from functools import partial
from random import Random

import pytest
from django.utils import timezone

from games.lobby import challenges
from games.lobby.challenges import ChallengeTerms, NewChallenge
from games.lobby.models import Challenge
from games.lobby.selectors import ChallengeIsOver
from games.matches.models import Match, Ply
from tests.lobby.seekers import guests
from tests.matches.test_races_by_barrier import late, told
from tests.security.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("RACES", "4"))
AHEAD = 0.01


def made(ada, ben, key=None):
    return challenges.send_challenge(
        account=ada, terms=NewChallenge(game="pisti", username=ben.username), key=key
    )


def raced(rng, *acts):
    return at_once(*[partial(late, act, rng.uniform(0, AHEAD)) for act in acts])


def settled(account, one, results):
    """What all agree upon; the match began once, or never."""
    status = challenges.challenge_of(account.pk, one).status
    match = Match.objects.get(id=one)
    assert (match.status == "active") == (status == "accepted")
    assert Ply.objects.filter(match=one, version=0).count() == (status == "accepted")
    for each in results:
        if isinstance(each, ChallengeIsOver):
            assert each.extras["ending"] == status
        else:
            assert not isinstance(each, Exception), each
            assert not isinstance(each, ChallengeTerms) or each.status == status
    return status


def test_accepting_against_withdrawing_and_declining():
    (ada, ben), rng, counts = guests(2), Random(5), Counter()
    for _ in range(ROUNDS):
        one = made(ada, ben)
        results = raced(
            rng,
            partial(challenges.accept, account=ben, challenge_id=one),
            partial(challenges.withdraw, account=ada, challenge_id=one),
            partial(challenges.decline, account=ben, challenge_id=one),
        )
        counts[settled(ada, one, results)] += 1
    told("Accepting, withdrawing, declining", counts)


def test_two_accept_at_once():
    ada, ben = guests(2)
    for _ in range(ROUNDS):
        one = made(ada, ben)
        accept = partial(challenges.accept, account=ben, challenge_id=one)
        results = at_once(accept, accept, accept)
        assert settled(ben, one, results) == "accepted"
        assert {each.status for each in results} == {"accepted"}


def test_accepting_against_the_end_of_its_time():
    (ada, ben), rng, counts = guests(2), Random(5), Counter()
    for _ in range(ROUNDS):
        one = made(ada, ben)
        soon = timezone.now() + timedelta(seconds=AHEAD / 2)
        Match.objects.filter(id=one).update(answer_by=soon)
        accept = partial(challenges.accept, account=ben, challenge_id=one)
        results = raced(rng, accept, challenges.expire_all, challenges.expire_all)
        while challenges.challenge_of(ada.pk, one).status == "waiting":
            pass
        challenges.expire_all()
        counts[settled(ada, one, results)] += 1
    told("Accepting against its time", counts)


def test_the_same_key_at_once_is_one_challenge():
    ada, ben = guests(2)
    for number in range(ROUNDS):
        results = at_once(*[partial(made, ada, ben, str(number))] * 3)
        assert len({*results}) == 1, results
    assert Challenge.objects.count() == Match.objects.count() == ROUNDS
