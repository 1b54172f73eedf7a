"""Kernels play what the rules play: in plain Python here, compiled by `make kernels`."""

import os
import subprocess
import sys
from dataclasses import replace
from random import Random

import msgspec
import numpy
import pytest
from django.core.management import call_command

from cardroom.arena import compiled_code, engine, kernels
from cardroom.arena.kernels import check, search_differences
from cardroom.arena.request import Part, describe, run_part, series
from cardroom.arena.series import Series
from cardroom.fast import compiling, kernel
from cardroom.fast.binding import CompiledSearch
from cardroom.fast.kernel import seeds_of, work_arrays
from cardroom.rules import catalog
from cardroom.rules.bot import Search
from cardroom.rules.search import stopping_when
from cardroom.rules.shuffles import Stream, start
from games.management.terminal import played_by
from tests.rules.pazaak.scene import half, scene

VARIANTS = list(kernels.variants())
COVERED = [catalog.find(slug) for slug in compiled_code.covered_games()]
SHORTER = {"pisti": {"target_score": 25}, "pyanitsa": {"max_tricks": 60}}
SHORTEST = {"shithead": {"games": 1, "max_turns": 60}}


def quick(variant, games, **shortest):
    """A variant with matches that do not take long in plain Python."""
    shorter = SHORTER.get(variant.game, {}) | SHORTEST.get(variant.game, {}) | shortest
    longer = [name for name in shorter if variant.values.get(name, 0) is None]
    values = dict(variant.values) | {n: v for n, v in shorter.items() if n not in longer}
    return describe(variant.game, values=values, bots=variant.bots, games=games, seed=11)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_kernel_is_in_the_state_of_the_rules_before_every_ply(variant):
    assert not check(quick(variant, 3), Part(0, 3)).difference


@pytest.mark.parametrize("game", COVERED, ids=lambda game: game.slug)
def test_what_is_compiled_ahead_is_what_plays(game, monkeypatch):
    """Other types of arrays would be compiled again when the first match is played."""
    monkeypatch.setattr(kernel, "_note", lambda name: None)
    kinds = []

    def play(*arrays):
        kinds.append([(array.dtype, array.ndim) for array in arrays])

    recording = replace(compiled_code.kernel_of_game(game.slug), play_batch=play)
    kernel.warm(recording)
    matches = series(describe(game.slug, seed=1))
    recording.play(
        seeds_of(1, [0], [0]), matches.options, matches.setups[0], [0] * len(matches.bots)
    )
    assert kinds[0] == kinds[1]


def test_a_kernel_that_differs_is_named_with_the_match_and_the_ply(monkeypatch):
    kernel = compiled_code.kernel_of_game("pisti")

    def changed(state):
        return [*kernel.row(state)[:-1], -1] if state.plays_made == 4 else kernel.row(state)

    monkeypatch.setattr(compiled_code, "kernel_of_game", lambda slug: replace(kernel, row=changed))
    found = check(quick(VARIANTS[0], 8), Part(2, 3)).difference
    assert "in match 2 before ply 5" in str(found)
    assert found.rules[:-1] == found.kernel[:-1]
    assert found.rules[-1] == -1 != found.kernel[-1]


def test_kernels_are_checked_in_pieces(capsys):
    for first, count in ((0, 3), (3, 2)):
        call_command("verify_kernels", variant="pisti/single", seeds=count, first_seed=first)
    lines = capsys.readouterr().out.splitlines()
    told = [line for line in lines if "searches" not in line]
    assert [line.rpartition(" (")[0] for line in told] == [
        "pisti/single, plies: matches 0 to 2 alike, 147 compared",
        "Variants: 1, matches: 3, states compared: 147, all alike",
        "pisti/single, plies: matches 3 to 4 alike, 98 compared",
        "Variants: 1, matches: 2, states compared: 98, all alike",
    ]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_kernel_counts_what_the_rules_count(variant):
    matches = series(msgspec.structs.replace(quick(variant, 3), swap=True))
    kernel = compiled_code.kernel_of_game(variant.game)
    counted = engine.figures(kernel, matches, range(1, 4))
    assert counted.by_kernels == 3
    expected = msgspec.structs.replace(matches.figures(range(1, 4)), by_kernels=3)
    assert msgspec.json.encode(counted) == msgspec.json.encode(expected)


@pytest.mark.parametrize("game", COVERED, ids=lambda game: game.slug)
def test_every_option_is_other_than_usual_in_a_variant(game):
    usual = msgspec.to_builtins(game.options())
    changed = {name for variant in VARIANTS if variant.game == game.slug for name in variant.values}
    assert set(usual) - changed == set()


def test_the_long_matches_of_bored_bots_are_alike():
    """shithead: after many turns a bot plays any legal move now and then."""
    values = {"joker_top": "reset", "max_turns": 450, "pickup": "voluntary"}
    request = describe("shithead", values=values, bots=["keeper", "random"], games=4, seed=2)
    assert run_part(request, Part(0, 4)).measures["plies"]
    assert not check(request, Part(0, 4)).difference


def test_a_kernel_draws_what_the_generator_of_the_rules_draws():
    starts = seeds_of(2**53 - 1, [7], [9])[0]
    assert starts.tolist() == [start(2**53 - 1, "decks", 7), start(2**53 - 1, "bots", 9)]
    decks, bots = (Stream(int(word)) for word in starts)
    (words,) = work_arrays()
    words[: compiling.STREAMS] = starts
    for size in (1, 2, 10, 36, 40, 52, 54):
        cards, expected = numpy.arange(size), list(range(size))
        compiling.shuffle(words, cards, 0, size)
        decks.shuffle(expected)
        assert cards.tolist() == expected
        assert compiling.below(words, size) == bots._randbelow(size)
        assert compiling.chance(words) == bots.random()


def test_the_arbitrary_collection_and_foreign_bots_are_for_the_rules():
    chosen = describe("pyanitsa", values={"collect_order": "arbitrary"})
    kernel = compiled_code.kernel_of_game("pyanitsa")
    assert engine.uncovered(series(chosen), kernel) == "collect_order arbitrary"
    seated = describe("pisti", bots=["greedy", "counter"])
    assert "counter" in engine.uncovered(series(seated), compiled_code.kernel_of_game("pisti"))
    own = describe("pisti", bots=["tests.arena.toy:HIGH", "greedy"], custom=True)
    matches = series(own, custom=True)
    kernel = compiled_code.kernel_of_game("pisti")
    assert "tests.arena.toy:HIGH" in engine.uncovered(matches, kernel)


def test_without_numba_the_rules_play_and_say_so(monkeypatch):
    monkeypatch.setattr(compiled_code, "_LIBRARIES", ("no_such_library",))
    assert "not installed" in engine.why_rules(series(describe("pisti")))
    monkeypatch.setenv("CARDROOM_KERNELS", "off")
    assert engine.kernel_for(series(describe("pisti"))) is None


def test_a_web_process_never_imports_kernels_or_what_pairs_tournaments():
    """Nor their libraries: they would take a good part of the time to its start."""
    seldom = ("cardroom.fast", "numba", "numpy", "networkx", "py4swiss", "pydantic")
    program = (
        "import sys, config.asgi, config.urls, games.simulations.work;"
        f"print([name for name in {seldom} if name in sys.modules])"
    )
    asked = [sys.executable, "-c", program]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    found = subprocess.run(asked, capture_output=True, text=True, env=environment, check=True)
    assert found.stdout.strip() == "[]"


# The compiled form of a bot that searches takes its place wherever it is ready, and plays alike.
#
# Here it runs in plain Python; `make kernels` compares it compiled, in many more matches.

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
