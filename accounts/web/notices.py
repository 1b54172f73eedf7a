"""The button below a notice of the operators: it marks the notice as read."""

from contextlib import suppress
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.audit import notices
from accounts.refusals import NoSuchNotice
from accounts.signing_in.signed_in import signed_in
from accounts.web.language import next_page


@require_POST
@login_required
def read_notice(request: HttpRequest, notice_id: UUID) -> HttpResponse:
    with suppress(NoSuchNotice):  # of another account, or it was never there
        notices.mark_read(user_id=signed_in(request).pk, notice_id=notice_id)
    return redirect(next_page(request))
