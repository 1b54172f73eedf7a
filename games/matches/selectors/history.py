"""A match as it was: states, rounds and points at an earlier version, by replaying the log."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from cardroom.rules import course
from cardroom.rules.course import RESIGN
from cardroom.rules.redeal import RedealtPositions
from cardroom.rules.shuffles import Sealed, Stacked
from cardroom.rules.values import Deck, HistoryStep, Move, State
from config.refusals import NotSignedIn
from games.absent import is_absent
from games.matches.folded import folded_plies, folded_rounds
from games.matches.models import Match, Ply, Round
from games.matches.refusals import NoSuchMatch, NotYourSeat
from games.matches.selectors.access import SERVICE, MatchAccess, Wanted, find_each
from games.matches.selectors.lineage import chapters, rounds_of_match, standing_rounds
from games.matches.selectors.log import LogEntry, decks_of, log_entries, moves_between
from games.matches.selectors.secrecy import Call, name_rows_for, named_for
from games.matches.snapshot import MatchSnapshot, Progress, SeatSnapshot, people_among


class Choice(msgspec.Struct, frozen=True):
    """The legal moves of a seat to act, and the version since when it has them.

    Its time runs ``since`` the ply ``timed_version``: an earlier one where the seat's own moves
    bring no new time (``Game.time_goes_on``).
    """

    moves: tuple[Move, ...]
    version: int
    since: datetime
    timed_version: int


class _Position(msgspec.Struct, frozen=True):
    """A state of the past and what led to it; ``seat`` is ``None`` for a round's opening."""

    state: State
    version: int
    seat: int | None
    at: datetime


def _replayed(match: MatchSnapshot, version: int) -> Iterator[_Position]:
    """The positions of the round that a version lies in, up to that version."""
    position = _opening(match, version)
    yield position
    state = position.state
    for entry in moves_between(match, position.version, version):
        if entry.move != RESIGN:
            past = entry.version <= (match.parent_version or 0)  # played with other cards, perhaps
            play = match.rules.play_past if past else match.rules.play
            state = play(state, entry.seat or 0, entry.move, _dealt(match, entry.decks)).state
        yield _Position(state, entry.version, entry.seat, entry.at)


def choices_at(match: MatchSnapshot, version: int) -> dict[int, Choice]:
    """The choice of each seat to act after ``version`` plies, by replaying the round.

    A seat's choice began with the ply, its own or another's, that made it what it is: that let the
    seat act, that it made itself, or that changed its legal moves. With a new round
    every choice begins.
    """
    return _choices(match, _replayed(match, version))


def last_choice(match: MatchSnapshot, seats: Collection[int], until: int) -> int | None:
    """The last version before ``until`` at which one of these seats had a choice and moved.

    ``None`` if there is none in the round of that version that this match played itself. A move
    that the service made for a seat was no choice.
    """
    version, before = None, None
    for position in _replayed(match, until):
        if before is not None and position.seat in seats:
            state, seat = before.state, position.seat
            if seat in match.rules.to_act(state) and not match.rules.autoplays(state, seat):
                version = before.version
        before = position
    return version


def _choices(match: MatchSnapshot, positions: Iterable[_Position]) -> dict[int, Choice]:
    choices: dict[int, Choice] = {}
    for position in positions:
        before, choices = choices, {}
        goes_on = match.rules.time_goes_on(position.state)
        for seat in match.rules.to_act(position.state):
            moves = match.rules.legal_moves(position.state, seat)
            stands = seat != position.seat and seat in before and before[seat].moves == moves
            begun = Choice(moves, position.version, position.at, position.version)
            choices[seat] = before[seat] if stands else begun
            if goes_on and seat == position.seat and seat in before:
                since, timed = before[seat].since, before[seat].timed_version
                choices[seat] = Choice(moves, position.version, since, timed)
    return choices


def _dealt(match: MatchSnapshot, decks: Sequence[Deck]) -> Stacked:
    text = match.rules.card_text
    return Stacked([[text(card) for card in deck] for deck in decks], text)


