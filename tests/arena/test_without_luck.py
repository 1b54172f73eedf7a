"""A contest with the luck of the cards taken out: the same matches and mean, a smaller interval."""

from random import Random

from msgspec.structs import replace

from cardroom.arena.luck import AdjustedMatch
from tests.strength.contest import Contest
from tests.strength.without_luck import WithoutLuck


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
