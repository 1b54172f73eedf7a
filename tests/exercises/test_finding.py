"""One move is clearly best by two searches, and nothing that the seat did not see has a part."""

from random import Random

import msgspec
import pytest

from cardroom.rules import catalog
from cardroom.rules.shuffles import Sealed
from cardroom.rules.values import Setup
from games.coaching import judging
from games.coaching.judging import Decision, judge_of
from games.exercises import collecting, searching
from games.exercises.searching import encoded, raw, without_names
from tests.exercises.scenes import clear_position

GAMES = ("pisti", "pazaak", "shithead")


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_has_themes_and_each_has_shipped_exercises(slug):
    themes = searching.themes_of(catalog.find(slug))
    assert len(themes) >= 3
    exercises = collecting.shipped_of(slug)
    assert {each.theme for each in exercises} == set(themes)
    assert 18 <= len(exercises) <= 25


@pytest.mark.parametrize("slug", GAMES)
def test_of_every_shipped_exercise_one_move_is_clearly_best(slug):
    for each in collecting.shipped_of(slug):
        position = each.position
        first, second, *_ = position.choices
        assert first.chance - second.chance >= searching.MARGIN
        assert position.is_solved_by(first.move)
        assert not any(position.is_solved_by(one.move) for one in position.choices[1:])


@pytest.mark.parametrize("slug", GAMES)
def test_every_legal_move_of_a_shipped_exercise_has_a_worth(slug):
    for each in collecting.shipped_of(slug):
        assert all(each.position.choice_of(move) for move in each.position.seen.legal_moves)
        assert each.position.seen.seat == each.position.seat
        assert each.position.seat in each.position.seen.to_act


@pytest.mark.parametrize("slug", GAMES)
def test_a_theme_follows_from_the_position(slug):
    found = searching.finder(catalog.find(slug))
    assert all(found.theme_of(each.position) == each.theme for each in collecting.shipped_of(slug))


def test_a_game_without_decisions_has_no_exercises():
    assert searching.finder(catalog.find("pyanitsa")) is None


def test_two_long_searches_of_other_worlds_have_to_agree(monkeypatch):
    decision, _ = clear_position()
    found, weigh, worlds = searching.finder(catalog.find("pazaak")), judging.weigh, []

    def turned(judge, decision, playouts):
        worlds.append(decision.version)
        weighed = weigh(judge, decision, playouts)
        if playouts != searching.LONG or len(worlds) < 3:
            return weighed
        return weighed._replace(means=weighed.means[::-1])

    assert found.clear(decision, catalog.find("pazaak").options()) is not None
    monkeypatch.setattr(judging, "weigh", turned)
    assert found.clear(decision, catalog.find("pazaak").options()) is None
    assert len(set(worlds)) == 3


@pytest.mark.parametrize("slug", GAMES)
def test_nothing_changes_by_a_byte_when_unseen_cards_are_dealt_again(slug, monkeypatch):
    """Cards that the seat could not know lie elsewhere; its view, events and moves stay."""
    monkeypatch.setattr(searching, "LONG", 48)
    game = catalog.find(slug)
    found = searching.finder(game)
    one, other = (
        Decision(each.version, 1, each.seat, each.view, each.events, "")
        for each in _twins(game, found.judge)
    )
    positions = [found._position(each, game.options(), found._both(each)) for each in (one, other)]
    assert encoded(positions[0]) == encoded(positions[1])


def _twins(game, judge):
    """The first decision of a match, and the same of one whose unseen cards lie elsewhere."""
    shuffle = Sealed(bytes(range(32)))
    setups = [
        game.complete_setup(game.options(), Setup("Ada")) for _ in range(game.seats(game.options()))
    ]
    step = game.start(game.options(), setups, shuffle)
    chance = Random(3)
    while True:
        seat = game.to_act(step.state)[0]
        view = game.view(step.state, seat)
        if len(view.legal_moves) > 2 and getattr(view, "phase", "") != "exchange":
            break
        step = game.play(step.state, seat, chance.choice(view.legal_moves), shuffle)
    for seed in (1, 2):
        world = game.imagine(view, Random(seed), ())
        assert game.view(world, seat) == view
        events = tuple(event.seen_by(seat) for event in step.events)
        yield Decision(7, 1, seat, game.view(world, seat), events, "")
    assert game.imagine(view, Random(1), ()) != game.imagine(view, Random(2), ())


@pytest.mark.parametrize("slug", GAMES)
def test_what_is_stored_reads_back_as_what_the_seat_knew(slug):
    game = catalog.find(slug)
    found = searching.finder(game)
    decision = next(iter(searching.house_decisions(game, game.options(), found.judge, 5)))
    data = raw(decision.view)
    assert msgspec.json.decode(data, type=game.view_type) == decision.view
    assert game.decode_events(bytes(raw(decision.events))) == tuple(decision.events)


@pytest.mark.parametrize("slug", GAMES)
def test_nobody_at_the_table_is_named(slug):
    game = catalog.find(slug)
    setups = [
        game.complete_setup(game.options(), Setup(f"Zorro-{seat}"))
        for seat in range(game.seats(game.options()))
    ]
    step = game.start(game.options(), setups, Sealed(bytes(range(32))))
    chance, events = Random(1), list(step.events)
    for _ in range(30):
        seat = game.to_act(step.state)[0]
        view = game.view(step.state, seat)
        seen = tuple(event.seen_by(seat) for event in events)
        stored = bytes(raw(view)) + bytes(raw(without_names(seen)))
        assert b"Zorro" not in stored
        assert game.decode_events(bytes(raw(without_names(seen))))
        step = game.play(step.state, seat, chance.choice(view.legal_moves), Sealed(bytes(32)))
        events += step.events
        if not game.to_act(step.state):
            break


def test_the_judge_remembers_at_least_as_much_as_the_easier_computers():
    order = ("nothing", "round", "match")
    for slug in GAMES:
        found = searching.finder(catalog.find(slug))
        most = order.index(judge_of(found.game).remembers)
        assert all(order.index(bot.remembers) <= most for bot in found._easier)
