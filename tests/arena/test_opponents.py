"""The opponents of `make strength` that never play at the tables: they play by the rules, and see
no more than their seat."""

from random import Random

import pytest

from cardroom.arena.series import Series
from cardroom.rules import catalog
from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.shithead import GAME as SHITHEAD
from tests.rules.pazaak.scene import half, scene
from tests.rules.shithead.scene import position
from tests.strength.opponents import flat_pazaak, flat_pisti, flat_shithead
from tests.strength.opponents.published_pazaak import EAGER, HIT_FACTOR, SIX_RULES

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
        scene(half("10 4", hand="P2 M3"), half("9", hand=hand), phase="turn_play")
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
    behind = scene(half("10 8"), half("10 9", standing=True))
    assert chosen(SIX_RULES, behind) == "stand"
    assert chosen(EAGER, behind) == "draw"


def test_the_six_rules_beat_a_standing_rival_with_the_smallest_card():
    table = scene(half("10 5", hand="P3 P4"), half("10 7", standing=True), phase="turn_play")
    assert chosen(SIX_RULES, table) == "P3"


def test_the_eager_one_lifts_itself_as_high_as_it_can():
    table = scene(half("10 5", hand="P3 P4"), half("10"), phase="turn_play")
    assert chosen(EAGER, table) == "P4"


def test_the_guide_draws_while_19_and_20_are_as_likely_as_a_bust():
    assert chosen(HIT_FACTOR, scene(half("10 2"), half("10"))) == "draw"
    assert chosen(HIT_FACTOR, scene(half("10 3"), half("10"))) == "stand"
    assert chosen(HIT_FACTOR, scene(half("10 3", hand="M5"), half("10"))) == "draw"
