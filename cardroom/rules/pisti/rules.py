"""A match from its first deal to its last play (R10 to R28)."""

from collections.abc import Sequence

from msgspec.structs import replace

from cardroom.rules.cards import texts
from cardroom.rules.errors import MATCH_OVER, IllegalMove, NotYourTurn
from cardroom.rules.pisti import moves
from cardroom.rules.pisti.deal import deal, deal_batch
from cardroom.rules.pisti.events import Captured, CardPlayed, Pisti
from cardroom.rules.pisti.options import PistiOptions, side_count
from cardroom.rules.pisti.predicates import DOUBLE, PLAYS_PER_DEAL, bonus, captures, heap_of
from cardroom.rules.pisti.score import award_leftover, close_deal, score_deal
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.seats import next_seat, places, set_item, winners
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.steps import StepBuilder
from cardroom.rules.text import CardName, card_names, say
from cardroom.rules.values import Move, Outcome, Seat, Setup, Step


def start(options: PistiOptions, _setups: Sequence[Setup], shuffle: Shuffle) -> Step[PistiState]:
    step = StepBuilder(shuffle)
    return step.done(deal(options, 1, (0,) * side_count(options), step))


def to_act(state: PistiState) -> tuple[Seat, ...]:
    return () if state.over else (state.to_play,)


def legal_moves(state: PistiState, seat: Seat) -> tuple[Move, ...]:
    """Any card of the hand: there is no passing and no obligation to capture (R10)."""
    return () if state.over or seat != state.to_play else texts(state.hands[seat])


def play(state: PistiState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[PistiState]:
    card = moves.parse(move)
    if state.over or seat != state.to_play:
        raise NotYourTurn(MATCH_OVER) if state.over else NotYourTurn
    if card not in state.hands[seat]:
        hand = card_names(legal_moves(state, seat))
        sentence = say("You do not hold {card}; you hold {hand}.", card=CardName(move), hand=hand)
        raise IllegalMove("not_in_hand", sentence)
    step = StepBuilder(shuffle)
    step.emit(CardPlayed(seat=seat, card=move, play_no=state.plays_made + 1))
    after = _put_down(state, seat, card, step)
    if any(after.hands):
        return step.done(after, move)
    if after.stock:
        return step.done(deal_batch(after, step), move)
    after = award_leftover(after, step)
    scored = score_deal(after)
    scores = tuple([side.deal_points for side in scored])
    return step.done(close_deal(after, scored, step), move, scores)


def _put_down(state: PistiState, seat: Seat, card: int, step: StepBuilder) -> PistiState:
    """The table after one card: it captures or lies on the pile (R11 to R15)."""
    hand, pile = state.hands[seat], state.pile
    at = hand.index(card)
    taken = bool(pile) and captures(card, pile[-1])
    after = replace(
        state,
        hands=set_item(state.hands, seat, hand[:at] + hand[at + 1 :]),
        pile=() if taken else (*pile, card),
        plays_made=state.plays_made + 1,
        to_play=next_seat(seat, len(state.hands)),
    )
    return _capture(after, seat, card, pile, step) if taken else after


def _capture(
    state: PistiState, seat: Seat, card: int, pile: tuple[int, ...], step: StepBuilder
) -> PistiState:
    hidden = texts(pile[: state.face_down]) if state.face_down else ()
    step.emit(Captured(seat=seat, count=len(pile) + 1, face_down=hidden))
    heap = state.heaps[seat] | heap_of(pile) | 1 << card
    after = replace(state, face_down=0, heaps=set_item(state.heaps, seat, heap), last_capturer=seat)
    if state.plays_made == PLAYS_PER_DEAL and not state.options.last_card_pisti:
        return after  # R19: never a pişti
    kind = bonus(card, pile[-1], len(pile))
    return _count_pisti(after, seat, kind, step) if kind else after


def _count_pisti(state: PistiState, seat: Seat, kind: int, step: StepBuilder) -> PistiState:
    side, options = seat % len(state.totals), state.options  # R21
    if kind == DOUBLE:
        points = options.double_pisti_points
        step.emit(Pisti(seat=seat, side=side, kind="double", points=points))
        return replace(state, doubles=set_item(state.doubles, side, state.doubles[side] + 1))
    step.emit(Pisti(seat=seat, side=side, kind="single", points=options.pisti_points))
    return replace(state, pistis=set_item(state.pistis, side, state.pistis[side] + 1))


def outcome(state: PistiState) -> Outcome | None:
    """The sides with the highest total win; partners share their side's place."""
    if not state.over:
        return None
    of_side = places([-total for total in state.totals])
    ranked = tuple([of_side[seat % len(of_side)] for seat in range(state.options.players)])
    reason = "deal" if state.options.target_score is None else "target"
    return Outcome(winners=winners(ranked), points=state.totals, reason=reason, places=ranked)