def openings_of(
    match: MatchSnapshot,
    base: Round,
    entries: Iterable[LogEntry],
    decks: Mapping[int, Sequence[Deck]],
) -> Iterator[tuple[int, State]]:
    """The openings of the rounds after ``base``, had the decks of each version lain like this.

    The moves are those that were made; what their cards decided then stays decided.
    """
    state = match.rules.decode_state(bytes(base.opening_state))
    for entry in entries:
        if entry.move == RESIGN:
            continue
        dealt = _dealt(match, decks[entry.version])
        step = match.rules.play_past(state, entry.seat or 0, entry.move, dealt)
        state = step.state
        if step.scores is not None and match.rules.outcome(state) is None:
            yield entry.version, state


def first_opening(match: MatchSnapshot, decks: Sequence[Deck]) -> State:
    """The first deal, had its decks lain like this."""
    state: State = match.rules.start(match.options, match.setups, _dealt(match, decks)).state
    return state


def match_at(match: MatchSnapshot, version: int) -> MatchSnapshot:
    """The match as it was after ``version`` plies, as far as it is not over since."""
    if version == match.version:
        return match
    positions = list(_replayed(match, version))
    state = positions[-1].state
    number, points = round_and_points_at(match, version)
    to_act = list(match.rules.to_act(state))
    seats = [seat_at(match, seat, version, points) for seat in match.seats]
    people = people_among(to_act, match.rules, seats, state)
    choices = _choices(match, positions) if match.turn_seconds else {}
    ends = (_end_of(match, seat, choices[seat], version) for seat in people if choices)
    progress = Progress(
        version=version,
        round=number,
        to_act=to_act,
        state_json=msgspec.json.encode(state),
        shuffles_used=match.shuffles_used,
        status="active",
        outcome_json=None,
        bot_due_at=None,
        deadline_at=min(ends, default=None),
        updated_at=positions[-1].at,
        finished_at=None,
        clock_json=match.banks.terms.encode() if match.banks else None,
    )
    return match.advanced(progress, seats, state=state)


def _end_of(match: MatchSnapshot, seat: int, choice: Choice, version: int) -> datetime:
    extra = match.seats[seat].extra_at(choice.timed_version, version)
    return choice.since + timedelta(seconds=(match.turn_seconds or 0) + extra)


def as_watched(match: MatchSnapshot, user: UUID | None, call: Call = str) -> MatchSnapshot:
    """The match as this user may follow it: late, and with the names that they may know."""
    return delayed_for(named_for(match, user, call), user)


def delayed_for(match: MatchSnapshot, user: UUID | None) -> MatchSnapshot:
    """For those who look on as it was some plies ago.

    Its host chose that, so that nobody is told at the table what was played just now.
    """
    if not match.is_delayed_for(user):
        return match
    return match_at(match, max(match.parent_version or 0, match.version - match.watch_delay))


def round_and_points_at(match: MatchSnapshot, version: int) -> tuple[int, list[int]]:
    """The round that a version lies in and the points of every side before that round."""
    opened = standing_rounds(match, version, with_cards=False)
    *closed, running = sorted(opened, key=lambda one: one.number)
    rounds_of = [one.scores or [] for one in closed]
    return running.number, [sum(scores[n] for scores in rounds_of) for n in range(len(match.sides))]


def seat_at(
    match: MatchSnapshot, seat: SeatSnapshot, version: int, points: Sequence[int]
) -> SeatSnapshot:
    """The seat as it was after ``version`` plies, with the points that every side had then."""
    side = next(n for n, side in enumerate(match.sides) if seat.index in side)
    gone = seat.resigned_at is not None and seat.resigned_at <= version
    return msgspec.structs.replace(
        seat,
        points=points[side],
        place=None,
        resigned_at=seat.resigned_at if gone else None,
        timed_out=seat.timed_out and gone,
    )


