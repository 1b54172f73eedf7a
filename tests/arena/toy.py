"""A game for the arena's own tests: the higher card takes the round.

Every seat holds three of nine cards, sees only its own, and plays one; the highest scores. The
match ends when a seat has ``target`` points, or undecided after ``max_rounds``.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from cardroom.rules.bot import RANDOM, Bot
from cardroom.rules.game import Game
from cardroom.rules.values import (
    BadOptions,
    Event,
    IllegalMove,
    MalformedMove,
    NotYourTurn,
    Options,
    Outcome,
    Setup,
    State,
    Step,
    View,
)

PACK = tuple(range(1, 19))


class ToyOptions(Options, frozen=True):
    players: Annotated[int, Meta(ge=2, le=6)] = 2
    target: Annotated[int, Meta(ge=1)] | None = 3
    max_rounds: Annotated[int, Meta(ge=1, le=99)] = 9
    colour: Literal["red", "blue"] = "red"
    teams: bool = False


class ToyState(State, frozen=True):
    options: ToyOptions
    hands: tuple[tuple[int, ...], ...]
    laid: tuple[int, ...]
    points: tuple[int, ...]
    rounds: int


class RoundDealt(Event, frozen=True):
    hands: tuple[tuple[int, ...], ...] | None

    def seen_by(self, seat):
        return RoundDealt(None)


class CardLaid(Event, frozen=True):
    seat: int
    card: int


class RoundWon(Event, frozen=True):
    seat: int


class ToyView(View, frozen=True, kw_only=True):
    hand: tuple[int, ...]


def deal(options, points, rounds, shuffle):
    deck = shuffle(PACK)
    hands = tuple(tuple(sorted(deck[s * 3 : s * 3 + 3])) for s in range(options.players))
    return ToyState(options, hands, (), points, rounds)


def start(options, setups, shuffle):
    assert len(setups) == options.players
    state = deal(options, (0,) * options.players, 0, shuffle)
    return Step(state, (RoundDealt(state.hands),))


def is_over(state):
    options = state.options
    return state.rounds >= options.max_rounds or max(state.points) >= (options.target or 1000)


def to_act(state):
    return () if is_over(state) else (len(state.laid),)


def legal_moves(state, seat):
    return tuple(map(str, state.hands[seat])) if (seat,) == to_act(state) else ()


def play(state, seat, move, shuffle):
    if not move.isdigit():
        raise MalformedMove("not_a_number", "A move is a number.")
    if (seat,) != to_act(state):
        raise NotYourTurn
    card = int(move)
    if card not in state.hands[seat]:
        raise IllegalMove("not_held", f"You do not hold {card}.")
    laid = (*state.laid, card)
    events = (CardLaid(seat, card),)
    if len(laid) < state.options.players:
        return Step(replace(state, laid=laid), events, None, move)
    winner = laid.index(max(laid))
    scores = tuple(int(s == winner) for s in range(len(laid)))
    points = tuple(map(sum, zip(state.points, scores, strict=True)))
    after = replace(state, laid=laid, points=points, rounds=state.rounds + 1)
    events = (*events, RoundWon(winner))
    if is_over(after):
        return Step(after, events, scores, move)
    dealt = deal(state.options, points, state.rounds + 1, shuffle)
    return Step(dealt, (*events, RoundDealt(dealt.hands)), scores, move)


def sides(options):
    seats = range(options.players)
    return tuple((s, s + 2) for s in (0, 1)) if options.teams else tuple((s,) for s in seats)


def outcome(state):
    if not is_over(state):
        return None
    points = tuple(sum(state.points[s] for s in side) for side in sides(state.options))
    side_places = [1 + sum(other > mine for other in points) for mine in points]
    places = [0] * state.options.players
    for side, place in zip(sides(state.options), side_places, strict=True):
        for seat in side:
            places[seat] = place
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    reached = max(state.points) >= (state.options.target or 1000)
    return Outcome(winners, points, "target" if reached else "limit", tuple(places))


def view(state, seat):
    return ToyView(
        seat=seat,
        to_act=to_act(state),
        legal_moves=legal_moves(state, seat),
        hand=state.hands[seat],
    )


def check(options):
    if options.teams and options.players != 4:
        raise BadOptions("Teams need four players.")


def highest(view: View, events: Sequence[Event], rng) -> str:
    return view.legal_moves[-1]


def lowest(view: View, events: Sequence[Event], rng) -> str:
    return view.legal_moves[0]


def setups(players):
    return [Setup(name=f"Player {seat}") for seat in range(players)]


HIGH = Bot("high", "High", "Its best card.", 3, highest)
LOW = Bot("low", "Low", "Its worst card.", 2, lowest)

TOY = Game(
    slug="toy",
    name="Toy",
    summary="The higher card takes the round.",
    min_seats=2,
    max_seats=6,
    options=ToyOptions,
    state=ToyState,
    view_type=ToyView,
    events=RoundDealt | CardLaid | RoundWon,
    presets={"three": ToyOptions(players=3)},
    bots=(RANDOM, LOW, HIGH),
    stand_in="low",
    seats=lambda options: options.players,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
    imagine=lambda view, rng, events=(): None,
    redeal=lambda state, history, seats, shuffle: None,
    cards=lambda state: sum(state.hands, ()),
    card_text=str,
    label=str,
    narrate=lambda event, names: "",
    opening=RoundDealt,
    check_options=check,
    sides=sides,
    limit_option="max_rounds",
)
