"""The functions of the contract: start, whose turn, which moves, play (rules §1-§3)."""

from collections.abc import Sequence

from games.rules.errors import IllegalMove, NotYourTurn
from games.rules.pazaak import moves, rounds, side_cards, turns
from games.rules.pazaak.dealer import Dealer
from games.rules.pazaak.laying import has_space
from games.rules.pazaak.options import PazaakOptions
from games.rules.pazaak.state import PazaakState
from games.rules.shuffles import Shuffle
from games.rules.values import AnyCard, Move, Seat, Setup, Step


def start(options: PazaakOptions, setups: Sequence[Setup], shuffle: Shuffle) -> Step[PazaakState]:
    """The first round dealt; ``BadSideDeck`` if a seat brings what the options forbid."""
    dealer = Dealer(shuffle, [])
    seated = rounds.sit_down(options, setups, dealer)
    dealt = rounds.deal(seated, None, dealer)
    return Step(turns.begin_turn(dealt, dealt.starter, dealer), tuple(dealer.announced))


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
    half = state.halves[seat]
    cards: Sequence[str] = half.hand
    if half.allowance is not None:  # R25
        cards = side_cards.in_order(half.side) if half.allowance else ()
    return tuple(
        [
            move
            for code in dict.fromkeys(cards)
            if has_space(half.board, code, state.options.specials_take_slot)
            for move in moves.WAYS[code]
        ]
    )


def play(state: PazaakState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[PazaakState]:
    card = moves.read(move)
    if seat != state.to_act:
        raise NotYourTurn
    dealer = Dealer(shuffle, [])
    if card is not None:
        after = turns.play_card(state, seat, card, dealer)
    else:
        after = _say(state, seat, move, dealer)
    return Step(after, tuple(dealer.announced), _scores(state, after), move)


def _say(state: PazaakState, seat: Seat, word: Move, dealer: Dealer) -> PazaakState:
    if state.phase == "turn_start" and word == "draw":
        return turns.draw(state, seat, dealer)
    if state.phase == "turn_start" and word == "stand":
        return turns.stand_instead(state, seat, dealer)
    if state.phase == "turn_start":
        raise IllegalMove("wrong_phase", "Draw a card or stand.")
    at_end = state.options.stand_timing == "turn_end"
    if word == ("end" if at_end else "pass"):
        return turns.pass_on(state, seat, dealer)
    if word == "stand" and at_end:
        return turns.end_turn(turns.stand(state, seat, dealer, auto=False), seat, dealer)
    raise IllegalMove("wrong_phase", _what_now(state, at_end=at_end))


def _what_now(state: PazaakState, *, at_end: bool) -> str:
    closing = "end the turn or stand" if at_end else "pass"
    return f"Now {closing}." if state.phase == "turn_close" else f"Play a card, or {closing}."


def _scores(before: PazaakState, after: PazaakState) -> tuple[int, ...] | None:
    """1 for the winner of the round this move ended, 0 for a tie (FORMAT.md §2)."""
    if after.round_no == before.round_no and after.phase != "over":
        return None
    return tuple(now - then for now, then in zip(after.wins, before.wins, strict=True))


def cards(state: PazaakState) -> tuple[AnyCard, ...]:
    """Both main decks and both side decks: a hundred cards, the same all match long."""
    found: list[AnyCard] = []
    for half in state.halves:
        found += half.main
        found += [int(card.code) for card in half.board if card.source == "main"]
        found += half.side + half.hand + half.played
    return tuple(found)
