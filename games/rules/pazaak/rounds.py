"""A round from its deal to its end: side decks, hands, who starts, who won, what it decides.

The round's first turn is begun by the caller (``turns.begin_turn``): there is where a turn
begins.
"""

from collections.abc import Sequence

from games.rules.errors import BadSideDeck
from games.rules.pazaak import side_cards
from games.rules.pazaak.board import MAIN_PACK, has_tiebreaker
from games.rules.pazaak.dealer import Dealer
from games.rules.pazaak.events import (
    HandDrawn,
    MatchOver,
    MatchStarted,
    Opener,
    Reason,
    RoundOver,
    RoundStarted,
)
from games.rules.pazaak.options import PazaakOptions
from games.rules.pazaak.state import Half, Halves, PazaakState
from games.rules.values import Outcome, Seat, Setup

HAND: int = 4
CHEATER = "cheater"


def outfit(options: PazaakOptions, setup: Setup) -> Setup:
    """The setup with its side deck in catalogue order; ``BadSideDeck`` names every fault (R2)."""
    return Setup(setup.name, setup.bot, _deck_of(options, setup))


def _deck_of(options: PazaakOptions, setup: Setup) -> tuple[str, ...]:
    if setup.bot == CHEATER:
        return side_cards.cheater_deck(options.catalogue)
    if setup.side_deck is None:
        if setup.bot is not None:
            return side_cards.reference_deck(options.catalogue)
        return side_cards.SINGLES if options.max_copies == 1 else side_cards.STARTER
    faults = side_cards.faults(setup.side_deck, options.catalogue, options.max_copies)
    if faults:
        raise BadSideDeck(*faults)
    return side_cards.in_order(setup.side_deck)


def sit_down(options: PazaakOptions, setups: Sequence[Setup], dealer: Dealer) -> PazaakState:
    """The state before the first round: side decks shuffled once (R3), nothing dealt."""
    first, second = (outfit(options, setup) for setup in setups)
    halves = (_half(first, dealer), _half(second, dealer))
    dealer.announce(MatchStarted(options, (first.name, second.name)))
    return PazaakState(options, halves, (0, 0), 0, 0, 0, None, "over")


def _half(setup: Setup, dealer: Dealer) -> Half:
    deck = dealer.shuffle(setup.side_deck or ())
    return Half((), tuple(deck), allowance=0 if setup.bot == CHEATER else None)


def deal(state: PazaakState, winner: Seat | None, dealer: Dealer) -> PazaakState:
    """The next round dealt (R4, R5) and its starter to act; ``winner`` won the one before."""
    options, round_no = state.options, state.round_no + 1
    mains = (tuple(dealer.shuffle(MAIN_PACK)), tuple(dealer.shuffle(MAIN_PACK)))
    opening = _opening(options, mains) if round_no == 1 else None
    starter = opening[0] if opening else _next_starter(state, winner)
    dealer.announce(RoundStarted(round_no, starter))
    if opening and opening[1]:
        dealer.announce(Opener(opening[1]))
    draws = options.hand_rule == "per_round" or round_no == 1
    halves = _hands_drawn(state.halves, mains, draws, dealer)
    opener = starter if round_no == 1 else state.opener
    return PazaakState(
        options, halves, state.wins, round_no, opener, starter, starter, "turn_start"
    )


def _hands_drawn(
    halves: Halves,
    mains: tuple[tuple[int, ...], tuple[int, ...]],
    draws: bool,  # noqa: FBT001
    dealer: Dealer,
) -> Halves:
    limit = HAND if draws else 0
    return (
        _new_half(0, halves[0], mains[0], limit, dealer),
        _new_half(1, halves[1], mains[1], limit, dealer),
    )


def _new_half(seat: Seat, half: Half, main: tuple[int, ...], limit: int, dealer: Dealer) -> Half:
    if half.allowance is not None:  # R25: what an honest seat would have drawn
        count = min(limit, len(half.side) - half.allowance)
        dealer.announce(HandDrawn(seat, count, (), cheating=True))
        return Half(main, half.side, allowance=half.allowance + count, played=half.played)
    drawn, rest = half.side[:limit], half.side[limit:]
    dealer.announce(HandDrawn(seat, len(drawn), side_cards.in_order(drawn)))
    return Half(main, rest, side_cards.in_order(half.hand + drawn), played=half.played)


def _opening(
    options: PazaakOptions, mains: tuple[tuple[int, ...], tuple[int, ...]]
) -> tuple[Seat, tuple[int, int] | None]:
    """Who starts round 1 and the two bottom cards that decided it (R6)."""
    if options.first_starter != "opener":
        return int(options.first_starter == "seat1"), None
    pairs = list(zip(mains[0], mains[1], strict=True))
    deciding = next((pair for pair in reversed(pairs) if pair[0] != pair[1]), pairs[0])
    return int(deciding[1] > deciding[0]), deciding


def _next_starter(state: PazaakState, winner: Seat | None) -> Seat:
    rule = state.options.next_starter
    if rule == "fixed":
        return state.opener
    if rule == "alternate" or winner is None:
        return 1 - state.starter
    return winner if rule == "winner" else 1 - winner


def compare(state: PazaakState) -> tuple[Seat | None, Reason]:
    """Both stand: the higher total wins (R21), a tiebreaker breaks a tie (R22)."""
    first, second = state.halves
    if first.total != second.total:
        return int(second.total > first.total), "outscore"
    scope = state.options.tiebreaker_scope
    has_first, has_second = (has_tiebreaker(half.board, scope) for half in state.halves)
    if has_first == has_second:
        return None, "tie"
    return int(has_second), "tiebreaker"


def close(state: PazaakState, winner: Seat | None, reason: Reason, dealer: Dealer) -> PazaakState:
    """The round is over (R18-R23); ``over`` stays the phase if that was the match (R24)."""
    wins = (state.wins[0] + (winner == 0), state.wins[1] + (winner == 1))
    totals = (state.halves[0].total, state.halves[1].total)
    dealer.announce(RoundOver(winner, reason, totals, wins))
    closed = PazaakState(
        state.options, state.halves, wins, state.round_no, state.opener, state.starter, None, "over"
    )
    if is_decided(closed):
        dealer.announce(MatchOver(leader(wins), wins))
    return closed


def is_decided(state: PazaakState) -> bool:
    options = state.options
    return max(state.wins) >= options.rounds_to_win or state.round_no == options.max_rounds


def leader(wins: tuple[int, int]) -> Seat | None:
    return None if wins[0] == wins[1] else int(wins[1] > wins[0])


def outcome(state: PazaakState) -> Outcome | None:
    if state.phase != "over":
        return None
    winner = leader(state.wins)
    reason = "rounds" if max(state.wins) >= state.options.rounds_to_win else "limit"
    if winner is None:
        return Outcome((0, 1), state.wins, reason, (1, 1))
    return Outcome((winner,), state.wins, reason, (1, 2) if winner == 0 else (2, 1))
