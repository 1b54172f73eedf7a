"""The page after a form: an address in the request, which must be one of ours."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def is_page_of_ours(request: HttpRequest, address: str) -> bool:
    """Whether it is on this host; a bare word is not: ``redirect`` takes it for a view's name."""
    here = {request.get_host()}
    safe = url_has_allowed_host_and_scheme(address, here, require_https=request.is_secure())
    return safe and "/" in address
