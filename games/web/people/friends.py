"""The reader's friends: who is there, whose requests wait, whom one may invite or watch."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.signing_in.signed_in import signed_in
from accounts.social.friend_lines import FriendLine, lines_of, state_of_list
from accounts.social.selectors import friendships_of, privacy_of
from games.people.profiles import watchable
from games.web.people.pages import before, page_of

SHOWN = 50


class Shown(NamedTuple):
    line: FriendLine
    watch: UUID | None


@require_safe
@never_cache
@login_required
def friends(request: HttpRequest) -> HttpResponse:
    me = signed_in(request)
    state = state_of_list(me.pk)
    rows, following = page_of(friendships_of(me.pk), before(request), SHOWN)
    lines = lines_of(me.pk, rows)
    context = {
        "friends": _with_matches([line for line in lines if line.state == "friend"]),
        "asking": [line for line in lines if line.state == "asks_you"],
        "sent": [line for line in lines if line.state == "you_asked"],
        "following": following,
        "privacy": privacy_of(me.pk),
        "state": state,
    }
    return render(request, "games/people/friends.html", context)


def _with_matches(lines: Sequence[FriendLine]) -> list[Shown]:
    """Those who are there first."""
    running = watchable([line.person.pk for line in lines if line.online])
    shown = [Shown(line, running.get(line.person.pk)) for line in lines]
    return sorted(shown, key=lambda one: not one.line.online)
