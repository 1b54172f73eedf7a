"""A match played again from its record, each step held against what the record says of it.

The rules, the listed decks, the listed moves, nothing else; the first contradiction is raised as
``BadRecord`` with its place.

The roll-backs of a record as it is played again (FORMAT.md §2, Rolled back).

Replaying a record, and saying whether it can be believed.

How each listed deck came about, step by step, for a reader who has the seeds and no rules.

A deck is what its seed makes of a pack. Where a match was loaded with new cards, the places that
the loading player could not know were dealt again from the new match's seed.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from cardroom.rules import course
from cardroom.rules.course import DeckPlaces, deal_again, target_of
from cardroom.rules.game import AnyGame
from cardroom.rules.record.decks import (
    Ancestor,
    LoadRedeal,
    NotedPack,
    RecordedShuffle,
    ancestry,
    decks_by_ancestor,
    loads_played,
)
from cardroom.rules.record.format import (
    BadRecord,
    Fault,
    Record,
    RecordedRound,
    Reshuffled,
    read,
    refuse,
    seating,
)
from cardroom.rules.shuffles import RecordingShuffle
from cardroom.rules.values import (
    Deck,
    HistoryStep,
    Move,
    MoveRefused,
    NotYourTurn,
    Outcome,
    Resigned,
    Seat,
    Step,
)


class Opening(msgspec.Struct, frozen=True):
    """A round's opening as a playback came by: the state, the way there, who had resigned.

    The way there is a number of steps of the history as it was then: a later roll-back makes a new
    history, in a list of its own.
    """

    state: Any
    history: Sequence[HistoryStep]
    steps: int
    resigned: tuple[Seat, ...]

    @property
    def past(self) -> Sequence[HistoryStep]:
        return self.history[: self.steps]


class RollBacks:
    """Remembers the openings, deals one again, and says which lines were undone."""

    def __init__(self, game: AnyGame, shuffle: RecordedShuffle) -> None:
        self._game, self._shuffle = game, shuffle
        self._places = DeckPlaces()
        self._openings: dict[int, Opening] = {}
        self._lines: list[tuple[int, bool]] = []  # the rounds as listed: number, undone
        self.target: int | None = None  # rolled back, and not yet opened again

    def opened(self, number: int, opening: Opening, decks: int) -> None:
        self._places.opened(number, decks)
        self._openings[number] = opening

    def dealt(self, decks: int) -> None:
        self._places.dealt(decks)

    def loaded(self) -> None:
        """Forget the openings so far: they belong to the parent and cannot be rolled back to."""
        self._openings.clear()

    def listed(self, number: int) -> None:
        self._lines.append((number, False))

    def order(self, number: int, at: int, line: RecordedRound) -> None:
        """The last move of an interrupted round."""
        if number not in self._openings or number > line.number:
            refuse(f"The match cannot be rolled back to round {number} here.", line.number, at)
        if at != len(line.moves) - 1:
            refuse("A roll-back is the last move of its round.", line.number, at)
        self.target = number
        self._lines = [(n, gone or n >= number) for n, gone in self._lines]

    def reopen(self, line: RecordedRound) -> tuple[Opening, list[HistoryStep]]:
        """The opening as it lies now, and the history that stands."""
        number, self.target = line.number, None
        was = self._openings[number]
        redealt = deal_again(self._game, was.state, was.past, self._shuffle.own())
        where, again = self._places.reopened(number, redealt.moved)
        if line.reshuffled != tuple(Reshuffled(deck, positions) for deck, positions in where):
            refuse("reshuffled does not list what no spectator could know.", number)
        text = self._game.card_text
        now = [tuple(map(text, redealt.decks[deck])) for deck in again]
        if self._shuffle.list_again(len(again), len(redealt.moved)) != now:
            refuse("The decks were not dealt again as the seed gives them.", number)
        history = redealt.history(was.past)
        opening = Opening(redealt.state, history, was.steps, was.resigned)
        self._openings = {n: o for n, o in self._openings.items() if n < number}
        self._openings[number] = opening
        return opening, history

    def faults(self, lines: Sequence[RecordedRound]) -> Iterator[tuple[int, str]]:
        """Lines whose ``undone`` is not what the roll-backs made of them."""
        for line, (number, undone) in zip(lines, self._lines, strict=False):
            if line.undone != undone:
                yield number, "A roll-back undid it." if undone else "Nothing undid this round."


MORE_SHUFFLES: Final = "The round lists more shuffles than the rules asked for."
_ENTRY = re.compile(r"(0|[1-9][0-9]?|-) (.+)", re.DOTALL)


class Playback:
    """A match being played again: the state, and what the state does not know of the match."""

    def __init__(
        self, record: Record, *, sealed: bool, on_move: Callable[[Seat, Move], None] | None = None
    ) -> None:
        """``on_move`` is called before each move of the rules is played."""
        self._on_move = on_move
        self._record = record
        self._seating = seating(record)
        self._game: AnyGame = self._seating.game
        self._chain = ancestry(record)
        self._to_load = list(loads_played(self._chain))
        self._decks = decks_by_ancestor(self._game, record, self._chain)
        self._shuffle = RecordedShuffle(self._game, record, self._chain, sealed=sealed)
        self.state: Any = None
        self._version = 0
        self._first_move = False  # none was made since a re-deal that nobody can repeat
        self._scores: list[tuple[int, ...]] = []  # of the finished rounds
        self._resigned: list[Seat] = []
        self.history: list[HistoryStep] = []
        self._number = 0  # of the round that is played
        self._position = 0  # of the line that is played, from 1
        self._roll_backs = RollBacks(self._game, self._shuffle)

    @property
    def chain(self) -> tuple[Ancestor, ...]:
        """The record's own match, its parent, and so on."""
        return self._chain

    @property
    def version(self) -> int:
        """How many moves were made; those that were taken back count."""
        return self._version

    @property
    def round(self) -> int:
        return self._number

    def note_packs(self) -> dict[int, NotedPack]:
        """The packs as they are asked for from now on, by the number of their shuffle."""
        self._shuffle.packs = {}
        return self._shuffle.packs

    def start(self) -> None:
        self._shuffle.decks = self._decks[self._to_load[0][0] + 1 if self._to_load else 0]
        noted = RecordingShuffle(self._shuffle)
        step = self._game.start(self._seating.options, self._seating.setups, noted)
        self._happened(step, noted)

    def play_round(self, line: RecordedRound) -> None:
        number = self._roll_backs.target or self._number + 1
        self._position += 1
        if line.number != number:
            refuse(f"Rounds are numbered from 1; this one has the number {line.number}.", number)
        if self._over():
            refuse("The match was over before this round.", number)
        if self._roll_backs.target is not None:
            self._reopen(line)
        elif line.reshuffled is not None:
            refuse("No roll-back opened this round.", number)
        if len(self._scores) < number - 1:
            refuse("The round was not finished, yet another one follows.", number - 1)
        self._number = number
        self._roll_backs.listed(number)
        self._shuffle.round = self._position
        for move in range(len(line.moves)):
            self._entry(line, move)
        self._close(line)

    def end(self) -> Outcome:
        """The outcome, once nothing is left that the record lists and nobody asked for."""
        self._load_due()
        rounds = len(self._record.rounds)
        if self._to_load:
            refuse("The record lists fewer moves than the version that it was loaded from.")
        if self._roll_backs.target is not None:
            refuse("The round that was rolled back to is not listed.", self._number)
        for number, fault in self._roll_backs.faults(self._record.rounds):
            refuse(fault, number)
        if rounds and self._shuffle.left(rounds):
            refuse(MORE_SHUFFLES, self._number)
        outcome = self._outcome()
        self._check_outcome(outcome)
        return outcome

    def _entry(self, line: RecordedRound, at: int) -> None:
        self._load_due()
        if self._over():
            refuse("The match was already over.", line.number, at)
        if len(self._scores) == line.number:
            refuse("The round was already over.", line.number, at)
        entry = _ENTRY.fullmatch(line.moves[at])
        target = target_of(entry[2]) if entry and entry[1] == "-" else None
        if target is not None:
            self._roll_backs.order(target, at, line)
            self._check_decks_asked(line)
            self._version += 1
            return
        if entry is None or entry[1] == "-" or int(entry[1]) >= len(self._record.seats):
            refuse("A move is listed as its seat, a space and the move.", line.number, at)
        seat, move = int(entry[1]), entry[2]
        try:
            self._resign(seat) if move == course.RESIGN else self._play(line, at, seat, move)
        except MoveRefused as error:
            refuse(f"{error}{self._doubt()}", line.number, at)
        self._version += 1

    def _resign(self, seat: Seat) -> None:
        course.check_may_resign(self._game, self.state, self._resigned, seat)
        self._resigned.append(seat)
        self.history.append(HistoryStep(len(self._scores) + 1, (), (Resigned(seat),)))

    def _play(self, line: RecordedRound, at: int, seat: Seat, move: Move) -> None:
        last = line.scores is not None and at == len(line.moves) - 1
        self._shuffle.asking = line.number + last
        left = self._shuffle.left(self._position)
        if self._on_move is not None:
            self._on_move(seat, move)
        noted = RecordingShuffle(self._shuffle)
        step = self._step(seat, move, noted)
        self._first_move = False
        if step.move != move:
            refuse(f"This move is written {step.move!r}.", line.number, at)
        turns = step.scores is not None and self._game.outcome(step.state) is None
        if not turns:
            self._check_decks_listed(line)
        if turns and left:
            refuse(MORE_SHUFFLES, line.number)
        self._happened(step, noted)

    def _check_decks_listed(self, line: RecordedRound) -> None:
        if self._shuffle.left(self._position) < 0:
            refuse("The round lists fewer shuffles than the rules asked for.", line.number)

    def _check_decks_asked(self, line: RecordedRound) -> None:
        """A deck stands in the line of the round in which it is in use, also where one ends early.

        A part of it in the next line is refused as soon as the rules request it.
        """
        if self._shuffle.left(self._position):
            refuse(MORE_SHUFFLES, line.number)

    def _step(self, seat: Seat, move: Move, noted: RecordingShuffle) -> Step[Any]:
        """The rules' step; what cards decided before they were dealt again stays decided."""
        try:
            return self._game.play(self.state, seat, move, noted)
        except MoveRefused as refusal:
            turn_decided = self._first_move and isinstance(refusal, NotYourTurn)
            if not turn_decided and not self._is_of_unknown_decks():
                raise
            return self._game.play_past(self.state, seat, move, noted)

    def _happened(self, step: Step[Any], noted: RecordingShuffle) -> None:
        self.state = step.state
        if step.scores is not None:
            self._scores.append(step.scores)
        number = len(self._scores) + (self._game.outcome(step.state) is None)
        decks: Any = tuple(noted.decks)
        self.history.append(HistoryStep(max(number, 1), decks, step.events))
        if self._opens(step):
            opening = Opening(self.state, self.history, len(self.history), tuple(self._resigned))
            self._roll_backs.opened(number, opening, len(decks))
        else:
            self._roll_backs.dealt(len(decks))

    def _opens(self, step: Step[Any]) -> bool:
        """Whether this step dealt a round: the start, or the last move of the round before."""
        if self._game.outcome(step.state) is not None:
            return False
        return step.scores is not None or len(self.history) == 1

    def _reopen(self, line: RecordedRound) -> None:
        opening, self.history = self._roll_backs.reopen(line)
        self._check_decks_listed(line)
        self.state = opening.state
        self._resigned = list(opening.resigned)
        del self._scores[line.number - 1 :]

    def _load_due(self) -> None:
        while self._to_load and self._to_load[0][1].loaded_at == self._version:
            self._load(*self._to_load.pop(0))

    def _load(self, number: int, match: Ancestor) -> None:
        if self._over():
            refuse(f"The parent was over at version {self._version}; nobody can load that.")
        if self._shuffle.used != match.inherited:
            used, version = self._shuffle.used, self._version
            refuse(f"The parent had used {used} shuffles at version {version}, says the replay.")
        if match.reshuffled:
            self._redeal(match, self._decks[number][: match.inherited])
        self._shuffle.decks = self._decks[number]
        self._roll_backs.loaded()

    def _redeal(self, match: Ancestor, listed: Sequence[Deck]) -> None:
        redeal = LoadRedeal(self._game, self._record.seats, match, self.state, self.history)
        if match.seed is None:
            redeal.check()
            self._first_move = True
        else:
            self.state, self.history = redeal.repeat(match.seed, listed)

    def _doubt(self) -> str:
        """The reason why a refused move of the past may still have been good, if it may."""
        if self._is_of_unknown_decks():
            return " (Its decks cannot be known while the seed of a later match is secret.)"
        return ""

    def _is_of_unknown_decks(self) -> bool:
        """Whether a later match dealt the decks of this move again, under a seed still secret."""
        return any(match.redealt and match.seed is None for _, match in self._to_load)

    def _close(self, line: RecordedRound) -> None:
        finished = len(self._scores) == line.number
        scores = self._scores[-1] if finished else None
        if scores != line.scores:
            refuse(f"The scores are {_listed(scores)}, not {_listed(line.scores)}.", line.number)
        if finished and not self._over() and self._position == len(self._record.rounds):
            refuse("This round was dealt, but it is not listed.", line.number + 1)

    def _over(self) -> bool:
        if course.ends_match(self._seating.sides, self._resigned):
            return True
        return self.state is not None and self._game.outcome(self.state) is not None

    def _outcome(self) -> Outcome:
        sides = self._seating.sides
        if not self._over():
            return course.aborted(sides, self._scores)
        natural = self._game.outcome(self.state)
        reason = "timeout" if self._record.outcome.reason == "timeout" else "resigned"
        return course.conclude(sides, self._resigned, self._scores, natural, reason)

    def _check_outcome(self, outcome: Outcome) -> None:
        recorded = self._record.outcome
        for name in ("reason", "winners", "points"):
            actual, listed = getattr(outcome, name), getattr(recorded, name)
            if actual != listed:
                refuse(f"outcome.{name} is {_listed(actual)}, not {_listed(listed)}.")


