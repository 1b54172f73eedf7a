"""`make strength` says what is reached, what is missed, and what its matches cannot decide."""

from collections import Counter
from random import Random
from statistics import fmean

import pytest
from msgspec.structs import replace

from cardroom.arena import compiled_code
from cardroom.arena.luck import AdjustedMatch
from cardroom.arena.series import Series
from cardroom.arena.statistics import Interval
from cardroom.rules import catalog
from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.bots.belief import COUNTER, GREEDY, NEAR_COUNTER, Known, believed
from cardroom.rules.pisti.bots.outlook import KINDS, estimated, points_to_come
from cardroom.rules.pisti.bots.world import BLOCK, MODELS, PistiWorld
from cardroom.rules.pisti.coaching import laid_out
from cardroom.rules.search import Candidate
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shuffles import Stream
from tests.rules.pazaak.scene import half
from tests.rules.pazaak.scene import scene as scene_scene
from tests.rules.pisti.scene import scene
from tests.rules.shithead.scene import position
from tests.strength import __main__ as command
from tests.strength import more_worlds, newcomers
from tests.strength.best_reply import Watched, behind, certain
from tests.strength.contest import Contest
from tests.strength.foresight import End, end_of, ends_of, squares
from tests.strength.guesses import Guessing, play, two_kinds
from tests.strength.more_worlds import Compared, played
from tests.strength.opponents import flat_pazaak, flat_pisti, flat_shithead
from tests.strength.opponents.published_pazaak import EAGER, HIT_FACTOR, SIX_RULES
from tests.strength.without_luck import WithoutLuck


@pytest.mark.parametrize(
    ("low", "high", "shed", "reached"),
    [
        (0.66, 0.8, False, True),
        (0.4, 0.64, False, False),
        (0.6, 0.7, False, None),
        (0.4, 0.64, True, True),
        (0.66, 0.8, True, False),
    ],
)
def test_a_row_is_decided_once_its_interval_does_not_hold_the_target(low, high, shed, reached):
    contest = Contest("pisti", "greedy", ["random"], 10, 65, shed=shed)
    assert contest.reached(Interval((low + high) / 2, low, high)) is reached


def test_a_row_ends_when_it_is_decided():
    contest = Contest("pisti", "greedy", ["random"], 500, 60, options={"target_score": None})
    figure, target, reached = contest.measure()
    assert (target, reached) == ("≥ 60 %", True)
    assert "100 matches" in figure


def test_a_team_of_the_bot_has_won_the_whole_match():
    rivals, teams = ["random", "greedy", "random"], {"players": 4, "teams": True}
    contest = Contest("pisti", "greedy", rivals, 8, options=teams)
    shares, _clock = contest.play(range(2))
    assert shares == [1.0, 1.0]


@pytest.mark.parametrize(
    ("counts", "strict", "code"),
    [({True: 3}, "1", 0), ({True: 3, None: 1}, "", 0), ({None: 1}, "1", 2), ({False: 1}, "", 1)],
)
def test_what_is_missed_fails_and_what_is_undecided_does_if_asked(
    monkeypatch, counts, strict, code
):
    monkeypatch.setenv("STRICT", strict)
    assert command.exit_code(Counter(counts)) == code


def test_rows_are_chosen_by_module_and_number():
    chosen = dict(command.sections(["pisti/2", "war"]))
    assert {name: [number for number, _ in rows] for name, rows in chosen.items()} == {
        "pisti": [2],
        "war": [1],
    }


# The loss of choices of Pişti against the best ones, by ``tests.strength.best_reply``.


@pytest.fixture
def view():
    """Seat 0 may take the seven for a pişti."""
    return PISTI.view(scene("7H", ("7C 3C KD", "4D 5S 8S"), plays_made=20), 0)


def missed(view, chosen):
    known = certain(believed(view, 0, (), exact=True), view)
    watched, rng = Watched(playouts=200, worlds=200, budgets=[200]), Random(1)
    return behind(watched.worths(view, known, rng), watched.worths(view, known, rng), chosen)


