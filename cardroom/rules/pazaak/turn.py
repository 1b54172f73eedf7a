"""A turn: drawing, playing a side card, and the checks at its end (R7-R17).

Each function takes the state and the seat whose turn it is and gives the state after; a turn's end
runs on into the next turn or round.
"""

from msgspec.structs import replace

from cardroom.rules.errors import IllegalMove
from cardroom.rules.pazaak import score
from cardroom.rules.pazaak.deal import open_round
from cardroom.rules.pazaak.events import CardPlayed, MainDrawn, Passed, Reason, Stood
from cardroom.rules.pazaak.moves import CardPlay
from cardroom.rules.pazaak.predicates import (
    MAIN,
    TARGET,
    Board,
    has_space,
    is_bust,
    is_filled,
    lay,
    total_of,
)
from cardroom.rules.pazaak.state import PazaakState, PlayerState, with_turn
from cardroom.rules.steps import StepBuilder
from cardroom.rules.text import say
from cardroom.rules.values import Seat


def begin_turn(state: PazaakState, seat: Seat, step: StepBuilder) -> PazaakState:
    """``turn_end``: the main card is drawn at once."""
    if state.options.stand_timing == "turn_end":
        return draw(state, seat, step)
    return state


def draw(state: PazaakState, seat: Seat, step: StepBuilder) -> PazaakState:
    player = state.halves[seat]
    value = player.main[0]
    board, total = (*player.board, MAIN[value]), player.total + value
    step.emit(MainDrawn(seat=seat, value=value, total=total, cards_on_board=len(board)))
    after = replace(player, main=player.main[1:], board=board, total=total)
    drawn = with_turn(state, seat, after, "turn_play")
    if is_filled(len(board), total):  # R10: no play phase
        return _filled(drawn, seat, step)
    return drawn


def end_turn(state: PazaakState, seat: Seat, step: StepBuilder) -> PazaakState:
    """The checks of R12, in their order."""
    player = state.halves[seat]
    if is_bust(player.total):
        return _over(state, 1 - seat, "bust", step)
    if is_filled(len(player.board), player.total):
        return _filled(state, seat, step)
    if player.total == TARGET and state.options.auto_stand_20 and not player.standing:
        state = stand(state, seat, step, auto=True)
    return _go_on(state, seat, step)


def stand_instead(state: PazaakState, seat: Seat, step: StepBuilder) -> PazaakState:
    """R8: standing at the turn's start; of R12 only 4 and 5 apply."""
    return _go_on(stand(state, seat, step, auto=False), seat, step)


def stand(state: PazaakState, seat: Seat, step: StepBuilder, *, auto: bool) -> PazaakState:
    player = state.halves[seat]
    step.emit(Stood(seat=seat, total=player.total, auto=auto))
    return with_turn(state, seat, replace(player, standing=True), state.phase)


def close_turn(state: PazaakState, seat: Seat, step: StepBuilder) -> PazaakState:
    """The turn ends without a card, or by ``end``."""
    step.emit(Passed(seat=seat, total=state.halves[seat].total))
    return end_turn(state, seat, step)


def _filled(state: PazaakState, seat: Seat, step: StepBuilder) -> PazaakState:
    """R20, or with ``table_fill = stand`` the seat stands on its nine cards."""
    if state.options.table_fill == "win":
        return _over(state, seat, "filled", step)
    if not state.halves[seat].standing:
        state = stand(state, seat, step, auto=True)
    return _go_on(state, seat, step)


def _go_on(state: PazaakState, seat: Seat, step: StepBuilder) -> PazaakState:
    """R12.4, R12.5, R7: compare, or the next turn of a seat that does not stand."""
    if state.halves[1 - seat].standing:
        if state.halves[seat].standing:
            winner, reason = score.compare(state)
            return _over(state, winner, reason, step)
        following = seat
    else:
        following = 1 - seat
    after = replace(state, to_act=following, phase="turn_start")
    return begin_turn(after, following, step)


def _over(
    state: PazaakState, winner: Seat | None, reason: Reason, step: StepBuilder
) -> PazaakState:
    finished = score.finish(state, winner, reason, step)
    if score.is_decided(finished):
        return finished
    dealt = open_round(finished, winner, step)
    return begin_turn(dealt, dealt.starter, step)


def play_card(state: PazaakState, seat: Seat, card: CardPlay, step: StepBuilder) -> PazaakState:
    player, options = state.halves[seat], state.options
    _check_playable(state, player, card)
    board, effect = lay(player.board, card, specials_take_slot=options.specials_take_slot)
    total = total_of(board)
    step.emit(
        CardPlayed(
            seat=seat,
            code=card.code,
            sign=card.sign,
            value=card.value,
            effect=effect,
            total=total,
            looked_at=None if player.allowance is None else len(player.side),
        )
    )
    after = with_turn(state, seat, _spent(player, card.code, board, total), "turn_close")
    return after if options.stand_timing == "turn_end" else end_turn(after, seat, step)


def _spent(player: PlayerState, code: str, board: Board, total: int) -> PlayerState:
    """After playing ``code``: gone for the match (R3), off a cheater's allowance (R25)."""
    after = replace(player, board=board, total=total, played=(*player.played, code))
    if player.allowance is None:
        return replace(after, hand=_without(player.hand, code))
    return replace(after, side=_without(player.side, code), allowance=player.allowance - 1)


def _without(cards: tuple[str, ...], code: str) -> tuple[str, ...]:
    at = cards.index(code)
    return cards[:at] + cards[at + 1 :]


def _check_playable(state: PazaakState, player: PlayerState, card: CardPlay) -> None:
    code = card.code
    if state.phase == "turn_start":
        raise IllegalMove("wrong_phase", say("Draw first; then you may play a card."))
    if state.phase == "turn_close":
        raise IllegalMove("wrong_phase", say("One card a turn; now end the turn or stand."))
    if player.allowance is None and code not in player.hand:
        raise IllegalMove("not_in_hand", say("{card} is not in your hand.", card=code))
    if player.allowance is not None and code not in player.side:
        sentence = say("{card} is not in what is left of your side deck.", card=code)
        raise IllegalMove("not_in_hand", sentence)
    if player.allowance == 0:
        raise IllegalMove("no_allowance", say("Your allowance is used up for this round."))
    if not has_space(player.board, code, specials_take_slot=state.options.specials_take_slot):
        sentence = say("All nine places are taken; {card} needs a free one.", card=code)
        raise IllegalMove("no_space", sentence)
