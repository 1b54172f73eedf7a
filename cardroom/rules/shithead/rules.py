"""The functions of the contract: start, whose turn, which moves, play, outcome.

One turn by the rules: what a seat may play, and what follows from it (R6–R17).

How a game ends and what follows: places, the shed, the next game, the ranking (R3, R18, R19).

Facts for a re-deal of Shithead beside the cards that were named (FORMAT.md §2, loaded matches).
"""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from cardroom.rules.cards import JOKER, RANK, TEXT, texts
from cardroom.rules.shithead import events, predicates
from cardroom.rules.shithead import state as deal
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shithead.predicates import (
    BLIND,
    PICKUP,
    ParsedMove,
    in_order,
    may_swap,
    playable,
    why_not,
)
from cardroom.rules.shithead.state import (
    Cards,
    ShitheadState,
    WorkingCopy,
    chosen_by_card,
    open_game,
)
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.text import CardName, Listing, Phrase, say
from cardroom.rules.values import (
    MATCH_OVER,
    NOT_YOUR_TURN,
    HistoryStep,
    IllegalMove,
    Move,
    NotYourTurn,
    Outcome,
    Pinned,
    Seat,
    Setup,
    Step,
    StepBuilder,
    next_seat,
    set_item,
    winners,
)
from cardroom.rules.values import places as places_of


def legal_turn_moves(state: ShitheadState, seat: Seat) -> tuple[Move, ...]:
    """One representative for every rank and number (§3), then ``pickup`` where it is legal."""
    hand, top = state.hands[seat], state.tops[seat]
    cards = hand or top
    if not cards:
        return _blind_moves(state, seat)
    moves = _card_moves(cards, playable(state.pile, state.options))
    if moves and hand and top and RANK[hand[0]] == RANK[hand[-1]]:
        moves += _with_tops(moves[-1], RANK[hand[0]], top)
    if state.pile and (not moves or state.options.pickup == "voluntary"):
        moves.append(PICKUP)
    return tuple(moves)


def _card_moves(cards: Cards, may: tuple[bool, ...]) -> list[Move]:
    moves = []
    last, text = -1, ""
    for card in cards:
        rank = RANK[card]
        if not may[rank]:
            continue
        text = f"{text} {TEXT[card]}" if rank == last else TEXT[card]
        last = rank
        moves.append(text)
    return moves


def _with_tops(whole_hand: Move, rank: int, top: Cards) -> list[Move]:
    """R9: the whole hand and some top cards of its rank."""
    moves = []
    text = whole_hand
    for card in top:
        if RANK[card] == rank:
            text = f"{text} {TEXT[card]}"
            moves.append(text)
    return moves


def _blind_moves(state: ShitheadState, seat: Seat) -> tuple[Move, ...]:
    slots = state.hidden[seat]
    return tuple([BLIND[slot] for slot, card in enumerate(slots) if card is not None])


def take_turn(
    state: ShitheadState, seat: Seat, move: ParsedMove, step: StepBuilder
) -> ShitheadState:
    """The state after a turn and the next seat to act, unless the game is over."""
    copy = WorkingCopy(state, seat, step)
    again = _ACTIONS[move.kind](copy, move.numbers)
    copy.draw()
    left = copy.leave()
    return copy.to_state(seat if again and not left else copy.following())


def _play(copy: WorkingCopy, cards: Cards) -> bool:
    return _lay(copy, cards, _source(copy, cards))


def _source(copy: WorkingCopy, cards: Cards) -> events.Source:
    """The place of the cards; ``IllegalMove`` if they may not be played."""
    hand, top = copy.hands[copy.seat], copy.tops[copy.seat]
    if not hand and not top:
        raise _must_turn_up()
    for card in cards:
        if card not in hand and card not in top:
            raise IllegalMove(
                "card_not_available",
                say("You cannot play {card}: you do not have it.", card=CardName(TEXT[card])),
            )
    if len(cards) > 1 and len({RANK[card] for card in cards}) > 1:
        raise IllegalMove("one_rank", say("All cards of a play must be of the same rank."))
    from_top = [card for card in cards if card in top]
    if from_top and len(cards) - len(from_top) < len(hand):  # R9: only with the whole hand
        raise _hand_first(from_top[0])
    if why := why_not(copy.pile, copy.options, cards[0]):
        raise IllegalMove("not_allowed", why)
    if not from_top:
        return "hand"
    return "hand_top" if hand else "top"


