"""Positions of Shithead as text, so that a test reads as a small scene."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from msgspec.structs import replace

from cardroom.rules.cards import pack, parse, texts
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.predicates import in_order
from cardroom.rules.shithead.state import ShitheadState
from cardroom.rules.shuffles import RecordingShuffle, seeded
from cardroom.rules.values import Event, HistoryStep, Move, Seat, Setup, Step


def no_deck(_pack: Sequence[object]) -> list[object]:
    raise AssertionError("no deck is needed here")


def in_new_order(deck: Sequence[object]) -> list[object]:
    return list(deck)


def setups(players: int) -> list[Setup]:
    return [Setup(f"p{seat}") for seat in range(players)]


def slots(codes: str) -> tuple[int | None, ...]:
    """``"7C - AD"``: slot 1 is empty."""
    return tuple(None if code == "-" else parse(code)[0] for code in codes.split())


def position(
    hands: Sequence[str],
    tops: Sequence[str] = (),
    hidden: Sequence[str] = (),
    pile: str = "",
    stock: str = "",
    turn: Seat = 0,
    direction: int = 1,
    places: Sequence[int] = (),
    turns: int = 0,
    game_no: int = 1,
    **options: object,
) -> ShitheadState:
    """A state in the phase ``play``; all cards not named are burned."""
    players = len(hands)
    tops = [*tops, *[""] * (players - len(tops))]
    hidden = [*hidden, *[""] * (players - len(hidden))]
    chosen = SHITHEAD.choose_options({"players": players, **options})
    named = parse(" ".join([*hands, *tops, pile, stock, *hidden]).replace("-", ""))
    rest = [card for card in pack(52 + chosen.jokers) if card not in named]
    return ShitheadState(
        options=chosen,
        game_no=game_no,
        dealer=players - 1,
        direction=direction,
        phase="play",
        turn=turn,
        ready=(True,) * players,
        stock=parse(stock),
        pile=parse(pile),
        burned=tuple(rest),
        hands=tuple(in_order(parse(hand)) for hand in hands),
        tops=tuple(in_order(parse(top)) for top in tops),
        hidden=tuple(map(slots, hidden)),
        places=tuple(places) or (0,) * players,
        turns=turns,
        times_shed=(0,) * players,
        points=(0,) * players,
        last_shed=(),
    )


def exchanging(state: ShitheadState) -> ShitheadState:
    return replace(state, phase="exchange", turn=None, ready=(False,) * len(state.hands))


def play(state: ShitheadState, *moves: Move, shuffle: Callable = no_deck) -> Step[ShitheadState]:
    """Plays moves one after the other, each by the seat to act; the last step."""
    for move in moves:
        step = SHITHEAD.play(state, SHITHEAD.to_act(state)[0], move, shuffle)
        state = step.state
    return step


def legal(state: ShitheadState) -> set[Move]:
    return set(SHITHEAD.legal_moves(state, SHITHEAD.to_act(state)[0]))


def hand(state: ShitheadState, seat: Seat) -> str:
    return " ".join(texts(state.hands[seat]))


def top(state: ShitheadState, seat: Seat) -> str:
    return " ".join(texts(state.tops[seat]))


def pile(state: ShitheadState) -> str:
    return " ".join(texts(state.pile))


def one(step: Step[ShitheadState], kind: type[Event]) -> Event:
    """The one event of this type in a step."""
    (found,) = of(step, kind)
    return found


def of(step: Step[ShitheadState], kind: type[Event]) -> Iterator[Event]:
    return (event for event in step.events if type(event) is kind)


TABLE = position(
    ["5C 8C", "4C 9C KC"], ["KD 5H", "4D"], ["9H - 9D", "JC"], pile="6H 3D", stock="AC AD"
)


def played(seed, rounds=1, plies=10**6, **options):
    """A match of three as its history, up to the opening of round ``rounds`` + some plies."""
    rng = Random(seed)
    chosen = SHITHEAD.choose_options({"players": 3, "exchange": False, **options})
    noted = RecordingShuffle(seeded(rng))
    step = SHITHEAD.start(chosen, setups(3), noted)
    history = [HistoryStep(1, tuple(noted.decks), step.events)]
    while step.state.phase != "over" and plies:
        if step.state.game_no == rounds and step.scores and rounds > 1:
            break
        before = len(noted.decks)
        seat = SHITHEAD.to_act(step.state)[0]
        move = rng.choice(SHITHEAD.legal_moves(step.state, seat))
        step = SHITHEAD.play(step.state, seat, move, noted)
        history.append(HistoryStep(step.state.game_no, tuple(noted.decks[before:]), step.events))
        plies -= 1
    return history, step.state
