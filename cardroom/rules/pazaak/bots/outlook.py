"""The worth of a position to a seat that sees its own hand: its chance to win the match.

The sum of a few entries of a table that was learned from matches against itself and the levels
below (``cardroom.research.pazaak``). Entries are log-odds in whole hundredths, so compiled code
finds exactly the same chances. Positions are those after a seat's turn, and those
between two rounds.

The tables that ``outlook`` reads: one for each way of playing, learned by matches of its own.

A file (``cardroom.rules.values``) holds hundredths of log-odds. ``python -m
cardroom.research.pazaak.train`` makes it.

The knowledge of a seat in a match, from its view and its events, as a flat world.

Of the rival's hand and of both side decks it holds how many cards there are, except its own.

Readings of a bot's view: the two halves, and the board after each card it may play.
"""

from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from math import exp
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from cardroom.rules import values
from cardroom.rules.pazaak.bots.world import (
    AMOUNTS,
    CLOSE,
    HONEST,
    KIND,
    NUMBER,
    OVER,
    PLAY,
    START,
    VALUE,
    WAY_COUNTS,
    PazaakWorld,
    empty_world,
)
from cardroom.rules.pazaak.events import Opener
from cardroom.rules.pazaak.predicates import (
    CARD_PLAYS,
    PLACES,
    TARGET,
    Board,
    lay,
    total_of,
    unseen_main,
)
from cardroom.rules.pazaak.side_cards import CARD, CODES
from cardroom.rules.pazaak.view import HalfView, PazaakView
from cardroom.rules.search import Flat
from cardroom.rules.values import Event, Move, Seat

MOST_ODDS: Final = 1200
CHANCES: Final = tuple(1 / (1 + exp(-odds / 100)) for odds in range(-MOST_ODDS, MOST_ODDS + 1))
LARGEST: Final = 6
MINUS: Final = tuple(
    max(0, *(-amount for amount in AMOUNTS[n])) if KIND[n] == VALUE else 0
    for n in range(len(CODES))
)

# Levels of what the table distinguishes.
TOTALS: Final = 24  # -3 and less to 20
SIZES: Final = PLACES + 1
MINUSES: Final = 8
RIVALS: Final = 9
MASKS: Final = 1 << LARGEST
SUMS: Final = 13
LEVELS: Final = 4
TARGETS: Final = 9  # 12 and less to 20
HELD: Final = 11
LATER: Final = 3  # cards that are still to be drawn in the match: none, a few, four or more
STARTS: Final = 2


def _ends(*sizes: int) -> tuple[tuple[int, ...], int]:
    ends, end = [], 0
    for size in sizes:
        ends.append(end)
        end += size
    return tuple(ends), end


FUTURES: Final = MINUSES * MINUSES * RIVALS * LATER * LATER
NEITHER, _first = _ends(
    SIZES * SIZES * MINUSES * RIVALS,
    SIZES * TOTALS * SUMS * 6,
    TOTALS * TOTALS * SIZES,
    TOTALS * SIZES * RIVALS,
    TOTALS * MASKS * 3,
    TOTALS * MASKS,
    FUTURES,
    TOTALS * TOTALS * MINUSES * LEVELS,
)
STANDING_MINE, _second = _ends(
    TOTALS * TOTALS * SIZES * 2,
    TOTALS * TOTALS * RIVALS,
    TOTALS * SIZES * RIVALS,
    FUTURES,
)
STANDING_THEIRS, _third = _ends(
    TOTALS * TARGETS * SIZES,
    TOTALS * TARGETS * MASKS,
    TOTALS * TARGETS * MASKS,
    TOTALS * SIZES * SUMS * 6,
    FUTURES,
)
BETWEEN, _fourth = _ends(
    HELD * 7 * HELD * LATER * STARTS,
    HELD * 20 * STARTS,
    HELD * HELD * STARTS,
    MASKS * STARTS,
    MASKS * STARTS,
)
MINE_AT: Final = _first
THEIRS_AT: Final = MINE_AT + _second
BETWEEN_AT: Final = THEIRS_AT + _third
BLOCK: Final = BETWEEN_AT + _fourth  # for each score
MOST_PLACES: Final = 8


