"""The leaderboard is made of what is played, and one game's part can be made anew."""

import subprocess
import sys
from dataclasses import replace

import pytest

from cardroom.arena.figures import Figures, Mirrored, Tally
from cardroom.arena.players import find_bot
from cardroom.arena.ranking import openskill_ratings, ratings
from cardroom.arena.request import Part, describe, run_part
from cardroom.arena.statistics import BadRequest
from cardroom.rules import catalog
from tests.strength import leaderboard, reference_core
from tests.strength.leaderboard import PAGE, board, choices_of, chosen, page, section, sections
from tests.strength.reference_core import REFERENCE, SLICE, Stopwatch, play


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(leaderboard, "QUICK", 20)
    monkeypatch.setattr(leaderboard, "COMPILED", 20)


def test_a_section_has_a_row_and_a_column_for_every_computer(toy, quick, few_resamples):
    text = section(board(toy, jobs=1))
    assert text == section(board(toy, jobs=1))
    for bot in toy.bots:
        assert f"| `{bot.slug}` |" in text
        assert f"against `{bot.slug}`" in text
    assert "A pairing played 20 matches." in text


def test_a_game_alone_leaves_the_tables_of_the_others(toy):
    old = "# Leaderboard\n\nHead.\n\n## Pişti\n\nits table\n\n## Pazaak\n\nits table too\n"
    assert list(sections(old)) == ["Pişti", "Pazaak"]
    assert page(old, []).endswith("## Pişti\n\nits table\n\n## Pazaak\n\nits table too\n")


def test_the_page_has_games_in_which_computers_differ():
    names = [game.name for game in chosen(())]
    assert set(names) == {game.name for game in catalog.GAMES} - {"Pyanitsa"}
    written = list(sections(PAGE.read_text("utf-8")))
    assert written == [name for name in names if name in written]
    assert written


def test_a_computer_that_plays_otherwise_is_seen_by_its_choices(monkeypatch):
    monkeypatch.setattr(leaderboard, "MANY", 4)
    pazaak = catalog.find("pazaak")
    gambler, rookie, professor = map(pazaak.bot, ("gambler", "rookie", "professor"))

    def choices(*bots):
        return choices_of(replace(pazaak, bots=bots))

    longer = replace(professor, search=replace(professor.search, playouts=2))
    assert choices(replace(gambler, summary="In other words.")) == choices(gambler)
    assert choices(replace(gambler, choose=rookie.choose)) != choices(gambler)
    assert choices(longer) != choices(professor)


