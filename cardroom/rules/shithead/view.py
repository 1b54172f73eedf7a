"""The view of a seat (shithead §5)."""

from typing import Literal

from cardroom.rules.cards import RANK, TEXT, texts
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shithead.predicates import next_active, rank_to_beat
from cardroom.rules.shithead.rules import legal_moves, to_act
from cardroom.rules.shithead.state import ShitheadState, Slots
from cardroom.rules.values import Seat, View


class ShitheadView(View, frozen=True, kw_only=True, gc=False):
    """The table as ``seat`` sees it; ``null`` is a spectator, who holds no hand.

    - ``options``: the rule choices of the match
    - ``phase``: ``exchange`` (every seat in ``to_act`` may swap), ``play`` or ``over``
    - ``game_no``: number of the game in the match, from 1 to ``options.games``
    - ``dealer``, ``direction``: 1 clockwise (to the next higher seat), −1 anticlockwise
    - ``turn``: the seat to play, ``null`` outside the phase ``play``
    - ``next_seat``: who follows if nothing burns or turns round, ``null`` outside ``play``
    - ``ready``: one a seat: its exchange is over
    - ``hand``: the seat's own hand, sorted by rank
    - ``tops``: one list a seat: its open cards
    - ``hand_counts``: one a seat: number of hand cards
    - ``hidden``: one list a seat: the slots in which a hidden card still lies
    - ``pile``: bottom first; ``to_beat``: the card that counts, ``null`` if anything may be played
    - ``burned``: the cards out of the game; ``stock_count``: cards still to be drawn
    - ``places``: one a seat: its place in this game, 0 while it is in
    - ``turns``: turns taken in this game
    - ``times_shed``, ``points``: one a seat, over the games before: times shed, sum of places
    - ``swaps_left``: one a seat: swaps that it may still make in this game; ``null`` in a match
      under version 1 of the rules, which knows no limit
    - ``last_shed``: who was the shed of the game before, empty in the first
    """

    options: ShitheadOptions
    phase: Literal["exchange", "play", "over"]
    game_no: int
    dealer: Seat
    direction: int
    turn: Seat | None
    next_seat: Seat | None
    ready: tuple[bool, ...]
    hand: tuple[str, ...]
    tops: tuple[tuple[str, ...], ...]
    hand_counts: tuple[int, ...]
    hidden: tuple[tuple[int, ...], ...]
    pile: tuple[str, ...]
    to_beat: str | None
    burned: tuple[str, ...]
    stock_count: int
    places: tuple[int, ...]
    turns: int
    times_shed: tuple[int, ...]
    points: tuple[int, ...]
    last_shed: tuple[Seat, ...]
    swaps_left: tuple[int, ...] | None


def view(state: ShitheadState, seat: Seat | None) -> ShitheadView:
    turn = state.turn
    return ShitheadView(
        seat=seat,
        to_act=to_act(state),
        legal_moves=() if seat is None else legal_moves(state, seat),
        options=state.options,
        phase=state.phase,
        game_no=state.game_no,
        dealer=state.dealer,
        direction=state.direction,
        turn=turn,
        next_seat=None if turn is None else next_active(turn, state.direction, state.places),
        ready=state.ready,
        hand=() if seat is None else texts(state.hands[seat]),
        tops=tuple([texts(top) for top in state.tops]),
        hand_counts=tuple([len(hand) for hand in state.hands]),
        hidden=tuple([_occupied(slots) for slots in state.hidden]),
        pile=texts(state.pile),
        to_beat=_to_beat(state),
        burned=texts(state.burned),
        stock_count=len(state.stock),
        places=state.places,
        turns=state.turns,
        times_shed=state.times_shed,
        points=state.points,
        last_shed=state.last_shed,
        swaps_left=state.swaps_left,
    )


def _occupied(slots: Slots) -> tuple[int, ...]:
    return tuple([slot for slot, card in enumerate(slots) if card is not None])


def _to_beat(state: ShitheadState) -> str | None:
    """The topmost pile card of the rank to beat (R11)."""
    rank = rank_to_beat(state.pile, state.options.joker_top == "transparent")
    for card in reversed(state.pile):
        if RANK[card] == rank:
            return TEXT[card]
    return None
