"""The roll-backs of a record as it is played again (FORMAT.md §2, Rolled back)."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from cardroom.rules.game import AnyGame
from cardroom.rules.record.format import RecordedRound, Reshuffled, refuse
from cardroom.rules.record.recorded_shuffle import RecordedShuffle
from cardroom.rules.rolling_back import DeckPlaces, deal_again
from cardroom.rules.values import HistoryStep, Seat


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
        """What was before belongs to the parent and cannot be rolled back to."""
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
