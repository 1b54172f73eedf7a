"""Thousands of deals of Pişti at once: a vectorised environment on the compiled kernel.

    batch = PistiBatch(4096, preset="single", seed=1)
    while training:
        actions = choose(batch.observations, batch.masks)  # an action for every match
        rewards, over = batch.step(actions)

In every match one seat is to act, ``batch.seats``; ``observations`` and ``masks`` are of that seat.
A match that ends gives its rewards and is followed by the next one of the seed: match ``i`` is
number ``i``, then ``i + n``, ``i + 2n`` … Observations, actions and decks are those of
``environment``. The arrays are the batch's own: ``step`` writes into them. Without Numba everything
works, far slower.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy

from games.fast import pisti as kernel
from games.fast.bits import count_bits
from games.fast.compiling import inner, outer
from games.fast.stream import BOTS, DECKS, begin
from games.research.table import table
from games.rules.encoding import MOST, option_numbers
from games.rules.pisti import encoding as places
from games.rules.stream import purpose_start

NOTHING_ILLEGAL: Final = -1
SEATS: Final = places.SEATS
RESULTS: Final = kernel.POINTS + 2 * SEATS

CARDS, SIZE = kernel.CARDS, places.OBSERVATION.size
HAND, TOP, BOTTOM, HAND_SIZES, HEAP_SIZES = (
    places.HAND, places.TOP, places.BOTTOM, places.HAND_SIZES, places.HEAP_SIZES,
)  # fmt: skip
LAST_CAPTURER, STARTER, PISTIS, DOUBLES, TOTALS = (
    places.LAST_CAPTURER, places.STARTER, places.PISTIS, places.DOUBLES, places.TOTALS,
)  # fmt: skip
PILE_SIZE, FACE_DOWN, STOCK_SIZE, PLAYS_MADE, OPTIONS = (
    places.PILE_SIZE, places.FACE_DOWN, places.STOCK_SIZE, places.PLAYS_MADE, places.OPTIONS,
)  # fmt: skip


class PistiBatch:
    """``count`` matches side by side; see the module.

    ``observations`` has a row of ``Game.observe`` a match (int16), ``masks`` 1 for every legal
    action (int8), ``seats`` who is to act, ``numbers`` which match of the seed is played.
    """

    def __init__(
        self,
        count: int,
        *,
        preset: str | None = None,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        chosen = table("pisti", preset=preset, options=options)
        rules: Any = chosen.options
        self.players: int = rules.players
        self.observations = numpy.zeros((count, SIZE), dtype=numpy.int16)
        self.masks = numpy.zeros((count, CARDS), dtype=numpy.int8)
        self.seats = numpy.zeros(count, dtype=numpy.int64)
        self.numbers = numpy.arange(count, dtype=numpy.int64)
        self._rewards = numpy.zeros((count, self.players))
        self._over = numpy.zeros(count, dtype=numpy.bool_)
        self._options = kernel.encode(rules, chosen.setups)
        starts = [purpose_start(seed, purpose) for purpose in ("decks", "bots")]
        self._starts = numpy.array(starts, dtype=numpy.uint64)
        shown = int(rules.show_counts)
        self._public = numpy.array([shown, *option_numbers(rules)], dtype=numpy.int16)
        self._tables = _blank_tables(count)
        deal_all(self._options, self._starts, self.numbers, *self._tables)
        self._look()

    def step(self, actions: Any) -> tuple[Any, Any]:
        """Plays one action in every match: the rewards of all seats and which matches ended.

        ``ValueError`` names the first match whose action is not legal; then none is played.
        """
        chosen = numpy.ascontiguousarray(actions, dtype=numpy.int64)
        if chosen.shape != self.numbers.shape:
            raise ValueError(f"There are {len(self.numbers)} matches; name an action for each.")
        wrong = first_illegal(chosen, self.masks)
        if wrong != NOTHING_ILLEGAL:
            legal = numpy.flatnonzero(self.masks[wrong]).tolist()
            raise ValueError(f"Action {chosen[wrong]} is not legal in match {wrong}, {legal} are.")
        play_all(
            chosen, self._options, self._starts, self.numbers, self._rewards, self._over,
            *self._tables,
        )  # fmt: skip
        self._look()
        return self._rewards, self._over

    def _look(self) -> None:
        _, _, piles, facts, seats, hands, _ = self._tables
        look_all(
            self._options, self._public, self.observations, self.masks, self.seats, piles, facts,
            seats, hands,
        )  # fmt: skip


def _blank_tables(count: int) -> tuple[Any, ...]:
    """Words, decks, piles, facts, seats, hands and counts of every match, as in the kernel."""
    shapes = [array.shape for array in kernel.scratch()]
    words, *others = [numpy.zeros((count, *shape), dtype=numpy.int64) for shape in shapes]
    return (words.astype(numpy.uint64), *others, numpy.zeros((count, RESULTS), dtype=numpy.int64))


@inner
def open_deal(
    options: Any, words: Any, deck: Any, pile: Any, facts: Any, seats: Any, hands: Any, result: Any
) -> None:
    facts[kernel.DEAL_NO] += 1
    kernel.deal(options, words, deck, pile, facts, seats, result)
    players = options[kernel.PLAYERS]
    facts[kernel.STOCK] = kernel.HAND * players + kernel.HAND
    first = 0 if players == 2 else kernel.HAND
    kernel.deal_hands(options, deck, first, facts, seats, hands)


@inner
def open_match(
    options: Any, starts: Any, number: int, words: Any, deck: Any, pile: Any, facts: Any,
    seats: Any, hands: Any, result: Any,
) -> None:  # fmt: skip
    begin(words, DECKS, starts[DECKS], number)
    begin(words, BOTS, starts[BOTS], number)
    facts[kernel.DEAL_NO] = facts[kernel.OVER] = 0
    for side in range(options[kernel.SIDES]):
        seats[side, kernel.TOTAL] = 0
    open_deal(options, words, deck, pile, facts, seats, hands, result)


@outer
def deal_all(
    options: Any, starts: Any, numbers: Any, words: Any, decks: Any, piles: Any, facts: Any,
    seats: Any, hands: Any, results: Any,
) -> None:  # fmt: skip
    for at in range(numbers.shape[0]):
        open_match(
            options, starts, numbers[at], words[at], decks[at], piles[at], facts[at], seats[at],
            hands[at], results[at],
        )  # fmt: skip


@outer
def first_illegal(actions: Any, masks: Any) -> int:
    for at in range(actions.shape[0]):
        action = actions[at]
        if action < 0 or action >= CARDS or not masks[at, action]:
            return at
    return NOTHING_ILLEGAL


@inner
def take_from_hand(card: int, hands: Any, seat: int) -> None:
    """A hand is one number, the first card in its lowest eight bits."""
    hand, at = hands[seat], 0
    while (hand >> 8 * at) & 255 != card:
        at += 1
    before = (1 << 8 * at) - 1
    hands[seat] = (hand & before) | ((hand >> 8) & ~before)


@inner
def reward(options: Any, seats: Any, rewards: Any) -> None:
    """As ``match.rewards``: the winners share 1, the others lose it."""
    players, sides, best, winners = options[kernel.PLAYERS], options[kernel.SIDES], 0, 0
    for side in range(sides):
        if side == 0 or seats[side, kernel.TOTAL] > best:
            best = seats[side, kernel.TOTAL]
    for seat in range(players):
        winners += seats[seat % sides, kernel.TOTAL] == best
    for seat in range(players):
        share = 1 / winners if seats[seat % sides, kernel.TOTAL] == best else 0.0
        rewards[seat] = (share - 1 / players) * players / (players - 1)


@outer
def play_all(
    actions: Any, options: Any, starts: Any, numbers: Any, rewards: Any, over: Any, words: Any,
    decks: Any, piles: Any, facts: Any, seats: Any, hands: Any, results: Any,
) -> None:  # fmt: skip
    players, count = options[kernel.PLAYERS], actions.shape[0]
    for at in range(count):
        fact, seat = facts[at], facts[at, kernel.TO_PLAY]
        over[at] = False
        for each in range(players):
            rewards[at, each] = 0.0
        take_from_hand(actions[at], hands[at], seat)
        seats[at, seat, kernel.HELD] -= 1
        kernel.put_down(options, seat, actions[at], piles[at], fact, seats[at], results[at])
        fact[kernel.TO_PLAY] = seat + 1 if seat + 1 < players else 0
        if seats[at, fact[kernel.TO_PLAY], kernel.HELD]:
            continue
        if fact[kernel.STOCK] < CARDS:
            kernel.deal_hands(options, decks[at], fact[kernel.STOCK], fact, seats[at], hands[at])
            fact[kernel.STOCK] += kernel.HAND * players
            continue
        kernel.score(options, fact, seats[at], results[at])
        if kernel.is_decided(options, seats[at]):
            reward(options, seats[at], rewards[at])
            over[at] = True
            numbers[at] += count
            open_match(
                options, starts, numbers[at], words[at], decks[at], piles[at], fact, seats[at],
                hands[at], results[at],
            )  # fmt: skip
        else:
            open_deal(
                options, words[at], decks[at], piles[at], fact, seats[at], hands[at], results[at]
            )


@outer
def look_all(
    options: Any, public: Any, observations: Any, masks: Any, to_act: Any, piles: Any, facts: Any,
    seats: Any, hands: Any,
) -> None:  # fmt: skip
    for at in range(observations.shape[0]):
        to_act[at] = facts[at, kernel.TO_PLAY]
        look(
            options, public, observations[at], masks[at], piles[at], facts[at], seats[at], hands[at]
        )


@inner
def look(
    options: Any, public: Any, out: Any, mask: Any, pile: Any, facts: Any, seats: Any, hands: Any
) -> None:
    """What ``encoding.observe`` writes for the seat to act, and its legal cards."""
    players, sides, own = options[kernel.PLAYERS], options[kernel.SIDES], facts[kernel.TO_PLAY]
    shown = public[0]
    out[:] = 0
    mask[:] = 0
    for nth in range(seats[own, kernel.HELD]):
        card = (hands[own] >> 8 * nth) & 255
        out[HAND + card] = 1
        mask[card] = 1
    if facts[kernel.PILE]:
        out[TOP + pile[facts[kernel.PILE] - 1]] = 1
    if facts[kernel.BOTTOM] >= 0:
        out[BOTTOM + facts[kernel.BOTTOM]] = 1
    if facts[kernel.LAST_CAPTURER] >= 0:
        out[LAST_CAPTURER + (facts[kernel.LAST_CAPTURER] - own) % players] = 1
    out[STARTER + (facts[kernel.STARTER] - own) % players] = 1
    for seat in range(players):
        other = (own + seat) % players
        out[HAND_SIZES + seat] = seats[other, kernel.HELD]
        if shown:
            out[HEAP_SIZES + seat] = count_bits(seats[other, kernel.HEAP])
    for side in range(sides):
        other = (own + side) % sides
        out[PISTIS + side] = seats[other, kernel.SINGLES]
        out[DOUBLES + side] = seats[other, kernel.DOUBLES]
        out[TOTALS + side] = min(seats[other, kernel.TOTAL], MOST)
    if shown:
        out[PILE_SIZE] = facts[kernel.PILE]
    out[FACE_DOWN] = facts[kernel.FACE_DOWN]
    out[STOCK_SIZE] = CARDS - facts[kernel.STOCK]
    out[PLAYS_MADE] = facts[kernel.PLAYS]
    for nth in range(1, public.shape[0]):
        out[OPTIONS + nth - 1] = public[nth]
