"""Opening one of the matches that are dealt from the same seed."""

from collections.abc import Sequence

import msgspec

from accounts.models import User
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options
from decks import selectors as decks
from games.matches.models import Match, Seat, SharedDeal
from games.matches.seating.seats import assign_side_deck, find_bot
from games.matches.seating.starting import write_new
from games.matches.snapshot import MatchSnapshot


def open_shared(
    *,
    user: User,
    game: AnyGame,
    options: Options,
    bots: Sequence[str],
    deal: SharedDeal,
    visibility: str = Match.Visibility.PRIVATE,
) -> MatchSnapshot:
    """A person on the first seat against these computers; all bring the deck of the house.

    It is not rated: a person with two accounts could know the cards. Raises ``Refusal`` by cause.
    """
    seats = [Seat(index=0, kind="user", user=user, name=user.display_name)]
    for index, slug in enumerate(bots, start=1):
        bot = find_bot(game, slug)
        seats.append(Seat(index=index, kind="bot", bot=bot.slug, name=bot.name))
    brought = decks.for_newcomer(options)
    seats[0].side_deck = list(brought) if brought else None
    for seat in seats:
        assign_side_deck(game, options, seat, user, None)
    row = Match(
        game=game.slug,
        rules_version=game.rules_version,
        options=msgspec.json.encode(options),
        creator=user,
        visibility=visibility,
        rated=False,
        rated_wish=False,
        seed=bytes(deal.seed),
        deal=deal,
    )
    return write_new(row, seats)
