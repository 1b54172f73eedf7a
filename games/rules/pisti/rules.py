"""A match from its first deal to its last play: start, play, outcome (R10 to R28)."""

from collections.abc import Sequence

from msgspec.structs import replace

from games.rules.cards import CARD, TEXT, pretty, texts
from games.rules.errors import IllegalMove, MalformedMove, NotYourTurn
from games.rules.pisti.capture import DOUBLE, PLAYS_A_DEAL, bonus, captures
from games.rules.pisti.dealing import PACK, deal, next_batch
from games.rules.pisti.events import (
    Captured,
    CardPlayed,
    DealScored,
    LeftoverAwarded,
    MatchOver,
    Pisti,
)
from games.rules.pisti.options import PistiOptions, side_count, sides
from games.rules.pisti.scoring import is_decided, leader, side_scores
from games.rules.pisti.state import PistiState, heap_of, heap_of_side, with_item
from games.rules.shuffles import Shuffle
from games.rules.values import Event, Move, Outcome, Seat, Setup, Step


def start(options: PistiOptions, _: Sequence[Setup], shuffle: Shuffle) -> Step[PistiState]:
    state, events = deal(options, 1, (0,) * side_count(options), shuffle)
    return Step(state, tuple(events))


def to_act(state: PistiState) -> tuple[Seat, ...]:
    return () if state.over else (state.to_play,)


def legal_moves(state: PistiState, seat: Seat) -> tuple[Move, ...]:
    """Any card of the hand: there is no passing and no obligation to capture (R10)."""
    if state.over or seat != state.to_play:
        return ()
    return tuple([TEXT[card] for card in state.hands[seat]])


def play(state: PistiState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[PistiState]:
    card = _card(move)
    if state.over or seat != state.to_play:
        raise NotYourTurn("The match is over." if state.over else "It is not your turn.")
    if card not in state.hands[seat]:
        held = ", ".join(map(pretty, legal_moves(state, seat)))
        raise IllegalMove("not_in_hand", f"You do not hold {pretty(move)}; you hold {held}.")
    events: list[Event] = [CardPlayed(seat, move, state.plays_made + 1)]
    after = _put_down(state, seat, card, events)
    if any(after.hands):
        return Step(after, tuple(events), None, move)
    if after.stock:
        return Step(_deal_batch(after, events), tuple(events), None, move)
    return _close_deal(_award_leftover(after, events), events, move, shuffle)


def _card(move: Move) -> int:
    card = CARD.get(move)
    if card is None or card >= len(PACK):
        raise MalformedMove(
            "malformed_move", "A move is the code of a card, rank and suit, such as 7H or TD."
        )
    return card


def _put_down(state: PistiState, seat: Seat, card: int, events: list[Event]) -> PistiState:
    """The table after one card: it captures or lies on the pile (R11 to R15)."""
    hand = state.hands[seat]
    at = hand.index(card)
    after = replace(
        state,
        hands=with_item(state.hands, seat, hand[:at] + hand[at + 1 :]),
        plays_made=state.plays_made + 1,
        to_play=(seat + 1) % len(state.hands),
    )
    if state.pile and captures(card, state.pile[-1]):
        return _capture(after, seat, card, events)
    return replace(after, pile=(*state.pile, card))


def _capture(state: PistiState, seat: Seat, card: int, events: list[Event]) -> PistiState:
    pile, heap = state.pile, state.heaps[seat]
    events.append(Captured(seat, len(pile) + 1, texts(pile[: state.face_down])))
    after = replace(
        state,
        pile=(),
        face_down=0,
        heaps=with_item(state.heaps, seat, heap | heap_of(pile) | 1 << card),
        last_capturer=seat,
    )
    if state.plays_made == PLAYS_A_DEAL and not state.options.last_card_pisti:
        return after  # R19: never a pişti
    kind = bonus(card, pile[-1], len(pile))
    return _count_pisti(after, seat, kind, events) if kind else after


def _count_pisti(state: PistiState, seat: Seat, kind: int, events: list[Event]) -> PistiState:
    side = seat % len(state.totals)  # R21
    if kind == DOUBLE:
        events.append(Pisti(seat, side, "double", state.options.double_pisti_points))
        return replace(state, doubles=with_item(state.doubles, side, state.doubles[side] + 1))
    events.append(Pisti(seat, side, "single", state.options.pisti_points))
    return replace(state, pistis=with_item(state.pistis, side, state.pistis[side] + 1))


def _deal_batch(state: PistiState, events: list[Event]) -> PistiState:
    hands, stock, dealt = next_batch(state.stock, state.options.players, state.to_play)
    events += dealt
    return replace(state, hands=hands, stock=stock)  # R16: the starter is to play again


def _award_leftover(state: PistiState, events: list[Event]) -> PistiState:
    """The pile goes to the last capturer; it is neither a capture nor a pişti (R22)."""
    seat, pile = state.last_capturer, state.pile
    if seat is None or not pile:
        return state
    events.append(LeftoverAwarded(seat, len(pile)))
    heap = state.heaps[seat] | heap_of(pile)
    return replace(state, pile=(), face_down=0, heaps=with_item(state.heaps, seat, heap))


def _close_deal(
    state: PistiState, events: list[Event], move: Move, shuffle: Shuffle
) -> Step[PistiState]:
    """Score the deal; the match is over or the next deal lies on the table (R21 to R28)."""
    options = state.options
    heaps = [heap_of_side(state.heaps, seats) for seats in sides(options)]
    scored = side_scores(options, heaps, state.pistis, state.doubles, state.totals)
    events.append(DealScored(scored))
    scores = tuple([side.deal_points for side in scored])
    totals = tuple([side.total for side in scored])
    if is_decided(totals, options.target_score):
        events.append(MatchOver(leader(totals), totals))
        after = replace(state, totals=totals, over=True)
    else:
        after, dealt = deal(options, state.deal_no + 1, totals, shuffle)
        events += dealt
    return Step(after, tuple(events), scores, move)


def outcome(state: PistiState) -> Outcome | None:
    """The sides with the highest total win; partners share their side's place."""
    if not state.over:
        return None
    totals, players = state.totals, state.options.players
    places = tuple(
        [1 + sum(total > totals[seat % len(totals)] for total in totals) for seat in range(players)]
    )
    winners = tuple([seat for seat in range(players) if places[seat] == 1])
    reason = "deal" if state.options.target_score is None else "target"
    return Outcome(winners, totals, reason, places)