def _must_turn_up() -> IllegalMove:
    return IllegalMove(
        "must_turn_up", say("Only hidden cards are left: turn one of them up, such as 'blind 0'.")
    )


def _hand_first(card: int) -> IllegalMove:
    return IllegalMove(
        "hand_first",
        say(
            "{card} is a top card: it can be played once the hand is used up, or together with the"
            " whole hand when all cards are of its rank.",
            card=CardName(TEXT[card]),
        ),
    )


def _lay(copy: WorkingCopy, cards: Cards, source: events.Source) -> bool:
    """R12–R14: lays the cards; whether the seat has another turn."""
    copy.lay(cards, source)
    reversed_ = RANK[cards[0]] == JOKER and copy.reverse_direction(cards)
    if copy.burn():
        return True
    return reversed_ and copy.options.two_player_joker == "again" and copy.active() == 2


def _turn_up(copy: WorkingCopy, slots: Cards) -> bool:
    """R10: a hidden card is played if it may be, else it is picked up with the pile."""
    (slot,) = slots
    seat = copy.seat
    if copy.hands[seat] or copy.tops[seat]:
        raise IllegalMove(
            "not_yet_hidden",
            say("Hidden cards come last, when your hand and top cards are used up."),
        )
    if slot >= len(copy.hidden[seat]) or (card := copy.hidden[seat][slot]) is None:
        left = Listing(_blind_moves(copy.state, seat))
        raise IllegalMove(
            "slot_empty", say("No hidden card lies there; you have {moves}.", moves=left)
        )
    if playable(copy.pile, copy.options)[RANK[card]]:
        return _lay(copy, (card,), "hidden")
    copy.fail(slot, card)
    return False


def _pick_up(copy: WorkingCopy, _: Cards) -> bool:
    hand, top = copy.hands[copy.seat], copy.tops[copy.seat]
    if not copy.pile:
        raise IllegalMove(
            "nothing_to_pick_up", say("The pile is empty, so there is nothing to pick up.")
        )
    if not hand and not top:
        raise _must_turn_up()
    if copy.options.pickup == "forced":
        _check_nothing_playable(copy.state, hand or top)
    copy.pick_up()
    return False


def _check_nothing_playable(state: ShitheadState, cards: Cards) -> None:
    may = playable(state.pile, state.options)
    for card in cards:
        if may[RANK[card]]:
            example = CardName(TEXT[card])
            raise IllegalMove(
                "must_play",
                say("You must play as long as you can, for example {card}.", card=example),
            )


def _exchange_is_over(_copy: WorkingCopy, _numbers: Cards) -> bool:
    raise IllegalMove("exchange_over", say("The exchange is over; play cards or pick up the pile."))


_ACTIONS: Final[dict[str, Callable[[WorkingCopy, Cards], bool]]] = {
    "cards": _play,
    "blind": _turn_up,
    "pickup": _pick_up,
    "swap": _exchange_is_over,
    "ready": _exchange_is_over,
}


def is_over(state: ShitheadState) -> bool:
    """R18, R19: one seat is left, or the game has reached its limit of turns."""
    limit = state.options.max_turns
    return state.places.count(0) == 1 or (limit is not None and state.turns >= limit)


def finish(state: ShitheadState, step: StepBuilder) -> ShitheadState:
    """Scores a game that is over and deals the next one, or ends the match."""
    shed = sheds(state)
    places = final_places(state, shed)
    remaining = tuple(_remaining(state, seat) for seat in shed)
    step.emit(events.GameOver(shed=shed, places=places, remaining=remaining))
    scored = replace(
        state,
        phase="over",
        turn=None,
        places=places,
        times_shed=tuple(n + (seat in shed) for seat, n in enumerate(state.times_shed)),
        points=tuple(map(sum, zip(state.points, places, strict=True))),
        last_shed=shed,
    )
    if state.game_no == state.options.games:
        step.emit(events.MatchOver(standings=standings(scored)))
        return scored
    left = next_seat(shed[0], len(state.hands))
    return open_game(scored, shed[0] if state.options.next_starter == "shed" else left, step)


