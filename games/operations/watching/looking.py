"""How an operator may look at a table: as a spectator, or more after a look was opened and logged.

A look is opened with a reason, ends by itself, and is kept in the operator's session. A player of
the match, or of one with the same cards, gets none.
"""

from collections.abc import Iterator, MutableMapping
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import NotAllowed
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.matches.selectors.secrecy import is_sealed, may_tell_all, plays_with_same_cards
from games.matches.snapshot import MatchSnapshot
from games.operations.refereeing import judgements

LASTS: Final = timedelta(minutes=15)
PRIVATE, CARDS = "games.watch_private_match", "games.see_hidden_cards"

Session = MutableMapping[str, Any]


def open_look(*, match_id: UUID, user: User, reason: str, session: Session, cards: bool) -> None:
    """Opens a look at a private table, or at every seat's cards; raises ``Refusal`` by cause."""
    match, by = get_match(match_id), Actor.of(user, reason)
    if not user.has_perm(CARDS if cards else PRIVATE):
        raise NotAllowed("Your role does not include this look.")
    if plays_with_same_cards(match_id, user.pk):
        raise NotAllowed("You play in this match, or in one with the same cards.")
    if is_sealed(match):
        raise NotAllowed("Others are dealt these cards too. It opens when all of them are done.")
    judgements.looked(match=match, by=by, action="ask_for_cards" if cards else "watch_private")
    until = (timezone.now() + LASTS).isoformat()
    session[_key(match_id)] = {"until": until, "reason": by.reason, "cards": cards}


def _key(match_id: UUID | str) -> str:
    return f"look:{match_id}"


def _granted(match_id: UUID | str, session: Session) -> dict[str, Any] | None:
    granted: dict[str, Any] | None = session.get(_key(match_id))
    if granted is None or datetime.fromisoformat(granted["until"]) < timezone.now():
        return None
    return granted


def may_watch(match: MatchSnapshot, user: User, session: Session) -> bool:
    """Whether they may see the public view; of a private match only after a look was opened."""
    if not user.has_perm("games.view_match"):
        return False
    if match.visibility != "private":
        return True
    granted = _granted(match.id, session)
    return granted is not None and (user.has_perm(PRIVATE) or user.has_perm(CARDS))


def open_to(user: User, session: Session, match: str) -> Q:
    """A filter of rows by their match (column ``match``): those whose moves ``user`` may read."""
    private = Q(**{f"{match}__visibility": Match.Visibility.PRIVATE})
    if not (user.has_perm(PRIVATE) or user.has_perm(CARDS)):
        return ~private
    return ~private | Q(**{f"{match}_id__in": list(_opened(session))})


def _opened(session: Session) -> Iterator[UUID]:
    """The matches with an open look."""
    for key in session.keys():  # noqa: SIM118 - a session is no mapping to iterate over
        match_id = key.removeprefix(_key(""))
        if match_id != key and _granted(match_id, session) is not None:
            yield UUID(match_id)


def may_see_cards(match: MatchSnapshot, user: User, session: Session) -> bool:
    """Whether they may see every seat's view: as everybody may, or after a look was opened."""
    if match.is_over and may_tell_all(match, None):
        return True
    granted = _granted(match.id, session)
    if granted is None or not granted["cards"] or not user.has_perm(CARDS):
        return False
    return not plays_with_same_cards(match.id, user.pk)


def note_look(match: MatchSnapshot, user: User, session: Session, seat: int, version: int) -> None:
    """Logs each look at a seat's cards of a running match as an entry of its own."""
    granted = _granted(match.id, session)
    if granted is None:
        return
    by = Actor.of(user, granted["reason"])
    judgements.looked(match=match, by=by, action="see_hidden_cards", seat=seat, ply=version)
