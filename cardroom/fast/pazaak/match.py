"""Whole matches on the world of the searches (``cardroom.rules.pazaak.bots.world``).

``note`` writes a world as ``row`` reads a state of the rules.
"""

from collections.abc import Sequence
from typing import Any, Final

from cardroom.fast.binding import bound, empty_records, records, stream_words
from cardroom.fast.compiling import below, note_cards
from cardroom.fast.kernel import Columns, Variant, play_matches
from cardroom.rules.pazaak.bots.simple import rookies_choice
from cardroom.rules.pazaak.bots.six_rule import NO_CARD, choice
from cardroom.rules.pazaak.bots.world import (
    AMOUNTS,
    DRAW,
    END,
    HONEST,
    MAIN_CODE,
    MAIN_SIZE,
    NUMBER,
    OPENER,
    OVER,
    PLAY,
    STAND,
    START,
    WAY_COUNTS,
    PazaakWorld,
    card_to_play,
    cards_to_play,
    empty_world,
    fits,
    open_match,
    play,
)
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.side_cards import CODES, DECK_SIZE
from cardroom.rules.pazaak.state import CHEATER, PazaakState, PlayerState, complete_setup
from cardroom.rules.values import Setup

COLUMNS: Final = Columns(
    reasons=("rounds", "limit"),
    measures=(),
    events=(
        "match_started", "round_started", "opener", "hand_drawn", "main_drawn", "card_played",
        "passed", "stood", "round_over", "match_over",
    ),
)  # fmt: skip
ROUNDS: Final = 1
(
    MATCH_STARTED, ROUND_STARTED, OPENER_TOLD, HAND_DRAWN, MAIN_DRAWN, CARD_PLAYED, PASSED, STOOD,
    ROUND_OVER, MATCH_OVER,
) = range(3, 13)  # fmt: skip
POINTS: Final = COLUMNS.points

RANDOM, ROOKIE, GAMBLER = range(3)
NONE: Final = -1
SIDE_CARDS: Final = len(CODES)
PHASES: Final = ("turn_start", "turn_play", "turn_close", "over")


def encode(options: PazaakOptions, setups: Sequence[Setup]) -> Any:
    """The world before its side decks are shuffled."""
    world = empty_world(options, 0)
    world.last = world.round_no = 0
    for seat, setup in enumerate(setups):
        deck = complete_setup(options, setup).side_deck or ()
        world.side[seat][:] = [NUMBER[code] for code in deck]
        world.side_size[seat] = DECK_SIZE
        world.allowance[seat] = 0 if setup.bot == CHEATER else HONEST
    return records([world], PazaakWorld)


def is_over(world: PazaakWorld) -> bool:
    return world.phase == OVER


def take_turn(words: Any, world: PazaakWorld, policies: Any) -> None:
    card, amount = choose(words, world, policies[world.turn])
    play(world, card, amount, words)


def choose(words: Any, world: PazaakWorld, policy: int) -> tuple[int, int]:
    """The move of the seat to act."""
    if policy == RANDOM:
        return choose_at_random(words, world)
    return choice(world) if policy == GAMBLER else rookies_choice(world)


def choose_at_random(words: Any, world: PazaakWorld) -> tuple[int, int]:
    """The moves in the order of the rules: cards of the catalogue, each way to play them."""
    ways, closing = 0, 2
    if world.phase == PLAY:
        card = next_card(world, NO_CARD)
        while card < SIDE_CARDS:
            ways += WAY_COUNTS[card]
            card = next_card(world, card)
        closing = 2 if world.at_end else 1
    number = below(words, ways + closing) if ways + closing > 1 else 0
    if number >= ways:
        return (STAND if number > ways else DRAW if world.phase == START else END), 0
    card = next_card(world, NO_CARD)
    while number >= WAY_COUNTS[card]:
        number -= WAY_COUNTS[card]
        card = next_card(world, card)
    return card, AMOUNTS[card][number]


def next_card(world: PazaakWorld, card: int) -> int:
    """The first card of the catalogue after this one that the seat to act may play."""
    nearest = SIDE_CARDS
    for at in range(cards_to_play(world, world.turn)):
        other = card_to_play(world, world.turn, at)
        if card < other < nearest and fits(world, other):
            nearest = other
    return nearest


