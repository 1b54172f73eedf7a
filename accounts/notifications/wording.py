"""What is said of a cause, in the reader's language, and its facts for a program.

``FIELDS`` are what a payload may hold. Whatever is not there leaves its sentence out.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop, override

from accounts.audit.models import PersonNotice
from accounts.models import User
from accounts.notifications.models import Cause
from config.offers import offered_by_name

FIELDS: Final = {
    "url": "the path of the page to open",
    "game": "the slug of a game",
    "game_name": "what it is called",
    "match": "the id of a match",
    "version": "its version then",
    "after": "the version that a webhook of a match was told of before",
    "seat": "the seat of the account",
    "deadline_at": "until when it has to act",
    "what": "which of several sentences of a kind is meant",
    "person": "the id of the account that did it; its name is looked up when it is said",
    "challenge": "the id of a challenge",
    "tournament": "the id of a tournament",
    "tournament_name": "its name",
    "round": "its round",
    "notice": "the id of a notice of operators, whose text is looked up",
    "table_notice": "the number of their notice at the table of the match, whose text is too",
}
PATHS: Final = {"friend": "/people", "operator": "/"}

_TITLES: Final = {
    "your_turn": gettext_noop("Your turn in {game_name}"),
    "invitation": gettext_noop("{person} invites you to {game_name}"),
    "challenge": gettext_noop("{person} challenges you to {game_name}"),
    "result won": gettext_noop("You have won at {game_name}"),
    "result lost": gettext_noop("You have lost at {game_name}"),
    "result drawn": gettext_noop("A draw at {game_name}"),
    "result": gettext_noop("Your match of {game_name} is over"),
    "friend asked": gettext_noop("{person} wants to be your friend"),
    "friend accepted": gettext_noop("You and {person} are friends"),
    "tournament": gettext_noop("Round {round} of {tournament_name} has begun"),
    "league up": gettext_noop("You go up in the {game_name} league"),
    "league down": gettext_noop("You go down in the {game_name} league"),
    "league": gettext_noop("The week of the {game_name} league is over"),
    "operator": gettext_noop("The operators have written to you"),
    "operator match": gettext_noop("The operators have written to the players of {game_name}"),
}
_UNTIL: Final = gettext_noop("You have until {time}.")
_NO_LIMIT: Final = gettext_noop("There is no time limit, but somebody waits for you.")


class Message(NamedTuple):
    """``url`` is a path; ``tag`` names what a newer message of the same subject replaces."""

    title: str
    body: str
    url: str
    tag: str


def message_of(cause: Cause, zone: str = "UTC") -> Message:
    """In the language of the account; times in its time zone."""
    with override(cause.account.language), timezone.override(ZoneInfo(zone)):
        values = {"person": _name(cause.payload), **_texts(cause.payload)}
        title = gettext(_title(cause)).format_map(values)
        return Message(title, _body(cause), _path(cause), _tag(cause))


def facts_of(cause: Cause) -> dict[str, Any]:
    """The payload with a person as username and an address that can be opened."""
    facts = {name: value for name, value in cause.payload.items() if name in FIELDS}
    person = _person(cause.payload)
    if "person" in facts:
        facts["person"] = person.username if person else None
    if facts.pop("notice", None) or facts.pop("table_notice", None):
        facts["text"] = _text_of(cause)
    return facts | {"url": absolute(_path(cause))}


def absolute(path: str) -> str:
    return settings.SITE_URL + path


def _title(cause: Cause) -> str:
    own = f"{cause.kind} {cause.payload.get('what', '')}"
    return _TITLES.get(own) or _TITLES[cause.kind]


def _body(cause: Cause) -> str:
    if cause.kind == "operator":
        return _text_of(cause)
    if cause.kind != "your_turn":
        return ""
    deadline = cause.payload.get("deadline_at")
    if deadline is None:
        return gettext(_NO_LIMIT)
    at = timezone.localtime(datetime.fromisoformat(deadline))
    return gettext(_UNTIL).format(time=date_format(at, "DATETIME_FORMAT"))


def _path(cause: Cause) -> str:
    path = str(cause.payload.get("url", "")) or PATHS.get(cause.kind, "/")
    return path if path.startswith("/") and not path.startswith("//") else "/"


def _tag(cause: Cause) -> str:
    names = ("table_notice", "match", "challenge", "tournament", "person", "notice")
    subject = next((cause.payload[name] for name in names if name in cause.payload), cause.pk)
    return f"{cause.kind}-{subject}"


def _texts(payload: Mapping[str, Any]) -> dict[str, str]:
    names = ("game_name", "round", "tournament_name")
    return {name: str(payload.get(name, "")) for name in names}


def _name(payload: Mapping[str, Any]) -> str:
    person = _person(payload)
    return person.display_name if person else gettext("Somebody")


def _person(payload: Mapping[str, Any]) -> User | None:
    named = payload.get("person")
    return User.objects.filter(pk=UUID(named)).first() if named else None


def _text_of(cause: Cause) -> str:
    """Of a notice to this person, or of one that an app above knows."""
    own = PersonNotice.objects.filter(pk=cause.payload.get("notice"), user=cause.account_id)
    for row in own:
        return row.text
    above = offered_by_name("cause_text").get(cause.kind)
    return "" if above is None else str(above(cause.account_id, cause.payload))
