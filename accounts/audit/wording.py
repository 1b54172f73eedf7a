"""Templates of what people read from operators, each in their own language."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from accounts.models import User

TO_PERSON: Final[Mapping[str, Any]] = {
    "name": _("Your name at the table offends other players. Please choose another one."),
    "insults": _("Other players have reported what you say at the table. Please be friendly."),
    "stalling": _("You let others wait in matches that you do not play on. Please resign instead."),
    "cheating": _("Points were given away in your matches. Please play every match to win it."),
    "accounts": _("You play with more than one account. Please keep to one of them."),
}
TO_WRITER: Final[Mapping[str, Any]] = {
    "looked": _("An operator has looked at what you wrote, and has closed it. Thank you."),
    "acted": _("An operator has looked at what you wrote, and has acted on it. Thank you."),
    "nothing": _("An operator has looked at what you wrote, and found nothing against the rules."),
    "fault": _("What you wrote about is a fault of ours, and we look into it. Thank you."),
}
TO_SUSPENDED: Final[Mapping[str, Any]] = {
    "stays": _("An operator has read your answer. The suspension stays as it is."),
    "lifted": _("An operator has read your answer, and has lifted the suspension."),
}
CLOSED_NOTICE: Final = TO_WRITER["looked"]


def written_for(person: User, text: Any) -> str:
    with override(person.language):
        return str(text)
