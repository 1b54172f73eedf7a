"""Which matches can be mirrored, and who plays them."""

from collections.abc import Sequence

from accounts.models import User
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Words, say
from cardroom.rules.values import Options
from games.matches.models import Match
from games.matches.seating.seats import SeatRequest, find_bot, find_invited
from games.mirrored.models import Leg, MirroredSet
from games.mirrored.order import LEAST_PAIRS, MOST_PAIRS
from games.mirrored.refusals import CannotBeMirrored

TWINS_ARE_KNOWN = say(
    "A set is not rated: whoever remembers a deal knows all cards of its twin. "
    "Two teams at two tables are rated."
)
NO_PROGRAMS = say("A bot account would recognise the cards. It can play as a duplicate.")


def judge(game: AnyGame, options: Options, seats: Sequence[SeatRequest]) -> None:
    """Raises CannotBeMirrored where swapped seats would say nothing of skill."""
    if game.is_luck:
        raise CannotBeMirrored(
            say("{game} is luck alone: played twice it would go the same way.", game=game.name)
        )
    sides = game.sides_of(options)
    if len(sides) != 2 or len({len(side) for side in sides}) != 1:
        raise CannotBeMirrored("Only matches between two sides are mirrored.")
    for seat in seats:
        _judge_seat(game, seat)


def _judge_seat(game: AnyGame, seat: SeatRequest) -> None:
    if seat.kind == "local":
        raise CannotBeMirrored("People at one device see both hands, so nothing is mirrored.")
    if seat.kind == "bot" and not find_bot(game, seat.bot).rated:
        raise CannotBeMirrored("This computer sees hidden cards, so nothing is mirrored.")


def judge_pairs(pairs: int) -> None:
    if not LEAST_PAIRS <= pairs <= MOST_PAIRS:
        raise CannotBeMirrored(
            say("A set has {least} to {most} pairs.", least=LEAST_PAIRS, most=MOST_PAIRS)
        )


def judge_set(host: User, seats: Sequence[SeatRequest], pairs: int) -> None:
    """Of a set: that there are enough pairs, the host plays, and nobody is a program."""
    judge_pairs(pairs)
    if all(seat.kind != "me" for seat in seats):
        raise CannotBeMirrored("Take a seat of a mirrored match yourself.")
    guests = [find_invited(host, seat.username) for seat in seats if seat.kind == "user"]
    if host.is_bot or any(guest.is_bot for guest in guests):
        raise CannotBeMirrored(NO_PROGRAMS)


def judge_duplicate(host: User, at_tables: Sequence[Sequence[SeatRequest]]) -> None:
    """Of a duplicate: that everybody is named, and nobody sits at both tables."""
    seats = [seat for table in at_tables for seat in table]
    if any(seat.kind == "open" for seat in seats):
        raise CannotBeMirrored("Everybody who plays a duplicate is named: nobody sits at both.")
    if all(seat.kind != "me" for seat in at_tables[0]):
        raise CannotBeMirrored("Take a seat at the first table of a duplicate yourself.")
    if any(seat.kind == "me" for seat in at_tables[1]):
        raise CannotBeMirrored("You can take one seat yourself, at the first table.")
    guests = [find_invited(host, seat.username).pk for seat in seats if seat.kind == "user"]
    if len(set(guests)) < len(guests):
        raise CannotBeMirrored("Nobody can be invited to two seats of a duplicate.")


def refuses_seat(_account: User, match: Match, *, by_pairing: bool) -> Words | None:  # noqa: ARG001
    """Why a bot account takes no seat in a match (``config.offers``)."""
    if match.deal_id is None:
        return None
    of_set = Leg.objects.filter(deal=match.deal_id, of__form=MirroredSet.Form.SET)
    return NO_PROGRAMS if of_set.exists() else None