def test_the_best_card_misses_nothing_and_another_one_misses_a_chance(view):
    assert missed(view, "7C") == pytest.approx(0, abs=0.01)
    assert missed(view, "KD") > 0.05


def test_every_searcher_is_judged_in_the_same_places(view):
    watched = Watched(playouts=200, worlds=200, budgets=[200, 50])
    assert watched.choose(view, (), Stream(1)) == "7C"
    assert watched.missed == [[pytest.approx(0, abs=0.01)] * 2]


# How near Pişti's searcher comes to what follows, as ``tests.strength.foresight`` finds it.


def world():
    return laid_out(scene("7H", ("4C", "4D"), plays_made=2 * BLOCK), ["counter", "counter"])


@pytest.mark.parametrize("me", [0, 1])
def test_what_is_foreseen_and_what_came_are_of_one_seat(me):
    there = world()
    totals = (there.points[0] + 9, there.points[1] + 2)
    end = end_of(there, me, totals)
    sign = 1 if me == 0 else -1
    assert end.before == int(me != there.turn)
    assert end.came == 7 * sign
    assert end.tables == (1 if me == there.turn else -1) * points_to_come(there, there.turn)
    assert end.formula == estimated(there, me, 1 - me)


def test_a_mean_error_does_not_count():
    ends = [End(2, 0, 1.0, 0.0, 4.0), End(2, 0, 2.0, 0.0, 5.0), End(3, 0, 0.0, 0.0, 9.0)]
    assert squares(ends, "tables") == [0, 0, 0]
    assert squares(ends, "formula") == [0.25, 0.25, 0]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_deal_of_a_match_is_looked_at(kind):
    ends = ends_of(0, playouts=16, kind=kind)
    assert {end.block for end in ends} == set(range(1, kind.blocks + 1))
    assert len(ends) % kind.blocks == 0


# How well Pişti's searcher guesses hands, as ``tests.strength.guesses`` finds it.


def scores_of(bot, players=2):
    """By place of one match, with three kinds of players and with two."""
    guessing = Guessing(compiled_code.quick(PISTI, PISTI.bot(bot)), worlds=10)
    play(guessing, 0, PISTI.options(target_score=51, players=players))
    return zip(*guessing.scores, strict=True)


def test_the_hands_of_a_counter_are_guessed_with_either_two_or_three_kinds():
    three, two = map(fmean, scores_of("counter"))
    assert min(three, two) > 0.2
    assert three == pytest.approx(two, abs=0.1)


def test_the_hands_of_who_searches_are_guessed_better_with_three_kinds():
    three, two = map(fmean, scores_of("searcher:playouts=50", 3))
    assert three > two + 0.1


def test_with_two_kinds_the_odds_of_the_others_stay():
    known = two_kinds(Known([PistiWorld()], [], [], [], [0.5, 0.25, 0.25] * 2, []))
    for first in (0, MODELS):
        assert known.trust[first + NEAR_COUNTER] == 0
        assert known.trust[first + COUNTER] == pytest.approx(2 / 3)
        assert known.trust[first + GREEDY] == pytest.approx(1 / 3)


# The gain of a plain search of Pişti by more worlds, by ``tests.strength.more_worlds``.


class Found:
    """A search that likes another card by more worlds, and finds what it likes worth 2 points."""

    def weigh(self, view, events, rng, samples):
        liked = {10: "3C", 50: "KD"}[samples]
        return [self.worth(move, move == liked) for move in ("7C", "3C", "KD")]

    def worth(self, move, liked):
        candidate = Candidate(move)
        candidate.total, candidate.worlds = 2.0 * liked, 1
        return candidate


