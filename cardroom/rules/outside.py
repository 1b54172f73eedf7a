"""Games from outside this tree: Python packages that are installed beside it.

A package names its game in an entry point, by the slug of the game::

    [project]
    dependencies = ["cardroom~=1.0"]

    [project.entry-points."cardroom.games"]
    durak = "durak_cardroom:GAME"

The package holds the modules of the game, and beside them, each only if there is one: ``RULES.md``,
``golden`` (playthroughs), ``locale`` (its own catalogues), ``table.py`` (or a package ``table``:
what ``games.web.tables`` reads), ``templates`` and ``static`` with what is below
``games/tables/<slug>/``.

``installed_entries`` lists what is installed, ``admitted`` imports it and tries it out. A package
that cannot be served is refused by its name, and the others are served without it.

Installed games: the entry points of the group ``cardroom.games``, read without importing.

A few short matches of a game that nobody here has tested: faults that would break a service, or
reveal hands and stock.

No substitute for the contract tests, which its author runs: a process may wait for this at its
start. The matches are the same in every process.

Whether a game from outside is served: it is imported, looked at and tried out.

Every process decides for itself and alike: nothing here depends on a clock or on chance. What a
package does wrong is its own: any exception refuses it, and the service starts without it.
"""

import os
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from cardroom.rules.cards import TEXT
from cardroom.rules.game import AnyGame, Game
from cardroom.rules.shuffles import RecordingShuffle, seeded
from cardroom.rules.values import AnyCard, Event, Options, Outcome, Seat, Setup, Step, View
from cardroom.rules.witnesses import Witnesses

# Which contract the rules here keep with the games that are built on them.
#
# A game from outside requires it as any library: ``cardroom~=1.0`` means this first number, and
# at least this second one. The first one changes with what breaks a game that kept the contract
# before, the second one with what a game may newly use.

CONTRACT: Final = (1, 0)
LIBRARY: Final = "cardroom"


def written(contract: tuple[int, int] = CONTRACT) -> str:
    return ".".join(map(str, contract))


GROUP: Final = "cardroom.games"
SWITCH: Final = "CARDROOM_OUTSIDE_GAMES"  # "0": none but those of this tree
_NEEDS: Final = re.compile(
    rf"{LIBRARY.replace('-', '[-_.]')}\s*\(?\s*~=\s*(\d+)\.(\d+)\s*\)?\s*(;.*)?", re.IGNORECASE
)
_NAMES: Final = re.compile(rf"{LIBRARY.replace('-', '[-_.]')}\b(?![-_.])", re.IGNORECASE)


class Entry(NamedTuple):
    """A game as its package announces it; ``misfit`` says why its contract is not ours."""

    slug: str
    module: str
    name: str
    distribution: str
    version: str
    misfit: str | None

    @property
    def written(self) -> str:
        """*durak-cardroom 1.0*"""
        return f"{self.distribution} {self.version}"


def installed_entries() -> list[Entry]:
    """Every entry once, in the order of slugs and packages: the same in every process."""
    if os.environ.get(SWITCH) == "0":
        return []
    return sorted(set(map(_entry, entry_points(group=GROUP))), key=lambda entry: entry[:-1])


def _entry(point: EntryPoint) -> Entry:
    package = point.dist
    name = package.name if package else point.module
    version = package.version if package else ""
    requires = (package.requires if package else None) or []
    return Entry(point.name, point.module, point.attr, name, version, misfit(requires))


def misfit(requires: list[str]) -> str | None:
    """The reason why a package with this requirement cannot be served; ``None`` if it can."""
    ours = written()
    named = [line.strip() for line in requires if _NAMES.match(line.strip())]
    if not named:
        return f"it does not say which contract it needs; it should require {LIBRARY}~={ours}"
    requirements = list(_contracts(named))
    if not requirements:
        return f"it requires {named[0]!r}; write it as {LIBRARY}~={ours}"
    for first, second in requirements:
        if first != CONTRACT[0] or second > CONTRACT[1]:
            theirs = written((first, second))
            return f"it needs the contract {theirs} of the rules; this service keeps {ours}"
    return None


def _contracts(lines: list[str]) -> Iterator[tuple[int, int]]:
    for line in lines:
        if match := _NEEDS.fullmatch(line):
            yield int(match[1]), int(match[2])


SEEDS: Final = (1, 2)
PLIES: Final = 60
CHOICES_OF_OPTIONS: Final = 3  # the defaults and the first presets
MOST_SEATS: Final = 32


def try_out(game: AnyGame) -> Iterator[str]:
    """The faults of a game, each as the end of a sentence; its exceptions are raised on."""
    yield from _limits(game)
    chosen = [game.options(), *islice(game.presets.values(), CHOICES_OF_OPTIONS - 1)]
    for options in chosen:
        for seed in SEEDS:
            for fault in _match(game, options, Random(seed)):
                yield f"{fault} (seed {seed} of its trial)"


def _limits(game: AnyGame) -> Iterator[str]:
    if not 1 <= game.min_seats <= game.max_seats <= MOST_SEATS:
        yield f"it seats {game.min_seats} to {game.max_seats}"
    if not any(bot.rated for bot in game.bots):
        yield "it has no bot that could play a seat on"


