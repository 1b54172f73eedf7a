"""Thousands of deals of Pişti at once: ``cardroom.research.batch`` on the kernel of Pişti.

The matches of ``batch`` in compiled code: dealing, playing, what a seat sees.

All of it is in one file: Numba compiles again what it keeps on the disk when this file changes, or
any of ``cardroom.fast`` and ``cardroom.rules``.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy

from cardroom.fast.compiling import count_bits, inner, outer
from cardroom.fast.kernel import Kernel
from cardroom.fast.pisti import KERNEL
from cardroom.fast.pisti import match as layout
from cardroom.fast.pisti.match import (
    OVER,
    TO_PLAY,
    deal_from_stock,
    finish,
    is_decided,
    open_deal,
    open_match,
    put_down,
    score,
    without,
)
from cardroom.research.batch import NOBODY, Batch
from cardroom.rules.encoding import MOST
from cardroom.rules.pisti import encoding as places


@outer
def deal(
    options: Any, lanes: Any, words: Any, decks: Any, piles: Any, facts: Any, seats: Any,
    hands: Any, results: Any,
) -> None:  # fmt: skip
    for at in range(lanes.shape[0]):
        if lanes[at]:
            open_match(options, facts[at], seats[at])
            open_deal(
                options, words[at], decks[at], piles[at], facts[at], seats[at], hands[at],
                results[at],
            )  # fmt: skip


@inner
def take_from_hand(card: int, hands: Any, seat: int) -> None:
    hand, at = hands[seat], 0
    while (hand >> 8 * at) & 255 != card:
        at += 1
    hands[seat] = without(hand, at)


@outer
def play(
    actions: Any, lanes: Any, over: Any, options: Any, words: Any, decks: Any, piles: Any,
    facts: Any, seats: Any, hands: Any, results: Any,
) -> None:  # fmt: skip
    players = options[layout.PLAYERS]
    for at in range(actions.shape[0]):
        over[at] = False
        if not lanes[at]:
            continue
        fact, seat = facts[at], facts[at, layout.TO_PLAY]
        take_from_hand(actions[at], hands[at], seat)
        seats[at, seat, layout.HELD] -= 1
        put_down(options, seat, actions[at], piles[at], fact, seats[at], results[at])
        fact[layout.TO_PLAY] = seat + 1 if seat + 1 < players else 0
        if seats[at, fact[layout.TO_PLAY], layout.HELD]:
            continue
        if fact[layout.STOCK] < layout.CARDS:
            deal_from_stock(options, decks[at], fact, seats[at], hands[at], results[at])
            continue
        score(options, fact, seats[at], results[at])
        if is_decided(options, seats[at]):
            fact[layout.OVER] = 1
            finish(options, fact, seats[at], results[at])
            over[at] = True
        else:
            open_deal(
                options, words[at], decks[at], piles[at], fact, seats[at], hands[at], results[at]
            )


@outer
def look(
    options: Any, public: Any, who: Any, observations: Any, masks: Any, words: Any, decks: Any,  # noqa: ARG001
    piles: Any, facts: Any, seats: Any, hands: Any, results: Any,  # noqa: ARG001
) -> None:  # fmt: skip
    for at in range(observations.shape[0]):
        see(
            options, public, who[at], observations[at], masks[at], piles[at], facts[at], seats[at],
            hands[at],
        )  # fmt: skip


@inner
def see(
    options: Any, public: Any, seat_looking: int, out: Any, mask: Any, pile: Any, facts: Any,
    seats: Any, hands: Any,
) -> None:  # fmt: skip
    """Write what ``encoding.observe`` does for a seat, seat 0 for nobody, and its legal cards."""
    players, sides, own = options[layout.PLAYERS], options[layout.SIDES], max(0, seat_looking)
    shown, acts = public[0], own == facts[layout.TO_PLAY] and not facts[layout.OVER]
    out[:] = 0
    mask[:] = 0
    for nth in range(seats[own, layout.HELD]):
        card = (hands[own] >> 8 * nth) & 255
        out[places.HAND + card] = 1
        mask[card] = acts
    if facts[layout.PILE]:
        out[places.TOP + pile[facts[layout.PILE] - 1]] = 1
    if facts[layout.BOTTOM] >= 0:
        out[places.BOTTOM + facts[layout.BOTTOM]] = 1
    if facts[layout.LAST_CAPTURER] >= 0:
        out[places.LAST_CAPTURER + (facts[layout.LAST_CAPTURER] - own) % players] = 1
    out[places.STARTER + (facts[layout.STARTER] - own) % players] = 1
    for seat in range(players):
        other = (own + seat) % players
        out[places.HAND_SIZES + seat] = seats[other, layout.HELD]
        if shown:
            out[places.HEAP_SIZES + seat] = count_bits(seats[other, layout.HEAP])
    for side in range(sides):
        other = (own + side) % sides
        out[places.PISTIS + side] = seats[other, layout.SINGLES]
        out[places.DOUBLES + side] = seats[other, layout.DOUBLES]
        out[places.TOTALS + side] = min(seats[other, layout.TOTAL], MOST)
    if shown:
        out[places.PILE_SIZE] = facts[layout.PILE]
    out[places.FACE_DOWN] = facts[layout.FACE_DOWN]
    out[places.STOCK_SIZE] = layout.CARDS - facts[layout.STOCK]
    out[places.PLAYS_MADE] = facts[layout.PLAYS]
    for nth in range(1, public.shape[0]):
        out[places.OPTIONS + nth - 1] = public[nth]


class PistiBatch(Batch):
    """See ``Batch``. An action is the card to be played."""

    slug: ClassVar[str] = "pisti"
    kernel: ClassVar[Kernel] = KERNEL
    deal, play, look = staticmethod(deal), staticmethod(play), staticmethod(look)

    def _to_act(self) -> Any:
        facts = self._tables[3]
        return numpy.where(facts[:, OVER], NOBODY, facts[:, TO_PLAY])

    def _public_numbers(self) -> Sequence[int]:
        rules: Any = self.lineup.options
        return [int(rules.show_counts), *super()._public_numbers()]


BATCH: Final = PistiBatch
