"""Every read of programs."""

from datetime import datetime
from hmac import compare_digest

from allauth.idp.oidc.models import Client
from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone
from knox.crypto import hash_token

from accounts.models import Key, User
from accounts.programs.models import Connection


def connections_of(user: User) -> QuerySet[Connection]:
    """The programs that may act for this person now, newest first, with their last use."""
    rows = Connection.objects.filter(
        user=user, connected_at__isnull=False, expires_at__gt=timezone.now()
    )
    used = Coalesce(Max("tokens__last_used_at"), F("connected_at"))
    return rows.select_related("client", "client__owner").annotate(
        last_used_at=Greatest(used, F("connected_at"))
    )


def programs_of(user: User) -> "QuerySet[Client]":
    """Those that this person registered, with how many people use them."""
    connected = Q(connections__connected_at__isnull=False)
    people = Count("connections__user", filter=connected, distinct=True)
    own: QuerySet[Client] = Client.objects.filter(owner=user).annotate(people=people)
    return own.order_by("created_at")


def usable_client(client_id: str) -> Client | None:
    """A program whose owner may still sign in."""
    if "\0" in client_id:  # of a Basic header: Postgres stores none
        return None
    known = Client.objects.select_related("owner").filter(pk=client_id)
    return known.filter(Q(owner=None) | Q(owner__is_active=True)).first()


def locked_by_code(client: Client, code: str) -> Connection | None:
    """The consent of a code, used or not, until the transaction ends."""
    return _locked(client).filter(code_digest=hash_token(code)).first()


def locked_by_refresh(client: Client, token: str) -> Connection | None:
    """The connection of a refresh token, the newest one or one from before."""
    family = token.partition(".")[0]
    return _locked(client).filter(family_digest=hash_token(family)).first()


def lost_answer(
    connection: Connection, *, access: str, refresh: str, since: datetime
) -> Key | None:
    """The access token of the last refresh, if it gave these two after ``since``.

    And the refresh token is still the newest one, so nobody has used it.
    """
    newest = hash_token(refresh.partition(".")[2])
    if not connection.refresh_nonce or not compare_digest(newest, connection.refresh_digest):
        return None
    return connection.tokens.filter(digest=hash_token(access), created_at__gt=since).first()


def _locked(client: Client) -> QuerySet[Connection]:
    rows = Connection.objects.select_for_update(of=("self",)).filter(client=client)
    return rows.select_related("user", "client")
