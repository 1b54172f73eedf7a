"""Moves that a seat plans ahead, as its page shows them: "When they …, I play …"."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.matches.models import Plan
from games.matches.moving.planned import Planned, may_plan, plan_of
from games.matches.plans import LONGEST, PlanLine
from games.web.parts.table_page import TablePage

CONDITIONS: Final = 3
FOLLOWING: Final = 2
KINDS: Final = [("move", _("they play")), ("top", _("the pile shows"))]
DROPPED: Final = {
    Plan.Dropped.NO_LINE: _("Your plan had no answer to the last move, so it was dropped."),
    Plan.Dropped.REFUSED: _("What you had planned is not allowed here, so the plan was dropped."),
    Plan.Dropped.BY_HAND: _("You moved yourself, so your plan was dropped."),
    Plan.Dropped.ROLLED_BACK: _("The round was dealt again, so your plan was dropped."),
    Plan.Dropped.GIVEN_UP: _("A computer plays your seat, so your plan was dropped."),
}


@dataclass(frozen=True)
class Planning:
    """For the reader's own seat in a match without a clock, or with days for a move."""

    page: TablePage

    @property
    def is_possible(self) -> bool:
        page = self.page
        return page.seat is not None and not page.hidden and may_plan(page.match)

    @cached_property
    def _plan(self) -> Planned | None:
        return plan_of(self.page.match, self.page.user, self.page.seat)

    @property
    def waits(self) -> bool:
        """Others are to move, so that a plan can be made."""
        return self.page.seat not in self.page.match.to_act

    @property
    def lines(self) -> list[str]:
        """What is planned, a sentence for each line."""
        steps = self._plan.steps if self._plan else []
        return [
            _in_words(line, at, is_alone=len(step) == 1)
            for at, step in enumerate(steps)
            for line in step
        ]

    @property
    def dropped(self) -> str:
        why = self._plan.dropped if self._plan else ""
        return str(DROPPED.get(Plan.Dropped(why), "")) if why else ""

    @property
    def own_cards(self) -> list[str]:
        """What the fields offer: the cards in the own hand."""
        hand: Any = getattr(self.page.view, "hand", None)
        return [card for card in hand or () if isinstance(card, str)]

    kinds = KINDS
    conditions = range(CONDITIONS)
    following = range(FOLLOWING)


def _in_words(line: PlanLine, step: int, *, is_alone: bool) -> str:
    condition = _condition(line)
    if step:
        later = gettext("Then, when I am to move again, I play {move}.").format(move=line.play)
        return later if condition is None else f"{later} ({condition})"
    if condition is None:
        if is_alone:
            return gettext("I play {move}.").format(move=line.play)
        return gettext("Otherwise I play {move}.").format(move=line.play)
    return gettext("{condition}, I play {move}.").format(condition=condition, move=line.play)


def _condition(line: PlanLine) -> str | None:
    if line.move is not None:
        return gettext("When they play {card}").format(card=line.move)
    if line.top is not None:
        return gettext("When the pile shows {card}").format(card=line.top)
    if line.event is not None:
        facts = ", ".join(f"{name} {value}" for name, value in line.event.items())
        return gettext("When this happens: {facts}").format(facts=facts)
    return None


def steps_of(sent: QueryDict) -> list[list[PlanLine]]:
    """The plan of a form; rows that are not complete are left out."""
    first = [line for n in range(CONDITIONS) if (line := _line(sent, n))]
    if otherwise := _text(sent, "else"):
        first.append(PlanLine(otherwise))
    later = [text for n in range(FOLLOWING) if (text := _text(sent, f"then-{n}"))]
    steps = [first, *([PlanLine(text)] for text in later)]
    return steps if first else steps[1:]


def _line(sent: QueryDict, number: int) -> PlanLine | None:
    what, play = _text(sent, f"what-{number}"), _text(sent, f"play-{number}")
    if not what or not play:
        return None
    if sent.get(f"when-{number}") == "top":
        return PlanLine(play, top=what[:3])
    return PlanLine(play, move=what)


def _text(sent: QueryDict, name: str) -> str:
    return sent.get(name, "").strip().upper()[:LONGEST]
