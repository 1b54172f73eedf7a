"""How an attack, a game and the match end (R15–R24)."""

from msgspec.structs import replace

from cardroom.rules.cards import TEXT, texts
from cardroom.rules.values import Outcome, Seat, StepBuilder, next_seat, places, set_item
from durak_cardroom.deal import begin_attack, deal
from durak_cardroom.events import Discarded, Drew, GameOver, Took, WentOut
from durak_cardroom.options import HAND
from durak_cardroom.state import DurakState
from durak_cardroom.turns import after

MOST_TAKES = 30  # R22


def end_attack(state: DurakState, step: StepBuilder) -> DurakState:
    """R16, R17: the cards go, hands are filled up, and the next seat attacks."""
    taken, drawn_before = state.taking, bool(state.talon)
    state = _take(state, step) if taken else _discard(state, step)
    state = _fill_hands(state, step)
    takes = state.takes + 1 if taken and not drawn_before else 0
    state = replace(state, attacks_over=state.attacks_over + 1, takes=takes)
    state = _out(state, step)
    if state.places.count(0) <= 1 or takes == MOST_TAKES:
        return state
    defender = state.defender
    stays = not taken and not state.places[defender]
    return begin_attack(state, defender if stays else after(state.places, defender))


def is_over(state: DurakState) -> bool:
    """Whether this game is: the last attack left at most one seat, or nothing happens (R22)."""
    return state.places.count(0) <= 1 or state.takes == MOST_TAKES


def _discard(state: DurakState, step: StepBuilder) -> DurakState:
    cards = _on_the_table(state)
    step.emit(Discarded(state.defender, texts(cards)))
    return replace(state, gone=state.gone + cards, attacks=(), defences=())


def _take(state: DurakState, step: StepBuilder) -> DurakState:
    cards, seat = _on_the_table(state), state.defender
    step.emit(Took(seat, texts(cards)))
    hands = set_item(state.hands, seat, state.hands[seat] + cards)
    return replace(state, hands=hands, attacks=(), defences=())


def _on_the_table(state: DurakState) -> tuple[int, ...]:
    """As they lie: each card and what beats it."""
    both = [state.attacks[at : at + 1] + state.defences[at : at + 1] for at in range(6)]
    return tuple([card for pair in both for card in pair])


def _fill_hands(state: DurakState, step: StepBuilder) -> DurakState:
    """R18."""
    others = [next_seat(state.attacker, len(state.hands), n) for n in range(len(state.hands))]
    for seat in [*[one for one in others if one != state.defender], state.defender]:
        drawn = state.talon[: max(0, HAND - len(state.hands[seat]))]
        if drawn:
            trump = TEXT[state.trump] if state.trump in drawn else None
            step.emit(Drew(seat, len(drawn), texts(drawn), trump))
            hands = set_item(state.hands, seat, state.hands[seat] + drawn)
            state = replace(state, hands=hands, talon=state.talon[len(drawn) :])
    return state


def _out(state: DurakState, step: StepBuilder) -> DurakState:
    """R20: those who go out together share the place."""
    if state.talon:
        return state
    place = 1 + sum(1 for each in state.places if each)
    for seat, hand in enumerate(state.hands):
        if not hand and not state.places[seat]:
            step.emit(WentOut(seat, place))
            state = replace(state, places=set_item(state.places, seat, place))
    return state


def end_game(state: DurakState, step: StepBuilder) -> tuple[DurakState, tuple[int, ...]]:
    """R21–R24: the state after it, the next game dealt or the match over, and its scores."""
    fool = state.places.index(0) if state.places.count(0) == 1 else None
    scores = tuple([int(fool is not None and seat != fool) for seat in range(len(state.hands))])
    step.emit(GameOver(state.game, fool, scores))
    points = tuple([sum(pair) for pair in zip(state.points, scores, strict=True)])
    if state.game < state.options.games:
        return deal(state.options, state.game + 1, points, fool, step), scores
    over = replace(state, points=points, fool=fool, over=True, limit=0, taking=False)
    return over, scores


def outcome(state: DurakState) -> Outcome | None:
    """R24, R25."""
    if not state.over:
        return None
    place = places([-points for points in state.points])
    winners = tuple([seat for seat, at in enumerate(place) if at == 1])
    return Outcome(winners, state.points, "fool", place)


def retired_seats(state: DurakState) -> frozenset[Seat]:
    """Those whose match is decided: out in the last game."""
    if state.game < state.options.games:
        return frozenset()
    return frozenset(seat for seat, place in enumerate(state.places) if place)
