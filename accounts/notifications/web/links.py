"""The links of a mail. They work without signing in, and a look at them changes nothing.

Mail servers open links to see what is behind: only the press of a button, or the one-click
``POST`` of a mail program (RFC 8058), does something.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.notifications import choices

_METHODS = ["GET", "HEAD", "POST"]


@csrf_exempt  # a mail program has no cookie of ours; the link is the proof
@require_http_methods(_METHODS)
@never_cache
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    account = choices.account_of(token)
    if account is None:
        raise Http404
    if request.method == "POST":
        choices.end_mail(account)
    done = request.method == "POST"
    return render(request, "notifications/unsubscribe.html", {"done": done})


@require_http_methods(_METHODS)
@never_cache
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    if request.method != "POST":
        return render(request, "notifications/confirm_address.html", {"done": None})
    done = choices.confirm(token)
    context = {"done": done}
    return render(
        request, "notifications/confirm_address.html", context, status=200 if done else 410
    )
