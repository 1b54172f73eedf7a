"""The form of an act: a reason always, and what the act needs to know."""

from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from accounts.audit.log import REASON_LENGTH
from games.matches.snapshot import MatchSnapshot
from games.operations.refereeing.acts import Act
from games.operations.refereeing.case import NOTICE_LENGTH

REASON_HELP = "For the audit log. Players do not read it."


def act_form(act: Act, match: MatchSnapshot | None, data: Any = None) -> forms.Form:
    """For one match, or (``None``) for a bulk run."""
    fields = {name: _field(name, match) for name in act.needs}
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


def _field(name: str, match: MatchSnapshot | None) -> forms.Field:
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
        choices=_choices(name, match),
        coerce=str if name == "bot" else int,
        widget=UnfoldAdminSelectWidget(),
    )


def _choices(name: str, match: MatchSnapshot) -> list[tuple[object, str]]:
    if name == "bot":
        ordered = sorted(match.rules.bots, key=lambda bot: bot.slug != match.rules.stand_in)
        return [(bot.slug, f"{bot.name} · {bot.summary}") for bot in ordered]
    if name == "round":
        return [(number, f"Round {number}") for number in range(match.round, 0, -1)]
    return [(seat.index, f"{match.names[seat.index]} (seat {seat.index})") for seat in match.seats]
