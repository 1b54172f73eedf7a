"""Results without luck: unbiased whatever is guessed, by enumerating everything that can happen."""

from dataclasses import replace
from itertools import permutations
from random import Random
from statistics import fmean

import pytest
from django.core.management import CommandError, call_command
from msgspec.structs import replace as changed

from cardroom.arena import luck
from cardroom.arena.luck import AdjustedMatch, Watch, play_adjusted, run_adjusted, scores
from cardroom.arena.request import Part, describe, series
from cardroom.arena.statistics import slopes
from cardroom.rules import catalog
from cardroom.rules.cards import JACK
from cardroom.rules.pazaak import rules
from cardroom.rules.pazaak.coaching import before_the_draw, each
from cardroom.rules.pazaak.side_cards import SINGLES
from cardroom.rules.pisti.bots.world import RANKS_OF
from cardroom.rules.pisti.coaching import deal_anew, laid_out
from cardroom.rules.pisti.predicates import PACK
from cardroom.rules.shuffles import Stacked, seeded
from cardroom.rules.values import Chances, Options, Outcome, State, Step, StepBuilder

PISTI = catalog.find("pisti")


class Deck(State, frozen=True):
    """Two seats turn cards up in turn from three of 1 to 3; who turns up more in sum wins.

    A seat may leave the card and give it to the other.
    """

    options: "Three"
    stock: tuple[int, ...]
    totals: tuple[int, int] = (0, 0)


class Three(Options, frozen=True):
    pass


def _start(options, _setups, shuffle):
    return Step(Deck(options, tuple(shuffle((1, 2, 3)))), ())


def _play(state, seat, move, _shuffle):
    own = seat if move == "keep" else 1 - seat
    totals = tuple(t + state.stock[0] * (at == own) for at, t in enumerate(state.totals))
    return Step(changed(state, stock=state.stock[1:], totals=totals), ())


def _outcome(state):
    if state.stock:
        return None
    first, second = state.totals
    winners = (0,) * (first >= second) + (1,) * (second >= first)
    return Outcome(winners, state.totals, "deal", (1, 1))


def _again(state, rng):
    return changed(state, stock=tuple(rng.sample(state.stock, len(state.stock))))


def _each(state, _seat, _move):
    return [
        (1 / len(state.stock), changed(state, stock=(card, *(c for c in state.stock if c != card))))
        for card in state.stock
    ]


def _game(worth, listed):
    chances = Chances(
        falls=lambda _state, _seat, _move: True,
        again=_again,
        worth=worth,
        each=_each if listed else lambda *_: (),
    )
    return replace(
        catalog.find("pisti"),
        options=Three,
        state=Deck,
        start=_start,
        play=_play,
        outcome=_outcome,
        sides=lambda _options: ((0,), (1,)),
        chances=chances,
    )


def _guess_by_lead(state):
    return 0.5 + (state.totals[0] - state.totals[1]) / 12, 0.0


def _guess_nonsense(state):
    return 7.0 * state.totals[1] - 3.0 * len(state.stock), -2.0 * state.totals[0]


@pytest.mark.parametrize("worth", [_guess_by_lead, _guess_nonsense])
def test_the_exact_mean_is_that_of_the_results(worth):
    """Every order of three cards, with policies that look at what was turned up."""
    plain, adjusted = [], []
    for deck in permutations((1, 2, 3)):
        watch = Watch(_game(worth, listed=True), Random(0))
        result = _played(watch, deck)
        plain.append(result)
        lucks = [sum(kinds) for kinds in watch.luck]
        adjusted.append([score - luck_ for score, luck_ in zip(result, lucks, strict=True)])
    for side in (0, 1):
        mean = fmean(each_[side] for each_ in plain)
        assert fmean(each_[side] for each_ in adjusted) == pytest.approx(mean)
    assert any(one != other for one, other in zip(plain, adjusted, strict=True))