def _match(game: AnyGame, options: Options, rng: Random) -> Iterator[str]:
    seats = range(game.seats(options))
    setups = tuple(game.complete_setup(options, Setup(f"Seat {seat}")) for seat in seats)
    witnesses, decks = Witnesses(game, setups), RecordingShuffle(seeded(rng))
    step = game.start(options, setups, decks)
    for _ in range(PLIES):
        yield from _step(game, step, len(seats))
        outcome = game.outcome(step.state)
        if outcome is not None:
            yield from _end(outcome, len(seats), len(game.sides_of(options)))
            return
        yield from _shown(game, step, witnesses, decks.decks)
        to_act = game.to_act(step.state)
        yield from _can_go_on(game, step.state, to_act, len(seats))
        seat = rng.choice(to_act)
        decks.decks.clear()
        step = game.play(step.state, seat, rng.choice(game.legal_moves(step.state, seat)), decks)


def _step(game: AnyGame, step: Step[Any], seats: int) -> Iterator[str]:
    """The faults of a step when it is stored, read again and put into words."""
    if game.decode_state(msgspec.json.encode(step.state)) != step.state:
        yield "a state is another one when it was stored and read"
    if game.decode_events(msgspec.json.encode(step.events)) != step.events:
        yield "events are other ones when they were stored and read"
    names = [f"Seat {seat}" for seat in range(seats)]
    for event in step.events:
        str(game.sentence(event, names))
    if not all(_is_ordinary(card, game.card_text(card)) for card in game.cards(step.state)):
        yield "a card is written in another way than records write it without the game"


def _is_ordinary(card: AnyCard, text: str) -> bool:
    """Records of a game that is no longer installed can still be written: a card is a text, or the
    number of a playing card."""
    return text == (TEXT[card] if isinstance(card, int) and card < len(TEXT) else card)


def _shown(
    game: AnyGame, step: Step[Any], witnesses: Witnesses, decks: Sequence[Sequence[Any]]
) -> Iterator[str]:
    views: dict[Seat | None, Any] = {}
    shown: dict[Seat | None, list[Any]] = {}
    for reader in witnesses.readers:
        view = game.view(step.state, reader)
        if not isinstance(view, View) or view.seat != reader:
            yield "a view is none of its reader's"
        views[reader] = _plain(view)
        shown[reader] = [_plain(event.seen_by(reader)) for event in step.events]
    yield from witnesses.leaks(step.state, step.move, shown, views, decks)


def _plain(value: View | Event) -> Any:
    """As it is sent."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _can_go_on(game: AnyGame, state: Any, to_act: Sequence[Seat], seats: int) -> Iterator[str]:
    if not to_act:
        yield "nobody is to act in a match that is not over"
    if list(to_act) != sorted(set(to_act) & set(range(seats))):
        yield "who is to act are not seats in ascending order"
    for seat in to_act:
        moves = game.legal_moves(state, seat)
        if not moves or not all(isinstance(move, str) for move in moves):
            yield "a seat that is to act has no legal move"
        for move in moves:
            str(game.label(move))


def _end(outcome: Outcome, seats: int, sides: int) -> Iterator[str]:
    if len(outcome.places) != seats or len(outcome.points) != sides:
        yield "its outcome has not a place a seat and points a side"


SLUG: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST_SLUG: Final = 32  # of the column that stores it


class Admitted(NamedTuple):
    """A game that is served, where it came from, and the folder of its package."""

    entry: Entry
    game: AnyGame
    folder: Path


class Refused(NamedTuple):
    """A package that is not served, and why."""

    entry: Entry
    reason: str

    def __str__(self) -> str:
        return f"The game {self.entry.slug!r} of {self.entry.written} is refused: {self.reason}."


class Unfit(Exception):
    """The reason why a package is not served; the message is the end of a sentence."""


def admit(entry: Entry, taken: Collection[str]) -> Admitted | Refused:
    """The game of an entry, or why it is refused; ``taken`` are the slugs of others."""
    try:
        return _admitted(entry, taken)
    except Unfit as reason:
        return Refused(entry, str(reason))


def _admitted(entry: Entry, taken: Collection[str]) -> Admitted:
    if entry.misfit:
        raise Unfit(entry.misfit)
    if entry.slug in taken:
        raise Unfit(f"there is a game {entry.slug!r} already")
    if not SLUG.fullmatch(entry.slug) or len(entry.slug) > LONGEST_SLUG:
        raise Unfit(
            f"a slug has up to {LONGEST_SLUG} small letters and digits, with - between words"
        )
    game = _named(entry)
    if not isinstance(game, Game):
        raise Unfit(f"{entry.module}:{entry.name} is no Game")
    if game.slug != entry.slug:
        raise Unfit(f"its entry point names {entry.slug!r}, its game the slug {game.slug!r}")
    _try(game)
    return Admitted(entry, game, _folder(entry))


def _named(entry: Entry) -> Any:
    """The object of the entry point. Any exception of the import, even ``SystemExit``, refuses."""
    try:
        value: Any = import_module(entry.module)
        for name in filter(None, entry.name.split(".")):
            value = getattr(value, name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise Unfit(f"it cannot be imported: {_in_words(error)}") from error
    return value


def _try(game: AnyGame) -> None:
    try:
        fault = next(try_out(game), None)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise Unfit(f"it fails when it is played: {_in_words(error)}") from error
    if fault is not None:
        raise Unfit(fault)


def _in_words(error: BaseException) -> str:
    """An error in one line, and where it lies; never the values of the match it was raised in."""
    if isinstance(error, SyntaxError):
        place = Path(error.filename or "").name
        return f"{type(error).__name__} in {place}, line {error.lineno}: {error.msg}"
    lines = str(error).splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}".removesuffix(": ")


def _folder(entry: Entry) -> Path:
    """The folder of the package, or of the module that stands alone."""
    return Path(str(sys.modules[entry.module].__file__)).resolve().parent
