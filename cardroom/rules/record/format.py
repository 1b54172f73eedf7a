"""The record as a file: its shape, strictly read and always written alike (FORMAT.md §2).

Reading is strict because a record is a contract: a field nobody knows is refused rather than
passed over. What the fields *mean* is checked by playing the record again (``replay``).

The game, options and seats of a record, checked as when a match is opened.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, Any, Final, Literal, NoReturn

import msgspec
from msgspec import Meta

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import commitment
from cardroom.rules.values import (
    BadOptions,
    BadSideDeck,
    Deck,
    Move,
    Options,
    Outcome,
    RulesError,
    Seat,
    Setup,
)

FORMAT: Final = "cardroom-record/1"
MEDIA_TYPE: Final = "application/json"
MAX_BYTES: Final = 8 * 1024 * 1024  # the longest matches the options allow stay well below
MAX_LOADS: Final = 50  # ancestors of a match that was loaded again and again
MAX_SHUFFLES: Final = 150_000  # a match of many rounds may ask for one in each

Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Seed = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}([0-9a-f]{64})?\Z")]  # longer: mirrored
MatchId = Annotated[str, Meta(pattern=r"^[0-9A-Za-z_-]{1,64}\Z")]
Count = Annotated[int, Meta(ge=0)]
DeckText = Annotated[str, Meta(max_length=400)]
Entry = Annotated[str, Meta(max_length=400)]
Moment = Annotated[datetime, Meta(tz=True)]


class Fault(msgspec.Struct, frozen=True):
    """The first fault of a record, its place and its reason.

    ``round`` is the round's number, ``move`` the index (from 0) in that round's ``moves``. Without
    ``move`` the fault lies in the round's shuffles or scores, without ``round`` in the record as a
    whole: its form, options, seats, seed or outcome.
    """

    round: int | None
    move: int | None
    fault: str


class BadRecord(RulesError):
    """A record that is malformed or contradicts the rules; ``fault`` says where."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.fault)
        self.fault = fault


def refuse(sentence: str, number: int | None = None, move: int | None = None) -> NoReturn:
    raise BadRecord(Fault(number, move, sentence))


class RecordedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sat where. ``open`` stands for a seat of a match that never started."""

    name: Annotated[str, Meta(max_length=200)]
    kind: Literal["user", "local", "bot", "open"]
    bot: Annotated[str, Meta(max_length=64)] | None = None
    side_deck: tuple[Annotated[str, Meta(max_length=8)], ...] | None = None

    def setup(self) -> Setup:
        return Setup(name=self.name, bot=self.bot, side_deck=self.side_deck)


class Reshuffled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The positions of one deck that were dealt again; ``shuffle`` counts over the whole record."""

    shuffle: Count
    positions: tuple[Count, ...]


class LoadedFrom(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """The parent of a loaded match, and the parent's own parent inside it.

    ``seats`` are the loading player's; records of version 0.1 do not list them.
    """

    match: MatchId
    version: Count
    cards: Literal["same", "reshuffled"]
    seats: Annotated[tuple[Count, ...], Meta(min_length=1)] | None = None
    shuffles: Count
    commitment: Hex32
    seed: Seed | None  # null while the parent still runs
    reshuffled: tuple[Reshuffled, ...] | None = None
    loaded_from: "LoadedFrom | None" = None


class RecordedRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One round: its decks, its moves, its scores a side (``None``: not finished).

    ``undone`` by a later roll-back; ``reshuffled`` where a roll-back opened it.
    """

    number: Annotated[int, Meta(ge=1)]
    shuffles: tuple[DeckText, ...]
    moves: tuple[Entry, ...]
    scores: tuple[int, ...] | None
    undone: bool = False
    reshuffled: tuple[Reshuffled, ...] | None = None


class RecordedOutcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome as a record tells it."""

    winners: tuple[Count, ...]
    points: tuple[int, ...]
    reason: Annotated[str, Meta(max_length=32)]


class Record(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """A finished or aborted match, whole; the fields stand in the order they are written."""

    format: Literal["cardroom-record/1"]
    match: MatchId
    game: Annotated[str, Meta(max_length=64)]
    rules_version: int
    options: dict[str, Any]
    seats: tuple[RecordedSeat, ...]
    commitment: Hex32
    seed: Seed
    started_at: Moment | None  # null when it never started
    finished_at: Moment
    loaded_from: LoadedFrom | None = None
    rounds: tuple[RecordedRound, ...]
    outcome: RecordedOutcome


_decoder = msgspec.json.Decoder(Record)


def read(data: object) -> Record:
    """A record from its JSON text or from decoded JSON; ``BadRecord`` for anything else."""
    if isinstance(data, bytes) and len(data) > MAX_BYTES:
        refuse(f"A record has at most {MAX_BYTES} bytes; this one has {len(data)}.")
    try:
        if isinstance(data, bytes):
            return _decoder.decode(data)
        return msgspec.convert(data, Record)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        refuse(f"This is not a record in the format {FORMAT}: {error}.")


def write(record: Record) -> bytes:
    """The record as one line of JSON, so that many of them make a JSON Lines file."""
    return msgspec.json.encode(record)


def file_name(record: Record) -> str:
    return f"{record.match}.cardroom.json"


def deck_text(game: AnyGame, deck: Iterable[Any]) -> str:
    """A deck as a record lists it: its cards joined by spaces, top first."""
    return " ".join([game.card_text(card) for card in deck])


def deck_cards(text: str) -> Deck:
    return tuple(text.split(" "))


def entry(seat: Seat | None, move: Move) -> str:
    """A move as a record lists it; for resigning the move is ``resigning.RESIGN``.

    A roll-back is nobody's move (``rolling_back.move_of``).
    """
    return f"{'-' if seat is None else seat} {move}"


def build(
    game: AnyGame,
    *,
    match: str,
    options: Options,
    seats: Sequence[RecordedSeat],
    seed: bytes,
    started_at: datetime | None,
    finished_at: datetime,
    rounds: Sequence[RecordedRound],
    outcome: Outcome,
    loaded_from: LoadedFrom | None = None,
) -> Record:
    """The record of a match that is over, from what the service has stored of it."""
    return Record(
        format=FORMAT,
        match=match,
        game=game.slug,
        rules_version=game.rules_version,
        options=msgspec.to_builtins(options),
        seats=tuple(seats),
        commitment=commitment(seed),
        seed=seed.hex(),
        started_at=started_at,
        finished_at=finished_at,
        rounds=tuple(rounds),
        outcome=RecordedOutcome(outcome.winners, outcome.points, outcome.reason),
        loaded_from=loaded_from,
    )


class Seating(msgspec.Struct, frozen=True):
    """The arguments that start a match."""

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
