"""Every bot of every game plays by the rules, with no more than its view and its memory."""

from random import Random
from time import process_time
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
THINKING_SECONDS = 0.4  # a slow bot finishes its match as the stand-in does


@every_bot
def test_every_bot_plays_by_the_rules_to_the_end(game, bot):
    for number, options in enumerate([game.options(), *game.presets.values()]):
        _play_against_random(game, bot, Sitting.begun(game, options, number), Random(number))


def _play_against_random(game: AnyGame, bot: Any, sitting: Sitting, rng: Random) -> None:
    stand_in, until = game.bot(game.stand_in), process_time() + THINKING_SECONDS
    while game.outcome(sitting.state) is None:
        seat = rng.choice(game.to_act(sitting.state))
        legal = game.legal_moves(sitting.state, seat)
        if seat != 0 or process_time() > until + THINKING_SECONDS:
            sitting.play(seat, rng.choice(legal))
            continue
        chosen = bot if process_time() < until else stand_in
        events = game.recent_events(sitting.seen_by(seat), chosen.remembers)
        view = game.view(sitting.state, seat)
        sitting.play(seat, chosen.choose(view, events, rng))


@every_game_and_a_fifth
def test_bots_are_named_apart_and_one_stands_in(game):
    slugs = [bot.slug for bot in game.bots]
    assert len(set(slugs)) == len(slugs)
    assert game.stand_in in slugs
    assert all(1 <= bot.level <= 5 and bot.summary and bot.name for bot in game.bots)
    assert all(bot.remembers in ("nothing", "round", "match") for bot in game.bots)
