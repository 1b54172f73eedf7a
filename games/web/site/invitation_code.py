"""The address of a table as a QR code, for a phone beside the screen; no other host is asked."""

from io import BytesIO
from uuid import UUID

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from games.matches.selectors.access import Caller, find_match
from games.web.parts.visitor import user_id


@require_GET
def invitation_code(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """An SVG, dark on light whatever the page looks like: cameras want it so."""
    user = user_id(request)
    access = find_match(match_id, Caller(user=user))
    if access is None or not access.match.is_visible_to(user):
        raise Http404("There is no such match, or it is not yours to see.")
    address = request.build_absolute_uri(reverse("table", args=[match_id]))
    picture = BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(picture, kind="svg", border=3, scale=4, dark="#000", light="#fff")
    return HttpResponse(
        picture.getvalue(),
        content_type="image/svg+xml",
        headers={"Cache-Control": "private, max-age=3600"},
    )
