"""Many matches of Pazaak at once: ``cardroom.research.batch`` on the kernel of Pazaak.

The matches of ``batch`` in compiled code: dealing, playing, what a seat sees.

All of it is in one file: Numba compiles again what it keeps on the disk when this file changes, or
any of ``cardroom.fast`` and ``cardroom.rules``.
"""

from typing import Any, ClassVar, Final

import numpy

from cardroom.fast.compiling import BOTS, DECKS, begin, inner, outer
from cardroom.fast.kernel import Kernel
from cardroom.fast.pazaak import KERNEL, layout
from cardroom.fast.pazaak.batch import finish
from cardroom.fast.pazaak.layout import IS_OVER, PHASE, TO_ACT, has_space
from cardroom.fast.pazaak.turns import act, carry_on, open_round, set_up
from cardroom.research.batch import NOBODY, Batch, Steps
from cardroom.rules.encoding import MOST
from cardroom.rules.pazaak import encoding as places
from cardroom.rules.pazaak.predicates import MOVES, WAYS
from cardroom.rules.pazaak.side_cards import CODES

STAND, DRAW, PASS, END = [list(MOVES).index(word) for word in ("stand", "draw", "pass", "end")]
_PLAYED: Final = [None if play is None else play.code for play in MOVES.values()]
# Of every action the card that it plays and the way to play it; the first way of a card.
CARD_OF: Final = numpy.array(
    [layout.NONE if code is None else CODES.index(code) for code in _PLAYED], dtype=numpy.int64
)
_WAYS: Final = [
    0 if code is None else WAYS[code].index(text) for text, code in zip(MOVES, _PLAYED, strict=True)
]
WAY_OF: Final = numpy.array(_WAYS, dtype=numpy.int64)
FIRST_OF: Final = numpy.array([_PLAYED.index(code) for code in CODES], dtype=numpy.int64)
PHASES: Final = len(places.PHASES)


@outer
def deal(
    options: Any, starts: Any, numbers: Any, lanes: Any, words: Any, cards: Any, seats: Any,
    hands: Any, facts: Any, results: Any,
) -> None:  # fmt: skip
    for at in range(numbers.shape[0]):
        if not lanes[at]:
            continue
        begin(words[at], DECKS, starts[at, DECKS], numbers[at])
        begin(words[at], BOTS, starts[at, BOTS], numbers[at])
        results[at, layout.ROUND_OVER] = 0
        set_up(options, words[at], cards[at], seats[at], hands[at], facts[at])
        open_round(options, words[at], cards[at], seats[at], hands[at], facts[at], results[at])
        carry_on(
            options, words[at], cards[at], seats[at], hands[at], facts[at], layout.DO_BEGIN,
            results[at],
        )  # fmt: skip


@outer
def play(
    actions: Any, lanes: Any, over: Any, options: Any, words: Any, cards: Any, seats: Any,
    hands: Any, facts: Any, results: Any,
) -> None:  # fmt: skip
    for at in range(actions.shape[0]):
        over[at] = False
        if not lanes[at]:
            continue
        action, fact = actions[at], facts[at]
        fact[layout.WAY] = WAY_OF[action]
        if action == STAND:
            fact[layout.CHOSEN] = layout.STAND
        elif action == DRAW:
            fact[layout.CHOSEN] = layout.DRAW
        elif CARD_OF[action] < 0:
            fact[layout.CHOSEN] = layout.CLOSE
        else:
            fact[layout.CHOSEN] = CARD_OF[action]
        do = act(options, cards[at], seats[at], hands[at], fact, results[at])
        carry_on(options, words[at], cards[at], seats[at], hands[at], fact, do, results[at])
        if fact[layout.PHASE] == layout.IS_OVER:
            finish(options, fact, results[at])
            over[at] = True