def _opening(match: MatchSnapshot, version: int) -> _Position:
    """The nearest stored state at or before a version."""
    begun = match.parent_version or 0
    nearest = running_round(match, version)
    since, started_at = nearest.opening_version, match.started_at or match.created_at
    if match.loaded and since <= begun <= version:
        loaded = match.rules.decode_state(match.loaded.state.encode())
        return _Position(loaded, begun, None, started_at)
    at = nearest.opened_at if since else started_at
    return _Position(opening_state(match, nearest), since, None, at)


def running_round(match: MatchSnapshot, version: int) -> Round:
    """The last round that had opened by a version."""
    if match.loaded is None or version >= (match.parent_version or 0):
        stored = Round.objects.filter(match_id=match.id, opening_version__lte=version)
        last = stored.order_by("-opening_version").first()
        if last is not None:
            return last
    rounds = rounds_of_match(match, with_cards=False)
    return [one for one in rounds if one.opening_version <= version][-1]


def opening_state(match: MatchSnapshot, round_: Round) -> State:
    """The state in which a round of the history opened.

    Where a re-deal changed it and nothing stores it, it follows from the last opening that is
    stored and the moves since.
    """
    if not is_dealt_again(match, round_):
        state: State = match.rules.decode_state(bytes(round_.opening_state))
        return state
    return _opening_dealt_again(match, round_.opening_version)


def is_dealt_again(match: MatchSnapshot, round_: Round) -> bool:
    """Whether a load dealt again the cards in this row of an older match."""
    opened = round_.opening_version
    for chapter in chapters(match):
        if chapter.match_id == round_.match_id:
            return False
        if chapter.changed_since is not None and chapter.changed_since <= opened <= chapter.after:
            return True
    return False


def _opening_dealt_again(match: MatchSnapshot, version: int) -> State:
    rounds = [one for one in rounds_of_match(match) if one.opening_version <= version]
    base = [one for one in rounds if not is_dealt_again(match, one)][-1]
    decks = {one.opening_version: decks_of(bytes(one.decks)) for one in rounds}
    entries = moves_between(match, base.opening_version, version)
    dealt = {one.version: one.decks or decks.get(one.version, ()) for one in entries}
    return dict(openings_of(match, base, entries, dealt))[version]


def shuffles_at(match: MatchSnapshot, version: int) -> int:
    """The number of decks in the history of a version.

    The version is one that the match played itself, and nothing was rolled back before it.
    """
    inherited, begun = 0, -1
    if match.loaded is not None:
        inherited, begun = match.loaded.shuffles, match.parent_version or 0
    if version == match.version:
        again = len(match.loaded.moved) if match.loaded else 0
        return inherited + match.shuffles_used - again
    return inherited + sum(len(decks_of(decks)) for decks in _own_decks(match, begun, version))


def _own_decks(match: MatchSnapshot, after: int, until: int) -> list[bytes]:
    folded = folded_rounds(match.id) if match.is_over else []
    if folded:
        rounds = [bytes(r.decks) for r in folded if after < r.opening_version <= until]
        plies = folded_plies(match.id, after, until)
        return rounds + [bytes(ply.decks) for ply in plies if ply.decks is not None]
    opened = Round.objects.filter(match_id=match.id, opening_version__range=(after + 1, until))
    played = Ply.objects.filter(match_id=match.id, version__range=(after + 1, until))
    shuffled = played.filter(decks__isnull=False).order_by()
    stored = [*opened.values_list("decks", flat=True), *shuffled.values_list("decks", flat=True)]
    return [bytes(decks) for decks in stored if decks is not None]


def history_until(match: MatchSnapshot, until: int) -> list[HistoryStep]:
    """Every step that stands at a version, with the decks it consumed (``Game.redeal``).

    Without roll-backs these are all steps. What one undid is left out; what it dealt again
    stands as if it had always lain there.
    """
    rounds = rounds_of_match(match)
    opened = {one.opening_version: one for one in rounds if one.opening_version <= until}
    history = _StandingHistory(match)
    for entry in log_entries(match, until=until):
        history.add(entry, opened.get(entry.version))
    return history.steps


