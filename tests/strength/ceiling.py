"""The worth of knowing the hands to a search of Shithead, against `keeper`.

    python -m tests.strength.ceiling --deals 300 --playouts 2000 --hands open
    python -m tests.strength.ceiling --deals 300 --playouts 2000 --hands open --players 4

Each deal is played from every seat, the same deals either way: those of the row. With `--hands
open` the search sees what the others hold, hidden cards aside, in all its turns but the exchange.
No computer that sees its view alone can be expected to judge hands better.
"""

import argparse
from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean, stdev
from typing import Any

from cardroom.arena import compiled_code
from cardroom.arena.series import generator
from cardroom.arena.statistics import Z95, sequences_interval
from cardroom.research.shithead.train import compiled_form, true_world
from cardroom.rules.cards import TEXT
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots import searcher
from cardroom.rules.shithead.bots.belief import Known
from cardroom.rules.shithead.bots.simple import escapes_repetition
from cardroom.rules.shithead.bots.world import PLACE
from cardroom.rules.shithead.knowledge import unseen_cards
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shithead.state import ShitheadState
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Event, Move, Setup, pick_seat

Choose = Callable[[ShitheadState, int, Sequence[Event], Random], Move]


def with_open_hands(state: ShitheadState, seat: int) -> Known:
    """The knowledge of a seat that sees all hands."""
    world, unseen = true_world(state, seat), unseen_cards(SHITHEAD.view(state, seat))
    for hand in state.hands:
        unseen.difference_update(hand)
    world.deck[: len(unseen)] = [PLACE[TEXT[card][0]] for card in sorted(unseen)]
    return Known([world], [], [], [], [1.0] * len(state.hands))


def seeing(choose: Choose, playouts: int, form: searcher.SearchForm) -> Choose:
    """``choose``, but with open hands wherever there is something to search in play."""

    def chosen(state: ShitheadState, seat: int, events: Sequence[Event], rng: Random) -> Move:
        view = SHITHEAD.view(state, seat)
        moves = view.legal_moves
        if view.phase == "exchange" or len(moves) == 1 or moves[0].startswith("blind"):
            return choose(state, seat, events, rng)
        if escapes_repetition(view, rng):
            return rng.choice(moves)
        by_choice = {searcher.choice_of(view, move): move for move in moves}
        known = with_open_hands(state, seat)
        ends = searcher.how_playouts_end(view, searcher.CAREFUL)
        budget = searcher.affordable(playouts, known, ends)
        best = searcher.best(known, len(by_choice), budget, rng, form, ends)
        return by_choice[best]

    return chosen


def bots(name: str) -> Choose:
    bot: Any = compiled_code.quick(SHITHEAD, SHITHEAD.bot(name))

    def chosen(state: ShitheadState, seat: int, events: Sequence[Event], rng: Random) -> Move:
        seen = [event.seen_by(seat) for event in events]
        remembered = SHITHEAD.recent_events(seen, bot.remembers)
        return bot.choose(SHITHEAD.view(state, seat), remembered, rng)

    return chosen


def is_shed(
    options: ShitheadOptions, deal: int, seat: int, first: Choose, other: Choose, seed: int
) -> float:
    """Whether ``first``, who has this seat, loses against others in all other seats."""
    rng = generator(seed, "bots", options.players * deal + seat)
    shuffle = seeded(generator(seed, "decks", deal))
    setups = [Setup(f"seat {at}") for at in range(options.players)]
    step = SHITHEAD.start(options, setups, shuffle)
    events = list(step.events)
    while acting := SHITHEAD.to_act(step.state):
        turn = pick_seat(acting, rng)
        choose = first if turn == seat else other
        step = SHITHEAD.play(step.state, turn, choose(step.state, turn, events, rng), shuffle)
        events += step.events
    return float(seat in step.state.last_shed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--playouts", type=int, default=2000)
    parser.add_argument("--hands", choices=["open", "hidden"], default="open")
    parser.add_argument("--players", type=int, default=2, choices=range(2, 19))
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if chosen.deals < 2:
        parser.error("--deals: an interval needs 2 or more")
    form = compiled_form()
    strong = bots(f"strong_searcher:playouts={chosen.playouts}")
    if chosen.hands == "open":
        strong = seeing(strong, chosen.playouts, form)
    keeper, options = bots("keeper"), SHITHEAD.options(players=chosen.players)
    seats = range(options.players)
    shares = [
        fmean(is_shed(options, deal, seat, strong, keeper, chosen.seed) for seat in seats)
        for deal in range(chosen.deals)
    ]
    found = sequences_interval(fmean(shares), stdev(shares), len(shares), len(seats), Z95)
    value, low, high = (100 * part for part in (found.value, found.low, found.high))
    print(
        f"hands {chosen.hands}, {chosen.playouts} playouts: the shed in {value:.1f} % "
        f"({low:.1f}–{high:.1f}) of {len(seats) * chosen.deals} matches"
    )


if __name__ == "__main__":
    main()
