"""Days for scenes: one that runs, with people who may play it, and its end."""

from datetime import timedelta

from django.utils import timezone
from time_machine import travel

from accounts.models import User
from games.daily import playing
from games.daily.models import DailyDeal
from games.daily.selectors import today
from games.matches.selectors.access import get_match
from tests.matches.scenes import played

ONE_DAY = timedelta(days=1)


# They answer at once.
QUICK = {"pisti": ["greedy"], "pazaak": ["gambler"], "shithead": ["keeper", "lowest", "lowest"]}


def begun(settings, *people, quick=True):
    """Deals are published, against quick computers, and these people were there before."""
    settings.DAILY_FINISHED_MATCHES = 0
    playing.publish()
    for game, bots in QUICK.items() if quick else ():
        DailyDeal.objects.filter(game=game).update(bots=bots)
    ids = [one.pk for one in people]
    User.objects.filter(pk__in=ids).update(date_joined=timezone.now() - 3 * ONE_DAY)
    for one in people:
        one.refresh_from_db()


def deal(game="pisti", day=None):
    return DailyDeal.objects.select_related("deal").get(day=day or today(), game=game)


def begin(user, game="pisti"):
    return playing.play(user=user, game=game)[0]


def to_its_end(user, game="pisti"):
    return played(begin(user, game))


def over(n=1):
    """The beat of a later day."""
    with travel(timezone.now() + n * ONE_DAY):
        playing.publish()
        playing.reveal()


def again(match):
    return get_match(match.id)