def cards_left(state: ShitheadState, seat: Seat) -> int:
    slots = state.hidden[seat]
    return len(state.hands[seat]) + len(state.tops[seat]) + len(slots) - slots.count(None)


def sheds(state: ShitheadState) -> tuple[Seat, ...]:
    """R18: the last active seat; R19: the active seats with most cards."""
    active = [seat for seat, place in enumerate(state.places) if not place]
    most = max(cards_left(state, seat) for seat in active)
    return tuple(seat for seat in active if cards_left(state, seat) == most)


def final_places(state: ShitheadState, shed: Sequence[Seat]) -> tuple[int, ...]:
    """R19: those out keep their place, the other active ones follow by fewest cards, sheds last."""
    players = len(state.places)
    gone = players - state.places.count(0)
    active = [seat for seat, place in enumerate(state.places) if not place]

    def place(seat: Seat) -> int:
        if state.places[seat]:
            return state.places[seat]
        if seat in shed:
            return players
        mine = cards_left(state, seat)
        return 1 + gone + sum(1 for other in active if cards_left(state, other) < mine)

    return tuple(map(place, range(players)))


def _remaining(state: ShitheadState, seat: Seat) -> events.Remaining:
    hidden = [card for card in state.hidden[seat] if card is not None]
    return events.Remaining(
        seat=seat,
        hand=texts(state.hands[seat]),
        top=texts(state.tops[seat]),
        hidden=texts(hidden),
    )


def match_places(state: ShitheadState) -> tuple[int, ...]:
    """§2 ``games``: fewest times shed, then the lowest sum of places, then shared."""
    return places_of(tuple(zip(state.times_shed, state.points, strict=True)))


def standings(state: ShitheadState) -> tuple[events.Standing, ...]:
    """The ranking of the match, best first."""
    places = match_places(state)
    return tuple(
        events.Standing(
            seat=seat,
            place=places[seat],
            times_shed=state.times_shed[seat],
            points=state.points[seat],
        )
        for seat in sorted(range(len(places)), key=places.__getitem__)
    )


def start(
    options: ShitheadOptions, _setups: Sequence[Setup], shuffle: Shuffle
) -> Step[ShitheadState]:
    """Deals the first game; seat 0 is the dealer's left (R3)."""
    step = StepBuilder(shuffle)
    return step.done(deal.open_game(deal.set_up(options), 0, step))


def start_version_1(
    options: ShitheadOptions, _setups: Sequence[Setup], shuffle: Shuffle
) -> Step[ShitheadState]:
    """As ``start``, with no limit to the swaps of an exchange in any game of the match (R5)."""
    step = StepBuilder(shuffle)
    unlimited = replace(deal.set_up(options), swaps_left=None)
    return step.done(deal.open_game(unlimited, 0, step))


def to_act(state: ShitheadState) -> tuple[Seat, ...]:
    """One seat; in the exchange every seat that is not ready."""
    if state.turn is not None:
        return (state.turn,)
    if state.phase == "over":
        return ()
    return tuple([seat for seat, ready in enumerate(state.ready) if not ready])


def time_goes_on(state: ShitheadState) -> bool:
    """R5: swapping, which one may do again and again, brings no new time."""
    return state.phase == "exchange"


def legal_moves(state: ShitheadState, seat: Seat) -> tuple[Move, ...]:
    """§3: every swap and ``ready``; in play one representative for every rank and number."""
    if seat == state.turn:
        return legal_turn_moves(state, seat)
    if state.phase != "exchange" or seat not in to_act(state):
        return ()
    if not may_swap(state.swaps_left, seat):
        return (predicates.READY,)
    tops = state.tops[seat]
    swaps = [predicates.SWAP[card][top] for card in state.hands[seat] for top in tops]
    return (predicates.READY, *swaps)


