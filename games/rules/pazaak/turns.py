"""A turn: drawing, playing a side card, and the checks at its end (R7-R17).

Each function takes the state and the seat whose turn it is, lets the dealer announce what happens
and gives the state after; a turn's end runs on into the next turn or round.
"""

from games.rules.errors import IllegalMove
from games.rules.pazaak import rounds
from games.rules.pazaak.board import (
    MAIN,
    TARGET,
    Board,
    is_bust,
    is_filled,
    total_of,
)
from games.rules.pazaak.dealer import Dealer
from games.rules.pazaak.events import CardPlayed, MainDrawn, Passed, Reason, Stood
from games.rules.pazaak.laying import has_space, lay
from games.rules.pazaak.moves import CardPlay
from games.rules.pazaak.state import Half, PazaakState, Phase
from games.rules.values import Seat


def _with_half(state: PazaakState, seat: Seat, half: Half, phase: Phase) -> PazaakState:
    halves = (half, state.halves[1]) if seat == 0 else (state.halves[0], half)
    return PazaakState(
        state.options,
        halves,
        state.wins,
        state.round_no,
        state.opener,
        state.starter,
        seat,
        phase,
    )


def begin_turn(state: PazaakState, seat: Seat, dealer: Dealer) -> PazaakState:
    """``turn_end``: the main card is drawn without being asked."""
    if state.options.stand_timing == "turn_end":
        return draw(state, seat, dealer)
    return state


def draw(state: PazaakState, seat: Seat, dealer: Dealer) -> PazaakState:
    half = state.halves[seat]
    value = half.main[0]
    board, total = (*half.board, MAIN[value]), half.total + value
    dealer.announce(MainDrawn(seat, value, total, len(board)))
    after = Half(
        half.main[1:], half.side, half.hand, board, total, False, half.allowance, half.played
    )
    drawn = _with_half(state, seat, after, "turn_play")
    if is_filled(len(board), total):  # R10: no play phase
        return _filled(drawn, seat, dealer)
    return drawn


def end_turn(state: PazaakState, seat: Seat, dealer: Dealer) -> PazaakState:
    """The checks of R12, in their order."""
    half = state.halves[seat]
    if is_bust(half.total):
        return _over(state, 1 - seat, "bust", dealer)
    if is_filled(len(half.board), half.total):
        return _filled(state, seat, dealer)
    if half.total == TARGET and state.options.auto_stand_20 and not half.standing:
        state = stand(state, seat, dealer, auto=True)
    return _go_on(state, seat, dealer)


def stand_instead(state: PazaakState, seat: Seat, dealer: Dealer) -> PazaakState:
    """R8: standing at the turn's start; of R12 only 4 and 5 apply."""
    return _go_on(stand(state, seat, dealer, auto=False), seat, dealer)


def stand(state: PazaakState, seat: Seat, dealer: Dealer, *, auto: bool) -> PazaakState:
    half = state.halves[seat]
    dealer.announce(Stood(seat, half.total, auto))
    after = Half(
        half.main, half.side, half.hand, half.board, half.total, True, half.allowance, half.played
    )
    return _with_half(state, seat, after, state.phase)


def pass_on(state: PazaakState, seat: Seat, dealer: Dealer) -> PazaakState:
    dealer.announce(Passed(seat, state.halves[seat].total))
    return end_turn(state, seat, dealer)


def _filled(state: PazaakState, seat: Seat, dealer: Dealer) -> PazaakState:
    """R20, or with ``table_fill = stand`` the seat stands on its nine cards."""
    if state.options.table_fill == "win":
        return _over(state, seat, "filled", dealer)
    if not state.halves[seat].standing:
        state = stand(state, seat, dealer, auto=True)
    return _go_on(state, seat, dealer)


def _go_on(state: PazaakState, seat: Seat, dealer: Dealer) -> PazaakState:
    """R12.4, R12.5, R7: compare, or the next turn of a seat that does not stand."""
    if state.halves[1 - seat].standing:
        if state.halves[seat].standing:
            winner, reason = rounds.compare(state)
            return _over(state, winner, reason, dealer)
        following = seat
    else:
        following = 1 - seat
    after = _with_half(state, following, state.halves[following], "turn_start")
    return begin_turn(after, following, dealer)


def _over(state: PazaakState, winner: Seat | None, reason: Reason, dealer: Dealer) -> PazaakState:
    closed = rounds.close(state, winner, reason, dealer)
    if rounds.is_decided(closed):
        return closed
    dealt = rounds.deal(closed, winner, dealer)
    return begin_turn(dealt, dealt.starter, dealer)


def play_card(state: PazaakState, seat: Seat, card: CardPlay, dealer: Dealer) -> PazaakState:
    half = state.halves[seat]
    _check_playable(state, half, card)
    board, effect = lay(half.board, card, state.options.specials_take_slot)
    total = total_of(board)
    looked_at = None if half.allowance is None else len(half.side)
    dealer.announce(CardPlayed(seat, card.code, card.sign, card.value, effect, total, looked_at))
    after = _with_half(state, seat, _spent(half, card.code, board, total), "turn_close")
    if state.options.stand_timing == "turn_end":
        return after
    return end_turn(after, seat, dealer)


def _spent(half: Half, code: str, board: Board, total: int) -> Half:
    """The half after playing ``code``: gone for the match (R3), off a cheater's allowance (R25)."""
    played = (*half.played, code)
    if half.allowance is not None:
        side = _without(half.side, code)
        return Half(half.main, side, (), board, total, False, half.allowance - 1, played)
    hand = _without(half.hand, code)
    return Half(half.main, half.side, hand, board, total, False, None, played)


def _without(cards: tuple[str, ...], code: str) -> tuple[str, ...]:
    at = cards.index(code)
    return cards[:at] + cards[at + 1 :]


def _check_playable(state: PazaakState, half: Half, card: CardPlay) -> None:
    if state.phase == "turn_start":
        raise IllegalMove("wrong_phase", "Draw first; then you may play a card.")
    if state.phase == "turn_close":
        raise IllegalMove("wrong_phase", "One card a turn; now end the turn or stand.")
    if half.allowance is None and card.code not in half.hand:
        raise IllegalMove("not_in_hand", f"{card.code} is not in your hand.")
    if half.allowance is not None and card.code not in half.side:
        raise IllegalMove("not_in_hand", f"{card.code} is not in what is left of your side deck.")
    if half.allowance == 0:
        raise IllegalMove("no_allowance", "Your allowance is used up for this round.")
    if not has_space(half.board, card.code, state.options.specials_take_slot):
        raise IllegalMove("no_space", f"All nine places are taken; {card.code} needs a free one.")
