"""A match goes on by the version of the rules that it began with."""

from dataclasses import replace
from random import Random
from typing import Annotated

import msgspec
import pytest
from msgspec import Meta
from msgspec.structs import replace as changed

from cardroom.arena import engine
from cardroom.arena.request import Part, SimulationRequest, describe, run_part, series
from cardroom.rules import catalog, defaults, record
from cardroom.rules.cards import parse, texts
from cardroom.rules.game import DERIVED, AnyGame
from cardroom.rules.option import option
from cardroom.rules.shuffles import seeded
from cardroom.rules.text import say
from cardroom.rules.values import Card, CardSet, Event, HistoryStep, Options, Seat, State, View
from tests.fifth_game import GAME as HIGH_CARD
from tests.rules.falsifying import plain
from tests.rules.playing import Sitting, every_game, over

EARLIER = [game.by_version(number) for game in catalog.GAMES for number in game.earlier]
earlier_versions = over(*EARLIER)


@every_game
def test_every_version_up_to_the_newest_is_known(game):
    for number in range(1, game.rules_version + 1):
        known = catalog.begun_by(game.slug, number)
        assert (known.slug, known.rules_version) == (game.slug, number)
    for unknown in (0, game.rules_version + 1):
        with pytest.raises(KeyError):
            game.by_version(unknown)
        assert catalog.begun_by(game.slug, unknown) is game


@earlier_versions
def test_its_records_verify_by_its_own_rules(game):
    sitting = Sitting.begun(game, game.options()).play_on(Random(1))
    told = sitting.record()
    assert told.rules_version == game.rules_version
    assert record.verify(record.write(told)) is None
    assert record.replay(told).state == sitting.state


@earlier_versions
@pytest.mark.parametrize("seats", [None, frozenset({0})], ids=["same", "reshuffled"])
def test_a_load_of_its_match_goes_on_by_it(game, seats):
    parent = Sitting.begun(game, game.options()).play_on(Random(1), 40)
    child = parent.loaded(2, seats).play_on(Random(2))
    assert record.verify(child.record()) is None


@every_game
def test_a_version_that_nobody_knows_is_refused(game):
    told = plain(Sitting.begun(game, game.options()).play_on(Random(1)))
    fault = record.verify(told | {"rules_version": game.rules_version + 1})
    assert f"versions up to {game.rules_version} are known" in fault.fault


def test_more_swaps_than_3k_are_told_by_version_1_alone():  # shithead R5
    old = catalog.begun_by("shithead", 1)
    sitting = Sitting.begun(old, old.options())
    for _ in range(30):
        sitting.play(0, old.legal_moves(sitting.state, 0)[1])
    told = plain(sitting.play_on(Random(1)))
    assert record.verify(told) is None
    fault = record.verify(told | {"rules_version": 2})
    assert (fault.round, fault.move) == (1, 27)


def no_last_trick(state, seat, move, shuffle):
    return HIGH_CARD.play(state, seat, move, shuffle)


def test_what_follows_from_a_changed_fact_follows_from_the_earlier_one():
    newer: AnyGame = replace(
        HIGH_CARD,
        rules_version=3,
        earlier={1: {"play": no_last_trick}, 2: {"name": "Old"}},
        play_past=DERIVED,
    )
    assert newer.by_version(3) is newer
    assert newer.by_version(1).play is newer.by_version(1).play_past is no_last_trick
    assert newer.by_version(2).play_past is HIGH_CARD.play
    assert newer.by_version(2) is newer.by_version(2)
    assert newer.by_version(2).earlier == {}


class TestSimulations:
    """A simulation that was requested under an earlier version is played by it to its end."""

    def test_a_new_one_names_the_newest(self):
        asked = describe("shithead", games=4)
        assert asked.rules_version == 2
        assert series(asked).game is catalog.find("shithead")

    def test_one_that_was_stored_before_goes_on_as_it_began(self):
        asked = describe("shithead", bots=["random"], games=20, seed=3)
        newest = msgspec.json.encode(asked)
        stored = msgspec.json.decode(newest)
        del stored["rules_version"]
        old = msgspec.convert(stored, SimulationRequest)
        assert msgspec.json.encode(old) == msgspec.json.encode(stored)
        assert series(old).game.rules_version == 1
        assert engine.why_rules(series(old))
        swaps = [run_part(one, Part(0, 20)).events["exchanged"] for one in (old, asked)]
        assert swaps[0] > 20 * 2 * 27 > swaps[1]

    @every_game
    def test_a_request_of_version_1_is_written_as_ever(self, game):
        asked = changed(describe(game.slug, games=3), rules_version=msgspec.UNSET)
        assert b"rules_version" not in msgspec.json.encode(asked)


# Facts that a game need not state: its seats, its cards, and dealing them again.


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
