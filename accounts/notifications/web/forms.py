"""The forms of choices and webhooks. The services decide what is allowed."""

import re
from typing import Any, Final
from uuid import UUID
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.notifications.kinds import KINDS, NAMES
from accounts.notifications.models import NAME_LENGTH, URL_LENGTH, Choices

MAIL = [("off", _("no mail")), ("mail", _("mail at once")), ("daily", _("mail once a day"))]
_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
PUSH = _("in my browsers")


def _clock(label: Any, help_text: Any = "") -> forms.TimeField:
    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    return forms.TimeField(label=label, help_text=help_text, required=False, widget=widget)


class ChoicesForm(forms.Form):
    """A field for each kind and channel; channels that the service does not use are left out."""

    time_zone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
        help_text=_("Such as Europe/Istanbul."),
    )
    quiet_from = _clock(_("Quiet from"))
    quiet_until = _clock(_("Quiet until"), _("Nothing comes in between; it comes afterwards."))
    daily_at = _clock(_("The daily mail comes at"), _("At 08:00 if you choose no time."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for kind in KINDS:
            name: Any = NAMES[kind]
            if settings.MAIL_IS_SET_UP:
                self.fields[f"mail_{kind}"] = forms.ChoiceField(label=name, choices=MAIL)
            if settings.VAPID_PRIVATE_KEY:
                self.fields[f"push_{kind}"] = forms.BooleanField(label=PUSH, required=False)

    @staticmethod
    def initial_of(row: Choices) -> dict[str, Any]:
        names = ("time_zone", "quiet_from", "quiet_until", "daily_at")
        mail: dict[str, str] = {kind: "daily" if kind in row.daily else "off" for kind in KINDS}
        mail |= dict.fromkeys(row.mail, "mail")
        return (
            {name: getattr(row, name) for name in names}
            | {f"mail_{kind}": how for kind, how in mail.items()}
            | {f"push_{kind}": kind in row.push for kind in KINDS}
        )

    def rows(self) -> list[dict[str, Any]]:
        """The fields of each kind, for the table."""
        return [
            {
                "name": NAMES[kind],
                "mail": self[f"mail_{kind}"] if f"mail_{kind}" in self.fields else None,
                "push": self[f"push_{kind}"] if f"push_{kind}" in self.fields else None,
            }
            for kind in KINDS
        ]

    def changes(self) -> dict[str, Any]:
        given = self.cleaned_data
        names = ("time_zone", "quiet_from", "quiet_until", "daily_at")
        changes = {name: given[name] for name in names}
        if settings.MAIL_IS_SET_UP:
            changes["mail"] = [kind for kind in KINDS if given[f"mail_{kind}"] == "mail"]
            changes["daily"] = [kind for kind in KINDS if given[f"mail_{kind}"] == "daily"]
        if settings.VAPID_PRIVATE_KEY:
            changes["push"] = [kind for kind in KINDS if given[f"push_{kind}"]]
        return changes


class WebhookForm(forms.Form):
    name = forms.CharField(label=_("What is it for?"), max_length=NAME_LENGTH, required=False)
    url = forms.CharField(
        label=_("Address"),
        max_length=URL_LENGTH,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
    )
    kinds = forms.MultipleChoiceField(
        label=_("What is it told?"),
        choices=[(kind, NAMES[kind]) for kind in KINDS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    match = forms.CharField(
        label=_("What happens in one match"),
        max_length=URL_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_(
            "The address of its page, if you want that. The program is told what you see there."
        ),
    )

    def clean_match(self) -> UUID | None:
        """The id in the address; an address without one is refused."""
        typed = self.cleaned_data["match"].strip()
        named = _ID.search(typed)
        if typed and named is None:
            raise forms.ValidationError(_("This is not the address of a match."))
        return UUID(named[0]) if named else None


def zones() -> list[str]:
    return sorted(zone for zone in available_timezones() if "/" in zone and zone[:3] != "Etc")


def mail_state(row: Choices, user: User) -> str:
    """What the page says of the address: it has none, waits for an answer, or is confirmed."""
    if not user.email:
        return "none"
    wants = bool(row.mail or row.daily)
    if row.mail_address == user.email:
        return "confirmed"
    return "asked" if wants else "unused"
