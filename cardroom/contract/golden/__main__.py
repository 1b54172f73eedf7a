"""``python -m cardroom.contract.golden``: write the golden playthroughs of every game again; with
the slug of a game, those of this game.

Each file keeps its setup and its moves as long as the rules accept them; from the first refused
move on, bots choose. A preset without a file gets one. With the name of a file it writes this one,
its moves chosen by bots:

    python -m cardroom.contract.golden NAME [PRESET] [OPTION=VALUE …]

NAME is the file's, the game's slug first: ``durak-long rounds=9 players=3``.
Without PRESET it is the preset or ``default`` that the name says. The options of a file are part of
it, so a long match is made shorter here and nowhere else.
"""

import sys
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from cardroom.contract.golden import files
from cardroom.contract.golden.playthrough import Choice, Playthrough, read
from cardroom.contract.playing.sitting import NAMES
from cardroom.rules import catalog
from cardroom.rules.errors import MoveRefused
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Event, Move, Seat, Setup


def new(game: AnyGame, preset: str | None, changes: dict[str, Any]) -> Playthrough:
    """A match of the game's bots; each preset begins with another one."""
    options = game.choose_options(changes, preset)
    first = list(game.presets).index(preset) if preset else 0
    bots = [game.bots[-1 - (first + seat) % len(game.bots)] for seat in range(game.seats(options))]
    setups = [Setup(name, bot.slug) for name, bot in zip(NAMES, bots, strict=False)]
    complete = tuple(game.complete_setup(options, setup) for setup in setups)
    return Playthrough(game.slug, preset, changes, complete, game.rules_version)


def by_bots(match: Playthrough) -> Choice:
    rng, game = Random(1), match.rules

    def choose(state: Any, events: Sequence[Event]) -> tuple[Seat, Move]:
        seat = rng.choice(game.to_act(state))
        bot = game.bot(match.seats[seat].bot or game.stand_in)
        seen = [event.seen_by(seat) for event in game.recent_events(events, bot.remembers)]
        return seat, bot.choose(game.view(state, seat), seen, rng)

    return choose


def as_before(match: Playthrough, moves: Sequence[tuple[Seat, Move]]) -> Choice:
    """The recorded moves while the rules accept them, then the bots."""
    rest, bots = list(reversed(moves)), by_bots(match)

    def choose(state: Any, events: Sequence[Event]) -> tuple[Seat, Move]:
        if rest and _accepted(match.rules, state, *rest[-1]):
            return rest.pop()
        rest.clear()
        return bots(state, events)

    return choose


def _accepted(game: AnyGame, state: Any, seat: Seat, move: Move) -> bool:
    try:
        return game.play(state, seat, move, seeded(Random(1))).move == move
    except MoveRefused:
        return False


def write_all(*games: AnyGame) -> None:
    for name, game, preset in files.needed(*games):
        if not files.path(name).exists():
            write_new(name, game, preset, {})
    for path in [path for game in games for path in files.of(game)]:
        match, moves = read(path.read_text(encoding="utf-8"))
        write(path.stem, match, as_before(match, moves))


def write_one(name: str, *arguments: str) -> None:
    game = files.game_of(name)
    changes = dict(one.split("=", 1) for one in arguments if "=" in one)
    named = [one for one in arguments if "=" not in one]
    preset = named[0] if named else files.preset_of(name)
    write_new(name, game, preset, {key: _value(text) for key, text in changes.items()})


def write_new(name: str, game: AnyGame, preset: str | None, changes: dict[str, Any]) -> None:
    match = new(game, preset, changes)
    write(name, match, by_bots(match))


def write(name: str, match: Playthrough, choose: Choice) -> None:
    lines = list(match.lines(choose))
    files.path(name).parent.mkdir(exist_ok=True)
    files.path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"{name}: {sum(map(len, lines)) // 1024} KiB, {lines[-1]}\n")


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def main(arguments: Sequence[str]) -> None:
    if not arguments:
        write_all(*catalog.GAMES)
    elif arguments[0] in catalog.slugs():
        write_all(catalog.find(arguments[0]))
    else:
        write_one(*arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