def _listed(value: Sequence[int] | str | None) -> str:
    return msgspec.json.encode(value).decode()


class Replayed(msgspec.Struct, frozen=True):
    """The end of a record: the last state (``None``: never started), the outcome, the way there."""

    state: Any
    outcome: Outcome
    history: tuple[HistoryStep, ...]


def replay(record: Record, *, sealed: bool = True) -> Replayed:
    """Plays the record to its end; ``BadRecord`` at the first contradiction.

    ``sealed=False`` takes the listed decks on trust and does not deal them again from the seeds.
    """
    playback = Playback(record, sealed=sealed)
    outcome = play(record, playback)
    return Replayed(playback.state, outcome, tuple(playback.history))


def play(record: Record, playback: Playback) -> Outcome:
    """Plays the record's rounds on a playback of it; ``BadRecord`` at the first contradiction."""
    _check_times(record)
    if record.rounds:
        playback.start()
    for line in record.rounds:
        playback.play_round(line)
    return playback.end()


def verify(record: object) -> Fault | None:
    """``None`` if everything in the record follows from its seed and moves, else the first fault.

    Cards that depend on the seed of a parent that still runs are taken as listed.
    """
    try:
        replay(record if isinstance(record, Record) else read(record))
    except BadRecord as error:
        return error.fault
    return None