def _played(watch, deck):
    game = watch.game
    watch._sides = ((0,), (1,))  # at the start nothing is turned up
    watch.luck = [[0.0] * 2 * luck.ROUNDS for _ in watch._sides]
    state = Deck(Three(), deck)
    for seat in (0, 1, 0):
        move = "keep" if sum(state.totals) % 2 == 0 else "give"
        state = game.play(state, seat, move, Stacked([], str)).state
    return luck.scores_of(game.outcome(state), ((0,), (1,)))


def test_a_sampled_chance_has_the_same_mean():
    differences = []
    for number in range(1200):
        rng = Random(number)
        watch = Watch(_game(_guess_nonsense, listed=False), rng, samples=2)
        _played(watch, tuple(rng.sample((1, 2, 3), 3)))
        differences.append(sum(watch.luck[0]))
    spread = (sum(d * d for d in differences) / len(differences)) ** 0.5
    assert abs(fmean(differences)) < 4 * spread / len(differences) ** 0.5


def test_a_draw_of_pazaak_lists_every_card_with_its_chance():
    game = catalog.find("pazaak")
    matches = series(describe("pazaak", bots=("random", "random"), games=1))
    seen = []

    def note(state, seat, move):
        seen.append((state, seat, move))
        return game.chances.falls(state, seat, move)

    watched = replace(game, chances=replace(game.chances, falls=note))
    replace(matches, game=Watch(watched, Random(1), samples=1).game).play(0)
    draws = [(state, seat) for state, seat, move in seen if move == "draw"]
    assert draws
    for state, seat in draws:
        befores = each(state, seat, "draw")
        assert sum(chance for chance, _ in befores) == pytest.approx(1)
        tops = [before.halves[seat].main[0] for _, before in befores]
        assert len(tops) == len(set(tops)) <= 10
        for _, before in befores:
            assert sorted(before.halves[seat].main) == sorted(state.halves[seat].main)
            assert game.view(before, seat) == game.view(state, seat)


@pytest.mark.parametrize(
    ("game", "preset"),
    [("pisti", "single"), ("pisti", None), ("pazaak", None), ("pazaak", "kotor2")],
)
def test_the_quick_guess_is_nothing_in_the_mean(game, preset):
    """The sum of every kind of luck for the first seat, over many matches."""
    matches = series(describe(game, preset=preset, bots=("random",), games=20, seed=8))
    number = 20 if preset or game == "pazaak" else 4
    added = [play_adjusted(matches, n).luck[0] for n in range(number)]
    for kind in zip(*added, strict=True):
        spread = sum(each * each for each in kind) ** 0.5
        assert abs(sum(kind)) <= 4 * spread


@pytest.mark.parametrize("preset", ["kotor1", "kotor2"])
def test_where_the_next_seat_draws_by_itself_its_card_is_what_fell(preset):
    """pazaak R7: under ``turn_end`` the move that ends a turn brings the next card."""
    game, drawn = catalog.find("pazaak"), 0
    matches = series(describe("pazaak", preset=preset, bots=("gambler",), games=4, seed=3))

    def compare(state, seat, move, shuffle):
        nonlocal drawn
        step = game.play(state, seat, move, shuffle)
        if move in ("end", "stand"):
            drawing = before_the_draw(state, seat, move)
            if drawing is None:
                assert step.scores is not None
            else:
                builder = StepBuilder(seeded(Random(0)))
                after = rules.draw(drawing, drawing.to_act, builder)
                assert builder.events[0] in step.events
                assert step.scores is not None or after == step.state
                drawn += 1
        return step

    for number in range(4):
        replace(matches, game=replace(game, play=compare)).play(number)
    assert drawn > 20