def test_it_starts_by_itself():
    code = "import tests.strength.leaderboard; import sys; sys.exit('django' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def met(won, matches, others=1):
    """A pairing in which the first bot won so many matches, in twos with the same cards."""
    lost = matches - won
    first = Tally(matches, won, 0, lost, 0, matches)
    second = Tally(matches, lost, 0, won, 0, matches * others)
    scores = {4: won // 2, 2: won % 2, 0: (lost - won % 2) // 2}
    return Figures(
        matches=matches,
        bots={"one": first, "other": second},
        mirrored={"one": Mirrored(scores, {})} if others == 1 else {},
    )


def named(figures, one, other):
    bots = {one: figures.bots["one"], other: figures.bots["other"]}
    mirrored = dict(zip([one], figures.mirrored.values(), strict=False))
    return {(one, other): Figures(matches=figures.matches, bots=bots, mirrored=mirrored)}


def test_ten_to_one_is_400_points_and_the_mean_is_1500():
    found = ratings(named(met(10_000, 11_000), "a", "b"))
    assert list(found) == ["a", "b"]
    assert found["a"].value - found["b"].value == pytest.approx(400, abs=1)
    assert found["a"].value + found["b"].value == pytest.approx(3000)


def test_the_interval_holds_the_rating_and_narrows_with_more_matches():
    few, many = (ratings(named(met(6 * n, 10 * n), "a", "b"))["a"] for n in (10, 1000))
    assert few.low < few.value < few.high
    assert many.high - many.low < (few.high - few.low) / 5


def test_a_bot_that_always_wins_has_a_rating(few_resamples):
    found = ratings(named(met(200, 200), "a", "b") | named(met(120, 200), "b", "c"))
    assert list(found) == ["a", "b", "c"]
    assert found["a"].value < found["a"].high < 3500


def test_one_against_three_that_wins_a_quarter_is_as_strong_as_they():
    results = named(met(2500, 10_000, others=3), "a", "b")
    results |= named(met(2500, 10_000, others=3), "b", "a")
    found = ratings(results)
    assert found["a"].value == pytest.approx(1500, abs=1)
    assert openskill_ratings(results) is None  # more than two sides


def test_openskill_orders_the_bots_alike():
    results = named(met(140, 200), "a", "b") | named(met(140, 200), "b", "c")
    found = openskill_ratings(results | named(met(170, 200), "a", "c"), seed=3)
    assert sorted(found, key=lambda bot: -found[bot].mu) == ["a", "b", "c"]
    assert all(0 < each.sigma < 25 / 3 for each in found.values())


@pytest.mark.parametrize(
    ("game", "target", "options"),
    [
        ("pisti", "counter", {"target_score": None, "players": 4}),
        ("pazaak", "gambler", {"rounds_to_win": 1}),
        ("shithead", "lowest", {"max_turns": 12}),
    ],
)
def test_a_best_response_plays_any_game_and_repeats_itself(game, target, options):
    bots = [f"exploit:{target}:playouts=6", target]
    asked = describe(game, values=options, bots=bots, games=2, seed=3, swap=True, custom=True)
    found = [run_part(asked, Part(0, 1), custom=True) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].matches == 1


def test_it_gains_on_a_target_that_it_knows():
    bots = ["exploit:tests.arena.toy:lowest:playouts=40", "tests.arena.toy:lowest"]
    asked = describe(
        "pazaak", values={"rounds_to_win": 1}, bots=["exploit:random:playouts=30", "random"],
        games=40, seed=1, swap=True, custom=True,
    )  # fmt: skip
    tally = run_part(asked, Part(0, 40), custom=True).bots["exploit:random:playouts=30"]
    assert tally.won > 26
    assert find_bot(catalog.find("pisti"), bots[0], custom=True).slug == bots[0]


def test_only_a_command_line_may_name_it():
    with pytest.raises(BadRequest, match="has no bot 'exploit:greedy'"):
        find_bot(catalog.find("pisti"), "exploit:greedy")


# Times with a limit are those of a reference core, so a slow machine misses no row by itself.


@pytest.mark.parametrize(
    ("before", "after", "there"), [(1, 1, 6.0), (2, 2, 3.0), (0.5, 0.5, 12.0), (1, 2, 4.0)]
)
def test_seconds_are_divided_by_what_the_piece_takes_before_and_after(
    monkeypatch, before, after, there
):
    watch = stopwatch(monkeypatch, before, after)
    watch.add(6.0)
    assert (watch.here, watch.there()) == pytest.approx((6.0, there))


def test_each_slice_begins_where_the_last_one_ended(monkeypatch):
    watch = stopwatch(monkeypatch, 1, 3, 3)
    watch.add(6.0)
    watch.add(6.0)
    assert (watch.here, watch.there()) == pytest.approx((12.0, 3.0 + 2.0))


def test_what_is_less_than_a_slice_counts_at_the_end(monkeypatch):
    watch = stopwatch(monkeypatch, 2, 2)
    for _ in range(4):
        watch.add(SLICE / 5)
    assert [watch.there(), watch.there()] == pytest.approx([4 * SLICE / 5 / 2] * 2)


def stopwatch(monkeypatch, *pieces):
    takes = iter([piece * REFERENCE for piece in pieces])
    monkeypatch.setattr(reference_core, "seconds_of_the_piece", lambda: next(takes))
    return Stopwatch()


def test_the_piece_is_the_same_work_on_every_machine():
    assert [play(seed) for seed in range(3)] == [50, 52, 51]  # cards taken
