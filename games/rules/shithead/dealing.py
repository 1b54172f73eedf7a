"""How a game begins: who deals and starts, and which card goes where (R1–R4)."""

from typing import NamedTuple

from games.rules.cards import RANK, pack, texts
from games.rules.shithead.events import Dealt, GameStarted, Turn
from games.rules.shithead.options import ShitheadOptions, cards_each, pack_size
from games.rules.shithead.predicates import in_order
from games.rules.shithead.state import Cards, ShitheadState, Slots
from games.rules.shuffles import Shuffle
from games.rules.values import Event, Seat

LOWEST_FIRST = "3456789TJQKA2X"
_STRENGTH = tuple(LOWEST_FIRST.index(rank) for rank in "23456789TJQKAX")


class Deal(NamedTuple):
    """The cards of one game as they lie after dealing, one entry a seat."""

    hidden: tuple[Slots, ...]
    tops: tuple[Cards, ...]
    hands: tuple[Cards, ...]
    stock: Cards


def deal(deck: Cards, players: int, k: int, first: Seat) -> Deal:
    """R4: one card at a time from ``first`` on, clockwise: hidden, then top, then hand cards."""
    lies = [(seat - first) % players for seat in range(players)]
    part = k * players
    return Deal(
        hidden=tuple(deck[p:part:players] for p in lies),
        tops=tuple(in_order(deck[part + p : 2 * part : players]) for p in lies),
        hands=tuple(in_order(deck[2 * part + p : 3 * part : players]) for p in lies),
        stock=deck[3 * part :],
    )


def open_game(
    options: ShitheadOptions,
    shuffle: Shuffle,
    game_no: int,
    first: Seat,
    times_shed: tuple[int, ...],
    points: tuple[int, ...],
    last_shed: tuple[Seat, ...],
) -> tuple[ShitheadState, list[Event]]:
    """Deals a game; ``first`` gets the first card (R3: the dealer's left)."""
    players, k = options.players, cards_each(options)
    dealt = deal(tuple(shuffle(pack(pack_size(options)))), players, k, first)
    state = ShitheadState(
        options=options,
        game_no=game_no,
        dealer=(first - 1) % players,
        direction=1,
        phase="exchange" if options.exchange else "play",
        turn=None if options.exchange else _starter(options, game_no, first, dealt.hands),
        ready=(not options.exchange,) * players,
        stock=dealt.stock,
        pile=(),
        burned=(),
        hands=dealt.hands,
        tops=dealt.tops,
        hidden=dealt.hidden,
        places=(0,) * players,
        turns=0,
        times_shed=times_shed,
        points=points,
        last_shed=last_shed,
    )
    return state, _opening_events(state, k)


def _opening_events(state: ShitheadState, k: int) -> list[Event]:
    first = (state.dealer + 1) % len(state.hands)
    starter = None if _lowest_card_starts(state.options, state.game_no) else first
    events: list[Event] = [GameStarted(state.game_no, state.dealer, starter, k, len(state.stock))]
    for seat, (top, hand) in enumerate(zip(state.tops, state.hands, strict=True)):
        events.append(Dealt(seat, texts(top), texts(hand)))
    if state.turn is not None:
        events.append(Turn(state.turn))
    return events


def starter(state: ShitheadState) -> Seat:
    """Who has the first turn once the exchange is over."""
    first = (state.dealer + 1) % len(state.hands)
    return _starter(state.options, state.game_no, first, state.hands)


def chosen_by_card(state: ShitheadState) -> bool:
    """Whether the seat to act is the one whom the lowest card chose."""
    chosen = _lowest_card_starts(state.options, state.game_no)
    return chosen and state.phase == "play" and state.turns == 0


def _starter(options: ShitheadOptions, game_no: int, first: Seat, hands: tuple[Cards, ...]) -> Seat:
    if not _lowest_card_starts(options, game_no):
        return first
    players = len(hands)

    def claim(seat: Seat) -> tuple[int, int]:
        return min(_STRENGTH[RANK[card]] for card in hands[seat]), (seat - first) % players

    return min(range(players), key=claim)


def _lowest_card_starts(options: ShitheadOptions, game_no: int) -> bool:
    return options.first_starter == "lowest_card" and game_no == 1
