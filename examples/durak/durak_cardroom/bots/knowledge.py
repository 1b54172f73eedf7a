"""The knowledge of a seat, from its view: a table, and the cards that it cannot place."""

from random import Random
from typing import NamedTuple

from cardroom.rules.cards import CARD, TEXT
from cardroom.rules.values import Move
from durak_cardroom.bots.masks import OF_RANK, bits, codes, places
from durak_cardroom.bots.world import PASS, TAKE, TRANSFER, Table
from durak_cardroom.predicates import PACKS
from durak_cardroom.view import DurakView


class Known(NamedTuple):
    """``table`` has the cards that are known; ``unseen`` are dealt to hands by ``missing``."""

    table: Table
    unseen: list[int]
    missing: list[int]
    me: int

    def sample(self, rng: Random) -> Table:
        """A game in which every unknown card lies somewhere."""
        table, lot = self.table.copy(), self.unseen[:]
        rng.shuffle(lot)
        for seat, count in enumerate(self.missing):
            for _ in range(count):
                table.hands[seat] |= 1 << lot.pop()
        table.talon += lot  # the trump card, if it is there, lies at the bottom
        return table


def known(view: DurakView) -> Known:
    trumps, me = CARD[view.trump] // 13, view.seat or 0
    table = _table(view, trumps)
    hands = [view.hand if seat == me else codes for seat, codes in enumerate(view.known)]
    table.hands = [bits(hand, trumps) for hand in hands]
    missing = [size - len(hand) for size, hand in zip(view.hand_sizes, hands, strict=True)]
    seen = bits((view.trump, *view.gone, *view.attacks, *view.defences), trumps)
    for hand in table.hands:
        seen |= hand
    pack = bits([TEXT[card] for card in PACKS[view.options.deck]], trumps)
    unseen = [place for place in range(52) if (pack & ~seen) >> place & 1]
    return Known(table, unseen, missing, me)


def _table(view: DurakView, trumps: int) -> Table:
    table, at = Table(len(view.hand_sizes)), places(trumps)
    table.attacks = [at[CARD[code]] for code in view.attacks]
    table.lie = bits((*view.attacks, *view.defences), trumps)
    for code in (*view.attacks, *view.defences):
        table.fits |= OF_RANK[at[CARD[code]]]
    table.beaten, table.taking, table.limit = len(view.defences), view.taking, view.limit
    table.attacker, table.defender = view.attacker, view.defender
    table.out = sum([1 << seat for seat, place in enumerate(view.places) if place])
    table.passed = sum([1 << seat for seat, passed in enumerate(view.passed) if passed])
    table.first_attack, table.transfer = view.options.first_attack, view.options.transfer
    table.neighbours = view.options.throwers == "neighbours"
    table.started, table.takes = view.attacks_over > 0, view.takes
    table.talon = [at[CARD[view.trump]]] if view.talon else []
    return table


def choice_of(move: Move, trumps: int) -> int:
    """A move as a table plays it."""
    if move in ("take", "pass"):
        return TAKE if move == "take" else PASS
    kind, _, code = move.rpartition(" ")
    return places(trumps)[CARD[code]] + (TRANSFER if kind else 0)


def move_of(choice: int, trumps: int) -> Move:
    if choice < 0:
        return "take" if choice == TAKE else "pass"
    card = codes(trumps)[choice % TRANSFER]
    return f"transfer {card}" if choice >= TRANSFER else card
