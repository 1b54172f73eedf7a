"""The functions of the contract: start, whose turn, which moves, play, outcome (rules §1-§3)."""

from collections.abc import Sequence

from cardroom.rules.errors import IllegalMove, NotYourTurn
from cardroom.rules.pazaak import deal, moves, side_cards, turn
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import has_space
from cardroom.rules.pazaak.state import PazaakState
from cardroom.rules.seats import places, winners
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.steps import StepBuilder
from cardroom.rules.text import Phrase, say
from cardroom.rules.values import Move, Outcome, Seat, Setup, Step


def start(options: PazaakOptions, setups: Sequence[Setup], shuffle: Shuffle) -> Step[PazaakState]:
    """The first round dealt; ``BadSideDeck`` if a seat brings what the options forbid."""
    step = StepBuilder(shuffle)
    dealt = deal.open_round(deal.set_up(options, setups, step), None, step)
    return step.done(turn.begin_turn(dealt, dealt.starter, step))


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
            for move in moves.WAYS[code]
        ]
    )


def play(state: PazaakState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[PazaakState]:
    card = moves.parse(move)
    if seat != state.to_act:
        raise NotYourTurn
    step = StepBuilder(shuffle)
    if card is not None:
        after = turn.play_card(state, seat, card, step)
    else:
        after = _play_word(state, seat, move, step)
    return step.done(after, move, _scores(state, after))


def _play_word(state: PazaakState, seat: Seat, word: Move, step: StepBuilder) -> PazaakState:
    if state.phase == "turn_start" and word == "draw":
        return turn.draw(state, seat, step)
    if state.phase == "turn_start" and word == "stand":
        return turn.stand_instead(state, seat, step)
    if state.phase == "turn_start":
        raise IllegalMove("wrong_phase", say("Draw a card or stand."))
    at_end = state.options.stand_timing == "turn_end"
    if word == ("end" if at_end else "pass"):
        return turn.close_turn(state, seat, step)
    if word == "stand" and at_end:
        return turn.end_turn(turn.stand(state, seat, step, auto=False), seat, step)
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
