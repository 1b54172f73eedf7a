"""The account calls: a body in, one service, a body out."""

from uuid import UUID

from django.contrib.auth import update_session_auth_hash
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import selectors
from accounts.api.authentication import user_by_password
from accounts.api.schemas import (
    Account,
    KeyLine,
    KeyPage,
    NewKey,
    Nothing,
    Person,
    Profile,
    Registration,
    SignIn,
)
from accounts.models import User
from accounts.refusals import (
    AlreadyRegistered,
    BadAccount,
    BadCredentials,
    LockedOut,
    SecondFactorRequired,
    TooManyKeys,
    UsernameTaken,
)
from accounts.services import keys, people
from accounts.signing_in.signed_in import signed_in
from accounts.suspensions import Suspended
from config.api.answers import created
from config.api.json import body_of
from config.api.pagination import page
from config.api.schema import PAGE_PARAMETERS, refusals
from config.api.scopes import SCOPES
from config.api.throttles import NewGuests, Registrations, Requests, WrongPasswords
from config.refusals import NotFound, TooManyRequests


def account(user: User, *, key_name: str) -> Response:
    """The account and a key that allows everything: at first the only one."""
    key, secret = keys.issue(user=user, name=key_name, scopes=SCOPES)
    return created(Account(Person.of(user), secret, key.expires_at), "accounts/me")


class GuestView(APIView):
    authentication_classes = ()  # every call makes a new user
    permission_classes = (AllowAny,)
    throttle_classes = (Requests, NewGuests)

    @extend_schema(
        operation_id="create_guest",
        summary="Open a guest account",
        tags=["accounts"],
        request=Nothing,
        responses={201: Account, **refusals(UsernameTaken)},
    )
    def post(self, request: Request) -> Response:
        """A playable account at once. Its key is the only way into it until it is registered."""
        body_of(request, Nothing)
        return account(people.open_guest(), key_name="guest")


class RegisterView(APIView):
    write_scope = "account"
    own_key_only = ("POST",)  # it answers with a key
    permission_classes = (AllowAny,)
    throttle_classes = (Requests, Registrations)

    @extend_schema(
        operation_id="register",
        summary="Register an account",
        tags=["accounts"],
        request=Registration,
        responses={
            201: Account,
            **refusals(UsernameTaken, AlreadyRegistered, TooManyKeys, BadAccount),
        },
    )
    def post(self, request: Request) -> Response:
        """An account with a password. Called with a guest's key it keeps the guest's matches."""
        body = body_of(request, Registration)
        guest = signed_in(request) if request.user.is_authenticated else None
        user = people.register(
            username=body.username, password=body.password, email=body.email, guest=guest
        )
        if guest and request.auth is None:  # a browser: its session outlives the new password
            update_session_auth_hash(request._request, user)  # noqa: SLF001
        return account(user, key_name="registration")


class TokenView(APIView):
    authentication_classes = ()  # a client with an expired key gets a new one here
    permission_classes = (AllowAny,)
    throttle_classes = (Requests, WrongPasswords)

    @extend_schema(
        operation_id="create_key",
        summary="Sign in with a password",
        tags=["accounts"],
        request=SignIn,
        responses={
            201: NewKey,
            **refusals(
                BadCredentials,
                SecondFactorRequired,
                Suspended,
                TooManyKeys,
                LockedOut,
                TooManyRequests,
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """A key for a username and password, and the code of a second factor if there is one."""
        body = body_of(request, SignIn)
        user = user_by_password(
            request._request,  # noqa: SLF001 (django-axes wants Django's own)
            username=body.username,
            password=body.password,
            code=body.code,
        )
        key, secret = keys.issue(user=user, name=body.name, scopes=body.scopes)
        answer = NewKey(secret, key.pk, key.expires_at, key.scopes)
        return created(answer, f"accounts/tokens/{key.pk}")


class KeysView(APIView):
    read_scope = "account"

    @extend_schema(
        operation_id="keys",
        summary="List your keys",
        tags=["accounts"],
        parameters=PAGE_PARAMETERS,
        responses={200: KeyPage},
    )
    def get(self, request: Request) -> Response:
        """The caller's keys, newest first, without their secrets."""
        rows, following = page(selectors.keys_of(signed_in(request)), request)
        return Response(KeyPage([KeyLine.of(key, request.auth) for key in rows], following))


class KeyView(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="revoke_key",
        summary="Revoke a key",
        tags=["accounts"],
        responses={204: None, **refusals(NotFound)},
    )
    def delete(self, request: Request, key_id: UUID) -> Response:
        """Revoke a key: it is refused from now on."""
        keys.revoke(user=signed_in(request), key_id=key_id)
        return Response(status=204)


class MeView(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="me", summary="Read your account", tags=["accounts"], responses={200: Person}
    )
    def get(self, request: Request) -> Response:
        """The caller."""
        return Response(Person.of(signed_in(request)))

    @extend_schema(
        operation_id="change_me",
        summary="Change your account",
        tags=["accounts"],
        request=Profile,
        responses={200: Person, **refusals(BadAccount)},
    )
    def patch(self, request: Request) -> Response:
        """Change the name others see, the language, or whether public matches are archived."""
        changes = body_of(request, Profile).changes()
        return Response(Person.of(people.change_profile(user=signed_in(request), **changes)))
