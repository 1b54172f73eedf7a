"""The form of an act: a reason always, and what the act needs to know."""

from datetime import UTC, datetime
from typing import Any, Final

from django import forms
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from accounts.audit.log import REASON_LENGTH
from games.matches.snapshot import MatchSnapshot
from games.matches.writing.deadlines import deadlines
from games.operations.refereeing import judgements
from games.operations.refereeing.acts import Act
from games.operations.refereeing.case import (
    NOTICE_LENGTH,
    bots_not_installed,
    seats_for_a_bot,
    seats_to_give_back,
)

NEVER: Final = datetime.max.replace(tzinfo=UTC)
REASON_HELP = "For the audit log. Players do not read it."


def act_form(act: Act, match: MatchSnapshot | None, data: Any = None) -> forms.Form:
    """For one match, or (``None``) for a bulk run."""
    fields = {name: _field(act, name, match) for name in act.needs}
    fields["reason"] = forms.CharField(
        min_length=3,
        max_length=REASON_LENGTH,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text=REASON_HELP,
    )
    form: forms.Form = type("ActForm", (forms.Form,), fields)(data)
    return form


def values_of(act: Act, form: forms.Form) -> dict[str, Any]:
    return {name: form.cleaned_data[name] for name in act.needs}


def _field(act: Act, name: str, match: MatchSnapshot | None) -> forms.Field:
    if name == "minutes":
        return forms.IntegerField(
            min_value=1,
            max_value=30 * 24 * 60,
            initial=60,
            widget=UnfoldAdminIntegerFieldWidget(),
            help_text="Added to the time that is left, or counted from now where none is left.",
        )
    if name == "text":
        return forms.CharField(
            max_length=NOTICE_LENGTH,
            widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
            help_text="The players read this at the table and in the API.",
        )
    if match is None:
        raise LookupError(name)
    return forms.TypedChoiceField(
        choices=_choices(act, name, match),
        initial=_overdue(match) if act.slug == "hand-to-bot" and name == "seat" else None,
        coerce=str if name == "bot" else int,
        widget=UnfoldAdminSelectWidget(),
    )


def _choices(act: Act, name: str, match: MatchSnapshot) -> list[tuple[object, str]]:
    """What the act can be done to; where nothing is, all, and the act says why not."""
    if name == "bot":
        ordered = sorted(match.rules.bots, key=lambda bot: bot.slug != match.rules.stand_in)
        return [(bot.slug, f"{bot.name} · {bot.summary}") for bot in ordered]
    if name == "round":
        rounds = judgements.rounds_to_go_back_to(match) if act.applies(match) else []
        return [(number, f"Round {number}") for number in rounds or range(match.round, 0, -1)]
    seats = _SEATS[act.slug](match) or range(len(match.seats))
    return [(seat, f"{match.names[seat]} (seat {seat})") for seat in seats]


_SEATS: Final = {
    "hand-to-bot": seats_for_a_bot,
    "give-back": seats_to_give_back,
    "adjudicate": judgements.seats_that_may_win,
}


def _overdue(match: MatchSnapshot) -> int | None:
    """The seat that the match waits for: one whose computer is gone, or whose time ends first."""
    if gone := bots_not_installed(match):
        return next((seat for seat in match.to_act if seat in gone), min(gone))
    if match.status != "active" or not match.is_playable or not match.people_to_act:
        return None
    until = deadlines(match) if match.deadline_at is not None else {}
    return min(match.people_to_act, key=lambda seat: until.get(seat, NEVER))
