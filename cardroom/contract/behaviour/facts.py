"""What a game says of itself: presets, options, sides, bots, numbers."""

from typing import Any, Final

import msgspec

from cardroom.contract.playing.luck import Luck, any_options
from cardroom.contract.playing.sitting import setups
from cardroom.contract.reporting.check import check, require, same
from cardroom.rules.game import AnyGame
from cardroom.rules.lesson import LEARNER, lesson_positions

REMEMBERED: Final = ("nothing", "round", "match")
LEVELS: Final = range(1, 6)


@check("The defaults and every preset are options that the game itself accepts.")
def presets_are_what_they_say(game: AnyGame, _luck: Luck) -> None:
    for name, options in {"the defaults": game.options(), **game.presets}.items():
        same(game.choose_options(msgspec.to_builtins(options)), options, name)
        seats = game.seats(options)
        within = game.min_seats <= seats <= game.max_seats
        require(within, f"{name}: {seats} seats are not {game.min_seats} to {game.max_seats}")
    for name, options in game.presets.items():
        same(game.choose_options(preset=name), options, name)


@check("Every option has a default and a description.")
def options_are_described(game: AnyGame, _luck: Luck) -> None:
    schema: Any = msgspec.json.schema(game.options)
    described = schema["$defs"][game.options.__name__]["properties"]
    silent = [name for name, one in described.items() if not one.get("description")]
    require(not silent, f"without a description: {', '.join(silent)}")


@check("Any options seat every seat in one side, and a complete setup stays as it is.", examples=20)
def any_options_seat_their_sides(game: AnyGame, luck: Luck) -> None:
    options = any_options(game, luck)
    seats = [seat for side in game.sides_of(options) for seat in side]
    same(sorted(seats), list(range(game.seats(options))), f"{options}: the seats of all sides")
    within = game.min_seats <= len(seats) <= game.max_seats
    require(within, f"{options}: {len(seats)} seats")
    for setup in setups(game, options):
        same(game.complete_setup(options, setup), setup, "a setup completed twice")


@check("Bots are named apart and say what they are; one of them stands in.")
def bots_say_what_they_are(game: AnyGame, _luck: Luck) -> None:
    slugs = [bot.slug for bot in game.bots]
    require(len(set(slugs)) == len(slugs), f"two bots have one name: {', '.join(slugs)}")
    require(game.stand_in in slugs, f"the stand-in {game.stand_in!r} is no bot of the game")
    for bot in game.bots:
        require(bot.level in LEVELS, f"{bot.slug}: the level {bot.level} is not 1 to 5")
        require(bot.summary and bot.name, f"{bot.slug} has no name or no summary")
        require(bot.remembers in REMEMBERED, f"{bot.slug} remembers {bot.remembers!r}")


def has_numbers(game: AnyGame) -> bool:
    return game.actions is not None


@check("Numbers and features are named once.", applies=has_numbers)
def numbers_are_named_once(game: AnyGame, _luck: Luck) -> None:
    assert game.actions is not None  # noqa: S101 - ``applies``
    require(game.observation and game.observe, "actions, observation and observe go together")
    assert game.observation is not None  # noqa: S101
    texts = game.actions.texts
    require(len(set(texts)) == len(texts), "two actions have one text")
    names = [feature.name for feature in game.observation.features]
    require(len(set(names)) == len(names), f"two features have one name: {', '.join(names)}")


@check("A lesson's moves are legal from the deal to its end, and each step has its words.")
def a_lesson_reaches_its_end(game: AnyGame, _luck: Luck) -> None:
    lesson = game.lesson
    if lesson is None:
        return
    require(bool(lesson.steps), "the lesson has no step")
    require(str(lesson.end).strip(), "the lesson has no words for its end")
    for position, step in zip(lesson_positions(game, lesson), lesson.steps, strict=False):
        at = f"step {position.number + 1} of the lesson"
        require(LEARNER in game.to_act(position.state), f"{at}: it is not the learner's turn")
        legal = game.legal_moves(position.state, LEARNER)
        require(step.move in legal, f"{at}: {step.move!r} is none of {', '.join(legal)}")
        for sentence in (step.words, step.wrong):
            require(str(sentence).strip(), f"{at} has no words")


@check("What is played at once is a match that the game itself accepts.")
def the_short_match_is_one(game: AnyGame, _luck: Luck) -> None:
    game.choose_options(game.short, game.quick_preset)
    require(bool(str(game.short_words)) or not game.short, "the short match has no words")
