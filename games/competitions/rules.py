"""Pairings and standings as functions of values; nothing here knows Django or a game.

Entrants are their starting numbers, 1 for the strongest. Points are half points, so that they add
up exactly.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final, Literal

# Values of pairings and standings.

WIN: Final = 2  # half points
DRAW: Final = 1
LOSS: Final = 0


@dataclass(frozen=True)
class Pairing:
    """Two who meet: ``first`` has seat 0. Without ``second`` it is a bye."""

    first: int
    second: int | None = None

    @property
    def entrants(self) -> tuple[int, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)


@dataclass(frozen=True)
class Board(Pairing):
    """A pairing of a round; ``points`` are each one's half points, none while it is undecided.

    ``played``: a match decided it. A bye, a walkover and a match that was called off are not.
    """

    round: int = 1
    points: tuple[int, int] | None = None
    played: bool = True

    @property
    def is_bye(self) -> bool:
        return self.second is None

    def other(self, entrant: int) -> int | None:
        return self.second if entrant == self.first else self.first

    def points_of(self, entrant: int) -> int:
        if self.points is None:
            return LOSS
        return self.points[0] if entrant == self.first else self.points[1]


def boards_of(entrant: int, boards: Iterable[Board]) -> list[Board]:
    return [board for board in boards if entrant in board.entrants]


def scores(entrants: Iterable[int], boards: Iterable[Board]) -> dict[int, int]:
    """The half points of each."""
    points = dict.fromkeys(entrants, 0)
    for board in boards:
        for entrant in board.entrants:
            points[entrant] += board.points_of(entrant)
    return points


def seated(one: int, other: int, boards: Sequence[Board]) -> Pairing:
    """Seat 0 is for the one who had it less often, then for the one who had seat 1 last."""
    firsts = Counter(board.first for board in boards if not board.is_bye)
    seconds = Counter(board.second for board in boards if not board.is_bye)
    last = {entrant: board.first == entrant for board in boards if not board.is_bye
            for entrant in board.entrants}  # fmt: skip

    def claim(entrant: int) -> tuple[int, bool, int]:
        return firsts[entrant] - seconds[entrant], last.get(entrant, False), entrant

    return Pairing(*sorted((one, other), key=claim))


# An arena: so many minutes, in which each free player is paired at once with one of a near place.
#
# A win is 2 points and a draw 1. After two wins in a row one is on a streak: each board counts
# twice until one does not win.

STREAK: Final = 2  # wins before boards count twice
PATIENCE: Final = 10.0  # seconds until the one whom one met last is better than nobody


@dataclass(frozen=True)
class Free:
    """Somebody who can play now; ``waited`` are seconds."""

    entrant: int
    waited: float


def arena_points(entrant: int, boards: Iterable[Board]) -> int:
    """The points of an entrant; ``boards`` are in the order in which they were decided."""
    total = row = 0
    for board in boards_of(entrant, boards):
        own = board.points_of(entrant)
        total += own * (2 if row >= STREAK else 1)
        row = row + 1 if own == WIN else 0
    return total


def pair_arena(free: Iterable[Free], boards: Sequence[Board]) -> list[Pairing]:
    """Neighbours in points meet; two who have just met only if both have waited."""
    left = sorted(free, key=lambda one: (-arena_points(one.entrant, boards), one.entrant))
    last = {one.entrant: _last_opponent(one.entrant, boards) for one in left}
    pairings = []
    while left:
        one = left.pop(0)
        other = next((each for each in left if _may_meet(one, each, last)), None)
        if other is not None:
            left.remove(other)
            pairings.append(seated(one.entrant, other.entrant, boards))
    return pairings


def _last_opponent(entrant: int, boards: Sequence[Board]) -> int | None:
    own = boards_of(entrant, boards)
    return own[-1].other(entrant) if own else None


def _may_meet(one: Free, other: Free, last: dict[int, int | None]) -> bool:
    just_met = last[one.entrant] == other.entrant or last[other.entrant] == one.entrant
    return not just_met or min(one.waited, other.waited) >= PATIENCE


# Single elimination: the loser of a pairing is out, and the strongest meet last.
#
# The bracket is filled up with byes to a power of two; they fall to the strongest. A board that
# stays level after its replays is won by the better starting number.


def knockout_rounds(entrants: int) -> int:
    return max(1, (entrants - 1).bit_length())


def bracket(size: int) -> list[int]:
    """Starting numbers in the order of the bracket: 1 and 2 can meet in the last round only."""
    order = [1]
    while len(order) < size:
        full = 2 * len(order) + 1
        order = [number for seed in order for number in (seed, full - seed)]
    return order


def pair_knockout(entrants: Sequence[int], boards: Sequence[Board], number: int) -> list[Pairing]:
    """The pairings of a round; ``boards`` are the decided ones in the order of the bracket."""
    if number == 1:
        size = 2 ** knockout_rounds(len(entrants))
        slots = [entrants[at - 1] if at <= len(entrants) else None for at in bracket(size)]
    else:
        slots = [knockout_winner(board) for board in boards if board.round == number - 1]
    return [_meet(one, other, boards) for one, other in list(pairwise(slots))[::2]]


def knockout_winner(board: Board) -> int:
    """The entrant that goes on; of two that are level the one with the better starting number."""
    return min(board.entrants, key=lambda entrant: (-board.points_of(entrant), entrant))


def _meet(one: int | None, other: int | None, boards: Sequence[Board]) -> Pairing:
    if one is not None and other is not None:
        return seated(one, other, boards)
    return Pairing(one or other or 0)  # byes fall to the strongest: one of the two is there


# Everybody meets everybody once, by the Berger tables (FIDE Handbook C.05, annex 1).


def round_robin_rounds(entrants: int) -> int:
    """With an odd number one has a bye in every round."""
    return entrants - 1 + entrants % 2


def pair_round_robin(entrants: Sequence[int], number: int) -> list[Pairing]:
    """The pairings of a round, counted from 1; ``entrants`` are all who began, in order."""
    count = len(entrants) + len(entrants) % 2
    by_place = dict(enumerate(entrants, start=1))
    pairings = []
    for one, other in _berger(count, number):
        alone = min(one, other)  # the empty place is the last one
        is_bye = max(one, other) not in by_place
        pairings.append(
            Pairing(by_place[alone]) if is_bye else Pairing(by_place[one], by_place[other])
        )
    return pairings


def _berger(count: int, number: int) -> list[tuple[int, int]]:
    """Positions from 1 to ``count``, which is even; the last one stands still, all others turn."""
    turning = count - 1
    still = ((number - 1) * (count // 2)) % turning  # who meets the last one
    last = (still + 1, count) if number % 2 else (count, still + 1)
    steps = range(1, count // 2)
    return [last, *(((still + n) % turning + 1, (still - n) % turning + 1) for n in steps)]


# The places of all entrants. Standings are counted from boards and stored nowhere.
#
# Ties are broken by the names in ``TIES``, in this order; those who are equal in all of them
# share a place. A bye and a walkover count for Buchholz and Sonneborn-Berger as played against an
# opponent with one's own points (FIDE C.07, article 16).

KNOCKOUT: Final = "knockout"
ROUND_ROBIN: Final = "round_robin"
SWISS: Final = "swiss"
ARENA: Final = "arena"
FORMS: Final = (SWISS, ROUND_ROBIN, KNOCKOUT, ARENA)

TIES: Final = {
    SWISS: ("buchholz", "sonneborn_berger", "direct", "wins"),
    ROUND_ROBIN: ("direct", "sonneborn_berger", "wins"),
    KNOCKOUT: (),
    ARENA: ("wins",),
}
"""Tie-breaks of a form. Buchholz is in half points, Sonneborn-Berger in quarters of a point."""


PARTS: Final = {"buchholz": 2, "direct": 2, "sonneborn_berger": 4}
"""So many of these make a point."""


@dataclass(frozen=True)
class Line:
    """``points`` are half points; in an arena whole ones with streaks, in a knockout rounds."""

    form: str
    entrant: int
    place: int
    points: int
    won: int
    drawn: int
    lost: int
    ties: dict[str, int] = field(default_factory=dict)

    @property
    def shown_points(self) -> float:
        return self.points / (1 if self.form in (ARENA, KNOCKOUT) else 2)

    @property
    def shown_ties(self) -> dict[str, float]:
        """In points, in the order in which they decide."""
        return {tie: value / PARTS.get(tie, 1) for tie, value in self.ties.items()}


def standings(form: str, entrants: Sequence[int], boards: Sequence[Board]) -> list[Line]:
    """Everybody in order; ``boards`` as they were decided, one after the other."""
    decided = [board for board in boards if board.points is not None]
    points = points_by_form(form, entrants, decided)
    totals = scores(entrants, decided)
    ties = {
        entrant: {name: _VALUES[name](entrant, totals, decided) for name in TIES[form]}
        for entrant in entrants
    }
    keys = {
        entrant: (-points[entrant], *(-value for value in ties[entrant].values()))
        for entrant in entrants
    }
    ordered = sorted(entrants, key=lambda entrant: (keys[entrant], entrant))
    lines, place = [], 1
    for _, equal in groupby(ordered, key=lambda entrant: keys[entrant]):
        group = list(equal)
        for one in group:
            won, drawn, lost = (_count(one, decided, result) for result in (WIN, DRAW, LOSS))
            lines.append(Line(form, one, place, points[one], won, drawn, lost, ties[one]))
        place += len(group)
    return lines


def points_by_form(form: str, entrants: Sequence[int], boards: Sequence[Board]) -> dict[int, int]:
    """The first criterion: half points, points with streaks, or the rounds that were survived."""
    if form == ARENA:
        return {entrant: arena_points(entrant, boards) for entrant in entrants}
    if form == KNOCKOUT:
        won = [(knockout_winner(board), board) for board in boards]
        through = [one for one, board in won if board.points_of(one) > LOSS]
        return {entrant: through.count(entrant) for entrant in entrants}
    return scores(entrants, boards)


def buchholz(entrant: int, totals: dict[int, int], boards: Sequence[Board]) -> int:
    """The half points of all whom one met."""
    return sum(totals[_opponent(entrant, board)] for board in boards_of(entrant, boards))


def sonneborn_berger(entrant: int, totals: dict[int, int], boards: Sequence[Board]) -> int:
    """The points of those whom one beat and half those of whom one drew with, in quarters."""
    return sum(
        board.points_of(entrant) * totals[_opponent(entrant, board)]
        for board in boards_of(entrant, boards)
    )


def direct(entrant: int, totals: dict[int, int], boards: Sequence[Board]) -> int:
    """Half points against those with as many points; nothing unless all of them met each other."""
    level = {one for one, points in totals.items() if points == totals[entrant]}
    among = [board for board in boards if len(level & set(board.entrants)) == 2]
    met = {frozenset(board.entrants) for board in among}
    if len(met) < len(level) * (len(level) - 1) // 2:
        return 0
    return sum(board.points_of(entrant) for board in boards_of(entrant, among))


def wins(entrant: int, _totals: dict[int, int], boards: Sequence[Board]) -> int:
    """Boards that were won by playing."""
    return _count(entrant, boards, WIN)


_VALUES: Final[dict[str, Callable[[int, dict[int, int], Sequence[Board]], int]]] = {
    "buchholz": buchholz,
    "sonneborn_berger": sonneborn_berger,
    "direct": direct,
    "wins": wins,
}


def _opponent(entrant: int, board: Board) -> int:
    """Of an unplayed board somebody with one's own points: oneself."""
    other = board.other(entrant)
    return entrant if other is None or not board.played else other


