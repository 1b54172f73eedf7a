"""What a game need not state: its seats, its cards, and dealing them again."""

from dataclasses import replace
from random import Random
from typing import Annotated

import msgspec
import pytest
from msgspec import Meta

from cardroom.rules import defaults
from cardroom.rules.cards import parse, texts
from cardroom.rules.option import option
from cardroom.rules.shuffles import seeded
from cardroom.rules.text import say
from cardroom.rules.values import Card, CardSet, Event, HistoryStep, Options, Seat, State, View
from tests.fifth_game import GAME as HIGH_CARD
from tests.rules.playing import Sitting


class Described(Options, frozen=True, kw_only=True):
    players: Annotated[int, Meta(ge=3, le=7), option(say("Players"))] = 3


class Plain(Options, frozen=True, kw_only=True):
    players: Annotated[int, Meta(ge=3, le=7)] = 3


class Duel(Options, frozen=True, kw_only=True):
    long: bool = False


def test_the_bounds_of_the_option_players_are_those_of_the_seats():
    assert defaults.seat_bounds(Described) == (3, 7)
    assert defaults.seat_bounds(Plain) == (3, 7)
    assert defaults.seat_bounds(Duel) == (2, 2)


class Slot(msgspec.Struct, frozen=True):
    card: Card
    open: bool


class Everywhere(State, frozen=True):
    hands: tuple[tuple[Card, ...], ...]
    turned: Card | None
    trick: tuple[Seat, Card]
    slots: tuple[Slot | None, ...]
    won: CardSet
    points: tuple[int, ...]


STATE = Everywhere(((1, 2), (3,)), 4, (1, 5), (Slot(6, open=True), None), 1 << 7 | 1 << 8, (1, 2))
EXCHANGE = {1: 3, 3: 1, 4: 6, 6: 4, 5: 8, 8: 5}


def test_cards_are_found_by_the_types_of_the_fields():
    assert defaults.cards_of(Everywhere)(STATE) == (1, 2, 3, 4, 5, 6, 7, 8)
    assert defaults.cards_of(Everywhere)(replace_turned(None)) == (1, 2, 3, 5, 6, 7, 8)


def replace_turned(card: int | None) -> Everywhere:
    return msgspec.structs.replace(STATE, turned=card)


def test_cards_are_exchanged_wherever_they_lie_and_nothing_else_is():
    now = defaults.cards_in(Everywhere).exchanged(STATE, EXCHANGE)
    won = 1 << 7 | 1 << 5
    assert now == Everywhere(((3, 2), (1,)), 6, (1, 8), (Slot(4, open=True), None), won, (1, 2))


class NoCards(State, frozen=True):
    dice: tuple[int, ...]


def test_a_state_that_names_no_card_is_told_of_when_its_cards_are_asked_for():
    game = replace(HIGH_CARD, state=NoCards, cards=None, redeal=None)
    with pytest.raises(TypeError, match="No field of NoCards is typed Card"):
        game.cards(NoCards((1, 2)))
    with pytest.raises(TypeError, match="No field of NoCards is typed Card"):
        game.redeal(NoCards((1, 2)), (), frozenset({0}), list)


def test_equal_cards_need_a_redeal_of_their_own():
    game = replace(HIGH_CARD, distinct_cards=False, redeal=None)
    with pytest.raises(TypeError, match="High Card has equal cards"):
        game.redeal(None, (), frozenset({0}), list)


def test_what_the_loading_seat_holds_and_saw_stays():
    sitting = Sitting.begun(HIGH_CARD, HIGH_CARD.options(players=3)).play_on(Random(1), 4)
    again = HIGH_CARD.redeal(sitting.state, sitting.history, frozenset({1}), seeded(Random(2)))
    before, after = sitting.state, again.state
    assert (after.laid, after.gone, after.hands[1]) == (before.laid, before.gone, before.hands[1])
    assert after.hands[0] != before.hands[0]
    assert sorted(after.stock) != sorted(before.stock)
    dealt = again.events[0][0]
    for seat, hand in enumerate(dealt.hands):
        assert set(texts(after.hands[seat])) <= set(hand)
    assert [events[1:] for events in again.events] == [s.events[1:] for s in sitting.history]


# A round in which the pile becomes the stock again: 6C was played, 7C drawn, then 6C 8C shuffled.


class RoundOpened(Event, frozen=True):
    pass


class Drawn(Event, frozen=True):
    seat: Seat
    cards: tuple[tuple[str, ...], ...] | None

    def seen_by(self, seat: Seat | None) -> "Drawn":
        return self if seat == self.seat else Drawn(self.seat, None)


class Played(Event, frozen=True):
    card: str


class Draughts(State, frozen=True):
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]


class OwnHand(View, frozen=True, kw_only=True):
    hand: tuple[str, ...]
    pile: tuple[str, ...]


def own_hand(state: Draughts, seat: Seat | None) -> OwnHand:
    hand = () if seat is None else texts(state.hands[seat])
    guess = ("guess 9C", "9C")  # a legal move may name a card that nobody was shown
    return OwnHand(seat=seat, to_act=(0,), legal_moves=guess, hand=hand, pile=texts(state.pile))


RECYCLING = replace(
    HIGH_CARD,
    state=Draughts,
    view=own_hand,
    events=RoundOpened | Drawn | Played,
    **dict.fromkeys(("view_type", "opening", "cards", "redeal")),
)
HISTORY = (
    HistoryStep(1, (parse("9C 8C 7C 6C"),), (RoundOpened(), Played("9C"))),
    HistoryStep(
        2,
        (parse("6C 8C 7C 9C"),),
        (Played("7C"), RoundOpened(), Drawn(0, (("6C",),)), Drawn(1, (("8C",),))),
    ),
    HistoryStep(2, (), (Played("6C"), Played("8C"))),
    HistoryStep(2, (), (Drawn(0, (("7C",), ())),)),
    HistoryStep(2, (parse("8C 6C"),), (Drawn(1, (("8C",),)),)),
)
NOW = Draughts((parse("7C"), parse("8C")), parse("9C 6C"), ())


def redealt(*seats: Seat):
    return RECYCLING.redeal(NOW, HISTORY, frozenset(seats), lambda cards: list(cards)[::-1])


def test_each_deck_of_the_round_keeps_the_cards_named_since():
    assert redealt(0).moved == ((1, (3,)), (2, (0, 1)))  # since deck 2 it was shown no card of it
    assert redealt(1).moved == ((1, (2, 3)), (2, (1,)))
    assert redealt(0, 1).moved == ((1, (3,)), (2, (1,)))


def test_a_spectator_knows_what_everybody_saw():
    assert redealt().moved == ((1, (2, 3)), (2, (0, 1)))


def test_decks_of_rounds_that_are_over_stay():
    assert redealt().decks[0] == HISTORY[0].decks[0]


def test_events_are_told_with_the_exchanges_of_the_decks_dealt_by_then():
    again = redealt()
    assert again.decks[1:] == (parse("6C 8C 9C 7C"), parse("6C 8C"))
    assert again.state == Draughts((parse("9C"), parse("6C")), parse("7C 8C"), ())
    first, opening, *rest = again.events
    assert (first, opening) == (HISTORY[0].events, HISTORY[1].events)
    assert rest[0] == HISTORY[2].events
    assert rest[1] == (Drawn(0, (("9C",), ())),)
    assert rest[2] == (Drawn(1, (("6C",),)),)
