"""Many matches of Pyanitsa at once: ``cardroom.research.batch`` on the kernel of Pyanitsa.

The matches of ``batch`` in compiled code: dealing, playing, what a seat sees.

All of it is in one file: Numba compiles again what it keeps on the disk when this file changes, or
any of ``cardroom.fast`` and ``cardroom.rules``.
"""

from typing import Any, ClassVar, Final

import numpy

from cardroom.fast.compiling import BOTS, DECKS, begin, inner, outer
from cardroom.fast.kernel import Kernel
from cardroom.fast.pyanitsa import KERNEL, layout
from cardroom.fast.pyanitsa.batch import finish
from cardroom.fast.pyanitsa.layout import LAY_FROM, LAYING
from cardroom.fast.pyanitsa.layout import deal as deal_cards
from cardroom.fast.pyanitsa.turns import collect, highest, lay, leave, open_dispute, open_trick
from cardroom.research.batch import NOBODY, Batch, Steps
from cardroom.rules.cards import RANK
from cardroom.rules.encoding import MOST
from cardroom.rules.pyanitsa import encoding as places

RANKS: Final = numpy.array(RANK, dtype=numpy.int64)
LAY, OVER = places.PHASES.index("lay"), places.PHASES.index("over")
NO_WINNER: Final = -1


@outer
def deal(
    options: Any, starts: Any, numbers: Any, lanes: Any, words: Any, piles: Any, seats: Any,
    trick: Any, laying: Any, tied: Any, table: Any, order: Any, deck: Any, results: Any,  # noqa: ARG001
) -> None:  # fmt: skip
    for at in range(numbers.shape[0]):
        if not lanes[at]:
            continue
        begin(words[at], DECKS, starts[at, DECKS], numbers[at])
        begin(words[at], BOTS, starts[at, BOTS], numbers[at])
        deal_cards(options, words[at], deck[at], piles[at], seats[at])
        trick[at, layout.TRICK_NO] = 1
        trick[at, layout.LAY_FROM] = 0
        open_trick(options, seats[at], trick[at], laying[at], 0)


@inner
def settle(options: Any, seats: Any, trick: Any, laying: Any, tied: Any, table: Any) -> int:
    """After the last card of a level: the seat that takes the table, or nobody yet."""
    first = tied[0]
    count = highest(options, trick, table, tied)
    if count < 2:
        return first if count == 0 else tied[0]  # type: ignore[no-any-return]
    trick[layout.LAY_FROM] = 0
    return open_dispute(options, seats, trick, tied, laying, count)


@inner
def end_trick(
    options: Any, words: Any, piles: Any, seats: Any, trick: Any, laying: Any, table: Any,
    order: Any, taker: int, result: Any,
) -> bool:  # fmt: skip
    """The taker has the table; whether the match is over."""
    players, number = options[layout.PLAYERS], trick[layout.TRICK_NO]
    collect(options, words, piles, seats, taker, trick, table, order)
    left = leave(players, seats, taker, number, result)
    over = left < players if options[layout.GIVEAWAY] else left == 1
    if over or number >= options[layout.MAX_TRICKS]:
        trick[layout.TABLE] = trick[layout.AT_LEVEL] = trick[layout.HAS_MORTGAGE] = 0
        trick[layout.DISPUTING] = trick[layout.LAYING] = trick[layout.LAY_FROM] = 0
        finish(options, seats, trick, left, result)
        return True
    # Who led before leads again unless the option says otherwise; at first that was seat 0.
    first = 0
    if options[layout.LEADER] == layout.WINNER:
        first = taker
    elif options[layout.LEADER] == layout.ROTATE:
        first = (trick[layout.TURN_LEADER] + 1) % players
    trick[layout.TRICK_NO] = number + 1
    trick[layout.LAY_FROM] = 0
    open_trick(options, seats, trick, laying, first)
    return False


