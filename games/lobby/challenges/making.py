"""Challenging somebody: an open match with a seat kept for one person, and what it is kept for.

A computer of the house needs no answer, so the match begins at once.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import SystemRandom
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from games.lobby.challenges.terms import Terms
from games.lobby.models import Challenge
from games.lobby.paces import find_pace
from games.lobby.refusals import KeyOfAnotherChallenge
from games.matches.refusals import BadSeats
from games.matches.seating import opening
from games.matches.seating.seats import SeatRequest, find_invited
from games.mirrored.opening import open_mirrored

_TRIES: Final = 3
_chance = SystemRandom()


def challenge(*, account: User, terms: Terms, key: str | None = None) -> UUID:
    """The id of the challenge; the same ``key`` again gives the one that it made.

    Raises a refusal where the match could not be opened, or the person takes no invitation.
    """
    for left in reversed(range(_TRIES)):
        try:
            with transaction.atomic():
                return _answered(account, terms, key) or _made(account, terms, key)
        except IntegrityError:  # another request with the same key was quicker
            if not left:
                raise
    raise AssertionError("the last try returns or raises")


def _answered(account: User, terms: Terms, key: str | None) -> UUID | None:
    if key is None:
        return None
    before = Challenge.objects.filter(challenger=account, key=key).first()
    if before is not None and before.terms != terms.digest:
        raise KeyOfAnotherChallenge
    return before.match_id if before else None


def _made(account: User, terms: Terms, key: str | None) -> UUID:
    pace = find_pace(terms.pace) if terms.pace else None
    person = find_invited(account, terms.username) if terms.username is not None else None
    opens = open_mirrored if terms.mirrored else opening.open_match
    match = opens(
        creator=account,
        game=terms.game,
        preset=terms.preset,
        options=_options(terms),
        seats=_seats(terms),
        visibility=terms.visibility,
        turn_seconds=pace.turn_seconds if pace and terms.clock is None else None,
        clock=terms.clock,
        rated=terms.rated is not False,
        only_rated=terms.rated is True,
        answer_by=timezone.now() + timedelta(seconds=terms.expires_in) if person else None,
    )
    Challenge.objects.create(
        match_id=match.id, challenger=account, challenged=person, terms=terms.digest, key=key
    )
    return match.id


def _options(terms: Terms) -> Mapping[str, Any] | None:
    """With the number of players, if one was named, where the game has that option."""
    rules, _ = opening.find_terms(terms.game, terms.options, terms.preset)
    if terms.seats is None or "players" not in rules.options.__struct_fields__:
        return terms.options
    return {**(terms.options or {}), "players": terms.seats}


def _seats(terms: Terms) -> Sequence[SeatRequest]:
    rules, options = opening.find_terms(terms.game, _options(terms), terms.preset)
    count = rules.seats(options)
    if terms.seats not in (None, count):
        raise BadSeats("This game is not played by as many.")
    if terms.seat is not None and terms.seat >= count:
        raise BadSeats("The match has no such seat.")
    if count > 2 and terms.computers is None:
        raise BadSeats("Name the computer that plays the other seats: `computers`.")
    rest = [SeatRequest("bot", bot=terms.computers)] * (count - 2)
    others = [_challenged(terms), *rest]
    own = _chance.randrange(count) if terms.seat is None else terms.seat
    if terms.seat is None:
        _chance.shuffle(others)
    return [*others[:own], SeatRequest("me"), *others[own:]]


def _challenged(terms: Terms) -> SeatRequest:
    if terms.username is None:
        return SeatRequest("bot", bot=terms.bot)
    return SeatRequest("user", username=terms.username)
