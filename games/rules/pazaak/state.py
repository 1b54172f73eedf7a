"""Everything about a match at one version, secrets included."""

from typing import Literal

import msgspec

from games.rules.pazaak.board import Board
from games.rules.pazaak.options import PazaakOptions
from games.rules.values import Seat, State

Phase = Literal["turn_start", "turn_play", "turn_close", "over"]


class Half(msgspec.Struct, frozen=True, gc=False):
    """One seat's half of the table; decks top first, the hand in catalogue order.

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


Halves = tuple[Half, Half]


class PazaakState(State, frozen=True, gc=False):
    """``opener`` started round 1, ``starter`` started this round; ``to_act`` is None when over."""

    options: PazaakOptions
    halves: Halves
    wins: tuple[int, int]
    round_no: int
    opener: Seat
    starter: Seat
    to_act: Seat | None
    phase: Phase
