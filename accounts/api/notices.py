"""The notices that operators wrote to the caller, below accounts/me/notices."""

from datetime import datetime
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Struct
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.audit import notices
from accounts.audit.models import PersonNotice
from accounts.refusals import NoSuchNotice
from accounts.signing_in.signed_in import signed_in
from config.api.schema import refusals


class AccountNotice(Struct):
    """What an operator told the caller; ``read_at`` is null until the caller has read it."""

    id: UUID
    at: datetime
    text: str
    read_at: datetime | None

    @classmethod
    def of(cls, notice: PersonNotice) -> "AccountNotice":
        return cls(notice.pk, notice.at, notice.text, notice.read_at)


class NoticesView(APIView):
    @extend_schema(
        operation_id="my_notices",
        summary="List what the operators told you",
        tags=["accounts"],
        responses={200: list[AccountNotice]},
    )
    def get(self, request: Request) -> Response:
        """What the operators told the caller, newest first; at most 50."""
        rows = notices.notices_of(signed_in(request))
        return Response([AccountNotice.of(notice) for notice in rows])


class NoticeReadView(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="read_notice",
        summary="Mark a notice as read",
        tags=["accounts"],
        request=None,
        responses={204: None, **refusals(NoSuchNotice)},
    )
    def post(self, request: Request, notice_id: UUID) -> Response:
        """The notice is not shown on the pages any more."""
        notices.mark_read(user_id=signed_in(request).pk, notice_id=notice_id)
        return Response(status=204)


urlpatterns = [
    path("", NoticesView.as_view()),
    path("/<uuid:notice_id>/read", NoticeReadView.as_view()),
]
