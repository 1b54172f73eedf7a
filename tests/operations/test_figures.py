"""The dashboard's figures and their samples."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.audit.log import Actor
from games.matches.models import Match
from games.operations import figures, refereeing
from games.operations.models import Sample
from tests.admin.test_acts import staff
from tests.matches.scenes import opened, played

pytestmark = pytest.mark.django_db


def test_what_is_wrong_is_counted(ada):
    match = played(opened(ada, "me, bot greedy"), 6)
    long_ago = timezone.now() - timedelta(days=3)
    Match.objects.filter(id=match.id).update(updated_at=long_ago, bot_due_at=long_ago)
    found = figures._measure()
    assert (found["active"], found["stalled"], found["owes_bot"], found["today"]) == (1, 1, 1, 1)
    assert found["unpaid"] > 3 * 24 * 3600 - 60
    assert found["moves"] > 5


def test_samples_are_kept_for_a_month_and_plotted(ada):
    now = timezone.now()
    Sample.objects.create(name="moves", at=now - timedelta(days=31), value=1)
    Sample.objects.create(name="moves", at=now - timedelta(hours=1), value=30)
    figures.take_samples()
    assert not Sample.objects.filter(at__lt=now - timedelta(days=30)).exists()
    points = figures.series("moves", timedelta(days=1), 144)
    assert [value for _, value in points] == [30, 0]
    assert 0.94 < points[0][0] < 0.97


def test_the_dashboard(ada):
    cache.clear()
    match = played(opened(ada), 3)
    refereeing.verify(match_id=match.id, by=Actor.of(ada, "A look."))
    figures.now_figures()  # kept in the cache
    shown = staff("viewer").get("/admin/?span=30+days").content.decode()
    for text in (
        "Past their deadline",
        "Waiting longest",
        "Moves a minute",
        "Audit log",
        "its disk",
    ):
        assert text in shown
