"""The table of an exercise: a position drawn like a match, without a match.

All it knows is what the seat knew. The seats have no names: whose match it was is not told here.
"""

from datetime import UTC, datetime
from functools import cached_property
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from cardroom.rules.values import Event, View
from games.exercises.searching.positions import Position
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.snapshot import MatchSnapshot
from games.web.parts.table_page import TablePage

NOWHEN: Final = datetime(2000, 1, 1, tzinfo=UTC)
NOBODY: Final = UUID(int=0)
SHOWN: Final = 60  # sentences of what happened


class ExerciseTable(TablePage):
    """``position`` is set by ``table_of``; without ``may_answer`` nothing can be pressed."""

    position: Position
    may_answer: bool

    @cached_property
    def view(self) -> View | None:
        return self.position.seen

    @cached_property
    def recent_events(self) -> list[Event]:
        return list(self.position.remembered)

    @property
    def is_your_turn(self) -> bool:
        return self.may_answer

    @property
    def waits_for(self) -> str:
        return "you" if self.may_answer else ""

    @cached_property
    def happened(self) -> list[str]:
        """What the seat saw of this round, in words, the newest first."""
        rules = self.match.rules
        events = rules.recent_events(self.recent_events, "round")
        sentences = (self._sentence(event) for event in reversed(events))
        return [sentence for sentence in sentences if sentence][:SHOWN]


def table_of(exercise: UUID, position: Position, *, may_answer: bool) -> ExerciseTable:
    page = ExerciseTable(_match(exercise, position), None, position.seat)
    object.__setattr__(page, "position", position)
    object.__setattr__(page, "may_answer", may_answer)
    return page


def _match(exercise: UUID, position: Position) -> MatchSnapshot:
    """A match of nobody, which holds no card: its state is not there."""
    return MatchSnapshot(
        version=0,
        round=position.round,
        to_act=list(position.seen.to_act),
        state_json=None,
        shuffles_used=0,
        status="active",
        outcome_json=None,
        bot_due_at=None,
        deadline_at=None,
        updated_at=NOWHEN,
        finished_at=None,
        clock_json=None,
        id=exercise,
        game=position.game,
        rules_version=position.rules_version,
        options_json=bytes(position.options),
        visibility="private",
        creator_id=NOBODY,
        rated=False,
        seed=b"",
        commitment="",
        turn_seconds=None,
        on_timeout="",
        parent_id=None,
        parent_version=None,
        loaded_json=None,
        previous_id=None,
        created_at=NOWHEN,
        started_at=None,
        take_back_json=None,
        seats=tuple(_seats(position)),
    )


def _seats(position: Position) -> list[SeatSnapshot]:
    count = position.rules.seats(position.rule_choices)
    names = [_("You") if seat == position.seat else _("Opponent") for seat in range(count)]
    return [
        SeatSnapshot(
            index=seat,
            points=0,
            place=None,
            resigned_at=None,
            timed_out=False,
            extra_seconds=0,
            extra_version=None,
            awaited=False,
            kind="user",
            user_id=None,
            invited_id=None,
            bot="",
            name=name,
            side_deck=None,
        )
        for seat, name in enumerate(names)
    ]
