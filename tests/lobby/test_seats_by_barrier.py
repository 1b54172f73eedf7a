"""Two acts on the same seat or rematch, begun at the same moment: one winner, nothing left over.

A few rounds here; ``make races`` plays a thousand of each and says who won how often.
"""

import os
from collections import Counter
from datetime import timedelta
from functools import partial
from random import Random

import pytest
from django.utils import timezone

from games.lobby import challenges, rematches
from games.lobby.challenges import ChallengeTerms, NewChallenge
from games.lobby.models import Challenge, SeriesMatch
from games.lobby.selectors import ChallengeIsOver
from games.matches import joining
from games.matches.models import Match, Ply
from games.matches.refusals import MatchNotOpen, NoSuchMatch, SeatTaken
from tests.lobby.seekers import guests
from tests.matches.scenes import now, opened, resigned
from tests.matches.test_races_by_barrier import MANY, late, told
from tests.security.test_presses import at_once

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("RACES", "4"))
AHEAD = 0.02  # seconds that one may begin before the other


def over_for(ada, ben):
    match = joining.join(match_id=opened(ada, "me, open").id, user=ben)
    return resigned(match, match.seats_of(ben.id)[0])


def at_random(rng, *acts):
    return at_once(*[partial(late, act, rng.uniform(0, AHEAD)) for act in acts])


def forget():
    SeriesMatch.objects.all().delete()
    Match.objects.filter(previous__isnull=False).delete()
    Match.objects.all().delete()


def test_two_people_and_one_seat():
    (ada, ben, cleo), rng, counts = guests(3), Random(5), Counter()
    for _ in range(ROUNDS):
        table = opened(ada, "me, open", visibility="public").id
        results = at_random(
            rng, *[partial(joining.join, match_id=table, user=one) for one in (ben, cleo)]
        )
        refused = [each for each in results if isinstance(each, Exception)]
        assert [type(each) for each in refused] == [SeatTaken]
        match = now(next(each for each in results if each not in refused))
        assert match.status == "active"
        counts["Ben" if match.seats[1].user_id == ben.pk else "Cleo"] += 1
        forget()
    told("Two people and one seat", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def test_both_press_rematch():
    (ada, ben), rng, counts = guests(2), Random(5), Counter()
    for _ in range(ROUNDS):
        over = over_for(ada, ben)
        results = at_random(
            rng, *[partial(rematches.ask, match_id=over.id, user=one) for one in (ada, ben)]
        )
        assert not [each for each in results if isinstance(each, Exception)], results
        assert len({match.id for match in results}) == 1
        match = now(results[0])
        assert (match.status, Match.objects.filter(previous=over.id).count()) == ("active", 1)
        assert SeriesMatch.objects.count() == 2
        counts["Ada opened it" if match.creator_id == ada.pk else "Ben opened it"] += 1
        forget()
    told("Both press rematch", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def test_accepting_against_withdrawing():
    """It begins, or it is called off, and then it is the second one who asks."""
    (ada, ben), rng, counts = guests(2), Random(5), Counter()
    for _ in range(ROUNDS):
        over = over_for(ada, ben)
        first = rematches.ask(match_id=over.id, user=ada)
        accepted, withdrawn = at_random(
            rng,
            partial(rematches.ask, match_id=over.id, user=ben),
            partial(rematches.refuse, match_id=over.id, user=ada),
        )
        assert not isinstance(accepted, Exception), accepted
        if now(first).status == "active":
            assert accepted.id == first.id
            assert isinstance(withdrawn, MatchNotOpen)
            counts["times it began"] += 1
        else:
            assert not isinstance(withdrawn, Exception), withdrawn
            assert (now(first).status, accepted.creator_id) == ("aborted", ben.pk)
            counts["times it was called off"] += 1
        assert Match.objects.filter(previous=over.id, status__in=["open", "active"]).count() <= 1
        forget()
    told("Accepting against withdrawing", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def test_accepting_against_declining_at_a_table_of_three():
    (ada, ben, cleo), rng, counts = guests(3), Random(5), Counter()
    for _ in range(ROUNDS):
        match = opened(ada, "me, open, open", options={"players": 3})
        for one in (ben, cleo):
            match = joining.join(match_id=match.id, user=one)
        for seat in (1, 2):
            resigned(now(match), seat)
        first = rematches.ask(match_id=match.id, user=ada)
        results = at_random(
            rng,
            partial(rematches.ask, match_id=match.id, user=ben),
            partial(rematches.refuse, match_id=match.id, user=cleo),
        )
        assert not [each for each in results if isinstance(each, Exception)], results
        assert now(first).status == "aborted"
        after = now(results[0])
        counts["times Ben sat there" if after.id == first.id else "times Ben asked anew"] += 1
        forget()
    told("Accepting against declining", counts)


def test_an_invitation_accepted_against_its_withdrawal():
    (ada, ben), rng, counts = guests(2), Random(5), Counter()
    for _ in range(ROUNDS):
        table = opened(ada, f"me, user {ben.username}").id
        accepted, withdrawn = at_random(
            rng,
            partial(joining.join, match_id=table, user=ben),
            partial(joining.leave, match_id=table, user=ada),
        )
        if isinstance(accepted, Exception):
            assert isinstance(accepted, MatchNotOpen | NoSuchMatch)
            assert withdrawn.status == "aborted"
            counts["times it was withdrawn"] += 1
        else:
            assert isinstance(withdrawn, MatchNotOpen)
            assert accepted.status == "active"
            counts["times it was accepted"] += 1
        forget()
    told("An invitation accepted against its withdrawal", counts)
    assert len(counts) == 2 or ROUNDS < MANY


# Answers to one challenge at the same moment: one counts, and the others learn which it was.
#
# ``make races`` plays a thousand rounds of each.

CHALLENGE_RACES_AHEAD = 0.01


def made(ada, ben, key=None):
    return challenges.send_challenge(
        account=ada, terms=NewChallenge(game="pisti", username=ben.username), key=key
    )


def raced(rng, *acts):
    return at_once(*[partial(late, act, rng.uniform(0, CHALLENGE_RACES_AHEAD)) for act in acts])


def settled(account, one, results):
    """The status on which all agree; the match began once, or never."""
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
        soon = timezone.now() + timedelta(seconds=CHALLENGE_RACES_AHEAD / 2)
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
