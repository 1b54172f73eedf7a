"""The contract tests catch what they are there for: each game here is wrong in one thing."""

import re
from dataclasses import replace
from random import Random
from typing import get_args

import pytest
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from games.rules import catalog
from games.rules.cards import CARD, texts
from games.rules.values import Event, Seat
from tests.fifth_game import GAME as HIGH_CARD
from tests.fifth_game.events import CardLaid, HighCardEvent, TrickTaken
from tests.fifth_game.view import HighCardView, view
from tests.rules import test_contract as moves
from tests.rules import test_contract_endings as endings
from tests.rules import test_contract_leaks as leaks
from tests.rules import test_contract_values as values
from tests.rules.differences import differences
from tests.rules.playing import Sitting, numbers, options_of

redacted = [
    (game, event)
    for game in (*catalog.GAMES, HIGH_CARD)
    for event in get_args(game.events)
    if "seen_by" in vars(event)
]


@pytest.mark.parametrize(
    ("game", "event"), redacted, ids=[f"{game.slug}-{event.__name__}" for game, event in redacted]
)
def test_an_event_that_shows_everything_to_everybody_is_a_leak(game, event, monkeypatch):
    monkeypatch.setattr(event, "seen_by", lambda self, seat: self)
    matches = st.tuples(options_of(game), numbers)
    few = settings(
        max_examples=60,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    find(matches, lambda match: any(leaks.leaks_of(game, *match, 120)), settings=few)


class DealtWithStock(Event, frozen=True):
    hands: tuple[tuple[str, ...] | None, ...]
    stock: tuple[str, ...]

    def seen_by(self, seat: Seat | None) -> "DealtWithStock":
        hands = tuple(hand if at == seat else None for at, hand in enumerate(self.hands))
        return DealtWithStock(hands, self.stock)


def start_that_tells_the_stock(options, setups, shuffle):
    step = HIGH_CARD.start(options, setups, shuffle)
    hands = step.events[0].hands
    return changed(step, events=(DealtWithStock(hands, texts(step.state.stock)),))


class OpenHands(HighCardView, frozen=True, kw_only=True):
    hands: tuple[tuple[str, ...], ...] = ()
    next: str | None = None


def view_of_all_hands(state, seat) -> OpenHands:
    hands = tuple(map(texts, state.hands)) if seat is not None else ()
    return OpenHands(hands=hands, **as_fields(view(state, seat)))


def view_of_the_next_card(state, seat) -> OpenHands:
    following = texts(state.stock)[0] if seat is not None else None
    return OpenHands(next=following, **as_fields(view(state, seat)))


def as_fields(seen):
    return {name: getattr(seen, name) for name in seen.__struct_fields__}


OPEN_HANDS = replace(HIGH_CARD, view=view_of_all_hands)
OPEN_STOCK = replace(HIGH_CARD, view=view_of_the_next_card)
DEALT_OPENLY = replace(
    HIGH_CARD,
    start=start_that_tells_the_stock,
    events=DealtWithStock | CardLaid | TrickTaken,
    opening=DealtWithStock,
)


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (DEALT_OPENLY, "seat 0 was told .., which lies where nobody sees it"),
        (OPEN_HANDS, "seat 0 sees .., of which only seat 1 was told"),
        (OPEN_STOCK, "seat 0 sees .., of which nobody was told"),
    ],
    ids=["events name the stock", "views show all hands", "views show the next card"],
)
def test_a_game_that_tells_a_secret_is_caught(game, fault):
    found = next(leaks.leaks_of(game, game.options(), 1, 3))
    assert [one for one in found if re.fullmatch(fault, one)]


def play_on_for_ever(state, seat, move, shuffle):
    step = HIGH_CARD.play(state, seat, move, shuffle)
    if len(state.hands) < 5 or any(step.state.hands):
        return step
    again = HIGH_CARD.start(state.options, (), shuffle).state
    return changed(step, state=again, scores=None)


def test_a_game_that_never_ends_with_five_seats_is_caught(monkeypatch):
    monkeypatch.setattr(endings, "MOST_PLIES", 2_000)
    game = replace(HIGH_CARD, play=play_on_for_ever)
    endings.test_the_default_match_and_every_preset_end(game)
    with pytest.raises(AssertionError, match=r"players=5\) and seed \d+ is not over after"):
        endings.test_a_match_of_any_number_of_seats_ends(game)


def play_that_loses_a_card(state, seat, move, shuffle):
    """When two seats lay the black aces in one trick, one is lost: in one match of two hundred."""
    step = HIGH_CARD.play(state, seat, move, shuffle)
    gone = step.state.gone
    if len(state.hands) == 2 and {CARD["AC"], CARD["AS"]} == set(gone[-2:]):
        step = changed(step, state=changed(step.state, gone=gone[:-1]))
    return step


def test_a_card_that_is_lost_in_a_rare_case_is_found_by_many_matches():
    game = replace(HIGH_CARD, play=play_that_loses_a_card)
    values.test_cards_are_conserved_after_every_ply(game)  # the suite's few do not
    with pytest.raises(AssertionError, match="these cards are lost"):
        many_conserve(game, 500)  # as many as `make fuzz` plays


def many_conserve(game, matches):
    for number in range(matches):
        sitting = Sitting.begun(game, game.options(), number)
        values.conserves(game, sitting.so_far_and(sitting.plies(Random(number))))


class Answered(Event, frozen=True):
    seat: Seat
    by: Seat


def test_an_event_with_a_field_of_the_envelope_is_caught():
    game = replace(HIGH_CARD, events=HighCardEvent | Answered)
    with pytest.raises(AssertionError, match=r"Answered\.by"):
        values.test_no_field_of_an_event_is_one_of_its_envelope(game)


def test_seats_to_act_that_do_not_ascend_are_caught():
    def all_at_once(state):
        return tuple(range(len(state.hands)))[::-1] if any(state.hands) else ()

    game = replace(HIGH_CARD, to_act=all_at_once)
    with pytest.raises(AssertionError, match="to_act is not ascending"):
        moves.test_moves_are_there_exactly_for_who_is_to_act(game)


def test_a_failure_says_the_field_the_seed_the_moves_and_the_position():
    sitting = Sitting.begun(HIGH_CARD, HIGH_CARD.options(), 7).play_on(Random(1), 2)
    other = changed(sitting.state, leader=4, stock=(53, *sitting.state.stock[1:]))
    assert differences(other, sitting.state) == [
        f"stock[0]: 53 is not {sitting.state.stock[0]}",
        f"leader: 4 is not {sitting.state.leader}",
    ]
    said = sitting.where()
    assert said.startswith("High Card, seed 7, version 2\nLast tried: ")
    assert "\nMoves: 0 " in said
    assert said.splitlines()[-1].startswith("high-card options={} hands=[[")
    assert Sitting.latest is sitting
