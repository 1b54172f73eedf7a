"""Everything about a match at one version, secrets included."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import Board
from cardroom.rules.values import AnyCard, Seat, State

Phase = Literal["turn_start", "turn_play", "turn_close", "over"]


class PlayerState(msgspec.Struct, frozen=True, gc=False):
    """What one seat has; decks top first, the hand in catalogue order.

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
