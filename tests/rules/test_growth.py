"""A bot that grows takes a strength with its name, and plays more and more like a better one."""

from collections import Counter
from random import Random

import pytest

from cardroom.arena.request import Part, describe, run_part
from cardroom.rules import catalog
from cardroom.rules.bot import STRENGTHS, Mixed

GROWING = [(game, bot) for game in catalog.GAMES for bot in game.bots if bot.growth]


def test_every_game_with_decisions_has_a_beginner_that_grows():
    assert {(game.slug, bot.slug) for game, bot in GROWING} == {
        ("pisti", "beginner"),
        ("pazaak", "beginner"),
        ("shithead", "beginner"),
    }


@pytest.mark.parametrize(("game", "bot"), GROWING, ids=lambda each: each.slug)
def test_strengths_rise_and_are_found_by_their_names(game, bot):
    shares = bot.growth.shares
    assert len(shares) == STRENGTHS
    assert list(shares) == sorted(set(shares))
    for strength, share in enumerate(shares, start=1):
        grown = game.bot(f"beginner:strength={strength}")
        assert grown.choose.share == share
        assert not grown.rated
        assert grown.remembers == bot.growth.into.remembers
        assert game.bot(grown.slug).slug == grown.slug  # what a seat stores is found again


@pytest.mark.parametrize(
    "name", ["beginner:strength=0", "beginner:strength=6", "rookie:strength=2"]
)
def test_other_strengths_and_other_bots_are_refused(name):
    with pytest.raises(KeyError):
        catalog.find("pazaak").bot(name)


def test_it_chooses_as_the_better_one_as_often_as_it_says():
    mixed = Mixed(lambda *_: "usual", lambda *_: "better", 0.3)
    rng = Random(1)
    chosen = Counter(mixed(None, (), rng) for _ in range(2000))
    assert 0.25 < chosen["better"] / 2000 < 0.35


def test_the_strongest_beats_the_weakest():
    bots = ["beginner:strength=5", "beginner"]
    asked = describe("pazaak", bots=bots, games=60, seed=1, swap=True)
    assert run_part(asked, Part(0, 60)).bots["beginner:strength=5"].won > 40
