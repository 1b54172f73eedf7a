"""Forms by which people at a table settle things: a round taken back, a match that waits."""

from uuid import UUID

from django.http import HttpRequest

from accounts.models import User
from config.api.throttles import Loads
from games.idle import ending
from games.matches.history import taking_back
from games.matches.refusals import TooManyLoads
from games.matches.snapshot import MatchSnapshot
from games.web.parts.posted import BEFORE_ALL, number
from games.web.parts.visitor import current_or_guest_user
from games.web.table.acting import action, made_once


def _version(request: HttpRequest) -> int:
    version = number(request, "version")
    return BEFORE_ALL if version is None else version


@action
def take_back(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return taking_back.ask(
        match_id=match_id,
        user=current_or_guest_user(request),
        version=_version(request),
        round=number(request, "round"),
    )


@action
def answer_take_back(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return taking_back.answer(
        match_id=match_id,
        user=current_or_guest_user(request),
        version=_version(request),
        accept=request.POST.get("accept") == "yes",
    )


@action
def withdraw_take_back(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    user = current_or_guest_user(request)
    return taking_back.withdraw(match_id=match_id, user=user, version=_version(request))


@action
def take_back_alone(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """A load from the reader's last choice: it opens a new match."""

    def make(user: User) -> MatchSnapshot:
        if Loads.take(request) is not None:
            raise TooManyLoads
        return taking_back.take_back_alone(match_id=match_id, user=user)

    return made_once(request, make)


@action
def claim(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return ending.claim(match_id=match_id, user=current_or_guest_user(request))


@action
def call_off(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return ending.call_off(match_id=match_id, user=current_or_guest_user(request))