def finish(world: PazaakWorld, result: Any) -> None:
    wins = world.wins
    result[0] = max(wins[0], wins[1]) < world.to_win
    result[ROUNDS] = result[ROUND_STARTED] = result[ROUND_OVER] = world.round_no
    result[MATCH_STARTED] = result[MATCH_OVER] = 1
    result[OPENER_TOLD] = world.first_starter == OPENER
    result[HAND_DRAWN] = 2 * world.round_no
    result[MAIN_DRAWN], result[PASSED], result[STOOD] = world.draws, world.passes, world.stands
    result[CARD_PLAYED] = world.played_size[0] + world.played_size[1]
    for seat in range(2):
        result[POINTS + seat] = wins[seat]
        result[POINTS + 2 + seat] = 1 + (wins[1 - seat] > wins[seat])


def note(world: PazaakWorld, out: Any) -> None:
    """The whole state as ``row`` has it, into the trace."""
    out[1], out[2], out[3] = world.round_no, world.opener, world.starter
    out[4] = NONE if world.phase == OVER else world.turn
    out[5], out[6], out[7] = world.phase, world.wins[0], world.wins[1]
    at = 8
    for seat in range(2):
        size, honest = world.side_size[seat], world.allowance[seat] < 0
        out[at], out[at + 1] = world.standing[seat], world.total[seat]
        out[at + 2], out[at + 3] = world.allowance[seat], size
        for nth in range(size):
            out[at + 4 + nth] = world.side[seat][size - 1 - nth if honest else nth]
        at = note_cards(out, at + 4 + size, world.main[seat], world.drawn[seat], MAIN_SIZE)
        at = note_cards(out, at, world.played[seat], 0, world.played_size[seat])
        at = note_cards(out, at, world.codes[seat], 0, world.board_size[seat])
        at = note_cards(out, at, world.board[seat], 0, world.board_size[seat])
        for card in range(SIDE_CARDS):
            out[at + card] = 0
        for nth in range(world.hand_size[seat]):
            out[at + world.hand[seat][nth]] += 1
        at += SIDE_CARDS
    out[0] = at - 1


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    return stream_words(), empty_records(1, PazaakWorld)


play_batch: Final = bound(
    play_matches,
    open_match=open_match,
    is_over=is_over,
    take_turn=take_turn,
    finish=finish,
    note=note,
)


def row(state: PazaakState) -> list[int]:
    """A state of the rules as ``note`` writes it."""
    to_act = NONE if state.to_act is None else state.to_act
    numbers = [state.round_no, state.opener, state.starter, to_act, PHASES.index(state.phase)]
    numbers += state.wins
    for player in state.halves:
        numbers += _half(player)
    return numbers


def _half(player: PlayerState) -> list[int]:
    numbers = [player.standing, player.total]
    numbers.append(NONE if player.allowance is None else player.allowance)
    codes = [
        MAIN_CODE + int(card.code) if card.source == "main" else NUMBER[card.code]
        for card in player.board
    ]
    for cards in (
        [NUMBER[code] for code in player.side],
        player.main,
        [NUMBER[code] for code in player.played],
        codes,
        [card.value for card in player.board],
    ):
        numbers += [len(cards), *cards]
    return [*numbers, *(player.hand.count(code) for code in CODES)]


VARIANTS: Final[dict[str, Variant]] = {
    "random": (("random",), {}),
    "gambler": (("gambler", "rookie"), {}),
    "cheater": (("cheater", "gambler"), {"max_copies": 3}),
    "kotor1": (
        ("gambler", "cheater"),
        {
            "hand_rule": "once",
            "rounds_to_win": 3,
            "catalogue": "kotor1",
            "stand_timing": "turn_end",
            "table_fill": "stand",
            "next_starter": "fixed",
        },
    ),
    "kotor2": (
        ("random", "gambler"),
        {
            "hand_rule": "once",
            "rounds_to_win": 3,
            "catalogue": "kotor2",
            "stand_timing": "turn_end",
            "specials_take_slot": True,
        },
    ),
    "limit": (
        ("rookie", "random"),
        {
            "max_rounds": 4,
            "auto_stand_20": False,
            "tiebreaker_scope": "played_this_round",
            "first_starter": "seat1",
            "next_starter": "loser",
        },
    ),
}
