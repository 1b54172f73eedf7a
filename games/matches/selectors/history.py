"""A match as it was: states, rounds and points at an earlier version, by replaying the log."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from games.matches.models import Round
from games.matches.selectors.log import decks_of, log_entries
from games.matches.snapshot import SeatRow, Table
from games.rules.resigning import RESIGN
from games.rules.shuffles import Stacked
from games.rules.values import Happened, State


def state_at(table: Table, version: int) -> State:
    """The state after ``version`` plies, by replaying the round it lies in."""
    if version == table.version:
        return table.state
    *_, (_, state) = _replayed(table, version)
    return state


def _replayed(table: Table, version: int) -> Iterator[tuple[datetime | None, State]]:
    """The states of a round up to a version, each with the time since when it stood."""
    state, since, at = _opening(table, version)
    yield at, state
    for entry in log_entries(table, after=since, until=version):
        if entry.move != RESIGN:
            decks = [[table.game.card_text(card) for card in deck] for deck in entry.decks]
            shuffle = Stacked(decks, table.game.card_text)
            state = table.game.play(state, entry.seat or 0, entry.move, shuffle).state
        yield entry.at, state


def match_at(table: Table, version: int) -> Table:
    """The match as it was after ``version`` plies, as far as it is not over since."""
    if version == table.version:
        return table
    replayed = list(_replayed(table, version))
    at, state = replayed[-1]
    number, points = round_and_points_at(table, version)
    then = table.moved(
        state=state,
        outcome=None,
        status="active",
        version=version,
        round=number,
        to_act=list(table.game.to_act(state)),
        seats=tuple(_seat_at(table, seat, version, points) for seat in table.seats),
        updated_at=at or table.updated_at,
        finished_at=None,
        bot_due_at=None,
    )
    since = _waited_since(then, replayed)
    return then.moved(deadline_at=then.first_deadline(since) if since else None)


def round_and_points_at(table: Table, version: int) -> tuple[int, list[int]]:
    """The round that a version lies in and the points of every side before that round."""
    opened = Round.objects.filter(match_id=table.id, opening_version__lte=version)
    *closed, running = opened.order_by("number").values_list("number", "scores")
    rounds_of = [scores or [] for _, scores in closed]
    return running[0], [sum(scores[n] for scores in rounds_of) for n in range(len(table.sides))]


def _waited_since(
    table: Table, replayed: Sequence[tuple[datetime | None, State]]
) -> datetime | None:
    """When the time of those to act began; seats that act at once share theirs."""
    since: datetime | None = None
    before: set[int] = set()
    for at, state in replayed:
        acting = set(table.game.to_act(state))
        if len(before) <= 1 or not acting <= before:
            since = at
        before = acting
    return since


def _seat_at(table: Table, seat: SeatRow, version: int, points: Sequence[int]) -> SeatRow:
    side = next(n for n, side in enumerate(table.sides) if seat.index in side)
    gone = seat.resigned_at is not None and seat.resigned_at <= version
    return msgspec.structs.replace(
        seat,
        points=points[side],
        place=None,
        resigned_at=seat.resigned_at if gone else None,
        timed_out=seat.timed_out and gone,
    )


def _opening(table: Table, version: int) -> tuple[State, int, datetime | None]:
    """The nearest stored state at or before a version, that state's version and time."""
    opened, since, at = (
        Round.objects.filter(match_id=table.id, opening_version__lte=version)
        .order_by("-opening_version")
        .values_list("opening_state", "opening_version", "opened_at")[0]
    )
    begun = table.parent_version or 0
    if table.loaded and since <= begun <= version:
        return (
            table.game.decode_state(table.loaded.state.encode()),
            begun,
            table.started_at,
        )
    return table.game.decode_state(bytes(opened)), since, at if since else table.started_at


def history_until(table: Table, until: int) -> list[Happened]:
    """Every step up to a version, with the decks it consumed (``Game.redeal``)."""
    rounds_of = list(
        Round.objects.filter(match_id=table.id, opening_version__lte=until).order_by("number")
    )
    opened = {round_.opening_version: round_ for round_ in rounds_of}
    steps, number = [], 0
    for entry in log_entries(table, until=until):
        decks = entry.decks
        if entry.version in opened:
            number = opened[entry.version].number
            decks += decks_of(bytes(opened[entry.version].decks))
        steps.append(Happened(number, decks, entry.events))
    return steps