def _check_times(record: Record) -> None:
    if record.rounds and record.started_at is None:
        refuse("A match with rounds has started; started_at says when.")
    if record.started_at is not None and record.started_at > record.finished_at:
        refuse("The match was finished before it started.")


class DealtAgain(msgspec.Struct, frozen=True):
    """These places of the deck were shuffled by the ``k``-th shuffle of this seed."""

    seed: int
    k: int
    positions: tuple[int, ...]


class DeckOrigin(msgspec.Struct, frozen=True):
    """One listed deck: the ``k``-th shuffle of ``pack`` by a seed, then what was dealt again.

    ``seed`` counts from 0, the record's own, to its parent's and on; ``None`` where the seed is
    still secret or an operator's roll-back laid the deck, so that only a replay can check it.
    """

    seed: int | None
    k: int = 0
    pack: str = ""
    again: tuple[DealtAgain, ...] = ()


def deals(record: Record) -> list[DeckOrigin]:
    """Every listed deck in the order of its number; ``BadRecord`` for what contradicts itself."""
    playback = Playback(record, sealed=True)
    packs = playback.note_packs()
    play(record, playback)
    count = sum(len(line.shuffles) for line in record.rounds)
    return [
        _deal(playback.chain, n, packs[n]) if n in packs else DeckOrigin(None) for n in range(count)
    ]


def _deal(chain: tuple[Ancestor, ...], number: int, noted: NotedPack) -> DeckOrigin:
    at = next(n for n, match in enumerate(chain) if number >= match.inherited)
    later = range(at - 1, -1, -1)  # the loads since, oldest first
    if chain[at].seed is None or any(chain[n].seed is None and chain[n].redealt for n in later):
        return DeckOrigin(None)
    again = [
        DealtAgain(n, k, positions)
        for n in later
        for k, (shuffle, positions) in enumerate(chain[n].redealt)
        if shuffle == number
    ]
    k = number - chain[at].inherited + len(chain[at].redealt) + noted.extra
    return DeckOrigin(at, k, noted.pack, tuple(again))
