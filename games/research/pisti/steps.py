"""The matches of ``batch`` in compiled code: dealing, playing, what the seat to act sees.

All of it is in one file: Numba compiles again what it keeps on the disk when this file changes, or
any of ``games.fast`` and ``games.rules``.
"""

from typing import Any, Final

from games.fast.bits import count_bits
from games.fast.compiling import inner, outer
from games.fast.pisti import layout
from games.fast.pisti.batch import open_match
from games.fast.pisti.dealing import deal_from_stock, open_deal
from games.fast.pisti.rounds import is_decided, score
from games.fast.pisti.turns import put_down, without
from games.fast.stream import BOTS, DECKS, begin
from games.rules.encoding import MOST
from games.rules.pisti import encoding as places

NOTHING_ILLEGAL: Final = -1


@inner
def next_match(
    options: Any, starts: Any, number: int, words: Any, deck: Any, pile: Any, facts: Any,
    seats: Any, hands: Any, result: Any,
) -> None:  # fmt: skip
    begin(words, DECKS, starts[DECKS], number)
    begin(words, BOTS, starts[BOTS], number)
    open_match(options, facts, seats)
    open_deal(options, words, deck, pile, facts, seats, hands, result)


@outer
def deal_all(
    options: Any, starts: Any, numbers: Any, words: Any, decks: Any, piles: Any, facts: Any,
    seats: Any, hands: Any, results: Any,
) -> None:  # fmt: skip
    for at in range(numbers.shape[0]):
        next_match(
            options, starts, numbers[at], words[at], decks[at], piles[at], facts[at], seats[at],
            hands[at], results[at],
        )  # fmt: skip


@outer
def first_illegal(actions: Any, masks: Any) -> int:
    for at in range(actions.shape[0]):
        action = actions[at]
        if action < 0 or action >= layout.CARDS or not masks[at, action]:
            return at
    return NOTHING_ILLEGAL


@inner
def take_from_hand(card: int, hands: Any, seat: int) -> None:
    hand, at = hands[seat], 0
    while (hand >> 8 * at) & 255 != card:
        at += 1
    hands[seat] = without(hand, at)


@inner
def reward(options: Any, seats: Any, rewards: Any) -> None:
    """As ``match.rewards``: the winners share 1, the others lose it."""
    players, sides, best, winners = options[layout.PLAYERS], options[layout.SIDES], 0, 0
    for side in range(sides):
        if side == 0 or seats[side, layout.TOTAL] > best:
            best = seats[side, layout.TOTAL]
    for seat in range(players):
        winners += seats[seat % sides, layout.TOTAL] == best
    for seat in range(players):
        share = 1 / winners if seats[seat % sides, layout.TOTAL] == best else 0.0
        rewards[seat] = (share - 1 / players) * players / (players - 1)


@outer
def play_all(
    actions: Any, options: Any, starts: Any, numbers: Any, rewards: Any, over: Any, words: Any,
    decks: Any, piles: Any, facts: Any, seats: Any, hands: Any, results: Any,
) -> None:  # fmt: skip
    players, count = options[layout.PLAYERS], actions.shape[0]
    for at in range(count):
        fact, seat = facts[at], facts[at, layout.TO_PLAY]
        over[at] = False
        for each in range(players):
            rewards[at, each] = 0.0
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
            reward(options, seats[at], rewards[at])
            over[at] = True
            numbers[at] += count
            next_match(
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
        to_act[at] = facts[at, layout.TO_PLAY]
        look(
            options, public, observations[at], masks[at], piles[at], facts[at], seats[at], hands[at]
        )


@inner
def look(
    options: Any, public: Any, out: Any, mask: Any, pile: Any, facts: Any, seats: Any, hands: Any
) -> None:
    """What ``encoding.observe`` writes for the seat to act, and its legal cards."""
    players, sides, own = options[layout.PLAYERS], options[layout.SIDES], facts[layout.TO_PLAY]
    shown = public[0]
    out[:] = 0
    mask[:] = 0
    for nth in range(seats[own, layout.HELD]):
        card = (hands[own] >> 8 * nth) & 255
        out[places.HAND + card] = 1
        mask[card] = 1
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
