"""The game, options and seats of a record, checked as when a match is opened."""

from typing import Any

import msgspec

from cardroom.rules import catalog
from cardroom.rules.errors import BadOptions, BadSideDeck
from cardroom.rules.game import AnyGame
from cardroom.rules.record.format import Record, RecordedSeat, refuse
from cardroom.rules.values import Options, Seat, Setup


class Seating(msgspec.Struct, frozen=True):
    """What a match is started with."""

    game: Any  # an AnyGame
    options: Options
    sides: tuple[tuple[Seat, ...], ...]
    setups: tuple[Setup, ...]


def seating(record: Record) -> Seating:
    """``BadRecord`` when this game, or these options or seats of it, could not have been chosen."""
    game = _game(record)
    options = _options(game, record)
    if len(record.seats) != game.seats(options):
        refuse(f"These options seat {game.seats(options)}, the record lists {len(record.seats)}.")
    setups = tuple(_setup(game, options, record, seat) for seat in range(len(record.seats)))
    return Seating(game, options, game.sides_of(options), setups)


def _game(record: Record) -> AnyGame:
    try:
        game = catalog.find(record.game)
    except KeyError:
        known = ", ".join(game.slug for game in catalog.GAMES)
        refuse(f"There is no game {record.game!r}; there are: {known}.")
    try:
        return game.by_version(record.rules_version)
    except KeyError:
        refuse(
            f"The record is of rules version {record.rules_version} of {game.name}; "
            f"versions up to {game.rules_version} are known here."
        )


def _options(game: AnyGame, record: Record) -> Options:
    try:
        options: Options = game.choose_options(record.options)
    except BadOptions as error:
        refuse(f"Options: {error}")
    written = msgspec.to_builtins(options)
    if missing := [name for name in written if name not in record.options]:
        refuse(f"Options: a record writes every option out; {missing[0]!r} is missing.")
    return options


def _setup(game: AnyGame, options: Options, record: Record, seat: Seat) -> Setup:
    line = record.seats[seat]
    _check_occupant(game, line, seat, started=bool(record.rounds) and not record.loaded_from)
    if not record.rounds and line.side_deck is None:
        return line.setup()  # nobody came, or not yet with a deck
    try:
        setup = game.complete_setup(options, line.setup())
    except BadSideDeck as error:
        refuse(f"Seat {seat}: {error}")
    if setup.side_deck != line.side_deck:
        refuse(f"Seat {seat}: the side deck is not listed as it was brought to the match.")
    return setup


def _check_occupant(game: AnyGame, line: RecordedSeat, seat: Seat, *, started: bool) -> None:
    if (line.kind == "bot") != (line.bot is not None):
        refuse(f"Seat {seat}: a seat of kind 'bot' names its bot, and no other seat does.")
    if line.bot is not None and not _has_bot(game, line.bot):
        known = ", ".join(bot.slug for bot in game.bots)
        refuse(f"Seat {seat}: {game.name} has no bot {line.bot!r}; there are: {known}.")
    if line.kind == "open" and started:
        refuse(f"Seat {seat} is open, but the match was started.")


def _has_bot(game: AnyGame, name: str) -> bool:
    try:
        game.bot(name)
    except KeyError:
        return False
    return True