def play(state: ShitheadState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[ShitheadState]:
    parsed = predicates.parse(move)
    if seat != state.turn and seat not in to_act(state):
        raise NotYourTurn(_whose_turn(state))
    step = StepBuilder(shuffle)
    if state.phase == "exchange":
        return step.done(_exchange(state, seat, parsed, step), move)
    move, parsed = predicates.canonical(move, parsed, state.hands[seat])
    after = take_turn(state, seat, parsed, step)
    if is_over(after):
        scores = final_places(after, sheds(after))
        return step.done(finish(after, step), move, scores)
    step.emit(events.Turn(seat=to_act(after)[0]))
    return step.done(after, move)


def _whose_turn(state: ShitheadState) -> Phrase:
    if state.phase == "over":
        return MATCH_OVER
    if state.phase == "exchange":
        return say("You are ready; the others are still exchanging cards.")
    return NOT_YOUR_TURN


def _exchange(
    state: ShitheadState, seat: Seat, move: ParsedMove, step: StepBuilder
) -> ShitheadState:
    """R5: swaps one for one until ``ready``; play begins when all seats are."""
    if move.kind == "swap":
        card, top = move.numbers
        return _swap(state, seat, card, top, step)
    if move.kind != "ready":
        sentence = say("Cards are still exchanged: swap some, or be ready.")
        raise IllegalMove("exchange_first", sentence)
    step.emit(events.Ready(seat=seat))
    state = replace(state, ready=set_item(state.ready, seat, item=True))
    return deal.open_play(state, step) if all(state.ready) else state


def _swap(
    state: ShitheadState, seat: Seat, card: int, top: int, step: StepBuilder
) -> ShitheadState:
    if not may_swap(state.swaps_left, seat):
        sentence = say("You have made all swaps that a game allows: be ready.")
        raise IllegalMove("no_swaps_left", sentence)
    if card not in state.hands[seat]:
        sentence = say("{card} is not in your hand.", card=CardName(TEXT[card]))
        raise IllegalMove("card_not_available", sentence)
    if top not in state.tops[seat]:
        sentence = say("{card} is not one of your top cards.", card=CardName(TEXT[top]))
        raise IllegalMove("card_not_available", sentence)
    hand = in_order([top if held == card else held for held in state.hands[seat]])
    tops = in_order([card if held == top else held for held in state.tops[seat]])
    step.emit(events.Exchanged(seat=seat, to_top=TEXT[card], to_hand=TEXT[top]))
    return replace(
        state,
        hands=set_item(state.hands, seat, hand),
        tops=set_item(state.tops, seat, tops),
        swaps_left=_one_fewer(state.swaps_left, seat),
    )


def _one_fewer(swaps_left: tuple[int, ...] | None, seat: Seat) -> tuple[int, ...] | None:
    return None if swaps_left is None else set_item(swaps_left, seat, swaps_left[seat] - 1)


def outcome(state: ShitheadState) -> Outcome | None:
    if state.phase != "over":
        return None
    places = match_places(state)
    return Outcome(winners=winners(places), points=state.points, reason="games", places=places)


def retired_seats(state: ShitheadState) -> frozenset[Seat]:
    """The seats that are out of the current game (R18)."""
    return frozenset(seat for seat, place in enumerate(state.places) if place)


WHY_THE_END_STAYS: Final = "The match is over: nobody will play with these cards."


def arrange(state: ShitheadState) -> ShitheadState:
    """Hands lie sorted, whatever cards were dealt again into them."""
    return replace(state, hands=tuple(map(in_order, state.hands)))


def pinned(state: ShitheadState, history: Sequence[HistoryStep]) -> tuple[Pinned, ...]:
    """Every card of a match that is over."""
    if state.phase != "over":
        return ()
    decks = [deck for step in history for deck in step.decks]
    return (Pinned(WHY_THE_END_STAYS, ((len(decks) - 1, tuple(range(len(decks[-1])))),)),)


def play_past(
    state: ShitheadState, seat: Seat, move: Move, shuffle: Shuffle
) -> Step[ShitheadState]:
    """A move made before its cards were dealt again: they need no longer force or allow it.

    The seat that the lowest card chose has started, and a pick-up was forced.
    """
    options = state.options
    past = replace(state, options=replace(options, pickup="voluntary"))
    if chosen_by_card(state):
        past = replace(past, turn=seat)
    step = play(past, seat, move, shuffle)
    return replace(step, state=replace(step.state, options=options))
