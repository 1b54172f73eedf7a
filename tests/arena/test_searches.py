"""The compiled form of a bot that searches takes its place wherever it is ready, and plays alike.

Here it runs in plain Python; `make kernels` compares it compiled, in many more matches.
"""

from random import Random

import pytest

from cardroom.arena import compiled_code, kernels
from cardroom.arena.kernels import search_differences
from cardroom.arena.request import describe
from cardroom.arena.series import Series
from cardroom.fast import kernel
from cardroom.fast.binding import CompiledSearch
from cardroom.rules import catalog
from cardroom.rules.bot import Search
from cardroom.rules.search import stopping_when
from cardroom.rules.shuffles import Stream
from games.management.terminal import played_by
from tests.arena.test_kernels import quick
from tests.rules.pazaak.scene import half, scene

PAZAAK = catalog.find("pazaak")
PROFESSOR = PAZAAK.bot("professor")
SEARCHED = [each for each in kernels.variants() if compiled_code.searches_of_game(each.game)]


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Of the compiled search of the professor: the budgets that it was given, once it is ready."""
    budgets = []

    def choose(view, _events, rng, playouts):
        budgets.append(playouts)
        return rng.choice(view.legal_moves)

    found = {"professor": CompiledSearch(choose, lambda: None)}
    monkeypatch.setattr(compiled_code, "installed", lambda: True)
    searches = {"pazaak": found}
    monkeypatch.setattr(compiled_code, "searches_of_game", lambda slug: searches.get(slug, {}))
    monkeypatch.setattr(kernel, "_loaded", set())
    monkeypatch.setattr(kernel, "cache_folder", lambda: tmp_path)
    return budgets


def test_a_search_takes_one_word_of_the_generator_that_it_is_given():
    drawn = []
    search = Search(lambda _view, _events, rng, _playouts: drawn.append(rng.random()), 4, 1)
    bot = search.bot(slug="mc", name="", summary="", level=1)
    rng, alike = Random(5), Random(5)
    bot.choose(None, (), rng)
    bot.choose(None, (), alike)
    assert drawn[0] == drawn[1]
    again = Random(5)
    again.getrandbits(64)
    assert rng.random() == again.random()


@pytest.mark.parametrize("name", ["professor", "professor:playouts=40"])
def test_the_compiled_search_has_the_budget_of_the_bot(asked, name):
    bot = PAZAAK.bot(name)
    assert compiled_code.quick(PAZAAK, bot) is bot  # not compiled yet
    compiled_code.warm_searches("pazaak")
    assert compiled_code.searches_are_warm("pazaak")
    compiled = compiled_code.quick(PAZAAK, bot)
    assert (compiled.slug, compiled.rated, compiled.cost) == (bot.slug, bot.rated, bot.cost)
    matches = Series(PAZAAK, PAZAAK.options(), (bot, PAZAAK.bot("rookie")), seed=1)
    matches.play(0)
    assert set(asked) == {bot.choose.playouts}
    assert matches.bots[0] is bot


@pytest.mark.parametrize("strength", [1, 4])
def test_a_beginner_that_grew_searches_by_the_compiled_form(asked, strength):
    bot = PAZAAK.bot(f"beginner:strength={strength}")
    compiled_code.warm_searches("pazaak")
    assert compiled_code.has_search(PAZAAK, bot)
    compiled = compiled_code.quick(PAZAAK, bot)
    assert (compiled.slug, compiled.choose.share) == (bot.slug, bot.choose.share)
    Series(PAZAAK, PAZAAK.options(), (bot, PAZAAK.bot("rookie")), seed=1).play(0)
    assert set(asked) == ({PROFESSOR.choose.playouts} if strength > 1 else set())


def test_other_bots_are_played_as_they_are(asked):
    compiled_code.warm_searches("pazaak")
    pisti = catalog.find("pisti")
    for game, bot in ((PAZAAK, PAZAAK.bot("gambler")), (pisti, pisti.bot("searcher"))):
        assert compiled_code.quick(game, bot) is bot


def test_a_report_says_whose_search_is_compiled(asked):
    seated = describe("pazaak", bots=["professor:playouts=4", "gambler"])
    assert played_by(seated).endswith("Compiled code searches for professor:playouts=4.")
    assert "Compiled" not in played_by(describe("pyanitsa", values={"collect_order": "arbitrary"}))


# One variant of each game in `make test` and one that a network judges, all in `make sweeps`.
SEARCHED_SOON = {"shithead": {"max_turns": 24}}
SOON = {*{each.game: each.name for each in reversed(SEARCHED)}.values(), "shithead/four"}


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(each, id=each.name, marks=() if each.name in SOON else pytest.mark.sweep)
        for each in SEARCHED
    ],
)
def test_a_compiled_search_chooses_what_the_rules_choose(variant):
    """One match of each variant; in each of these the search sits in another seat."""
    number = SEARCHED.index(variant)
    shorter = SEARCHED_SOON.get(variant.game, {})
    compared = search_differences(quick(variant, number + 1, **shorter), number, 1, 8)
    assert [str(each) for each in compared if each] == []


def test_a_compiled_search_looks_at_the_clock():
    table = scene(half("10 4", hand="P2 M3"), half("9", hand="PM1 M2"), phase="turn_play")
    view = PAZAAK.view(table, 0)
    with stopping_when(lambda: True):
        professor = compiled_code.searches_of_game("pazaak")["professor"]
        move = professor.choose(view, (), Stream(1), 10**9)
    assert move in view.legal_moves


def test_where_the_two_part_is_named(asked):
    (found,) = search_differences(describe("pazaak", bots=["rookie"], games=1, seed=3), 0, 1, 12)
    assert str(found).startswith("pazaak: the compiled search of professor differs from the rules")