class Sight(Flat):
    """The side cards of a seat, and the places of a position in the table."""

    minus: Annotated[list[int], LARGEST + 1]
    plus: Annotated[list[int], LARGEST + 1]
    minus_mask: int
    plus_mask: int
    minuses: int
    others: int
    minus_sum: int
    at: Annotated[list[int], MOST_PLACES]
    count: int
    between: int
    unseen: Annotated[list[int], 11]


def see(world: PazaakWorld, seat: int, sight: Sight) -> None:
    """Counts the hand."""
    sight.minus_mask = sight.plus_mask = sight.minuses = sight.others = sight.minus_sum = 0
    for amount in range(LARGEST + 1):
        sight.minus[amount] = sight.plus[amount] = 0
    for at in range(world.hand_size[seat]):
        hold(sight, world.hand[seat][at], 1)


def hold(sight: Sight, card: int, by: int) -> None:
    """One card more (1) or less (-1) in the hand."""
    if MINUS[card]:
        sight.minuses += by
        sight.minus_sum += by * MINUS[card]
    else:
        sight.others += by
    if KIND[card] == VALUE:
        for way in range(WAY_COUNTS[card]):
            amount = AMOUNTS[card][way]
            if amount > 0:
                sight.plus[amount] += by
                if sight.plus[amount]:
                    sight.plus_mask |= 1 << (amount - 1)
                else:
                    sight.plus_mask &= ~(1 << (amount - 1))
            else:
                sight.minus[-amount] += by
                if sight.minus[-amount]:
                    sight.minus_mask |= 1 << (-amount - 1)
                else:
                    sight.minus_mask &= ~(1 << (-amount - 1))


def rivals_cards(world: PazaakWorld, rival: int) -> int:
    """How many cards the rival may still play in this round."""
    if world.allowance[rival] < 0:
        return world.hand_size[rival]
    return min(world.allowance[rival], world.side_size[rival])


def later(world: PazaakWorld, seat: int) -> int:
    """How many more it draws: none, two, more."""
    if world.once or world.side_size[seat] == 0:
        return 0
    return 1 if world.side_size[seat] < 4 else 2


def score_at(world: PazaakWorld, mine: int, theirs: int) -> int:
    """The index of the block of a score; rounds that are needed, not won."""
    return ((mine - 1) * world.to_win + theirs - 1) * BLOCK


def level(total: int) -> int:
    return max(0, min(TARGET, total) + 3)


def futures(world: PazaakWorld, seat: int, sight: Sight) -> int:
    rival = 1 - seat
    index = min(MINUSES - 1, sight.minuses) * MINUSES + min(MINUSES - 1, sight.others)
    index = index * RIVALS + min(RIVALS - 1, rivals_cards(world, rival))
    return (index * LATER + later(world, seat)) * LATER + later(world, rival)


