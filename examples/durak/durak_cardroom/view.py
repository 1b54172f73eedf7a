"""The view of a seat, built from what is allowed (RULES.md §5)."""

from cardroom.rules.cards import TEXT, texts
from cardroom.rules.values import Seat, View
from durak_cardroom.moves import legal_moves
from durak_cardroom.options import DurakOptions
from durak_cardroom.predicates import by_strength, suit
from durak_cardroom.state import DurakState
from durak_cardroom.turns import to_act


class DurakView(View, frozen=True, kw_only=True):
    """``talon`` and ``hand_sizes`` are numbers of cards; ``known`` what everybody saw of a hand."""

    options: DurakOptions
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    talon: int
    trump: str
    attacks: tuple[str, ...]
    defences: tuple[str, ...]
    gone: tuple[str, ...]
    known: tuple[tuple[str, ...], ...]
    attacker: Seat
    defender: Seat
    limit: int
    taking: bool
    passed: tuple[bool, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    game: int
    fool: Seat | None
    attacks_over: int
    takes: int


def view(state: DurakState, seat: Seat | None) -> DurakView:
    trumps = suit(state.trump)
    hand = () if seat is None else by_strength(state.hands[seat], trumps)
    return DurakView(
        seat=seat,
        to_act=to_act(state),
        legal_moves=() if seat is None else legal_moves(state, seat),
        options=state.options,
        hand=texts(hand),
        hand_sizes=tuple(map(len, state.hands)),
        talon=len(state.talon),
        trump=TEXT[state.trump],
        attacks=texts(state.attacks),
        defences=texts(state.defences),
        gone=texts(state.gone),
        known=tuple([known(state, one) for one in range(len(state.hands))]),
        attacker=state.attacker,
        defender=state.defender,
        limit=state.limit,
        taking=state.taking,
        passed=state.passed,
        places=state.places,
        points=state.points,
        game=state.game,
        fool=state.fool,
        attacks_over=state.attacks_over,
        takes=state.takes,
    )


def known(state: DurakState, seat: Seat) -> tuple[str, ...]:
    """The public cards of a hand: those it took, the trump card it drew."""
    held = [card for card in state.hands[seat] if state.shown >> card & 1]
    return texts(by_strength(held, suit(state.trump)))
