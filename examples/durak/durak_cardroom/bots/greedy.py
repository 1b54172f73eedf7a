"""``greedy``: parts with its cheapest card, beats whatever it can, keeps trumps for later."""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.cards import CARD
from cardroom.rules.values import Event, Move
from durak_cardroom.bots.knowledge import known, move_of
from durak_cardroom.bots.masks import LOW, OF_RANK, PLAIN, cheapest
from durak_cardroom.bots.world import PASS, TAKE, TRANSFER, Table
from durak_cardroom.view import DurakView


def decide(table: Table, seat: int) -> int:
    """The choice of the seat that is to act; also how a search plays on."""
    hand = table.hands[seat]
    if table.is_defending():
        return _defend(table, hand)
    if not table.attacks:
        return cheapest(hand)
    may = hand & table.fits
    if table.taking:
        may &= LOW  # what the defender may have
    elif table.talon:
        may &= PLAIN
    return cheapest(may) if may else PASS


def _defend(table: Table, hand: int) -> int:
    if table.may_transfer():
        same = hand & OF_RANK[table.attacks[0]] & PLAIN
        if same:
            return TRANSFER + cheapest(same)
    beating = table.beating()
    return cheapest(beating) if beating else TAKE


def choose(view: DurakView, _events: Sequence[Event], rng: Random) -> Move:
    """Of the other hands only the sizes matter, so any cards may lie there."""
    table = known(view).sample(rng)
    return move_of(decide(table, view.seat or 0), CARD[view.trump] // 13)


GREEDY: Final[Bot[DurakView]] = Bot(
    slug="greedy",
    name="Greedy",
    summary="Parts with its cheapest card, beats whatever it can and keeps trumps for later.",
    level=3,
    choose=choose,
)