def look(
    world: PazaakWorld, seat: int, total: int, size: int, tie: int, stands: int, sight: Sight
) -> None:
    """The places of the position in which ``seat`` has ended its turn with this."""
    rival = 1 - seat
    mine, theirs = level(total), level(world.total[rival])
    rivals_size, cards = world.board_size[rival], min(RIVALS - 1, rivals_cards(world, rival))
    minuses = min(MINUSES - 1, sight.minuses)
    sums = min(SUMS - 1, sight.minus_sum // 2) * 6 + min(5, sight.minuses)
    start = score_at(world, world.to_win - world.wins[seat], world.to_win - world.wins[rival])
    at = sight.at
    sight.between = 0
    if stands:
        start += MINE_AT
        both = mine * TOTALS + theirs
        at[0] = start + STANDING_MINE[0] + (both * SIZES + rivals_size) * 2 + tie
        at[1] = start + STANDING_MINE[1] + both * RIVALS + cards
        at[2] = start + STANDING_MINE[2] + (theirs * SIZES + rivals_size) * RIVALS + cards
        at[3] = start + STANDING_MINE[3] + futures(world, seat, sight)
        sight.count = 4
    elif world.standing[rival]:
        start += THEIRS_AT
        both = mine * TARGETS + max(0, world.total[rival] - 12)
        at[0] = start + STANDING_THEIRS[0] + both * SIZES + size
        at[1] = start + STANDING_THEIRS[1] + both * MASKS + sight.plus_mask
        at[2] = start + STANDING_THEIRS[2] + both * MASKS + sight.minus_mask
        at[3] = start + STANDING_THEIRS[3] + (mine * SIZES + size) * SUMS * 6 + sums
        at[4] = start + STANDING_THEIRS[4] + futures(world, seat, sight)
        sight.count = 5
    else:
        stage = 0 if size < 5 else (1 if size < 7 else 2)
        some = 0 if cards == 0 else (1 if cards < 3 else (2 if cards < 5 else 3))
        race = (size * SIZES + rivals_size) * MINUSES + minuses
        at[0] = start + NEITHER[0] + race * RIVALS + cards
        at[1] = start + NEITHER[1] + (size * TOTALS + mine) * SUMS * 6 + sums
        at[2] = start + NEITHER[2] + (mine * TOTALS + theirs) * SIZES + size
        at[3] = start + NEITHER[3] + (theirs * SIZES + rivals_size) * RIVALS + cards
        at[4] = start + NEITHER[4] + (mine * MASKS + sight.minus_mask) * 3 + stage
        at[5] = start + NEITHER[5] + mine * MASKS + sight.plus_mask
        at[6] = start + NEITHER[6] + futures(world, seat, sight)
        hands = minuses * LEVELS + some
        at[7] = start + NEITHER[7] + (mine * TOTALS + theirs) * MINUSES * LEVELS + hands
        sight.count = 8


def look_ahead(
    world: PazaakWorld, seat: int, mine: int, theirs: int, starts: int, sight: Sight
) -> None:
    """The places between two rounds; ``mine`` and ``theirs`` are rounds needed."""
    rival, minuses = 1 - seat, 0
    if not world.once:
        for n in range(world.side_size[seat]):
            if MINUS[world.side[seat][n]]:
                minuses += 1
    start = score_at(world, mine, theirs) + BETWEEN_AT
    held = min(HELD - 1, sight.minuses)
    rivals = min(HELD - 1, rivals_cards(world, rival))
    cards = (held * 7 + min(6, minuses)) * HELD + rivals
    at = sight.at
    at[0] = start + BETWEEN[0] + (cards * LATER + later(world, rival)) * STARTS + starts
    at[1] = start + BETWEEN[1] + (held * 20 + min(19, sight.minus_sum // 2)) * STARTS + starts
    at[2] = start + BETWEEN[2] + (held * HELD + min(HELD - 1, sight.others)) * STARTS + starts
    at[3] = start + BETWEEN[3] + sight.minus_mask * STARTS + starts
    at[4] = start + BETWEEN[4] + sight.plus_mask * STARTS + starts
    sight.count, sight.between = 5, 1


def chance_of(sight: Sight, table: Any) -> float:
    """The chance to win that the entries at these places add up to."""
    odds = 0
    for n in range(sight.count):
        odds += table[sight.at[n]]
    return CHANCES[MOST_ODDS + max(-MOST_ODDS, min(MOST_ODDS, int(odds)))]


FOLDER: Final = Path(__file__).parent / "tables"
REACH: Final = {
    "classic": 2,
    "kotor1": 3,
    "kotor2": 3,
}  # rounds to win, as far as they were learned


def name_of(world: PazaakWorld) -> str:
    """The table for rules like these: by how often hands are drawn, and what nine cards mean."""
    if not world.once:
        return "classic"
    return "kotor2" if world.fill_wins else "kotor1"


def table_of(world: PazaakWorld) -> "array[int]":
    return read(name_of(world))


@cache
def read(name: str) -> "array[int]":
    return values.read(FOLDER / f"{name}.table")


def within_reach(world: PazaakWorld) -> PazaakWorld:
    """The world with a score that its table knows: who is ahead, and by how much, remains."""
    most = REACH[name_of(world)]
    needs = [world.to_win - wins for wins in world.wins]
    if world.max_rounds:
        left, lead = world.max_rounds - world.round_no + 1, world.wins[0] - world.wins[1]
        limits = (left - lead) // 2 + 1, (left + lead) // 2 + 1
        needs = [max(1, min(need, limit)) for need, limit in zip(needs, limits, strict=True)]
    far = max(0, max(needs) - most)
    world.to_win = most
    world.wins[:] = [most - max(1, need - far) for need in needs]
    return world


PHASES: Final = {"turn_start": START, "turn_play": PLAY, "turn_close": CLOSE, "over": OVER}


def position_of(view: PazaakView, me: Seat) -> PazaakWorld:
    """The world as the seat sees it."""
    world = empty_world(view.options, me)
    for seat, half in enumerate(view.halves):
        _lay_out(world, seat, half)
    world.hand_size[me] = _put(world.hand[me], numbers(view.hand or ()))
    world.side_size[me] = _put(world.side[me], numbers(view.side_deck or ()))
    world.round_no, world.turn, world.phase = view.round_no, me, PHASES[view.phase]
    world.starter = world.opener = view.starter
    return world


def _lay_out(world: PazaakWorld, seat: Seat, half: HalfView) -> None:
    board = half.board
    world.board_size[seat] = _put(world.board[seat], [card.value for card in board])
    world.total[seat] = half.total
    world.newest_tie[seat] = int(bool(board) and board[-1].code == "T")
    world.ties[seat] = int(any(card.code == "T" for card in board))
    world.standing[seat] = int(half.standing)
    world.allowance[seat] = HONEST if half.allowance is None else half.allowance
    world.wins[seat] = half.wins
    world.hand_size[seat], world.side_size[seat] = half.cards_in_hand, half.cards_in_side_deck


def _put(places: list[int], values: Sequence[int]) -> int:
    """Lays these into the first places; how many they are."""
    places[: len(values)] = values
    return len(values)


def numbers(codes: Iterable[str]) -> list[int]:
    return [NUMBER[code] for code in codes]


def unseen(view: PazaakView, events: Sequence[Event]) -> tuple[list[int], list[int]]:
    """The unseen cards of both main decks. The bottom cards shown at the opening are in those of
    round 1, and are never drawn (R6)."""
    decks = (unseen_main(view.halves[0].board), unseen_main(view.halves[1].board))
    if view.round_no == 1:
        for event in events:
            if isinstance(event, Opener):
                for deck, bottom in zip(decks, event.values, strict=True):
                    deck.remove(bottom)
    return decks


class Play(NamedTuple):
    """A card that may be played now, and the own board after it."""

    move: Move
    code: str
    board: Board
    total: int


def halves(view: PazaakView) -> tuple[HalfView, HalfView]:
    """The own half and the rival's."""
    return (view.halves[0], view.halves[1]) if view.seat == 0 else (view.halves[1], view.halves[0])


def plays(view: PazaakView) -> list[Play]:
    mine, _ = halves(view)
    return [
        _play(mine.board, move, specials_take_slot=view.options.specials_take_slot)
        for move in view.legal_moves
        if move in CARD_PLAYS
    ]


def _play(board: Board, move: Move, *, specials_take_slot: bool) -> Play:
    card = CARD_PLAYS[move]
    after, _ = lay(board, card, specials_take_slot=specials_take_slot)
    return Play(move, card.code, after, total_of(after))


def draws_by_itself(view: PazaakView) -> bool:
    """``turn_end``: a turn begins with the draw and is closed by ``end`` or ``stand``."""
    return view.options.stand_timing == "turn_end"


_BY_KIND: Final = {"plus": 2, "minus": 2, "plus-or-minus": 3, "flip": 1}


def worth(code: str) -> int:
    """The value of keeping a card: the more totals it can mend, the higher."""
    return _BY_KIND.get(CARD[code].kind, 4)
