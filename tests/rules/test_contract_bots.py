"""Every bot of every game plays by the rules, with no more than its view and its memory."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.rules import catalog
from games.rules.game import AnyGame
from games.rules.shuffles import seeded
from tests.rules.playing import (
    Sitting,
    every_game_and_a_fifth,
)

every_bot = pytest.mark.parametrize(
    ("game", "bot"),
    [(game, bot) for game in catalog.GAMES for bot in game.bots],
    ids=[f"{game.slug}-{bot.slug}" for game in catalog.GAMES for bot in game.bots],
)
FEW = 12  # playouts of a bot that searches
DECISIONS = 40  # a bot's own in a match, then the stand-in decides, so that slow bots finish


@every_bot
def test_every_bot_plays_by_the_rules_to_the_end(game, bot):
    for number, options in enumerate([game.options(), *game.presets.values()]):
        _play_against_random(game, bot, Sitting.begun(game, options, number), Random(number))


def cheaply(game: AnyGame, bot: Any) -> Any:
    """The bot, or with a search as short as the suite can pay."""
    return game.bot(f"{bot.slug}:playouts={FEW}") if bot.search else bot


def _play_against_random(game: AnyGame, bot: Any, sitting: Sitting, rng: Random) -> None:
    """Counts decisions and reads no clock, so every machine plays the same match."""
    decisions = 0
    while game.outcome(sitting.state) is None:
        seat = rng.choice(game.to_act(sitting.state))
        if seat != 0:
            sitting.play(seat, rng.choice(game.legal_moves(sitting.state, seat)))
            continue
        chosen = cheaply(game, bot) if decisions < DECISIONS else game.bot(game.stand_in)
        sitting.play(seat, _choice(chosen, sitting, seat, rng))
        decisions += 1


def _choice(bot: Any, sitting: Sitting, seat: int, rng: Random) -> str:
    events = sitting.game.recent_events(sitting.seen_by(seat), bot.remembers)
    move: str = bot.choose(sitting.game.view(sitting.state, seat), events, rng)
    return move


@every_bot
def test_a_bot_chooses_the_same_from_the_same(game, bot):
    """Its view, its events and its random generator decide, and nothing else."""
    for plies in (0, 5, 20):
        sitting = Sitting.begun(game, game.options()).play_on(Random(plies), plies)
        for seat in game.to_act(sitting.state):
            moves = {_choice(cheaply(game, bot), sitting, seat, Random(4)) for _ in range(3)}
            assert len(moves) == 1


@every_bot
def test_a_bot_chooses_the_same_whatever_lies_where_it_cannot_see(game, bot):
    """All cards that its seat does not know are dealt again; only its chances are the same."""
    for plies in (0, 3, 11, 30):
        sitting = Sitting.begun(game, game.options(), plies).play_on(Random(plies), plies)
        for seat in game.to_act(sitting.state):
            chosen = _choice(cheaply(game, bot), sitting, seat, Random(4))
            past = tuple(sitting.history)
            shuffle = seeded(Random(plies))
            redealt = game.redeal(sitting.state, past, frozenset({seat}), shuffle)
            other = replace(sitting, state=redealt.state, history=redealt.history(past))
            assert _choice(cheaply(game, bot), other, seat, Random(4)) == chosen


@every_game_and_a_fifth
def test_bots_are_named_apart_and_one_stands_in(game):
    slugs = [bot.slug for bot in game.bots]
    assert len(set(slugs)) == len(slugs)
    assert game.stand_in in slugs
    assert all(1 <= bot.level <= 5 and bot.summary and bot.name for bot in game.bots)
    assert all(bot.remembers in ("nothing", "round", "match") for bot in game.bots)


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
