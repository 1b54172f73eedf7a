"""The functions of the contract: start, whose turn, which moves, play, outcome (rules §1-§3).

How a round ends: who won it, and whether that decides the match (R18 to R24).

A turn: drawing, playing a side card, and the checks at its end (R7-R17).

Each function takes the state and the seat whose turn it is and gives the state after; a turn's end
runs on into the next turn or round.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from cardroom.rules.pazaak import events, predicates, side_cards
from cardroom.rules.pazaak import state as deal
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import (
    MAIN,
    TARGET,
    Board,
    CardPlay,
    has_space,
    has_tiebreaker,
    is_bust,
    is_filled,
    lay,
    total_of,
)
from cardroom.rules.pazaak.state import PazaakState, PlayerState, open_round, with_turn
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.text import Phrase, say
from cardroom.rules.values import (
    IllegalMove,
    Move,
    NotYourTurn,
    Outcome,
    Seat,
    Setup,
    Step,
    StepBuilder,
    places,
    winners,
)


def compare(state: PazaakState) -> tuple[Seat | None, events.Reason]:
    """Both stand: the higher total wins (R21), a tiebreaker breaks a tie (R22)."""
    first, second = state.halves
    if first.total != second.total:
        return int(second.total > first.total), "outscore"
    scope = state.options.tiebreaker_scope
    has_first, has_second = (has_tiebreaker(player.board, scope) for player in state.halves)
    if has_first == has_second:
        return None, "tie"
    return int(has_second), "tiebreaker"


def finish(
    state: PazaakState, winner: Seat | None, reason: events.Reason, step: StepBuilder
) -> PazaakState:
    """The round is over (R18-R23); ``over`` stays the phase if that was the match (R24)."""
    wins = (state.wins[0] + (winner == 0), state.wins[1] + (winner == 1))
    totals = (state.halves[0].total, state.halves[1].total)
    step.emit(events.RoundOver(winner=winner, reason=reason, totals=totals, wins=wins))
    finished = replace(state, wins=wins, to_act=None, phase="over")
    if is_decided(finished):
        step.emit(events.MatchOver(winner=leader(wins), wins=wins))
    return finished


def is_decided(state: PazaakState) -> bool:
    options = state.options
    return max(state.wins) >= options.rounds_to_win or state.round_no == options.max_rounds


def leader(wins: tuple[int, int]) -> Seat | None:
    return None if wins[0] == wins[1] else int(wins[1] > wins[0])


def begin_turn(state: PazaakState, seat: Seat, step: StepBuilder) -> PazaakState:
    """``turn_end``: the main card is drawn at once."""
    if state.options.stand_timing == "turn_end":
        return draw(state, seat, step)
    return state


def draw(state: PazaakState, seat: Seat, step: StepBuilder) -> PazaakState:
    player = state.halves[seat]
    value = player.main[0]
    board, total = (*player.board, MAIN[value]), player.total + value
    step.emit(events.MainDrawn(seat=seat, value=value, total=total, cards_on_board=len(board)))
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
    step.emit(events.Stood(seat=seat, total=player.total, auto=auto))
    return with_turn(state, seat, replace(player, standing=True), state.phase)


def close_turn(state: PazaakState, seat: Seat, step: StepBuilder) -> PazaakState:
    """The turn ends without a card, or by ``end``."""
    step.emit(events.Passed(seat=seat, total=state.halves[seat].total))
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
            winner, reason = compare(state)
            return _over(state, winner, reason, step)
        following = seat
    else:
        following = 1 - seat
    after = replace(state, to_act=following, phase="turn_start")
    return begin_turn(after, following, step)


def _over(
    state: PazaakState, winner: Seat | None, reason: events.Reason, step: StepBuilder
) -> PazaakState:
    finished = finish(state, winner, reason, step)
    if is_decided(finished):
        return finished
    dealt = open_round(finished, winner, step)
    return begin_turn(dealt, dealt.starter, step)


def play_card(state: PazaakState, seat: Seat, card: CardPlay, step: StepBuilder) -> PazaakState:
    player, options = state.halves[seat], state.options
    _check_playable(state, player, card)
    board, effect = lay(player.board, card, specials_take_slot=options.specials_take_slot)
    total = total_of(board)
    step.emit(
        events.CardPlayed(
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


def start(options: PazaakOptions, setups: Sequence[Setup], shuffle: Shuffle) -> Step[PazaakState]:
    """The first round dealt; ``BadSideDeck`` if a seat brings what the options forbid."""
    step = StepBuilder(shuffle)
    dealt = deal.open_round(deal.set_up(options, setups, step), None, step)
    return step.done(begin_turn(dealt, dealt.starter, step))


def to_act(state: PazaakState) -> tuple[Seat, ...]:
    return () if state.to_act is None else (state.to_act,)


def legal_moves(state: PazaakState, seat: Seat) -> tuple[Move, ...]:
    if seat != state.to_act:
        return ()
    if state.phase == "turn_start":
        return ("draw", "stand")
    if state.phase == "turn_close":
        return ("end", "stand")
    closing = ("end", "stand") if state.options.stand_timing == "turn_end" else ("pass",)
    return playable(state, seat) + closing


def playable(state: PazaakState, seat: Seat) -> tuple[Move, ...]:
    """Every way to play every card the seat may play, copies once."""
    player = state.halves[seat]
    cards: Sequence[str] = player.hand
    if player.allowance is not None:  # R25
        cards = side_cards.in_order(player.side) if player.allowance else ()
    slot = state.options.specials_take_slot
    return tuple(
        [
            move
            for code in dict.fromkeys(cards)
            if has_space(player.board, code, specials_take_slot=slot)
            for move in predicates.WAYS[code]
        ]
    )


def play(state: PazaakState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[PazaakState]:
    card = predicates.parse(move)
    if seat != state.to_act:
        raise NotYourTurn
    step = StepBuilder(shuffle)
    if card is not None:
        after = play_card(state, seat, card, step)
    else:
        after = _play_word(state, seat, move, step)
    return step.done(after, move, _scores(state, after))


def _play_word(state: PazaakState, seat: Seat, word: Move, step: StepBuilder) -> PazaakState:
    if state.phase == "turn_start" and word == "draw":
        return draw(state, seat, step)
    if state.phase == "turn_start" and word == "stand":
        return stand_instead(state, seat, step)
    if state.phase == "turn_start":
        raise IllegalMove("wrong_phase", say("Draw a card or stand."))
    at_end = state.options.stand_timing == "turn_end"
    if word == ("end" if at_end else "pass"):
        return close_turn(state, seat, step)
    if word == "stand" and at_end:
        return end_turn(stand(state, seat, step, auto=False), seat, step)
    raise IllegalMove("wrong_phase", _what_now(state))


def _what_now(state: PazaakState) -> Phrase:
    if state.phase == "turn_close":
        return say("Now end the turn or stand.")
    if state.options.stand_timing == "turn_end":
        return say("Play a card, or end the turn or stand.")
    return say("Play a card, or pass.")


def _scores(before: PazaakState, after: PazaakState) -> tuple[int, ...] | None:
    """1 for the winner of the round this move ended, 0 for a tie (FORMAT.md §2)."""
    if after.round_no == before.round_no and after.phase != "over":
        return None
    return tuple(now - then for now, then in zip(after.wins, before.wins, strict=True))


def outcome(state: PazaakState) -> Outcome | None:
    if state.phase != "over":
        return None
    ranked = places([-wins for wins in state.wins])
    reason = "rounds" if max(state.wins) >= state.options.rounds_to_win else "limit"
    return Outcome(winners=winners(ranked), points=state.wins, reason=reason, places=ranked)
