"""Agreements of the people at a table: rounds taken back, a wait given up, planned moves."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from games.idle.ending import NUDGED_AFTER, absent_seats, is_idle, may_end
from games.matches.models import Plan
from games.matches.planned import Planned, may_plan, plan_of
from games.matches.plans import LONGEST, PlanLine
from games.matches.selectors.secrecy import is_sealed
from games.matches.snapshot import SeatSnapshot, TakeBack
from games.web.parts.headline import joined, numbered
from games.web.parts.table_page import TablePage


@dataclass(frozen=True)
class Agreements:
    """For one reader of a table's page."""

    page: TablePage

    @cached_property
    def wish(self) -> TakeBack | None:
        """Somebody wants a round back, or wanted it a moment ago; nobody has moved since."""
        wish = self.page.match.take_back
        shown = (
            wish is not None and wish.status != "withdrawn" and self.page.match.status == "active"
        )
        return wish if shown and self.page.own_seats else None

    @property
    def asks(self) -> bool:
        """Whether there is a message or a question for the reader now."""
        return bool(self.wish or self.keeps_waiting_since or self.absent)

    @property
    def wanted_by(self) -> str:
        return self.page.seat_panels[self.wish.seat].name if self.wish else ""

    @property
    def declined_by(self) -> str:
        declined = self.wish.declined_by if self.wish else None
        return "" if declined is None else self.page.seat_panels[declined].name

    @property
    def round_named(self) -> str:
        number = self.wish.round if self.wish else 0
        return numbered(self.page.match.rules, number) or gettext("the whole match")

    @property
    def is_own(self) -> bool:
        return self.wish is not None and self.wish.seat in self.page.own_seats

    @property
    def may_answer(self) -> bool:
        wish = self.wish
        if wish is None or wish.status != "waiting" or self.is_own or not self._plays:
            return False
        return not {*wish.agreed} & {*self.page.own_seats}

    @property
    def _plays(self) -> bool:
        """Whether the reader plays a seat in person."""
        return any(map(_in_person, (self.page.match.seats[seat] for seat in self.page.own_seats)))

    @property
    def can_ask(self) -> bool:
        match, wish = self.page.match, self.page.match.take_back
        if match.status != "active" or match.rated or self.page.is_solo or not self._plays:
            return False
        if wish is not None and wish.version == match.version:
            return wish.status != "waiting" and not {*wish.tried} & {*self.page.own_seats}
        return match.version > (match.parent_version or 0)

    @property
    def can_take_back_alone(self) -> bool:
        """The reader plays alone and has moved lately."""
        active = self.page.match.status == "active" and not self.page.hidden
        if not (active and self.page.is_solo and self.page.moved > 0):
            return False
        return not is_sealed(self.page.match)

    @cached_property
    def absent(self) -> str:
        """The names of those who may be counted as gone, if the reader may end the match."""
        now = timezone.now()
        if not may_end(self.page.match, self.page.user, now):
            return ""
        return joined(
            [self.page.seat_panels[seat].name for seat in absent_seats(self.page.match, now)]
        )

    @property
    def keeps_waiting_since(self) -> datetime | None:
        """The reader has been to act for a day while others wait."""
        match = self.page.match
        late = self.page.is_your_turn and is_idle(match, NUDGED_AFTER, timezone.now())
        return match.updated_at if late and not self.page.is_solo else None


def _in_person(seat: SeatSnapshot) -> bool:
    return seat.resigned_at is None and not seat.stand_in


# Moves that a seat plans ahead, as its page shows them: "When they …, I play …".

CONDITIONS: Final = 3
FOLLOWING: Final = 2
KINDS: Final = [("move", gettext_lazy("they play")), ("top", gettext_lazy("the pile shows"))]
DROPPED: Final = {
    Plan.Dropped.NO_LINE: gettext_lazy(
        "Your plan had no answer to the last move, so it was dropped."
    ),
    Plan.Dropped.REFUSED: gettext_lazy(
        "What you had planned is not allowed here, so the plan was dropped."
    ),
    Plan.Dropped.BY_HAND: gettext_lazy("You moved yourself, so your plan was dropped."),
    Plan.Dropped.ROLLED_BACK: gettext_lazy("The round was dealt again, so your plan was dropped."),
    Plan.Dropped.GIVEN_UP: gettext_lazy("A computer plays your seat, so your plan was dropped."),
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

    @cached_property
    def lines(self) -> list[str]:
        """The plan, a sentence for each line."""
        steps = self._plan.steps if self._plan else []
        return [
            _in_words(line, at, is_alone=len(step) == 1)
            for at, step in enumerate(steps)
            for line in step
        ]

    @cached_property
    def dropped(self) -> str:
        why = self._plan.dropped if self._plan else ""
        return str(DROPPED.get(Plan.Dropped(why), "")) if why else ""

    @property
    def own_cards(self) -> list[str]:
        """The cards that the fields offer: those in the own hand."""
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
