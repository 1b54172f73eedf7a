"""The test vectors of RULES.md §6, each under its number."""

from random import Random

import pytest
from msgspec.structs import replace

from cardroom.rules.cards import parse, texts
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import IllegalMove, Setup, Step
from scopa_cardroom import GAME
from scopa_cardroom.events import Captured
from scopa_cardroom.predicates import COINS, PACK, captures, heap_of, primiera
from scopa_cardroom.score import score
from scopa_cardroom.state import ScopaState


def ways(card: str, table: str, *, fifteen: bool = False) -> set[frozenset[str]]:
    (laid,) = parse(card)
    found = captures(laid, parse(table), fifteen=fifteen)
    return {frozenset(texts(cards)) for cards in found}


def sets(*cards: str) -> set[frozenset[str]]:
    return {frozenset(each.split()) for each in cards}


def test_what_a_card_takes() -> None:  # R6, R7, R8
    assert ways("7D", "4H 3S 2C") == sets("4H 3S")  # vector 1
    assert ways("7D", "4H 3S 7C") == sets("7C")  # vector 2
    assert ways("KC", "JH 2S 6D 4C") == sets("JH 2S", "6D 4C")  # vector 3
    assert ways("5D", "4H 3S") == set()  # vector 4
    assert ways("7D", "JH 5S 3C AD", fifteen=True) == sets("JH", "5S 3C")  # vector 5


def test_the_primiera() -> None:  # R15
    assert primiera(parse("7C 7D 7H 7S")) == 84  # vector 6
    assert primiera(parse("7C 6C AD 5H KS")) == 62  # vector 7
    assert primiera(parse("7C 7D 7H AH")) == 0  # vector 8


def position(hands: str, table: str, *, rest: str = "") -> ScopaState:
    """Seat 0's hand and seat 1's, divided by a slash; the last taker was seat 0."""
    start = GAME.start(GAME.options(), (Setup("Ada"), Setup("Ben")), seeded(Random(1))).state
    first, second = map(parse, hands.split("/"))
    lying = {*first, *second, *parse(table), *parse(rest)}
    heap = heap_of(card for card in PACK if card not in lying)
    return replace(
        start,
        hands=(first, second),
        table=parse(table),
        stock=parse(rest),
        heaps=(heap, 0),
        last_capturer=0,
        to_play=0 if first else 1,
    )


def played(state: ScopaState, move: str) -> Step[ScopaState]:
    return GAME.play(state, state.to_play, move, seeded(Random(2)))


def captured(step: Step[ScopaState]) -> Captured:
    return next(event for event in step.events if isinstance(event, Captured))


def test_the_table_is_swept_but_not_by_the_last_card() -> None:  # R10
    sweeping = played(position("7D KC/KD", "4H 3S"), "7D")  # vector 9
    assert set(captured(sweeping).cards) == {"4H", "3S"}
    assert captured(sweeping).sweep
    last = played(position("/7D", "4H 3S"), "7D")  # vector 10
    assert not captured(last).sweep


def test_what_is_shared_counts_for_nobody() -> None:  # R14, vector 11
    others = [card for card in PACK if card not in COINS]
    first = {*others[:15], *parse("AD 2D 3D 4D 5D")}
    heaps = (heap_of(first), heap_of(card for card in PACK if card not in first))
    sides = score(replace(position("KD/QD", ""), heaps=heaps))
    assert [(side.cards, side.coins) for side in sides] == [(20, 5), (20, 5)]
    assert not any(side.most_cards or side.most_coins for side in sides)


def test_a_capture_is_chosen_card_by_card() -> None:  # R9
    laid = played(position("KC 2D/3D", "JH 2S 6D 4C"), "KC")
    assert GAME.to_act(laid.state) == (0,)
    assert set(GAME.legal_moves(laid.state, 0)) == {"xJH", "x2S", "x6D", "x4C"}
    with pytest.raises(IllegalMove, match="First choose"):
        played(laid.state, "2D")
    taken = played(laid.state, "x6D")
    assert set(captured(taken).cards) == {"6D", "4C"}
    assert set(texts(taken.state.table)) == {"JH", "2S"}
