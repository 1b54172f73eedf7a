"""The moves of Pyanitsa: whose turn it is, what is legal, what a move leads to (rules §3)."""

from collections.abc import Sequence

from games.rules.cards import CARD, TEXT
from games.rules.errors import IllegalMove, MalformedMove, NotYourTurn
from games.rules.pyanitsa.ending import is_over
from games.rules.pyanitsa.events import Events
from games.rules.pyanitsa.laying import lay
from games.rules.pyanitsa.state import PyanitsaState
from games.rules.pyanitsa.taking import put_away
from games.rules.shuffles import Shuffle
from games.rules.values import Move, Seat, Step

FLIP = "flip"
COLLECT = "collect"
_FLIPS = (FLIP,)


def to_act(state: PyanitsaState) -> tuple[Seat, ...]:
    return state.to_lay[:1] if state.taker is None else (state.taker,)


def legal_moves(state: PyanitsaState, seat: Seat) -> tuple[Move, ...]:
    """`flip`; or the collection as laid, which stands for every order of the same cards."""
    if state.to_lay:
        return _FLIPS if seat == state.to_lay[0] else ()
    if state.taker is None or seat != state.taker:
        return ()
    return (collect_move([laid.card for laid in state.table]),)


def collect_move(cards: Sequence[int]) -> Move:
    return " ".join([COLLECT, *[TEXT[card] for card in cards]])


def play(state: PyanitsaState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[PyanitsaState]:
    order = None if move == FLIP else _order(move)
    if (seat,) != to_act(state):
        raise NotYourTurn("The match is over.") if is_over(state) else NotYourTurn()
    step = _flip(state, seat, shuffle) if order is None else _collect(state, seat, order)
    return Step(step.state, step.events, step.scores, move)


def _order(move: Move) -> tuple[int, ...]:
    """The cards that a `collect` names; ``MalformedMove`` for all that is no move here."""
    word, *codes = move.split(" ")
    if word != COLLECT or not codes:
        raise MalformedMove(
            "unknown_move",
            "That is no move of Pyanitsa: a move is 'flip', or 'collect' and the cards of the "
            "trick in the order you want them, such as 'collect KC 9D'.",
        )
    if any(code not in CARD for code in codes):
        raise MalformedMove(
            "unknown_card",
            "After 'collect' come cards with one space between them, each a rank and a suit "
            "such as 9D, or a joker, X1 or X2.",
        )
    if len(set(codes)) < len(codes):
        raise MalformedMove("repeated_card", "After 'collect' each card comes once.")
    return tuple([CARD[code] for code in codes])


def _flip(state: PyanitsaState, seat: Seat, shuffle: Shuffle) -> Step[PyanitsaState]:
    if state.taker is not None:
        raise IllegalMove(
            "collect_first", "The trick is yours: collect its cards before anybody lays again."
        )
    return lay(state, seat, shuffle)


def _collect(state: PyanitsaState, seat: Seat, order: tuple[int, ...]) -> Step[PyanitsaState]:
    if state.taker is None:
        raise IllegalMove("nothing_to_collect", "There is no trick to collect: flip a card.")
    table = [laid.card for laid in state.table]
    if sorted(order) != sorted(table):
        raise IllegalMove(
            "not_the_trick",
            f"Collect the cards of this trick, each once, in any order: {collect_move(table)}.",
        )
    events: Events = []
    return put_away(state, seat, order, events)


def autoplays(state: PyanitsaState, seat: Seat) -> bool:
    """`pace` auto: the table turns cards up for the seat; a collection is the seat's own."""
    return state.options.pace == "auto" and state.to_lay[:1] == (seat,)


def public_move(move: Move) -> Move:
    """The move as others may read it: an order of collection names cards that lay face down."""
    return COLLECT if move.startswith(COLLECT) else move


def out(state: PyanitsaState) -> frozenset[Seat]:
    return frozenset(seat for seat, trick_no in enumerate(state.out_in) if trick_no)
