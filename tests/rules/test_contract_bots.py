"""Every bot of every game plays by the rules, with no more than its view and its memory."""

from random import Random
from typing import Any

import pytest

from games.rules import catalog
from games.rules.game import AnyGame
from tests.rules.playing import (
    Sitting,
    every_game_and_a_fifth,
)

every_bot = pytest.mark.parametrize(
    ("game", "bot"),
    [(game, bot) for game in catalog.GAMES for bot in game.bots],
    ids=[f"{game.slug}-{bot.slug}" for game in catalog.GAMES for bot in game.bots],
)
DECISIONS = 40  # a bot's own in a match, then the stand-in decides, so that slow bots finish


@every_bot
def test_every_bot_plays_by_the_rules_to_the_end(game, bot):
    for number, options in enumerate([game.options(), *game.presets.values()]):
        _play_against_random(game, bot, Sitting.begun(game, options, number), Random(number))


def _play_against_random(game: AnyGame, bot: Any, sitting: Sitting, rng: Random) -> None:
    """Counts decisions and reads no clock, so every machine plays the same match."""
    decisions = 0
    while game.outcome(sitting.state) is None:
        seat = rng.choice(game.to_act(sitting.state))
        if seat != 0:
            sitting.play(seat, rng.choice(game.legal_moves(sitting.state, seat)))
            continue
        chosen = bot if decisions < DECISIONS else game.bot(game.stand_in)
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
            moves = {_choice(bot, sitting, seat, Random(4)) for _ in range(3)}
            assert len(moves) == 1


@every_game_and_a_fifth
def test_bots_are_named_apart_and_one_stands_in(game):
    slugs = [bot.slug for bot in game.bots]
    assert len(set(slugs)) == len(slugs)
    assert game.stand_in in slugs
    assert all(1 <= bot.level <= 5 and bot.summary and bot.name for bot in game.bots)
    assert all(bot.remembers in ("nothing", "round", "match") for bot in game.bots)
