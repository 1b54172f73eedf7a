"""A person who begins a deal at the moment at which it is revealed; two beats at once."""

import os
from functools import partial

import pytest

from games.daily import playing
from games.daily.models import DailyDeal, Entry
from games.daily.selectors import ONE_DAY, NotToday, today
from games.matches.models import Match, SharedDeal
from tests.daily.days import begun, deal
from tests.security.test_presses import at_once

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("RACES", "4"))


def test_a_match_begins_before_its_deal_is_revealed_or_not_at_all(settings, ada, ben, monkeypatch):
    begun(settings, ada, ben)
    tomorrow = today() + ONE_DAY
    monkeypatch.setattr(playing.selectors, "today", lambda: tomorrow)  # for the beat alone
    daily = deal()
    for _ in range(ROUNDS):
        both = [partial(playing.play, user=user, game="pisti") for user in (ada, ben)]
        results = at_once(*both, playing.reveal)
        faults = [one for one in results if isinstance(one, Exception)]
        assert all(isinstance(one, NotToday) for one in faults)
        daily.deal.refresh_from_db()
        running = Match.objects.filter(deal=daily.deal, status="active").count()
        assert running == 0 or daily.deal.revealed_at is None
        assert Entry.objects.count() == Match.objects.count()
        Entry.objects.all().delete()
        Match.objects.all().delete()
        SharedDeal.objects.update(revealed_at=None)


def test_beats_at_once_make_one_deal_of_a_game_and_day(settings):
    for _ in range(ROUNDS):
        results = at_once(*[playing.publish] * 3)
        assert not [one for one in results if isinstance(one, Exception)]
        assert DailyDeal.objects.count() == SharedDeal.objects.count() == 9
        DailyDeal.objects.all().delete()
        SharedDeal.objects.all().delete()


def test_two_presses_are_one_try(settings, ada):
    begun(settings, ada)
    results = at_once(*[partial(playing.play, user=ada, game="pisti")] * 4)
    assert len({match.id for match, _ in results}) == 1
    assert sorted(is_new for _, is_new in results) == [False, False, False, True]