class _StandingHistory:
    """Steps collected from the log; ``openings`` has the way to each round and its stored opening.

    A roll-back starts a list of its own, so the way to an earlier round stays as it was then.
    """

    def __init__(self, match: MatchSnapshot) -> None:
        self._match = match
        self._number = 0
        self._openings: dict[int, tuple[list[HistoryStep], int, Round]] = {}
        self.steps: list[HistoryStep] = []

    def add(self, entry: LogEntry, opened: Round | None) -> None:
        if opened and opened.reopened is not None:
            self._roll_back(opened)
            return
        decks = entry.decks
        if opened:
            self._number = opened.number
            self._openings[opened.number] = self.steps, len(self.steps) + 1, opened
            decks += decks_of(bytes(opened.decks))
        self.steps.append(HistoryStep(self._number, decks, entry.events))

    def _roll_back(self, again: Round) -> None:
        history, length, was = self._openings[again.number]
        past, game = history[:length], self._match.rules
        shuffle = Sealed(self._match.seed, reopened_with(again).shuffle)
        opening = game.decode_state(bytes(was.opening_state))
        self.steps = course.deal_again(game, opening, past, shuffle).history(past)
        self._number = again.number
        self._openings[again.number] = self.steps, length, again


class Reopened(msgspec.Struct, frozen=True):
    """A round that was dealt again: the first shuffle used, the positions of each deck."""

    shuffle: int
    moved: RedealtPositions


def reopened_with(round_: Round) -> Reopened:
    return msgspec.json.decode(bytes(round_.reopened or b""), type=Reopened)


# Matches in lists, for those who look on: no list tells more than the table that they see.
#
# The rows are changed, and are not to be saved.


def as_listed(matches: Iterable[Match], user: UUID | None, call: Call = str) -> list[Match]:
    """Matches with a delay as they were some plies ago, and without whose turn it is.

    They are read with their seats. Names are those that this user may know (``withheld``).
    """
    rows = list(matches)
    name_rows_for(rows, user, call)
    delayed = {row.id: row for row in rows if _is_delayed_for(row, user)}
    if delayed:
        for access in find_each([Wanted(id_, SERVICE, None) for id_ in delayed]):
            if access is not None:
                _put_back(delayed[access.match.id], access.match)
    return rows


def _is_delayed_for(row: Match, user: UUID | None) -> bool:
    if not row.watch_delay or row.status != Match.Status.ACTIVE:
        return False
    return user is None or all(seat.user_id != user for seat in row.seats.all())


def _put_back(row: Match, match: MatchSnapshot) -> None:
    row.version = max(match.parent_version or 0, match.version - match.watch_delay)
    row.to_act, row.deadline_at = [], None
    if is_absent(row.rules):
        return
    row.round, points = round_and_points_at(match, row.version)
    side_of = {seat: n for n, side in enumerate(match.sides) for seat in side}
    for seat in row.seats.all():
        seat.points = points[side_of[seat.index]]
        if seat.resigned_at is not None and seat.resigned_at > row.version:
            seat.resigned_at, seat.timed_out = None, False


# The caller of a move: whether they may see the match, and which seat they move.


def visible(access: MatchAccess | None) -> tuple[MatchSnapshot, UUID]:
    """The match and its caller; raises NoSuchMatch, NotSignedIn."""
    if access is None:
        raise NoSuchMatch
    if access.user is None:
        raise NotSignedIn
    if not access.match.is_visible_to(access.user):
        raise NoSuchMatch
    return access.match, access.user


def own_seat(match: MatchSnapshot, user: UUID, seat: int | None, version: int) -> int:
    """The seat that is named, else the caller's acting seat at this version.

    Raises NotYourSeat.
    """
    own = match.seats_of(user)
    if seat is None:
        is_past = len(own) > 1 and 0 <= version < match.version
        seen = match_at(match, version) if is_past else match
        seat = seen.acting_seat(user)
    if seat is None or seat not in own:
        raise NotYourSeat
    return seat
