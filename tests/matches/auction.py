"""Auction: a game as small as a game can be in which all seats may act at once.

Every seat but the highest bidder's may bid more or pass for good; who is left with a bid wins the
lot. A bid changes what the others may choose, a pass does not. Each lot is a round.
"""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from cardroom.rules.game import Game
from cardroom.rules.values import (
    Event,
    IllegalMove,
    MalformedMove,
    NotYourTurn,
    Options,
    Outcome,
    State,
    StepBuilder,
    View,
    places,
    set_item,
)

BIDS = [str(bid) for bid in range(1, 10)]


class AuctionOptions(Options, frozen=True, kw_only=True):
    players: Annotated[int, Meta(ge=2, le=6)] = 3
    lots: Annotated[int, Meta(ge=1, le=9)] = 1


class AuctionState(State, frozen=True, kw_only=True):
    options: AuctionOptions
    won: tuple[int, ...]
    passed: tuple[bool, ...]
    bidder: int | None = None
    bid: int = 0


class LotOpened(Event, frozen=True):
    pass


class Called(Event, frozen=True):
    seat: int
    move: str


class AuctionView(View, frozen=True, kw_only=True):
    bid: int


def start(options, setups, shuffle):
    step = StepBuilder(shuffle)
    return step.done(open_lot(options, (0,) * len(setups), step))


def open_lot(options, won, step):
    step.emit(LotOpened())
    return AuctionState(options=options, won=won, passed=(False,) * len(won))


def to_act(state):
    if outcome(state):
        return ()
    return tuple(s for s, gone in enumerate(state.passed) if not gone and s != state.bidder)


def legal_moves(state, seat):
    return ("pass", *BIDS[state.bid :]) if seat in to_act(state) else ()


def play(state, seat, move, shuffle):
    if move not in ("pass", *BIDS):
        raise MalformedMove("not_a_bid", "Bid a number from 1 to 9, or pass.")
    if seat not in to_act(state):
        raise NotYourTurn
    if move not in legal_moves(state, seat):
        raise IllegalMove("too_low", "Bid more than the highest bid.")
    step = StepBuilder(shuffle)
    step.emit(Called(seat, move))
    if move != "pass":
        state = replace(state, bidder=seat, bid=int(move))
    else:
        state = replace(state, passed=set_item(state.passed, seat, True))
    if to_act(state):
        return step.done(state, move)
    scores = tuple(int(one == state.bidder) for one in range(len(state.won)))
    won = tuple(map(sum, zip(state.won, scores, strict=True)))
    over = sum(won) == state.options.lots or state.bidder is None
    state = replace(state, won=won) if over else open_lot(state.options, won, step)
    return step.done(state, move, scores)


def outcome(state):
    if sum(state.won) < state.options.lots and not all(state.passed):
        return None
    ranks = places([-lots for lots in state.won])
    winners = tuple(seat for seat, place in enumerate(ranks) if place == 1)
    return Outcome(winners=winners, points=state.won, reason="sold", places=ranks)


def view(state, seat) -> AuctionView:
    moves = () if seat is None else legal_moves(state, seat)
    return AuctionView(seat=seat, to_act=to_act(state), legal_moves=moves, bid=state.bid)


AUCTION = Game(
    slug="auction",
    name="Auction",
    summary="The highest bid takes the lot.",
    options=AuctionOptions,
    state=AuctionState,
    events=LotOpened | Called,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
)
