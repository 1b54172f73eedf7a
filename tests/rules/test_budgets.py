"""A bot that searches takes a budget with its name: playouts, or milliseconds."""

import pytest

from cardroom.rules import catalog


def test_a_bot_that_searches_takes_a_budget_with_its_name():
    for game in catalog.GAMES:
        for bot in game.bots:
            if bot.search is None:
                with pytest.raises(KeyError):
                    game.bot(f"{bot.slug}@10ms")
                continue
            timed = game.bot(f"{bot.slug}@10ms")
            counted = game.bot(f"{bot.slug}:playouts={round(10 * bot.search.playouts_a_ms)}")
            assert timed.choose.playouts == counted.choose.playouts
            assert not timed.rated
            assert game.bot(timed.slug).slug == timed.slug  # what a seat stores is found again


@pytest.mark.parametrize("name", ["@", "@0ms", "@501ms", "@ms", ":playouts=0", ":playouts=9999999"])
def test_a_budget_has_bounds(name):
    with pytest.raises(KeyError):
        catalog.find("pazaak").bot(f"professor{name}")