def test_a_new_deal_of_pisti_has_no_jack_on_top():
    """pisti R7: the guess deals the centre as the rules do."""
    state = catalog.find("pisti").start(PISTI.options(), (), seeded(Random(2))).state
    world, lot = laid_out(state, ("counter", "greedy")), list(PACK)
    assert list(world.counts[:2]) == [1, 0]
    rng = Random(5)
    for _ in range(300):
        deal_anew(rng, world, lot, 1)
        assert RANKS_OF[lot[3]] == JACK or world.top == RANKS_OF[lot[3]]
        assert world.top != JACK
        assert sum(world.seen) == 1


def test_explaining_numbers_that_hang_on_each_other_share_what_they_explain():
    rng = Random(4)
    rows = [[rng.gauss(0, 1), rng.gauss(0, 1), 0.0] for _ in range(400)]
    rows = [[*row, row[0] + row[1]] for row in rows]
    found = slopes(rows, [2 * row[0] - row[1] + 3 for row in rows])
    assert [found[0] + found[3], found[1] + found[3], found[2]] == pytest.approx([2, -1, 0])


@pytest.mark.parametrize("game", ["pisti", "pazaak"])
def test_the_matches_are_those_without_it(game):
    request = describe(game, bots=("random", "random"), games=3, seed=5)
    matches = series(request)
    for number in range(3):
        adjusted = play_adjusted(matches, number)
        plain = matches.play(number)
        sides = matches.game.sides_of(matches.options)
        assert list(adjusted.scores) == luck.scores_of(plain.outcome, sides)
        assert sum(map(sum, adjusted.luck)) == pytest.approx(0)


def test_parts_are_the_same_in_any_cut():
    request = describe("pisti", values={"target_score": None}, bots=("random",), games=4, seed=2)
    whole = run_adjusted(request, Part(0, 4))
    assert [*run_adjusted(request, Part(0, 1)), *run_adjusted(request, Part(1, 3))] == whole


def adjusted(lucks, results):
    each_ = enumerate(zip(lucks, results, strict=True))
    return [AdjustedMatch(n, n, ("a", "b"), (r, 1 - r), ((k,), (-k,))) for n, (k, r) in each_]


def test_luck_that_says_all_leaves_no_doubt():
    first, second = scores(adjusted([0.4, 0.4, -0.4, -0.4] * 5, [1.0, 1.0, 0.0, 0.0] * 5))
    assert first.name == "a"
    assert first.plain.value == second.plain.value == 0.5
    assert first.adjusted.high - first.adjusted.low < 1e-9


def test_luck_that_says_nothing_changes_little():
    """How much of it counts is found in the other half, so a chance likeness is no gain."""
    rng = Random(4)
    lucks = [rng.uniform(-1, 1) for _ in range(2000)]
    first, _ = scores(adjusted(lucks, [float(rng.random() < 0.5) for _ in lucks]))
    assert first.factor == pytest.approx(1, abs=0.02)
    assert first.adjusted.value == pytest.approx(first.plain.value, abs=0.01)


def test_the_commands_print_both_means(capsys):
    options = ("--option", "target_score=null", "--matches", "6", "--seed", "1", "--jobs", "1")
    call_command("arena", "pisti", "greedy", "random", *options, "--aivat")
    told = capsys.readouterr().out
    assert "without luck %" in told
    assert "×" in told
    games = ("--option", "target_score=null", "--games", "6", "--seed", "1", "--jobs", "1")
    call_command("simulate", "pisti", *games, "--aivat")
    assert "without luck %" in capsys.readouterr().out
    decks = ("--side-deck", "P1,P1,P2,P2,P3,P3,P4,P4,P5,P5", "--side-deck", ",".join(SINGLES))
    options = ("--matches", "6", "--seed", "1", "--jobs", "1", *decks, "--value", "bots")
    call_command("arena", "pazaak", "rookie", "rookie", *options, "--aivat")
    assert "rookie 2" in capsys.readouterr().out


def test_a_game_that_does_not_say_how_luck_falls_is_refused():
    with pytest.raises(CommandError, match="does not say how its luck falls"):
        call_command("arena", "shithead", "keeper", "random", "--aivat", "--matches", "10")
