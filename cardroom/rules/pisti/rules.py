"""A match from its first deal to its last play (R10 to R28).

The end of a deal: the leftover pile, what each side made of it, what follows (R22 to R28).
"""

from collections.abc import Sequence

from msgspec.structs import replace

from cardroom.rules.cards import texts
from cardroom.rules.pisti import events, predicates
from cardroom.rules.pisti.options import PistiOptions, side_count, sides
from cardroom.rules.pisti.predicates import (
    ACES,
    DOUBLE,
    JACKS,
    PLAYS_PER_DEAL,
    TEN_DIAMONDS,
    TWO_CLUBS,
    bonus,
    captures,
    card_points,
    cards_of,
    heap_of,
    is_decided,
    leading_side,
)
from cardroom.rules.pisti.state import PistiState, deal, deal_batch
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


def award_leftover(state: PistiState, step: StepBuilder) -> PistiState:
    """The pile goes to the last capturer; it is neither a capture nor a pişti (R22)."""
    seat, pile = state.last_capturer, state.pile
    if seat is None or not pile:
        return state
    step.emit(events.LeftoverAwarded(seat=seat, count=len(pile)))
    heap = state.heaps[seat] | heap_of(pile)
    return replace(state, pile=(), face_down=0, heaps=set_item(state.heaps, seat, heap))


def score_deal(state: PistiState) -> tuple[events.SideScore, ...]:
    """The score of each side in the deal; partners put their heaps together (R23)."""
    heaps = [sum(state.heaps[seat] for seat in side) for side in sides(state.options)]
    return side_scores(state.options, heaps, state.pistis, state.doubles, state.totals)


def close_deal(
    state: PistiState, scored: tuple[events.SideScore, ...], step: StepBuilder
) -> PistiState:
    """The match is over or the next deal lies on the table (R26 to R28)."""
    step.emit(events.DealScored(sides=scored))
    totals = tuple([side.total for side in scored])
    if not is_decided(totals, state.options.target_score):
        return deal(state.options, state.deal_no + 1, totals, step)
    step.emit(events.MatchOver(winner=leading_side(totals), totals=totals))
    return replace(state, totals=totals, over=True)


def side_scores(
    options: PistiOptions,
    heaps: Sequence[int],
    pistis: Sequence[int],
    doubles: Sequence[int],
    totals: Sequence[int],
) -> tuple[events.SideScore, ...]:
    """Every side's deal; ``heaps`` one a side, ``totals`` those before this deal."""
    majority = leading_side([heap.bit_count() for heap in heaps])  # R24
    return tuple(
        _side_score(options, heap, pistis[side], doubles[side], totals[side], side == majority)
        for side, heap in enumerate(heaps)
    )


def _side_score(
    options: PistiOptions,
    heap: int,
    pistis: int,
    doubles: int,
    total: int,
    majority: bool,  # noqa: FBT001
) -> events.SideScore:
    points = (
        card_points(heap)
        + options.majority_points * majority
        + options.pisti_points * pistis
        + options.double_pisti_points * doubles
    )
    return events.SideScore(
        jacks=(heap & JACKS).bit_count(),
        aces=(heap & ACES).bit_count(),
        two_clubs=bool(heap & TWO_CLUBS),
        ten_diamonds=bool(heap & TEN_DIAMONDS),
        cards=heap.bit_count(),
        majority=majority,
        pistis=pistis,
        doubles=doubles,
        deal_points=points,
        total=total + points,
        heap=texts(cards_of(heap)),
    )


def start(options: PistiOptions, _setups: Sequence[Setup], shuffle: Shuffle) -> Step[PistiState]:
    step = StepBuilder(shuffle)
    return step.done(deal(options, 1, (0,) * side_count(options), step))


def to_act(state: PistiState) -> tuple[Seat, ...]:
    return () if state.over else (state.to_play,)


def legal_moves(state: PistiState, seat: Seat) -> tuple[Move, ...]:
    """Any card of the hand: there is no passing and no obligation to capture (R10)."""
    return () if state.over or seat != state.to_play else texts(state.hands[seat])


def play(state: PistiState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[PistiState]:
    card = predicates.parse(move)
    if state.over or seat != state.to_play:
        raise NotYourTurn(MATCH_OVER) if state.over else NotYourTurn
    if card not in state.hands[seat]:
        hand = card_names(legal_moves(state, seat))
        sentence = say("You do not hold {card}; you hold {hand}.", card=CardName(move), hand=hand)
        raise IllegalMove("not_in_hand", sentence)
    step = StepBuilder(shuffle)
    step.emit(events.CardPlayed(seat=seat, card=move, play_no=state.plays_made + 1))
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
    step.emit(events.Captured(seat=seat, count=len(pile) + 1, face_down=hidden))
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
        step.emit(events.Pisti(seat=seat, side=side, kind="double", points=points))
        return replace(state, doubles=set_item(state.doubles, side, state.doubles[side] + 1))
    step.emit(events.Pisti(seat=seat, side=side, kind="single", points=options.pisti_points))
    return replace(state, pistis=set_item(state.pistis, side, state.pistis[side] + 1))


def outcome(state: PistiState) -> Outcome | None:
    """The sides with the highest total win; partners share their side's place."""
    if not state.over:
        return None
    of_side = places([-total for total in state.totals])
    ranked = tuple([of_side[seat % len(of_side)] for seat in range(state.options.players)])
    reason = "deal" if state.options.target_score is None else "target"
    return Outcome(winners=winners(ranked), points=state.totals, reason=reason, places=ranked)
