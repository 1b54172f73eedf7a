"""Each choice of the professor and what it is worth."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from games.rules.pazaak.bots.chances import Play, draws_by_itself, halves, plays, worth
from games.rules.pazaak.predicates import (
    PLACES,
    TARGET,
    Board,
    has_tiebreaker,
    is_bust,
    unseen_main,
)
from games.rules.pazaak.view import HalfView, PazaakView
from games.rules.values import Event, Move
from tests.strength.opponents.first_professor.hands import RivalHands, changes
from tests.strength.opponents.first_professor.outlook import Odds, Outlook
from tests.strength.opponents.first_professor.prospects import prospects
from tests.strength.opponents.first_professor.together import Together

SAFE: Final = 10  # no draw is a bust
IDLE: Final = 11  # no card is worth a thought
DEPTH: Final = 2  # so many side cards of each seat are looked ahead


def choose(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:
    mine, rival = halves(view)
    if not rival.standing and len(mine.board) < PLACES - 2:
        if view.phase == "turn_start" and mine.total <= SAFE:
            return "draw"
        if view.phase != "turn_start" and mine.total <= IDLE:
            return "end" if draws_by_itself(view) else "pass"
    return max(Desk(view, rng).weighed(), key=lambda weighed: weighed[1])[0]


def odds(half: HalfView) -> Odds:
    left = unseen_main(half.board)
    return [left.count(value) / len(left) for value in range(1, 11)]


class Desk:
    """One decision: everything looked up once, then each choice weighed."""

    def __init__(self, view: PazaakView, rng: Random) -> None:
        self.view = view
        self.mine, self.rival = halves(view)
        self._scope = view.options.tiebreaker_scope
        self._cards = (view.hand if self.mine.allowance is None else view.side_deck) or ()
        self._results = prospects(view)
        self._outlook = self._look_out(rng)
        drawn = view.phase != "turn_start"
        counts = len(self.mine.board) - drawn, len(self.rival.board)
        self._plays = plays(view)
        totals = [self.mine.total, *(play.total for play in self._plays), 12]
        lowest = max(0, min(totals)), max(0, min(12, self.rival.total))
        self._together = Together(self._outlook, counts, lowest)
        self._q = min(DEPTH, _playable(self.rival))

    def _look_out(self, rng: Random) -> Outlook:
        options = self.view.options
        board = self.mine.board
        return Outlook(
            self._results,
            self._tie(board, newest=False),
            odds(self.mine),
            odds(self.rival),
            tuple(sorted(changes(self._cards, board))),
            "T" in self._cards and not has_tiebreaker(self.rival.board, self._scope),
            RivalHands(self.view, rng),
            draws_by_itself(self.view),
            options.table_fill == "win",
        )

    def _tie(self, board: Board, *, newest: bool) -> float:
        """What equal totals are worth; ``newest``: no card follows on this board."""
        results = self._results
        wide = self._scope == "played_this_round"
        mine = (newest or wide) and has_tiebreaker(board, self._scope)
        theirs = (self.rival.standing or wide) and has_tiebreaker(self.rival.board, self._scope)
        if mine == theirs:
            return results.tie
        return results.win if mine else results.loss

    def weighed(self) -> Iterator[tuple[Move, float]]:
        mine, k = self.mine, min(DEPTH, _playable(self.mine))
        if self.view.phase == "turn_start":
            yield "stand", self._standing(mine.total, mine.board)
            yield "draw", self._drawing(k)
            return
        yield from self._closing(mine.total, mine.board, k)
        for play in self._worthwhile():
            price = self._results.price * (0.8 + 0.1 * worth(play.code))
            after = min(DEPTH, _playable(mine) - 1)
            best = max(value for _, value in self._closing(play.total, play.board, after))
            yield play.move, best - price

    def _worthwhile(self) -> list[Play]:
        """The cheapest card to each total that is no bust."""
        found: dict[tuple[int, bool], Play] = {}
        for play in sorted(self._plays, key=lambda play: worth(play.code)):
            if not is_bust(play.total):
                found.setdefault((play.total, play.code == "T"), play)
        return list(found.values())

    def _closing(self, total: int, board: Board, k: int) -> Iterator[tuple[Move, float]]:
        """The ways to end the turn at ``total``."""
        if not draws_by_itself(self.view):
            yield "pass", self._ended(total, board, k)
            return
        decided = is_bust(total) or (len(board) == PLACES and self._outlook.filled_wins)
        ended = self._ended(total, board, k)
        yield "end", ended
        yield "stand", ended if decided else self._standing(total, board)

    def _ended(self, total: int, board: Board, k: int) -> float:
        results = self._results
        if is_bust(total):
            return results.loss
        if len(board) == PLACES and self._outlook.filled_wins:
            return results.win
        if len(board) == PLACES or total == TARGET:
            return self._standing(total, board)
        if self.rival.standing:
            later = self._together.alone.turns(self.rival.total, k, 1)[max(0, total)]
            return later if self._outlook.closing else max(later, self._standing(total, board))
        return self._together.turns(k, self._q).theirs[max(0, self.rival.total)][max(0, total)]

    def _standing(self, total: int, board: Board) -> float:
        if self.rival.standing:
            if total == self.rival.total:
                return self._tie(board, newest=True)
            return self._outlook.compared(total, self.rival.total)
        return self._together.chased.turns(max(0, total), self._q, 0)[max(0, self.rival.total)]

    def _drawing(self, k: int) -> float:
        """The draw, and then the best."""
        own, theirs = max(0, self.mine.total), max(0, self.rival.total)
        if self.rival.standing:
            return self._together.alone.drawing(self.rival.total, k, own)
        return self._together.drawing(k, self._q, own, theirs)


def _playable(half: HalfView) -> int:
    return half.cards_in_hand if half.allowance is None else half.allowance
