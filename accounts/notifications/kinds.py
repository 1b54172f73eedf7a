"""What people are told of, and on which channels. The names are stored and sent, so they stay."""

from typing import Final, Literal, get_args

from django.utils.translation import gettext_lazy as _

Kind = Literal[
    "your_turn", "invitation", "challenge", "result", "friend", "tournament", "league", "operator"
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
NAMES: Final = {
    "your_turn": _("Your turn in a slow match"),
    "invitation": _("An invitation"),
    "challenge": _("A challenge"),
    "result": _("The result of a match"),
    "friend": _("A friend"),
    "tournament": _("A round of a tournament"),
    "league": _("The end of a week in a league"),
    "operator": _("A message of the operators"),
}

# What a webhook is told of the one match that it names. Nobody chooses it for another channel.
MATCH: Final = "match"
HookKind = Kind | Literal["match"]
HOOK_NAMES: Final = {**NAMES, MATCH: _("What happens in a match")}

STATES: Final = {
    "waiting": _("waits"),
    "sent": _("was sent"),
    "failed": _("was given up"),
    "skipped": _("was not needed"),
}

Channel = Literal["mail", "push", "hook"]
CHANNELS: Final[tuple[Channel, ...]] = get_args(Channel)
