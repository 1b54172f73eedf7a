"""The view of a seat (rules §5): both boards, every count, its own hand, its own rest unordered."""

import msgspec

from cardroom.rules.pazaak import rules, side_cards
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import Board
from cardroom.rules.pazaak.state import PazaakState, Phase, PlayerState
from cardroom.rules.values import Seat, View


class HalfView(msgspec.Struct, frozen=True, gc=False):
    """What everybody sees of one seat's half of the table.

    * ``board``: the cards placed, oldest first; each has ``source`` (``main`` or ``side``),
      ``code`` (what is printed on it) and ``value`` (what it counts now).
    * ``total``: the sum of those values; may be negative.
    * ``standing``: the seat has no more turns this round.
    * ``wins``: rounds won so far.
    * ``cards_in_hand``, ``cards_in_side_deck``, ``cards_in_main_deck``: how many cards are left.
    * ``played``: the side cards the seat has played in this match, in that order; they are gone.
    * ``allowance``: how many cards a cheater may still play (R25); null for honest seats.
    """

    board: Board
    total: int
    standing: bool
    wins: int
    cards_in_hand: int
    cards_in_side_deck: int
    cards_in_main_deck: int
    played: tuple[str, ...]
    allowance: int | None


class PazaakView(View, frozen=True, kw_only=True, gc=False):
    """A match of Pazaak as one seat, or a spectator, may see it.

    * ``options``: the rule choices of the match.
    * ``phase``: ``turn_start`` (draw or stand), ``turn_play`` (a card or not), ``turn_close`` (a
      card was played; end the turn or stand), ``over``.
    * ``round_no``: the round being played, from 1; ``starter``: the seat that began it.
    * ``halves``: both halves of the table, by seat.
    * ``hand``: the own hand in catalogue order; null for spectators.
    * ``side_deck``: the own cards not drawn yet, in catalogue order, which says nothing of the
      order they will come in; null for spectators.
    """

    options: PazaakOptions
    phase: Phase
    round_no: int
    starter: Seat
    halves: tuple[HalfView, HalfView]
    hand: tuple[str, ...] | None
    side_deck: tuple[str, ...] | None


def view(state: PazaakState, seat: Seat | None) -> PazaakView:
    first, second = state.halves
    own = None if seat is None else state.halves[seat]
    return PazaakView(
        seat=seat,
        to_act=rules.to_act(state),
        legal_moves=() if seat is None else rules.legal_moves(state, seat),
        options=state.options,
        phase=state.phase,
        round_no=state.round_no,
        starter=state.starter,
        halves=(_half_view(first, state.wins[0]), _half_view(second, state.wins[1])),
        hand=own.hand if own else None,
        side_deck=side_cards.in_order(own.side) if own else None,
    )


def _half_view(player: PlayerState, wins: int) -> HalfView:
    return HalfView(
        board=player.board,
        total=player.total,
        standing=player.standing,
        wins=wins,
        cards_in_hand=len(player.hand),
        cards_in_side_deck=len(player.side),
        cards_in_main_deck=len(player.main),
        played=player.played,
        allowance=player.allowance,
    )
