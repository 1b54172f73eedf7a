"""The block list in the API, and its bodies."""

from datetime import datetime

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Struct
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from accounts.social import selectors, services
from accounts.social.models import Block
from accounts.social.refusals import CannotBlockYourself, NoSuchAccount, NotBlocked, TooManyBlocks
from config.api.pagination import page
from config.api.schema import PAGE_PARAMETERS, refusals


class BlockLine(Struct):
    """An account that the caller has blocked."""

    username: str
    display_name: str
    created_at: datetime

    @classmethod
    def of(cls, block: Block) -> "BlockLine":
        return cls(block.blocked.username, block.blocked.display_name, block.created_at)


class BlockPage(Struct):
    results: list[BlockLine]
    next: str | None


class BlocksView(APIView):
    read_scope = "account"

    @extend_schema(
        operation_id="blocks",
        summary="List whom you block",
        tags=["accounts"],
        parameters=PAGE_PARAMETERS,
        responses={200: BlockPage},
    )
    def get(self, request: Request) -> Response:
        """The accounts that the caller has blocked, newest first."""
        rows, following = page(selectors.blocks_of(signed_in(request)), request)
        return Response(BlockPage([BlockLine.of(row) for row in rows], following))


class BlockView(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="block",
        summary="Block an account",
        tags=["accounts"],
        request=None,
        responses={200: BlockLine, **refusals(NoSuchAccount, CannotBlockYourself, TooManyBlocks)},
    )
    def put(self, request: Request, username: str) -> Response:
        """Block an account. It cannot invite you, and its invitations are declined.

        It is not told: it gets the answer of an account that takes no more invitations.
        """
        me = signed_in(request)
        user = selectors.account_by_username(me.pk, username)
        return Response(BlockLine.of(services.block(owner=me, blocked=user.pk)))

    @extend_schema(
        operation_id="unblock",
        summary="Unblock an account",
        tags=["accounts"],
        responses={204: None, **refusals(NoSuchAccount, NotBlocked)},
    )
    def delete(self, request: Request, username: str) -> Response:
        """Unblock an account. Invitations that were declined do not come back."""
        me = signed_in(request)
        user = selectors.account_by_username(me.pk, username)
        services.unblock(owner=me, blocked=user.pk)
        return Response(status=204)


urlpatterns = [
    path("", BlocksView.as_view()),
    path("/<str:username>", BlockView.as_view()),
]