def _count(entrant: int, boards: Sequence[Board], points: int) -> int:
    own = boards_of(entrant, boards)
    return sum(board.played and board.points_of(entrant) == points for board in own)


# The fate of a board, by the matches that were played at it.
#
# A match that was called off is played again, and so is a draw where somebody has to go on, with
# the seats changed each time.

DRAWS: Final = 3  # in a knockout; then the better starting number goes on
CALLED_OFF: Final = 2  # then nobody has won


@dataclass(frozen=True)
class Played:
    """A match of a board; ``places`` by its seats, none while it runs or if it was called off.

    ``absent`` are the seats to which nobody came, where it was called off for that.
    """

    status: Literal["open", "active", "finished", "aborted"]
    places: tuple[int | None, ...] = ()
    absent: tuple[int, ...] = ()


@dataclass(frozen=True)
class Decision:
    """``points`` are the half points of the board's first and second."""

    points: tuple[int, int]
    result: Literal["played", "called_off", "walkover"]


Step = Decision | Literal["wait", "open"]


def next_step(form: str, matches: Sequence[Played]) -> Step:
    """The next thing due at a board: its result, another match, or nothing while one runs."""
    if not matches:
        return "open"
    last = matches[-1]
    if last.status in ("open", "active"):
        return "wait"
    if last.absent:
        return _forfeit(last, len(matches))
    if last.status == "aborted":
        again = sum(match.status == "aborted" for match in matches) < CALLED_OFF
        return "open" if again else Decision((DRAW, DRAW), "called_off")
    points = _points(last, len(matches))
    draws = sum(match.status == "finished" for match in matches)
    if form == KNOCKOUT and points == (DRAW, DRAW) and draws < DRAWS:
        return "open"
    return Decision(points, "played")


def seat_of(place: int, number: int) -> int:
    """The seat of the board's first (0) or second (1) in its match of this number, from 1."""
    return (place + number - 1) % 2


def _forfeit(match: Played, number: int) -> Decision:
    """A player who did not come has lost, also against another who did not come."""
    one, other = (LOSS if seat_of(place, number) in match.absent else WIN for place in (0, 1))
    return Decision((one, other), "walkover")


def _points(match: Played, number: int) -> tuple[int, int]:
    one, other = (match.places[seat_of(place, number)] for place in (0, 1))
    if one is None or other is None:
        return DRAW, DRAW
    if one == other:
        return DRAW, DRAW
    return (WIN, LOSS) if one < other else (LOSS, WIN)
