"""Whole matches of Pyanitsa, on one record a match.

Nobody decides anything, so there is no search whose world they could be played on. ``note`` writes
a match as ``row`` reads a state of the rules.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from cardroom.fast.binding import bound, empty_records, records, stream_words
from cardroom.fast.compiling import note_cards, shuffle
from cardroom.fast.kernel import Columns, Variant, play_matches
from cardroom.rules.cards import pack
from cardroom.rules.pyanitsa.options import PyanitsaOptions, low_rank
from cardroom.rules.pyanitsa.predicates import (
    ABOVE_ACE,
    ACE_STRENGTH,
    EQUAL_JOKERS,
    NO_RANK,
    RANKED_JOKERS,
)
from cardroom.rules.pyanitsa.state import PyanitsaState
from cardroom.rules.search import Flat
from cardroom.rules.values import Setup

COLUMNS: Final = Columns(
    reasons=("all_cards", "gave_away", "limit"),
    measures=("tricks", "disputes"),
    events=("dealt", "card_laid", "recycled", "dispute", "trick_taken", "seat_out", "match_over"),
)
ALL_CARDS, GAVE_AWAY, LIMIT = range(3)
ROUNDS, PLIES, TRICKS, DISPUTES = 1, 2, 3, 4
DEALT, LAID, RECYCLED, DISPUTE, TAKEN, SEAT_OUT, OVER = range(5, 12)
POINTS: Final = COLUMNS.points

FIFO, LIFO, SHUFFLE = range(3)
AS_LAID, OWN_FIRST, RANDOM = range(3)
WINNER, FIXED, ROTATE = range(3)
NOBODY: Final = -1

SEATS: Final = 8
CARDS: Final = 54
ROOM: Final = 64  # places of a pile, a power of two

BySeat = Annotated[list[int], SEATS]
Pack = Annotated[list[int], CARDS]


class PyanitsaMatch(Flat):
    """One match in play; lists have a place for each of eight seats.

    A seat has two banks of ``ROOM`` places: ``bank`` is that of its draw pile, which begins at
    ``head`` and has ``draw`` cards; the other one has those it ``won``. ``table_size`` cards lie on
    the table, ``laid_…``. Seats ``to_lay`` from ``lay_from`` on are still to lay at this ``level``;
    it is over when there are none. Cards that were laid, piles recycled and disputes are counted.
    """

    players: int
    deck_size: int
    mortgages: int
    to_bottom: int
    recycle: int
    collect_order: int
    loses: int
    giveaway: int
    low: int
    next_leader: int
    max_tricks: int
    strengths: Pack
    deck: Pack
    piles: Annotated[list[list[int]], SEATS, 2 * ROOM]
    head: BySeat
    draw: BySeat
    won: BySeat
    bank: BySeat
    out_in: BySeat
    leader: int
    trick_no: int
    level: int
    mortgage: int
    to_lay: BySeat
    to_lay_size: int
    lay_from: int
    tied: BySeat
    disputing: int
    table_size: int
    laid_seat: Pack
    laid_card: Pack
    laid_level: Pack
    laid_down: Pack
    laid: int
    recycled: int
    disputes: int
    first_disputes: int


def encode(options: PyanitsaOptions, _setups: Sequence[Setup]) -> Any:
    """The match before its pack is shuffled."""
    match, low = PyanitsaMatch(), low_rank(options)
    match.players, match.deck_size = options.players, options.deck
    match.mortgages = int(options.dispute == "mortgage")
    match.to_bottom = int(options.collect_to == "bottom")
    match.recycle = ("fifo", "lifo", "shuffle").index(options.recycle)
    match.collect_order = ("as_laid", "own_first", "random").index(options.collect_order)
    match.loses = int(options.short_dispute == "loses")
    match.giveaway = int(options.goal == "giveaway")
    match.low = NO_RANK if low == NO_RANK else 2 * low
    match.next_leader = ("winner", "fixed", "rotate").index(options.leader)
    match.max_tricks = options.max_tricks
    match.strengths[:] = RANKED_JOKERS if options.jokers == "ranked" else EQUAL_JOKERS
    match.deck[: options.deck] = pack(options.deck)
    return records([match], PyanitsaMatch)


def open_match(words: Any, match: PyanitsaMatch) -> None:
    """One card a seat at a time; what cannot be shared is set aside (R4)."""
    shuffle(words, match.deck, 0, match.deck_size)
    each = match.deck_size // match.players
    for seat in range(match.players):
        for at in range(each):
            match.piles[seat][at] = match.deck[at * match.players + seat]
        match.draw[seat] = each
    open_trick(match, 0)


def open_trick(match: PyanitsaMatch, first: int) -> None:
    """Everybody still in is to lay, the leader first (R7)."""
    count = 0
    for step in range(match.players):
        seat = (first + step) % match.players
        if match.out_in[seat] == 0:
            match.to_lay[count] = seat
            count += 1
    match.trick_no += 1
    match.leader = match.to_lay[0]
    match.to_lay_size = count
    match.table_size = match.level = match.mortgage = match.disputing = match.lay_from = 0


def held(match: PyanitsaMatch, seat: int) -> int:
    """The cards a seat has, draw and won pile together (R5)."""
    return match.draw[seat] + match.won[seat]


def next_card(words: Any, match: PyanitsaMatch, seat: int) -> int:
    """The next card of a seat; the won pile is turned over when it is needed (R6)."""
    pile = match.piles[seat]
    if match.draw[seat] == 0:
        match.bank[seat] = ROOM - match.bank[seat]
        first, count = match.bank[seat], match.won[seat]
        if match.recycle == LIFO:
            for at in range(count // 2):
                card = pile[first + at]
                pile[first + at] = pile[first + count - 1 - at]
                pile[first + count - 1 - at] = card
        elif match.recycle == SHUFFLE:
            shuffle(words, pile, first, count)
        match.head[seat] = match.won[seat] = 0
        match.draw[seat] = count
        match.recycled += 1
    head = match.head[seat]
    match.head[seat] = (head + 1) & (ROOM - 1)
    match.draw[seat] -= 1
    return pile[match.bank[seat] + head]


def put(match: PyanitsaMatch, seat: int, card: int) -> None:
    """A taken card goes under the draw pile or onto the won pile (`collect_to`)."""
    if match.to_bottom:
        at = match.bank[seat] + ((match.head[seat] + match.draw[seat]) & (ROOM - 1))
        match.draw[seat] += 1
    else:
        at = ROOM - match.bank[seat] + match.won[seat]
        match.won[seat] += 1
    match.piles[seat][at] = card


def is_over(match: PyanitsaMatch) -> bool:
    return match.to_lay_size == 0


def take_turn(words: Any, match: PyanitsaMatch, _policies: Any) -> None:
    """The next seat lays, and what follows."""
    lay(words, match, match.to_lay[match.lay_from])
    match.lay_from += 1
    if match.lay_from == match.to_lay_size:
        taker = settle(match)
        if taker != NOBODY:
            end_trick(words, match, taker)


def lay(words: Any, match: PyanitsaMatch, seat: int) -> None:
    """Lay the cards of a seat for this level; one card instead of two is face down (`loses`)."""
    cards = 2 if match.mortgage and held(match, seat) > 1 else 1
    for nth in range(cards):
        at = match.table_size
        match.laid_seat[at], match.laid_card[at] = seat, next_card(words, match, seat)
        match.laid_level[at] = match.level
        match.laid_down[at] = 1 if match.mortgage and nth == 0 else 0
        match.table_size = at + 1
    match.laid += cards


def settle(match: PyanitsaMatch) -> int:
    """After the last card of a level (R9 to R11): the seat that takes the table, or nobody yet."""
    first = match.tied[0]
    count = highest(match)
    if count < 2:
        return match.tied[0] if count else first
    match.disputes += 1
    match.first_disputes += match.level == 0
    return open_dispute(match, count)


def highest(match: PyanitsaMatch) -> int:
    """How many seats have the highest open card of this level; they are written to ``tied``."""
    has_ace, best = False, -1
    if match.low != NO_RANK:
        for at in range(match.table_size):
            if is_open(match, at):
                has_ace = has_ace or match.strengths[match.laid_card[at]] == ACE_STRENGTH
    count = 0
    for at in range(match.table_size):
        if not is_open(match, at):
            continue
        strength = match.strengths[match.laid_card[at]]
        if has_ace and strength == match.low:
            strength = ABOVE_ACE
        if strength > best:
            best, count = strength, 0
        if strength == best:
            match.tied[count] = match.laid_seat[at]
            count += 1
    return count


def is_open(match: PyanitsaMatch, at: int) -> bool:
    """Whether this card was laid at this level, and not face down."""
    return match.laid_level[at] == match.level and not match.laid_down[at]


def open_dispute(match: PyanitsaMatch, count: int) -> int:
    """The next level (R9 to R11): the seat that takes the table at once, or nobody."""
    match.level += 1
    match.disputing = count
    match.to_lay_size = match.lay_from = 0
    two, taker = True, NOBODY
    for nth in range(count):
        seat = match.tied[nth]
        cards = held(match, seat)
        two = two and cards > 1
        if cards:
            match.to_lay[match.to_lay_size] = seat
            match.to_lay_size += 1
        elif taker < 0 and not match.loses:
            taker = seat  # R10
    match.mortgage = 1 if match.mortgages and (two or match.loses) else 0
    return match.tied[0] if taker < 0 and match.to_lay_size == 0 else taker


def end_trick(words: Any, match: PyanitsaMatch, taker: int) -> None:
    """The taker has the table; the next trick, if there is one (R13, R14)."""
    collect(words, match, taker)
    for seat in range(match.players):
        if match.out_in[seat] == 0 and seat != taker and held(match, seat) == 0:
            match.out_in[seat] = match.trick_no
    left = count_in(match)
    over = left < match.players if match.giveaway else left == 1
    if over or match.trick_no >= match.max_tricks:
        match.table_size = match.level = match.mortgage = match.disputing = 0
        match.to_lay_size = match.lay_from = 0
        return
    # Who led before leads again unless the option says otherwise; at first that was seat 0.
    first = taker if match.next_leader == WINNER else 0
    open_trick(match, (match.leader + 1) % match.players if match.next_leader == ROTATE else first)


def count_in(match: PyanitsaMatch) -> int:
    """How many seats are in (R14)."""
    left = 0
    for seat in range(match.players):
        left += match.out_in[seat] == 0
    return left


def collect(words: Any, match: PyanitsaMatch, taker: int) -> None:
    """The table goes to the taker (R13, `collect_order`)."""
    count = match.table_size
    if match.collect_order == OWN_FIRST:
        for own in (True, False):
            for at in range(count):
                if (match.laid_seat[at] == taker) == own:
                    put(match, taker, match.laid_card[at])
        return
    if match.collect_order == RANDOM:
        shuffle(words, match.laid_card, 0, count)
    for at in range(count):
        put(match, taker, match.laid_card[at])


def rank(match: PyanitsaMatch, seat: int) -> int:
    """Lower is better (R15, R16)."""
    out_in = match.out_in[seat]
    if match.giveaway:
        return 0 if out_in else 1 + held(match, seat)
    return ROOM - out_in + match.max_tricks if out_in else -held(match, seat)


def finish(match: PyanitsaMatch, result: Any) -> None:
    players, left = match.players, count_in(match)
    if match.giveaway:
        result[0] = GAVE_AWAY if left < players else LIMIT
    else:
        result[0] = ALL_CARDS if left == 1 else LIMIT
    result[ROUNDS] = result[DEALT] = result[OVER] = 1
    result[TRICKS] = result[TAKEN] = match.trick_no
    result[LAID], result[RECYCLED], result[SEAT_OUT] = match.laid, match.recycled, players - left
    result[DISPUTE], result[DISPUTES] = match.disputes, match.first_disputes
    for seat in range(players):
        place = 1
        for other in range(players):
            place += rank(match, other) < rank(match, seat)
        result[POINTS + seat] = result[POINTS + players + seat] = place


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    return stream_words(), empty_records(1, PyanitsaMatch)


def note(match: PyanitsaMatch, out: Any) -> None:
    """The whole state as ``row`` has it, into the trace."""
    out[1], out[2], out[3], out[4] = match.leader, match.trick_no, match.level, match.mortgage
    at = note_cards(out, 5, match.to_lay, match.lay_from, match.to_lay_size)
    at = note_cards(out, at, match.tied, 0, match.disputing)
    out[at] = match.table_size
    at += 1
    for nth in range(match.table_size):
        out[at], out[at + 1] = match.laid_seat[nth], match.laid_card[nth]
        out[at + 2], out[at + 3] = match.laid_level[nth], match.laid_down[nth]
        at += 4
    for seat in range(match.players):
        pile, bank, head = match.piles[seat], match.bank[seat], match.head[seat]
        out[at], out[at + 1] = match.out_in[seat], match.draw[seat]
        at += 2
        for nth in range(match.draw[seat]):
            out[at] = pile[bank + ((head + nth) & (ROOM - 1))]
            at += 1
        at = note_cards(out, at, pile, ROOM - bank, ROOM - bank + match.won[seat])
    for nth in range(match.deck_size // match.players * match.players, match.deck_size):
        out[at] = match.deck[nth]
        at += 1
    out[0] = at - 1


def row(state: PyanitsaState) -> list[int]:
    """A state of the rules as ``note`` writes it."""
    to_lay, disputing, table = state.to_lay, state.disputing, state.table
    numbers = [state.leader, state.trick_no, state.level, state.mortgage, len(to_lay), *to_lay]
    numbers += (len(disputing), *disputing, len(table))
    for laid in table:
        numbers += (laid.seat, laid.card, laid.level, laid.face_down)
    for out_in, draw, won in zip(state.out_in, state.draw, state.won, strict=True):
        numbers += (out_in, len(draw), *draw, len(won), *won)
    numbers += state.aside
    return numbers


play_batch: Final = bound(
    play_matches,
    open_match=open_match,
    is_over=is_over,
    take_turn=take_turn,
    finish=finish,
    note=note,
)

VARIANTS: Final[dict[str, Variant]] = {
    "plain": ((), {}),
    "war": (
        (),
        {
            "deck": 52,
            "dispute": "mortgage",
            "collect_order": "random",
            "short_dispute": "loses",
        },
    ),
    "six": (
        (),
        {
            "deck": 52,
            "dispute": "mortgage",
            "collect_to": "bottom",
            "collect_order": "own_first",
            "low_beats_ace": "six",
            "leader": "fixed",
            "max_tricks": 500,
        },
    ),
    "eight": (
        (),
        {
            "players": 8,
            "deck": 54,
            "recycle": "shuffle",
            "jokers": "ranked",
            "leader": "rotate",
            "dispute": "mortgage",
            "max_tricks": 700,
        },
    ),
    "giveaway": (
        (),
        {
            "players": 3,
            "recycle": "lifo",
            "goal": "giveaway",
            "low_beats_ace": "lowest",
            "pace": "auto",
        },
    ),
}
