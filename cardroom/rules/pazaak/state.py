"""Everything about a match at one version, secrets included.

How a match and its rounds begin: side decks, hands, who starts (R2 to R6, R23, R25).
"""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from cardroom.rules.pazaak import side_cards
from cardroom.rules.pazaak.events import HandDrawn, MatchStarted, Opener, RoundStarted
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import MAIN_PACK, Board
from cardroom.rules.values import AnyCard, BadSideDeck, Seat, Setup, State, StepBuilder

Phase = Literal["turn_start", "turn_play", "turn_close", "over"]


class PlayerState(msgspec.Struct, frozen=True, gc=False):
    """One seat's part of the state; decks top first, the hand in catalogue order.

    ``side`` is what is left of the side deck, ``played`` what has gone from it for the match (R3),
    in the order it went. ``allowance`` is a cheater's (R25), ``None`` for honest seats; a
    cheater's hand stays empty.
    """

    main: tuple[int, ...]
    side: tuple[str, ...]
    hand: tuple[str, ...] = ()
    board: Board = ()
    total: int = 0
    standing: bool = False
    allowance: int | None = None
    played: tuple[str, ...] = ()


class PazaakState(State, frozen=True, gc=False):
    """``opener`` started round 1, ``starter`` started this round; ``to_act`` is None when over."""

    options: PazaakOptions
    halves: tuple[PlayerState, PlayerState]
    wins: tuple[int, int]
    round_no: int
    opener: Seat
    starter: Seat
    to_act: Seat | None
    phase: Phase


def with_turn(state: PazaakState, seat: Seat, player: PlayerState, phase: Phase) -> PazaakState:
    """The state in which ``seat`` has what ``player`` says and is to act."""
    halves = (player, state.halves[1]) if seat == 0 else (state.halves[0], player)
    return replace(state, halves=halves, to_act=seat, phase=phase)


def cards(state: PazaakState) -> tuple[AnyCard, ...]:
    """Both main decks and both side decks: a hundred cards, the same all match long."""
    all_cards: list[AnyCard] = []
    for player in state.halves:
        all_cards += player.main
        all_cards += [int(card.code) for card in player.board if card.source == "main"]
        all_cards += player.side + player.hand + player.played
    return tuple(all_cards)


HAND: Final = 4
CHEATER: Final = "cheater"

MainDecks = tuple[tuple[int, ...], tuple[int, ...]]


def complete_setup(options: PazaakOptions, setup: Setup) -> Setup:
    """The setup with its side deck in catalogue order; ``BadSideDeck`` names every fault (R2)."""
    return replace(setup, side_deck=_deck_of(options, setup))


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


def set_up(options: PazaakOptions, setups: Sequence[Setup], step: StepBuilder) -> PazaakState:
    """The state before the first round: side decks shuffled once (R3), nothing dealt."""
    first, second = (complete_setup(options, setup) for setup in setups)
    halves = (_player(first, step), _player(second, step))
    step.emit(MatchStarted(options=options, names=(first.name, second.name)))
    return PazaakState(
        options=options,
        halves=halves,
        wins=(0, 0),
        round_no=0,
        opener=0,
        starter=0,
        to_act=None,
        phase="over",
    )


def _player(setup: Setup, step: StepBuilder) -> PlayerState:
    deck = tuple(step.shuffle(setup.side_deck or ()))
    return PlayerState(main=(), side=deck, allowance=0 if setup.bot == CHEATER else None)


def open_round(before: PazaakState, winner: Seat | None, step: StepBuilder) -> PazaakState:
    """The next round dealt (R4, R5) and its starter to act; ``winner`` won the one before."""
    options, round_no = before.options, before.round_no + 1
    mains = (tuple(step.shuffle(MAIN_PACK)), tuple(step.shuffle(MAIN_PACK)))
    opening = _opening(options, mains) if round_no == 1 else None
    starter = opening[0] if opening else _next_starter(before, winner)
    step.emit(RoundStarted(round_no=round_no, starter=starter))
    if opening and opening[1]:
        step.emit(Opener(values=opening[1]))
    return replace(
        before,
        halves=_hands_drawn(before, mains, step),
        round_no=round_no,
        opener=starter if round_no == 1 else before.opener,
        starter=starter,
        to_act=starter,
        phase="turn_start",
    )


def _hands_drawn(
    before: PazaakState, mains: MainDecks, step: StepBuilder
) -> tuple[PlayerState, PlayerState]:
    draws = before.options.hand_rule == "per_round" or before.round_no == 0
    limit = HAND if draws else 0
    first, second = before.halves
    return (
        _draw_hand(0, first, mains[0], limit, step),
        _draw_hand(1, second, mains[1], limit, step),
    )


def _draw_hand(
    seat: Seat, before: PlayerState, main: tuple[int, ...], limit: int, step: StepBuilder
) -> PlayerState:
    """The seat with an empty board and up to ``limit`` cards more in its hand (R5)."""
    cleared = replace(before, main=main, board=(), total=0, standing=False)
    if before.allowance is not None:  # R25: what an honest seat would have drawn
        count = min(limit, len(before.side) - before.allowance)
        step.emit(HandDrawn(seat=seat, count=count, cards=(), cheating=True))
        return replace(cleared, allowance=before.allowance + count)
    drawn, rest = before.side[:limit], before.side[limit:]
    step.emit(HandDrawn(seat=seat, count=len(drawn), cards=side_cards.in_order(drawn)))
    return replace(cleared, side=rest, hand=side_cards.in_order(before.hand + drawn))


def _opening(options: PazaakOptions, mains: MainDecks) -> tuple[Seat, tuple[int, int] | None]:
    """The seat that starts round 1, and the two bottom cards that decided it (R6)."""
    if options.first_starter != "opener":
        return int(options.first_starter == "seat1"), None
    pairs = list(zip(mains[0], mains[1], strict=True))
    deciding = next((pair for pair in reversed(pairs) if pair[0] != pair[1]), pairs[0])
    return int(deciding[1] > deciding[0]), deciding


def _next_starter(before: PazaakState, winner: Seat | None) -> Seat:
    rule = before.options.next_starter
    if rule == "fixed":
        return before.opener
    if rule == "alternate" or winner is None:
        return 1 - before.starter
    return winner if rule == "winner" else 1 - winner