@outer
def look(
    options: Any, public: Any, who: Any, observations: Any, masks: Any, words: Any, cards: Any,  # noqa: ARG001
    seats: Any, hands: Any, facts: Any, results: Any,  # noqa: ARG001
) -> None:  # fmt: skip
    for at in range(observations.shape[0]):
        own, out, mask = max(0, who[at]), observations[at], masks[at]
        out[:] = 0
        mask[:] = 0
        see(options, own, out, cards[at], seats[at], hands[at], facts[at])
        for nth in range(public.shape[0]):
            out[places.OPTIONS + nth] = public[nth]
        if facts[at, layout.TO_ACT] == own and facts[at, layout.PHASE] != layout.IS_OVER:
            allow(options, own, mask, seats[at], hands[at], facts[at])


@inner
def allow(options: Any, own: int, mask: Any, seats: Any, hands: Any, facts: Any) -> None:
    """Every legal action of the seat to act."""
    phase = facts[layout.PHASE]
    if phase == layout.TURN_START:
        mask[DRAW] = mask[STAND] = 1
        return
    if phase == layout.TURN_CLOSE or options[layout.AT_END]:
        mask[END] = mask[STAND] = 1
    else:
        mask[PASS] = 1
    if phase != layout.TURN_PLAY or seats[own, layout.ALLOWANCE] == 0:
        return
    for code in range(layout.SIDE_CARDS):
        if hands[own, code] and has_space(options, seats[own, layout.BOARD], code):
            for way in range(layout.WAY_COUNTS[code]):
                mask[FIRST_OF[code] + way] = 1


@inner
def see(options: Any, own: int, out: Any, cards: Any, seats: Any, hands: Any, facts: Any) -> None:
    """What ``encoding.observe`` writes for a seat, except the options."""
    out[places.PHASE + facts[layout.PHASE]] = 1
    if not options[layout.CHEATS + own]:
        for code in range(layout.SIDE_CARDS):
            out[places.HAND + code] = hands[own, code]
    for at in range(seats[own, layout.SIDE]):
        out[places.SIDE_DECK + cards[own, layout.REST, at]] += 1
    out[places.STARTER] = facts[layout.STARTER] == own
    out[places.ROUND_NO] = min(facts[layout.ROUND_NO], MOST)
    see_half(options, own, out, places.OWN, cards, seats, hands, facts)
    see_half(options, 1 - own, out, places.RIVAL, cards, seats, hands, facts)


@inner
def see_half(
    options: Any, seat: int, out: Any, start: int, cards: Any, seats: Any, hands: Any, facts: Any
) -> None:
    for at in range(seats[seat, layout.BOARD]):
        code = cards[seat, layout.CODE, at]
        out[start + places.VALUES + at] = cards[seat, layout.NUMBER, at]
        out[start + places.SIDE + at] = code < layout.MAIN_CODE
        out[start + places.TIEBREAKERS + at] = code == layout.TIEBREAKER
    for at in range(seats[seat, layout.PLAYED]):
        out[start + places.PLAYED + cards[seat, layout.GONE, at]] += 1
    held, cheats = 0, options[layout.CHEATS + seat]
    for code in range(layout.SIDE_CARDS):
        held += hands[seat, code]
    first = start + places.FACTS
    out[first] = seats[seat, layout.TOTAL]
    out[first + 1] = seats[seat, layout.STANDING]
    out[first + 2] = facts[layout.WINS_0 + seat]
    out[first + 3] = 0 if cheats else held
    out[first + 4] = seats[seat, layout.SIDE]
    out[first + 5] = layout.MAIN_SIZE - seats[seat, layout.MAIN_AT]
    out[first + 6] = cheats
    out[first + 7] = seats[seat, layout.ALLOWANCE] if cheats else 0


class PazaakBatch(Batch):
    """See ``Batch``. An action is a text of ``pazaak.moves``."""

    slug: ClassVar[str] = "pazaak"
    kernel: ClassVar[Kernel] = KERNEL
    steps: ClassVar = Steps(deal, play, look)

    def _to_act(self) -> Any:
        facts = self._tables[4]
        return numpy.where(facts[:, PHASE] == IS_OVER, NOBODY, facts[:, TO_ACT])


BATCH: Final = PazaakBatch
