"""A match from its first deal to its last play."""

from collections.abc import Sequence

from msgspec.structs import replace

from cardroom.rules.cards import TEXT, texts
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.text import CardName, card_names, say
from cardroom.rules.values import (
    MATCH_OVER,
    IllegalMove,
    Move,
    NotYourTurn,
    Outcome,
    Seat,
    Setup,
    Step,
    StepBuilder,
    next_seat,
    places,
    set_item,
    winners,
)
from scopa_cardroom import moves
from scopa_cardroom.deal import deal, deal_hands
from scopa_cardroom.events import Captured, CardChosen, CardPlayed, LeftoverTaken
from scopa_cardroom.options import ScopaOptions, side_count
from scopa_cardroom.predicates import Cards, captures, heap_of
from scopa_cardroom.score import close_deal, score
from scopa_cardroom.state import ScopaState


def start(options: ScopaOptions, _setups: Sequence[Setup], shuffle: Shuffle) -> Step[ScopaState]:
    step = StepBuilder(shuffle)
    return step.done(deal(options, 1, (0,) * side_count(options), step))


def to_act(state: ScopaState) -> tuple[Seat, ...]:
    return () if state.over else (state.to_play,)


def legal_moves(state: ScopaState, seat: Seat) -> tuple[Move, ...]:
    """R6: any card of the hand. R9: while a capture is chosen, a card that it may take."""
    if seat not in to_act(state):
        return ()
    if not state.laid:
        return texts(state.hands[seat])
    possible = {card for cards in still_possible(state) for card in cards}
    return tuple([moves.take(card) for card in sorted(possible.difference(state.chosen))])


def still_possible(state: ScopaState) -> list[Cards]:
    """The captures of the card laid that take everything chosen so far."""
    fifteen = state.options.capture == "fifteen"
    ways = captures(state.laid[0], (*state.table, *state.chosen), fifteen=fifteen)
    return [cards for cards in ways if set(state.chosen).issubset(cards)]


def play(state: ScopaState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[ScopaState]:
    parsed = moves.parse(move)
    if seat not in to_act(state):
        raise NotYourTurn(MATCH_OVER) if state.over else NotYourTurn
    step = StepBuilder(shuffle)
    if parsed.takes:
        after = _choose(state, seat, parsed.card, step)
    else:
        after = _lay(state, seat, parsed.card, step)
    if after.laid or any(after.hands):
        return step.done(after, move)
    if after.stock:
        return step.done(deal_hands(after, step), move)
    after = _take_leftover(after, step)
    sides = score(after)
    return step.done(close_deal(after, sides, step), move, tuple([side.points for side in sides]))


def _lay(state: ScopaState, seat: Seat, card: int, step: StepBuilder) -> ScopaState:
    hand = state.hands[seat]
    if state.laid:
        laid = CardName(TEXT[state.laid[0]])
        raise IllegalMove("take_first", say("First choose what {card} takes.", card=laid))
    if card not in hand:
        held = card_names(texts(hand))
        raise IllegalMove(
            "not_in_hand",
            say("You do not hold {card}; you hold {hand}.", card=CardName(TEXT[card]), hand=held),
        )
    step.emit(CardPlayed(seat, TEXT[card]))
    kept = tuple([other for other in hand if other != card])
    after = replace(state, hands=set_item(state.hands, seat, kept), laid=(card,))
    return _settle(after, seat, still_possible(after), step)


def _choose(state: ScopaState, seat: Seat, card: int, step: StepBuilder) -> ScopaState:
    if moves.take(card) not in legal_moves(state, seat):
        taken = CardName(TEXT[card])
        raise IllegalMove("cannot_be_taken", say("You cannot take {card} now.", card=taken))
    after = replace(
        state,
        table=tuple([other for other in state.table if other != card]),
        chosen=(*state.chosen, card),
    )
    ways = still_possible(after)
    if len(ways) > 1:
        step.emit(CardChosen(seat, TEXT[card]))
    return _settle(after, seat, ways, step)


def _settle(state: ScopaState, seat: Seat, ways: Sequence[Cards], step: StepBuilder) -> ScopaState:
    """R7, R9, R10: what is clear happens at once; several ways are the seat's to choose from."""
    if len(ways) > 1:
        return state
    if ways:
        return _capture(state, seat, ways[0], step)
    return _pass_on(replace(state, table=(*state.table, *state.laid)))


def _capture(state: ScopaState, seat: Seat, cards: Cards, step: StepBuilder) -> ScopaState:
    table = tuple([card for card in state.table if card not in cards])
    last = not any(state.hands) and not state.stock
    sweep = not table and not last  # R10: the last card of a deal never sweeps
    step.emit(Captured(seat, TEXT[state.laid[0]], texts(cards), sweep))
    side = seat % len(state.heaps)
    heap = state.heaps[side] | heap_of((*state.laid, *cards))
    return _pass_on(
        replace(
            state,
            table=table,
            heaps=set_item(state.heaps, side, heap),
            sweeps=set_item(state.sweeps, side, state.sweeps[side] + sweep),
            last_capturer=seat,
        )
    )


def _pass_on(state: ScopaState) -> ScopaState:
    following = next_seat(state.to_play, state.options.players)
    return replace(state, laid=(), chosen=(), to_play=following)


def _take_leftover(state: ScopaState, step: StepBuilder) -> ScopaState:
    """R12."""
    seat = state.last_capturer
    if seat is None or not state.table:
        return state
    step.emit(LeftoverTaken(seat, texts(state.table)))
    side = seat % len(state.heaps)
    heap = state.heaps[side] | heap_of(state.table)
    return replace(state, table=(), heaps=set_item(state.heaps, side, heap))


def outcome(state: ScopaState) -> Outcome | None:
    """R17: the most points win; partners share their side's place."""
    if not state.over:
        return None
    of_side = places([-total for total in state.totals])
    ranked = tuple([of_side[seat % len(of_side)] for seat in range(state.options.players)])
    return Outcome(winners(ranked), state.totals, "target", ranked)