@outer
def play(
    lanes: Any, over: Any, options: Any, words: Any, piles: Any, seats: Any, trick: Any,
    laying: Any, tied: Any, table: Any, order: Any, deck: Any, results: Any,  # noqa: ARG001
) -> None:  # fmt: skip
    for at in range(lanes.shape[0]):
        over[at] = False
        if not lanes[at]:
            continue
        facts = trick[at]
        seat = laying[at, facts[layout.LAY_FROM]]
        lay(options, words[at], piles[at], seats[at], seat, facts, table[at], results[at])
        facts[layout.LAY_FROM] += 1
        if facts[layout.LAY_FROM] < facts[layout.LAYING]:
            continue
        taker = settle(options, seats[at], facts, laying[at], tied[at], table[at])
        if taker != NO_WINNER:
            over[at] = end_trick(
                options, words[at], piles[at], seats[at], facts, laying[at], table[at], order[at],
                taker, results[at],
            )  # fmt: skip


@outer
def look(
    options: Any, public: Any, who: Any, observations: Any, masks: Any, words: Any, piles: Any,  # noqa: ARG001
    seats: Any, trick: Any, laying: Any, tied: Any, table: Any, order: Any, deck: Any,  # noqa: ARG001
    results: Any,  # noqa: ARG001
) -> None:  # fmt: skip
    for at in range(observations.shape[0]):
        own, out, facts = max(0, who[at]), observations[at], trick[at]
        out[:] = 0
        acts = facts[layout.LAYING] > 0 and laying[at, facts[layout.LAY_FROM]] == own
        masks[at, :] = 0
        masks[at, 0] = acts
        see_trick(options, own, out, facts, laying[at], tied[at], table[at])
        see_seats(options, own, out, seats[at])
        for nth in range(public.shape[0]):
            out[places.OPTIONS + nth] = public[nth]


@inner
def see_trick(
    options: Any, own: int, out: Any, trick: Any, laying: Any, tied: Any, table: Any
) -> None:
    players = options[layout.PLAYERS]
    out[places.PHASE + (LAY if trick[layout.LAYING] else OVER)] = 1
    out[places.LEADER + (trick[layout.TURN_LEADER] - own) % players] = 1
    for nth in range(trick[layout.DISPUTING]):
        out[places.DISPUTING + (tied[nth] - own) % players] = 1
    for nth in range(trick[layout.LAY_FROM], trick[layout.LAYING]):
        out[places.TO_LAY + (laying[nth] - own) % players] = 1
    for nth in range(trick[layout.TABLE]):
        newest = places.NEWEST + (table[nth, layout.SEAT] - own) % players
        out[newest] = places.FACE_DOWN
        if not table[nth, layout.DOWN]:
            card = table[nth, layout.CARD]
            out[newest] = places.FACE_DOWN + 1 + RANKS[card]
            out[places.TABLE + card] = 1
    out[places.CARDS_ON_TABLE] = trick[layout.TABLE]
    out[places.LEVEL] = trick[layout.AT_LEVEL]
    out[places.MORTGAGE] = trick[layout.HAS_MORTGAGE]
    out[places.TRICK_NO] = min(trick[layout.TRICK_NO], MOST)


@inner
def see_seats(options: Any, own: int, out: Any, seats: Any) -> None:
    players = options[layout.PLAYERS]
    for seat in range(players):
        at = (own + seat) % players
        out[places.DRAW_COUNTS + seat] = seats[at, layout.DRAW]
        out[places.WON_COUNTS + seat] = seats[at, layout.WON]
        out[places.OUT + seat] = seats[at, layout.OUT_IN] > 0
    out[places.SET_ASIDE] = options[layout.DECK] % players


class PyanitsaBatch(Batch):
    """See ``Batch``. Nobody has a choice here, so the only action turns a card up."""

    slug: ClassVar[str] = "pyanitsa"
    kernel: ClassVar[Kernel] = KERNEL
    steps: ClassVar = Steps(deal, play, look)

    def _to_act(self) -> Any:
        trick, laying = self._tables[3], self._tables[4]
        following = laying[numpy.arange(len(self)), trick[:, LAY_FROM]]
        return numpy.where(trick[:, LAYING] == 0, NOBODY, following)

    def _play(self, actions: Any, lanes: Any, over: Any) -> None:
        play(lanes, over, self._options, *self._tables)


BATCH: Final = PyanitsaBatch
