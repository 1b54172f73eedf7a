"""A match as it was: states, rounds and points at an earlier version, by replaying the log."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from games.matches.models import Round
from games.matches.selectors.log import decks_of, log_entries
from games.matches.snapshot import MatchSnapshot, Progress, SeatSnapshot, people_among
from games.rules.resigning import RESIGN
from games.rules.shuffles import Stacked
from games.rules.values import HistoryStep, State


def state_at(match: MatchSnapshot, version: int) -> State:
    """The state after ``version`` plies, by replaying the round it lies in."""
    if version == match.version:
        return match.state
    *_, (_, state) = _replayed(match, version)
    return state


def _replayed(match: MatchSnapshot, version: int) -> Iterator[tuple[datetime | None, State]]:
    """The states of a round up to a version, each with the time since when it stood."""
    state, since, at = _opening(match, version)
    yield at, state
    for entry in log_entries(match, after=since, until=version):
        if entry.move != RESIGN:
            decks = [[match.rules.card_text(card) for card in deck] for deck in entry.decks]
            shuffle = Stacked(decks, match.rules.card_text)
            state = match.rules.play(state, entry.seat or 0, entry.move, shuffle).state
        yield entry.at, state


def match_at(match: MatchSnapshot, version: int) -> MatchSnapshot:
    """The match as it was after ``version`` plies, as far as it is not over since."""
    if version == match.version:
        return match
    replayed = list(_replayed(match, version))
    at, state = replayed[-1]
    number, points = round_and_points_at(match, version)
    to_act = list(match.rules.to_act(state))
    seats = [_seat_at(match, seat, version, points) for seat in match.seats]
    people = people_among(to_act, match.rules, seats, state)
    since = _waited_since(match, replayed)
    progress = Progress(
        version=version,
        round=number,
        to_act=to_act,
        state_json=msgspec.json.encode(state),
        shuffles_used=match.shuffles_used,
        status="active",
        outcome_json=None,
        bot_due_at=None,
        deadline_at=match.next_deadline(since for _ in people if since),
        updated_at=at or match.updated_at,
        finished_at=None,
    )
    return match.advanced(progress, seats, state=state)


def round_and_points_at(match: MatchSnapshot, version: int) -> tuple[int, list[int]]:
    """The round that a version lies in and the points of every side before that round."""
    opened = Round.objects.filter(match_id=match.id, opening_version__lte=version)
    *closed, running = opened.order_by("number").values_list("number", "scores")
    rounds_of = [scores or [] for _, scores in closed]
    return running[0], [sum(scores[n] for scores in rounds_of) for n in range(len(match.sides))]


def _waited_since(
    match: MatchSnapshot, replayed: Sequence[tuple[datetime | None, State]]
) -> datetime | None:
    """When the time of those to act began; seats that act at once share theirs."""
    since: datetime | None = None
    before: set[int] = set()
    for at, state in replayed:
        acting = set(match.rules.to_act(state))
        if len(before) <= 1 or not acting <= before:
            since = at
        before = acting
    return since


def _seat_at(
    match: MatchSnapshot, seat: SeatSnapshot, version: int, points: Sequence[int]
) -> SeatSnapshot:
    side = next(n for n, side in enumerate(match.sides) if seat.index in side)
    gone = seat.resigned_at is not None and seat.resigned_at <= version
    return msgspec.structs.replace(
        seat,
        points=points[side],
        place=None,
        resigned_at=seat.resigned_at if gone else None,
        timed_out=seat.timed_out and gone,
    )


def _opening(match: MatchSnapshot, version: int) -> tuple[State, int, datetime | None]:
    """The nearest stored state at or before a version, that state's version and time."""
    opened, since, at = (
        Round.objects.filter(match_id=match.id, opening_version__lte=version)
        .order_by("-opening_version")
        .values_list("opening_state", "opening_version", "opened_at")[0]
    )
    begun = match.parent_version or 0
    if match.loaded and since <= begun <= version:
        return (
            match.rules.decode_state(match.loaded.state.encode()),
            begun,
            match.started_at,
        )
    return match.rules.decode_state(bytes(opened)), since, at if since else match.started_at


def history_until(match: MatchSnapshot, until: int) -> list[HistoryStep]:
    """Every step up to a version, with the decks it consumed (``Game.redeal``)."""
    rounds_of = list(
        Round.objects.filter(match_id=match.id, opening_version__lte=until).order_by("number")
    )
    opened = {round_.opening_version: round_ for round_ in rounds_of}
    steps, number = [], 0
    for entry in log_entries(match, until=until):
        decks = entry.decks
        if entry.version in opened:
            number = opened[entry.version].number
            decks += decks_of(bytes(opened[entry.version].decks))
        steps.append(HistoryStep(number, decks, entry.events))
    return steps
