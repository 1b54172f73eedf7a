"""The worlds of ``professor`` compiled: of ``games.rules.pazaak.bots`` what ``belief`` samples,
``world`` and ``six_rule`` play out and ``prospects`` finds it worth, number for number.

Rounds are played by the functions of the kernel, with the rule of ``gambler`` for both seats. All
that a world draws comes from one stream; with later rounds to play it has another for their decks.
"""

from typing import Any, Final

import numpy

from games.fast.compiling import inner, outer
from games.fast.kernel import work_arrays
from games.fast.pazaak import batch
from games.fast.pazaak.layout import (
    ALLOWANCE,
    AMOUNTS,
    BOARD,
    CHEATS,
    CHOSEN,
    CODE,
    GAMBLER,
    IS_OVER,
    MAIN,
    NUMBER,
    ONCE,
    PHASE,
    POINTS,
    REST,
    ROUNDS_TO_WIN,
    SIDE,
    SIDE_CARDS,
    WAY,
    WAY_COUNTS,
    WINS_0,
)
from games.fast.pazaak.policies import choose
from games.fast.pazaak.rounds import next_starter
from games.fast.pazaak.turns import act, carry_on
from games.fast.stream import below, chance, next_word, shuffle
from games.rules.pazaak.bots import prospects
from games.rules.pazaak.bots.belief import STILL_HELD, TRIES
from games.rules.pazaak.predicates import PLACES
from games.rules.pazaak.side_cards import DECK_SIZE

# What the seat that searches knows, beside its arrays.
ME, MODELLED, MAIN_LEFT, DECKS_LIKELY, HELD, PASSED, START = 0, 1, 2, 4, 5, 6, 7

KNOWN: Final = 8

CHANCES: Final = numpy.array(prospects.CHANCES)

MOST_ODDS: Final = prospects.MOST_ODDS


@inner
def sample(
    words: Any, known: Any, unseen: Any, own: Any, likely: Any, passed: Any,
    cards: Any, seats: Any, hands: Any, deck: Any, world_words: Any,
) -> None:  # fmt: skip
    """``belief.Belief.sample``: what is not known, into arrays that hold the rest."""
    me = known[ME]
    for seat in range(2):
        for at in range(known[MAIN_LEFT + seat]):
            cards[seat, MAIN, at] = unseen[seat, at]
        shuffle(words, cards[seat, MAIN], 0, known[MAIN_LEFT + seat])
    if not known[MODELLED]:
        for at in range(seats[me, SIDE]):
            cards[me, REST, at] = own[at]
        shuffle(words, cards[me, REST], 0, seats[me, SIDE])
        world_words[0] = next_word(words, 0)
    size = draw_rivals_cards(words, known, likely, passed, deck)
    rival, held = 1 - me, known[HELD]
    for code in range(SIDE_CARDS):
        hands[rival, code] = 0
    counted = held if seats[rival, ALLOWANCE] < 0 else size
    for at in range(counted):
        hands[rival, deck[at]] += 1
    for at in range(held, size):
        cards[rival, REST, at - held] = deck[at]
    seats[rival, SIDE] = size - held


@inner
def draw_rivals_cards(words: Any, known: Any, likely: Any, passed: Any, deck: Any) -> int:
    """A likely deck in a random order; its size. A row of ``likely`` begins with its size."""
    size, held = 0, known[HELD]
    for _ in range(TRIES):
        chosen = below(words, known[DECKS_LIKELY], 0)
        size = likely[chosen, 0]
        for at in range(size):
            deck[at] = likely[chosen, 1 + at]
        shuffle(words, deck, 0, size)
        if not known[PASSED] or chance(words, 0) < fits(known, passed, deck, held):
            break
    return size


@inner
def fits(known: Any, passed: Any, deck: Any, held: int) -> float:
    """How likely the rival would have let pass what it did with this hand."""
    odds = 1.0
    for which in range(known[PASSED]):
        low, high = passed[which, 0], passed[which, 1]
        found = False
        for at in range(held - passed[which, 2]):
            code = deck[at]
            for way in range(WAY_COUNTS[code]):
                if low <= AMOUNTS[code, way] < high:
                    found = True
        if found:
            odds *= STILL_HELD
    return odds