def test_a_choice_gains_what_the_search_of_more_worlds_finds_it_better_by(monkeypatch):
    monkeypatch.setattr(more_worlds, "PLAIN", Found())
    view = PISTI.view(scene("7H", ("7C 3C KD", "4D 5S 8S"), plays_made=20), 0)
    compared = Compared(worlds=10, more=50)
    assert compared.choose(view, (), Random(1)) == "3C"
    assert compared.gained == [2.0]


@pytest.mark.parametrize("players", [2, 3])
def test_a_few_more_worlds_choose_otherwise_now_and_then(players):
    compared = Compared(worlds=2, more=8)
    played(0, PISTI.options(players=players, target_score=None), compared)
    assert len(compared.gained) > 20
    assert any(compared.gained)


# The first opponent: a newcomer wins six matches of ten against it, and it is no random mover.


@pytest.mark.parametrize(
    ("game", "newcomer", "preset"),
    [
        pytest.param("pisti", newcomers.PISTI, None, marks=pytest.mark.sweep),
        ("pazaak", newcomers.PAZAAK, None),
        pytest.param("shithead", newcomers.SHITHEAD, "traditional", marks=pytest.mark.sweep),
    ],
)
def test_a_newcomer_wins_about_six_of_ten_against_the_beginner(game, newcomer, preset):
    """Seeded, so it cannot fail by chance; ``make strength`` plays more matches."""
    against, chance = (
        Contest(game, bot, [newcomer], 0, preset=preset) for bot in ("beginner", "random")
    )
    won, _ = against.play(range(200))
    assert 0.32 <= fmean(won) <= 0.48
    assert fmean(chance.play(range(30))[0]) < 0.15


# A contest with the luck of the cards taken out: the same matches and mean, a smaller interval.


def adjusted(deal, turn, luck, chance):
    won = chance.random() < 0.5 + luck
    names, scores, lucks = ("gambler", "cheater"), (float(won), float(not won)), (luck, -luck)
    step = 1 if turn == 0 else -1
    return AdjustedMatch(
        2 * deal + turn,
        deal,
        names[::step],
        scores[::step],
        tuple((each,) for each in lucks[::step]),
    )


def mirrored(deals, reach):
    """Matches of two seats that are won as often as luck has it, with luck of up to ``reach``."""
    chance = Random(1)
    return [
        [adjusted(deal, turn, chance.uniform(-reach, reach), chance) for turn in range(2)]
        for deal in range(deals)
    ]


def test_without_luck_the_mean_stays_and_the_interval_is_smaller():
    contest = WithoutLuck("pazaak", "gambler", ["cheater"], 400, 50)
    deals = mirrored(300, 0.5)
    plain, without = contest.plain(deals), contest.interval(deals)
    assert without.high - without.low < 0.9 * (plain.high - plain.low)
    assert plain.low < without.value < plain.high


def test_luck_explains_nothing_where_all_matches_end_alike():
    contest = WithoutLuck("pazaak", "gambler", ["cheater"], 400, 50)
    deals = [[replace(match, scores=(0.5, 0.5)) for match in deal] for deal in mirrored(30, 0.4)]
    assert contest.interval(deals) == contest.plain(deals)
    assert contest.interval(deals).low < 0.5


def test_a_few_deals_say_no_more_than_plain_ones():
    contest, deals = WithoutLuck("pazaak", "gambler", ["cheater"], 400, 50), mirrored(3, 0.5)
    assert contest.interval(deals) == contest.plain(deals)


def test_a_contest_without_luck_plays_the_matches_of_the_plain_one():
    chosen = ("pazaak", "rookie", ["random"], 4)
    deals, (own, others) = WithoutLuck(*chosen).play(range(2))
    shares, _ = Contest(*chosen).play(range(2))
    assert WithoutLuck(*chosen).plain(deals).value == sum(shares) / 2
    assert own.moves
    assert others.moves


# The opponents of `make strength` that never play at the tables: they play by the rules, and see
# no more than their seat.

