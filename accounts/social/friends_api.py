"""Friends and privacy in the API, and their bodies."""

from datetime import datetime
from typing import Literal

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Struct, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from accounts.social import friends, selectors
from accounts.social.friend_lines import FriendLine, lines_of
from accounts.social.refusals import (
    CannotBefriendYourself,
    GuestsHaveNoFriends,
    NoSuchAccount,
    TooManyFriends,
    YouBlockThem,
)
from config.api.json import body_of
from config.api.pagination import page
from config.api.schema import PAGE_PARAMETERS, refusals


class Friend(Struct):
    """A friend, or an account that asks you or that you asked.

    ``online`` is null unless you are friends; it is also false where the friend hides it.
    """

    username: str
    display_name: str
    state: Literal["friend", "asks_you", "you_asked"]
    online: bool | None
    since: datetime

    @classmethod
    def of(cls, line: FriendLine) -> "Friend":
        person = line.person
        return cls(person.username, person.display_name, line.state, line.online, line.since)


class FriendPage(Struct):
    results: list[Friend]
    next: str | None


class PrivacyJson(Struct):
    """What you hide of yourself.

    ``hides_profile``: only friends see your profile. To strangers you are ``Hidden player`` where
    they see a match of yours; tournaments name everybody who takes part.
    ``hides_presence``: friends do not see whether you are online. ``hides_titles``: your profile
    shows no titles.
    """

    hides_profile: bool
    hides_presence: bool
    hides_titles: bool


class PrivacyChange(Struct, forbid_unknown_fields=True):
    """A field that is left out stays as it is."""

    hides_profile: bool | UnsetType = UNSET
    hides_presence: bool | UnsetType = UNSET
    hides_titles: bool | UnsetType = UNSET


class FriendsView(APIView):
    read_scope = "account"

    @extend_schema(
        operation_id="friends",
        summary="List your friends",
        tags=["accounts"],
        parameters=PAGE_PARAMETERS,
        responses={200: FriendPage},
    )
    def get(self, request: Request) -> Response:
        """The caller's friends, and who waits for an answer; newest first."""
        me = signed_in(request).pk
        rows, following = page(selectors.friendships_of(me), request)
        return Response(FriendPage([Friend.of(line) for line in lines_of(me, rows)], following))


class FriendView(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="befriend",
        summary="Ask for a friendship, or accept one",
        tags=["accounts"],
        request=None,
        responses={
            200: Friend,
            **refusals(
                NoSuchAccount,
                CannotBefriendYourself,
                GuestsHaveNoFriends,
                YouBlockThem,
                TooManyFriends,
            ),
        },
    )
    def put(self, request: Request, username: str) -> Response:
        """Asks an account to be a friend. If it has asked you, you are friends now.

        Again changes nothing. An account that declines is not named: it looks as if it had not
        answered.
        """
        me = signed_in(request)
        other = selectors.account_by_username(me.pk, username)
        row = friends.befriend(user=me, other=other.pk)
        return Response(Friend.of(lines_of(me.pk, [row])[0]))

    @extend_schema(
        operation_id="unfriend",
        summary="End a friendship, decline or withdraw a request",
        tags=["accounts"],
        responses={204: None},
    )
    def delete(self, request: Request, username: str) -> Response:
        """Afterwards there is nothing between the two. The other is not told. Again is no error."""
        me = signed_in(request)
        if (other := selectors.befriended_by_username(me.pk, username)) is not None:
            friends.end(user=me.pk, other=other)
        return Response(status=204)


class PrivacyView(APIView):
    read_scope = "account"
    write_scope = "account"

    @extend_schema(
        operation_id="privacy",
        summary="Read what you hide",
        tags=["accounts"],
        responses={200: PrivacyJson},
    )
    def get(self, request: Request) -> Response:
        """Whether the caller hides the profile, being online, and titles."""
        row = selectors.privacy_of(signed_in(request).pk)
        return Response(PrivacyJson(row.hides_profile, row.hides_presence, row.hides_titles))

    @extend_schema(
        operation_id="change_privacy",
        summary="Choose what you hide",
        tags=["accounts"],
        request=PrivacyChange,
        responses={200: PrivacyJson},
    )
    def patch(self, request: Request) -> Response:
        """A hidden profile looks like the one of an account that does not exist."""
        body = body_of(request, PrivacyChange)
        given = {name: getattr(body, name) for name in body.__struct_fields__}
        changes = {name: value for name, value in given.items() if value is not UNSET}
        row = friends.set_privacy(user=signed_in(request), **changes)
        return Response(PrivacyJson(row.hides_profile, row.hides_presence, row.hides_titles))


urlpatterns = [
    path("friends", FriendsView.as_view()),
    path("friends/<str:username>", FriendView.as_view()),
    path("privacy", PrivacyView.as_view()),
]
