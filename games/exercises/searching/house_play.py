"""Matches that the house's computers play for nobody, and the exercises in them."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from cardroom.arena import compiled_code
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Sealed
from cardroom.rules.values import Event, Options, Setup
from games.coaching.judging.decisions import Decision
from games.exercises.searching.finding import Finder, finder
from games.exercises.searching.positions import Position, Shipped

MOST_OF_A_MATCH: Final = 2  # so that no match fills a theme


def shipped(slug: str, number: int, seed: int, most_matches: int = 400) -> list[Shipped]:
    """About so many exercises, as many of each theme; the same for the same seed."""
    game = catalog.find(slug)
    searching = finder(game)
    if searching is None or game.themes is None:
        raise ValueError(f"There are no themes of {slug}.")
    of_a_theme = -(-number // len(game.themes.names))
    by_theme: dict[str, list[Shipped]] = {theme: [] for theme in game.themes.names}
    for at in range(most_matches):
        for position in _positions(game, searching, seed + at):
            theme = searching.theme_of(position)
            if len(by_theme[theme]) < of_a_theme:
                by_theme[theme].append(Shipped(theme, position))
        if all(len(each) >= of_a_theme for each in by_theme.values()):
            break
    return [each for listed in by_theme.values() for each in listed]


def _positions(game: AnyGame, searching: Finder, seed: int) -> Iterator[Position]:
    number, options = 0, _options(game, seed)
    for decision in decisions(game, options, searching.judge, seed):
        position = searching.clear(decision, options)
        if position is not None:
            yield position
            number += 1
        if number == MOST_OF_A_MATCH:
            return


def _options(game: AnyGame, seed: int) -> Options:
    """The usual ones and those of a quick match in turn."""
    preset = game.quick_preset if seed % 2 else None
    options: Options = game.choose_options(preset=preset)
    return options


def decisions(game: AnyGame, options: Options, judge: Bot[Any], seed: int) -> Iterator[Decision]:
    """Those of a match of easier computers, as their seats see them."""
    chance = Random(f"exercises {game.slug} {seed}")
    shuffle = Sealed(chance.randbytes(32))
    easier = [bot for bot in game.bots if bot.rated and bot.suggested and bot.cost == "quick"]
    bots = [compiled_code.quick(game, chance.choice(easier)) for _ in range(game.seats(options))]
    setups = [game.complete_setup(options, Setup(bot.name, bot.slug)) for bot in bots]
    step = game.start(options, setups, shuffle)
    events: list[Event] = list(step.events)
    version = 0
    while acting := game.to_act(step.state):
        seat = chance.choice(acting)
        view = game.view(step.state, seat)
        seen = tuple(event.seen_by(seat) for event in events)
        if len(view.legal_moves) > 1:
            known = game.recent_events(seen, judge.remembers)
            yield Decision(version, 0, seat, view, known, "")
        bot = bots[seat]
        move = bot.choose(view, game.recent_events(seen, bot.remembers), chance)
        step = game.play(step.state, seat, move, shuffle)
        events += step.events
        version += 1