PUBLISHED = [SIX_RULES, EAGER, HIT_FACTOR]
PLAIN = [
    ("pazaak", flat_pazaak.flat(2)),
    ("pazaak", flat_pazaak.flat(2, "random")),
    ("pazaak", flat_pazaak.flat(2, knows_decks=False)),
    ("pisti", flat_pisti.flat(2)),
    ("pisti", flat_pisti.flat(2, "random")),
    ("shithead", flat_shithead.flat(2)),
    ("shithead", flat_shithead.flat(2, "random")),
    *[("pazaak", rule) for rule in PUBLISHED],
]


SOON = {"pazaak": {"rounds_to_win": 1}, "shithead": {"games": 1, "max_turns": 24}}


@pytest.mark.parametrize(("slug", "bot"), PLAIN, ids=lambda each: getattr(each, "slug", each))
def test_an_opponent_plays_a_match_by_the_rules_and_repeats_it(slug, bot):
    game = catalog.find(slug)
    rival = game.bot({"pisti": "greedy", "pazaak": "gambler", "shithead": "keeper"}[slug])
    options = game.choose_options(SOON.get(slug), "single" if slug == "pisti" else None)
    first, again = (Series(game, options, (bot, rival), 3).play(0) for _ in range(2))
    assert first == again


@pytest.mark.parametrize("preset", ["kotor1", "kotor2"])
def test_a_plain_search_knows_the_other_ways_of_pazaak(preset):
    bots = (flat_pazaak.flat(2, "random"), PAZAAK.bot("rookie"))
    assert Series(PAZAAK, PAZAAK.choose_options(preset=preset), bots, 3).play(0).outcome.winners


def chosen(bot, table, seat=0):
    return bot.choose(PAZAAK.view(table, seat), (), Random(1))


def test_a_plain_search_sees_no_more_than_its_view():
    """The rival's hand, both side decks' order and what is drawn next change nothing."""
    bot = flat_pazaak.flat(20)
    tables = [
        scene_scene(half("10 4", hand="P2 M3"), half("9", hand=hand), phase="turn_play")
        for hand in ("PM1 M2", "P6 P6")
    ]
    assert chosen(bot, tables[0]) == chosen(bot, tables[1])


def test_a_plain_search_of_shithead_sees_no_more_than_its_view():
    """Who holds which unknown card, in the hand, below it or in the stock, changes nothing."""
    bot, unknown = (
        flat_shithead.flat(30),
        (("4C 9D KD", "3H 8C", "6H 2D"), ("2D 3H 6H", "4C KD", "8C 9D")),
    )
    tables = [
        position(["5S 7D 9C", hand], ["KC", "QC"], ["4D", hidden], "6D", stock)
        for hand, hidden, stock in unknown
    ]
    views = [SHITHEAD.view(table, 0) for table in tables]
    assert tables[0] != tables[1]
    assert len({bot.choose(view, (), Random(1)) for view in views}) == 1


def test_the_six_rules_stand_on_18_whatever_the_rival_has():
    behind = scene_scene(half("10 8"), half("10 9", standing=True))
    assert chosen(SIX_RULES, behind) == "stand"
    assert chosen(EAGER, behind) == "draw"


def test_the_six_rules_beat_a_standing_rival_with_the_smallest_card():
    table = scene_scene(half("10 5", hand="P3 P4"), half("10 7", standing=True), phase="turn_play")
    assert chosen(SIX_RULES, table) == "P3"


def test_the_eager_one_lifts_itself_as_high_as_it_can():
    table = scene_scene(half("10 5", hand="P3 P4"), half("10"), phase="turn_play")
    assert chosen(EAGER, table) == "P4"


def test_the_guide_draws_while_19_and_20_are_as_likely_as_a_bust():
    assert chosen(HIT_FACTOR, scene_scene(half("10 2"), half("10"))) == "draw"
    assert chosen(HIT_FACTOR, scene_scene(half("10 3"), half("10"))) == "stand"
    assert chosen(HIT_FACTOR, scene_scene(half("10 3", hand="M5"), half("10"))) == "draw"
