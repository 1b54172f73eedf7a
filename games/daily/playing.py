"""Playing a deal of the day: once for oneself, or any revealed one for practice."""

from datetime import date
from typing import Final

from django.db import connection, transaction

from accounts.locking import locked_accounts
from accounts.models import User
from cardroom.rules import catalog
from cardroom.rules.text import one_after_the_other, say
from games.daily.models import DailyDeal, Entry
from games.daily.selectors import (
    CannotCompete,
    NoSuchDeal,
    NotToday,
    admission,
    deals_of,
    find_deal,
    today,
)
from games.matches.models import Match, SharedDeal
from games.matches.opening import open_shared
from games.matches.selectors.access import get_match
from games.matches.snapshot import MatchSnapshot

WHAT_IT_IS: Final = say(
    "Everybody plays the same sealed cards once a day. Somebody who knows them could pass them on, "
    "so new accounts practise the deal of yesterday first."
)

_SEALED: Final = """
SELECT id FROM games_shareddeal WHERE id = %s AND revealed_at IS NULL FOR KEY SHARE
"""


def play(*, user: User, game: str) -> tuple[MatchSnapshot, bool]:
    """The person's match of today, and whether it begins now; raises ``Refusal`` by cause.

    It is private and stays so until the day is over.
    """
    day = today()
    if user.is_bot:
        raise CannotCompete("The deal of the day is for people.")
    daily = next((one for one in deals_of(day) if one.game == game), None)
    if daily is None:
        raise NoSuchDeal
    with transaction.atomic(), locked_accounts(user.pk):
        begun = Entry.objects.filter(daily=daily, account=user).first()
        if begun is not None:
            return get_match(begun.match_id), False
        opens = admission(user, day)
        if not opens.is_open:
            raise CannotCompete(
                one_after_the_other([WHAT_IT_IS, opens.words]),
                opens_on=opens.opens_on.isoformat(),
                matches_left=opens.matches_left,
            )
        _keep_sealed(daily)
        match = _opened(daily, user, SharedDeal.objects.get(id=daily.deal_id))
        Entry.objects.create(daily=daily, account=user, match_id=match.id)
    return match, True


def _keep_sealed(daily: DailyDeal) -> None:
    """Until the transaction ends nobody reveals the deal; raises ``NotToday`` if it is too late.

    Several begin at once under this lock, and ``turning`` waits for all of them. The check of the
    foreign key alone would come too late: at the commit.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SEALED, [daily.deal_id])
        if cursor.fetchone() is None or daily.day != today():
            raise NotToday


def practise(*, user: User, day: date, game: str) -> MatchSnapshot:
    """A deal that everybody may know by now, as often as one likes; guests too."""
    daily = find_deal(day, game)
    deal = SharedDeal.objects.get(id=daily.deal_id)
    if deal.revealed_at is None:
        raise NotToday("This deal is not over yet; it can be practised when it is.")
    return _opened(daily, user, deal, Match.Visibility.UNLISTED)


def _opened(
    daily: DailyDeal, user: User, deal: SharedDeal, visibility: str = Match.Visibility.PRIVATE
) -> MatchSnapshot:
    game = catalog.find(daily.game)
    options = game.decode_options(bytes(daily.options))
    return open_shared(
        user=user, game=game, options=options, bots=daily.bots, deal=deal, visibility=visibility
    )
