"""The viewer's own cards at a table of Shithead: what may be chosen, played, and why not."""

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from cardroom.rules.shithead.narration import label, why_not
from cardroom.rules.shithead.view import ShitheadView
from games.language import words
from games.web.parts.table_page import MoveButton, TablePage


@dataclass(frozen=True)
class Card:
    """``why`` tells why it may not be played; ``may_choose``: it has a box to tick."""

    code: str
    why: str | None
    may_choose: bool

    @property
    def rank(self) -> str:
        return self.code[0]


@dataclass(frozen=True)
class Own:
    page: TablePage
    view: ShitheadView

    @property
    def exchanges(self) -> bool:
        return self.view.phase == "exchange" and self.page.is_your_turn

    @property
    def may_swap(self) -> bool:
        """Whether a swap of this game is left (R5)."""
        return self.exchanges and self.view.legal_moves != ("ready",)

    @property
    def plays(self) -> bool:
        return self.view.phase == "play" and self.page.is_your_turn

    @cached_property
    def stacks(self) -> list[list[Card]]:
        """The hand, equal ranks together."""
        may_choose = self.plays or self.may_swap
        cards = [self._card(code, may_choose=may_choose) for code in self.view.hand]
        return [list(equal) for _, equal in groupby(cards, key=lambda card: card.rank)]

    @property
    def size(self) -> str:
        """How much room the hand needs: ``few``, ``some`` or ``many`` cards."""
        count = len(self.view.hand)
        return "few" if count < 7 else "some" if count < 13 else "many"

    @cached_property
    def tops(self) -> list[Card]:
        """The top cards; they may be chosen when they may be swapped or played."""
        seat = self.page.seat
        codes = () if seat is None else self.view.tops[seat]
        return [self._card(code, may_choose=self._may_choose_top(code)) for code in codes]

    def _may_choose_top(self, code: str) -> bool:
        if not self.plays:
            return self.may_swap
        return all(card[0] == code[0] for card in self.view.hand)  # R9; R6 with an empty hand

    def _card(self, code: str, *, may_choose: bool) -> Card:
        judged = self.plays and may_choose
        why = why_not(self.view, code) if judged else None
        return Card(code, words(why) if why else None, may_choose)

    @property
    def play_buttons(self) -> list[MoveButton]:
        """The legal plays of cards, one for every rank and number."""
        moves = self.page.move_buttons if self.plays else []
        return [button for button in moves if not button.move.startswith(("pickup", "blind"))]

    @property
    def reasons(self) -> list[str]:
        """Why not, once for every rank that may not be played."""
        cards = [card for stack in self.stacks for card in stack] + self.tops
        barred = {card.rank: card.why for card in cards if card.why}
        return list(barred.values())

    @property
    def can_pick_up(self) -> bool:
        return self.plays and "pickup" in self.view.legal_moves

    @property
    def must_pick_up(self) -> bool:
        return self.plays and self.view.legal_moves == ("pickup",)

    @property
    def slots(self) -> list[MoveButton]:
        """The hidden cards of which one is to be turned up now."""
        blind = [move for move in self.view.legal_moves if move.startswith("blind")]
        return [MoveButton(move, words(label(move))) for move in blind] if self.plays else []