@inner
def copy_world(
    cards: Any, seats: Any, hands: Any, facts: Any,
    of_cards: Any, of_seats: Any, of_hands: Any, of_facts: Any,
) -> None:  # fmt: skip
    """Makes the first world equal to the second, as far as a playout looks."""
    for seat in range(2):
        for at in range(PLACES):
            cards[seat, MAIN, at] = of_cards[seat, MAIN, at]
        for at in range(of_seats[seat, SIDE]):
            cards[seat, REST, at] = of_cards[seat, REST, at]
        for at in range(of_seats[seat, BOARD]):
            cards[seat, CODE, at] = of_cards[seat, CODE, at]
            cards[seat, NUMBER, at] = of_cards[seat, NUMBER, at]
        for at in range(of_seats.shape[1]):
            seats[seat, at] = of_seats[seat, at]
        for code in range(SIDE_CARDS):
            hands[seat, code] = of_hands[seat, code]
    for at in range(of_facts.shape[0]):
        facts[at] = of_facts[at]


@inner
def play_out(
    options: Any, words: Any, cards: Any, seats: Any, hands: Any, facts: Any, result: Any
) -> None:
    """The chosen move, then both seats by the rule of ``gambler``."""
    is_chosen = True
    while facts[PHASE] != IS_OVER:
        if not is_chosen:
            choose(options, GAMBLER, seats, cards, hands, facts, words)
        is_chosen = False
        do = act(options, cards, seats, hands, facts, result)
        carry_on(options, words, cards, seats, hands, facts, do, result)


@inner
def worth(
    options: Any, known: Any, leads: Any, weights: Any, cards: Any, seats: Any, hands: Any,
    facts: Any,
) -> float:  # fmt: skip
    """``belief.Belief.worth``."""
    me = known[ME]
    mine, theirs = facts[WINS_0 + me], facts[WINS_0 + 1 - me]
    if not known[MODELLED] or max(mine, theirs) == options[ROUNDS_TO_WIN]:
        return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
    needed, rivals = options[ROUNDS_TO_WIN] - mine, options[ROUNDS_TO_WIN] - theirs
    odds = leads[needed, rivals] - leads[rivals, needed]
    odds += known[START] if next_starter(options, facts) == me else -known[START]
    odds += count_cards(options, weights, cards, seats, hands, me)
    odds -= count_cards(options, weights, cards, seats, hands, 1 - me)
    return CHANCES[MOST_ODDS + odds]  # type: ignore[no-any-return]


@inner
def count_cards(options: Any, weights: Any, cards: Any, seats: Any, hands: Any, seat: int) -> int:
    """What the side cards that the seat may still play count; a cheater's lie in ``hands``."""
    counted = 0
    for code in range(SIDE_CARDS):
        counted += hands[seat, code] * weights[code]
    side, allowance = seats[seat, SIDE], seats[seat, ALLOWANCE]
    if options[CHEATS + seat]:
        if options[ONCE] and allowance < side:
            return counted * allowance // side  # type: ignore[no-any-return]
        return counted
    if not options[ONCE]:
        for at in range(side):
            counted += weights[cards[seat, REST, at]]
    return counted


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_worlds`` works in, the last ones of its parameters."""
    world_words, deck, result = work_arrays(DECK_SIZE, POINTS)
    return (world_words, *batch.scratch(), deck, result)


@outer
def play_worlds(
    words: Any, worlds: int, moves: Any, totals: Any,
    options: Any, known: Any, choices: Any, leads: Any, weights: Any,
    unseen: Any, own: Any, likely: Any, passed: Any,
    world_cards: Any, world_seats: Any, world_hands: Any, world_facts: Any,
    world_words: Any, twin_words: Any,
    cards: Any, seats: Any, hands: Any, facts: Any, deck: Any, result: Any,
) -> None:  # fmt: skip
    """Adds to ``totals`` what each of the moves is worth in so many worlds.

    ``search`` says what the arrays hold. What is known lies in those of the worlds, where each
    sample adds the rest.
    """
    for _ in range(worlds):
        sample(
            words, known, unseen, own, likely, passed,
            world_cards, world_seats, world_hands, deck, world_words,
        )  # fmt: skip
        for nth in range(moves.shape[0]):
            copy_world(
                cards, seats, hands, facts, world_cards, world_seats, world_hands, world_facts
            )
            twin_words[0] = world_words[0]
            facts[CHOSEN], facts[WAY] = choices[moves[nth], 0], choices[moves[nth], 1]
            play_out(options, twin_words, cards, seats, hands, facts, result)
            totals[nth] += worth(options, known, leads, weights, cards, seats, hands, facts)
