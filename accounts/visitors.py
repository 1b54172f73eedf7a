"""Visitors of pages: sessions of browsers, pressed forms, the suspended, languages, consent."""

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta, tzinfo
from functools import cached_property
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib.auth import SESSION_KEY, login
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sites.shortcuts import get_current_site
from django.core import signing
from django.db import DatabaseError, connection, transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.views.decorators.http import require_POST

from accounts import gate, joining, services
from accounts.audit.models import Suspension
from accounts.locking import Suspended, suspension_of
from accounts.models import BrowserSession, Press, User
from accounts.notifications import choices
from accounts.refusals import TooManyGuests
from config import club
from config.api.errors import ProblemResponse
from config.api.throttles import NewGuests, WrongPasswords
from config.counting import client_address
from config.offers import offered
from config.pages.middleware import is_page_of_ours
from config.refusals import NotAllowed, Refusal
from config.telemetry.requests import Handler, refused
from config.words import sentence_of

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def current_or_guest_user(request: HttpRequest) -> User:
    """The signed-in user; a new guest is signed in if there is none. Raises TooManyGuests."""
    if isinstance(request.user, User):
        return request.user
    guest = new_guest(request)
    sign_in(request, guest)
    return guest


def new_guest(request: HttpRequest) -> User:
    """An account for a visitor, not signed in yet.

    Raises TooManyGuests: pages and API count the guests of an address together.
    """
    if NewGuests.take(request) is not None:
        raise TooManyGuests
    return services.open_guest(language=get_language() or "en")


def sign_in(request: HttpRequest, user: User) -> None:
    login(request, user, backend=BACKEND)


REMEMBERED: Final = 10_000  # sessions of which this process knows that they are recorded
_recorded: dict[str, float] = {}


def record_session_use(session: SessionBase, agent: str) -> None:
    """Records that a signed-in browser is in use, once an hour instead of once a request."""
    key, now = session.session_key, time.monotonic()
    if key is None or now - _recorded.get(key, -1e9) < services.RECORDED_EVERY.total_seconds():
        return
    if len(_recorded) >= REMEMBERED:
        _recorded.clear()
    _recorded[key] = now
    row = BrowserSession(
        session_key=key, user_id=UUID(session[SESSION_KEY]), device=services.device_of(agent)
    )
    BrowserSession.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["session_key"],
        update_fields=["user", "device", "last_used_at"],
    )
    gate.record_trace(row.user_id, agent)


def record_sessions(get_response: Handler) -> Handler:
    """Middleware: the account page lists where its owner is signed in, and since when."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.session.accessed and SESSION_KEY in request.session:
            with suppress(DatabaseError):  # it is no part of what was asked
                record_session_use(request.session, request.headers.get("User-Agent", ""))
        return response

    return middleware


# A form that is sent twice leads to the same result, and to the same guest.
#
# A press of its button is recognised by what the browser sends: the token of the form, the
# address, the fields, and the sender. A visitor without an account is recognised by a cookie that
# no script and no page can read. So the token of a form alone does not sign anybody in as the
# guest that the form made.

LIFE: Final = timedelta(minutes=2)


def once(request: HttpRequest, make: Callable[[User], UUID]) -> UUID:
    """The id of what this press made: by ``make``, unless the same press made it already.

    A visitor becomes a guest, the same one for the same press. If ``make`` refuses, nothing is left
    behind, not even a guest.
    """
    check_plays_here(request)
    key = _key(request)
    if key is None:
        return make(current_or_guest_user(request))
    with transaction.atomic():
        press = _press_before(key) or _press_now(key, request, make)
    if not request.user.is_authenticated and press.user.is_guest:
        sign_in(request, press.user)
    return press.made


def check_plays_here(request: HttpRequest) -> None:
    """Refuses a bot account: it may look at these pages, but plays by the API alone."""
    if isinstance(request.user, User) and request.user.is_bot:
        raise NotAllowed("A bot account plays by the API, not on these pages.")


def _press_before(key: str) -> Press | None:
    """Waits while the same press is handled elsewhere; deletes presses that are too old."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(key[:15], 16)])
    Press.objects.filter(at__lt=timezone.now() - LIFE).delete()
    return Press.objects.select_related("user").filter(key=key).first()


def _press_now(key: str, request: HttpRequest, make: Callable[[User], UUID]) -> Press:
    user = request.user if isinstance(request.user, User) else new_guest(request)
    return Press.objects.create(key=key, user=user, made=make(user))


def _key(request: HttpRequest) -> str | None:
    """None for a form without its token, or from a browser that keeps no cookies."""
    if "csrfmiddlewaretoken" not in request.POST:
        return None
    user, visitor = request.user, request.COOKIES.get(cookie_name())
    if not user.is_authenticated and not visitor:
        return None
    who = f"user {user.pk}" if user.is_authenticated else f"visitor {visitor}"
    sent = f"{who}\n{request.path}\n{request.POST.urlencode()}"
    return salted_hmac("accounts.visitors", sent, algorithm="sha256").hexdigest()


def cookie_name() -> str:
    """Over HTTPS a name that browsers accept from this host only, not from others of its domain."""
    return "__Host-visitor" if settings.SESSION_COOKIE_SECURE else "visitor"


def name_visitors(get_response: Handler) -> Handler:
    """Middleware: gives a browser that is shown a form a cookie by which it is recognised."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.META.get("CSRF_COOKIE_NEEDS_UPDATE") and cookie_name() not in request.COOKIES:
            response.set_cookie(
                cookie_name(),
                secrets.token_urlsafe(18),
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    return middleware


# Pages for a suspended person: every page says that they are suspended, why and until when.
#
# Django treats such a browser as a visitor's, but its session still names the account. Signing
# out clears the session. The person may answer once. The form of the answer names the suspension
# in a signed text, since after the right password there is no session.

OPEN_TO_ALL: Final = frozenset(
    {"set_language", "favicon", "robots", "manifest", "app", "service_worker", "account_appeal"}
)
APPEAL: Final = "accounts.appeal"
HOUR: Final = 3600


class SuspendedPeople(MiddlewareMixin):
    def process_view(
        self, request: HttpRequest, _view: Callable[..., Any], _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        name = request.resolver_match and request.resolver_match.url_name
        suspended = None if name in OPEN_TO_ALL else _suspension(request)
        if suspended is None:
            return None
        if name == "account_logout" and request.method == "POST":
            request.session.flush()
            return redirect("landing")
        if request.path_info.startswith("/api/"):
            return ProblemResponse(suspended)
        return suspended_page(request, suspended)


def suspended_page(request: HttpRequest, suspended: Suspended) -> HttpResponse:
    refused(suspended)
    context = {
        "sentence": sentence_of(suspended),
        "was_signed_in": SESSION_KEY in request.session,
        "token": signing.dumps(suspended.number, salt=APPEAL),
        "appeal": next((read(suspended.number) for read in offered("appeal_of")), None),
    }
    page = render(request, "account/suspended.html", context, status=suspended.status)
    if "HX-Request" in request.headers:  # htmx asked for a part of the page that is gone
        page["HX-Refresh"] = "true"
    return page


@require_POST
def appeal(request: HttpRequest) -> HttpResponse:
    """The answer of a suspended person; then the page that says why, with the answer."""
    try:
        number = signing.loads(request.POST.get("token", ""), salt=APPEAL, max_age=HOUR)
    except signing.BadSignature:
        return redirect("account_login")
    with suppress(Refusal):  # it was answered already, or is over
        for write in offered("appeal"):
            write(number, request.POST.get("text", ""))
    row = Suspension.objects.filter(pk=number, lifted_at=None).first()
    suspended = suspension_of(row.user_id) if row else None
    return suspended_page(request, suspended) if suspended else redirect("account_login")


def _suspension(request: HttpRequest) -> Suspended | None:
    """Looked up only if the session names an account that Django does not sign in."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or "Authorization" in request.headers:
        return None
    user_id = request.session.get(SESSION_KEY)
    if user_id is None or request.user.is_authenticated:
        return None
    return suspension_of(UUID(user_id))


# How allauth makes an account: through the same service as the API.


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002
        User._meta.get_field("username").run_validators(username)  # noqa: SLF001
        return str(super().clean_username(username, shallow=shallow))

    def pre_authenticate(self, request: HttpRequest, **_credentials: Any) -> None:
        """Only wrong passwords are counted, those of the page and of the API together."""
        if WrongPasswords.seconds_left(request) is not None:
            raise self.validation_error("too_many_login_attempts")

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        """After the right password: a suspended person reads why."""
        suspended = suspension_of(user.pk)
        if suspended is None:
            response: HttpResponse = super().respond_user_inactive(request, user)
            return response
        return suspended_page(request, suspended)

    def is_safe_url(self, url: str | None) -> bool:
        """Refuses a bare word too, which Django would take for the name of a view."""
        return "/" in (url or "") and bool(super().is_safe_url(url))

    def format_email_subject(self, subject: str) -> str:
        return f"[{club.PLACE.name}] {subject}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Greetings name the place, and not its host."""
        site = get_current_site(self.request)
        site.name = club.PLACE.name
        super().send_mail(template_prefix, email, {**context, "current_site": site})

    def get_from_email(self) -> str:
        return club.PLACE.sender

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def save_user(self, request: HttpRequest, _user: User, form: Any, **_commit: bool) -> User:
        """A signed-in guest becomes the new account and keeps the matches.

        It reads the language and the card letters in which it signed up.
        """
        fields = form.cleaned_data
        user = services.register(
            username=fields["username"],
            password=fields["password1"],
            email=fields.get("email") or "",
            invitation=fields["invitation"],
            agrees=fields.get("agrees", False),
            guest=request.user if isinstance(request.user, User) else None,
        )
        letters = wants_local_letters(request)
        services.change_profile(user=user, language=get_language(), local_letters=letters)
        for confirmed in EmailAddress.objects.filter(user=user, verified=True):
            confirmed.delete()  # allauth writes it again, and allows none before
            self.stash_verified_email(request, confirmed.email)
        return user


class SecondFactor(DefaultMFAAdapter):  # type: ignore[misc]
    def get_totp_issuer(self) -> str:
        return club.PLACE.name


# The reader's language and card letters: cookies of the browser, kept with the account.
#
# The cookies decide, so that a page needs no look at the account. Signing in brings the account's
# choice to the browser; the switch in the page changes both. Cards carry the letters of the
# reader's language unless the reader chose the international ones.

LETTERS_COOKIE: Final = "card_letters"
LOCAL: Final = "local"
INTERNATIONAL: Final = "international"


def wants_local_letters(request: HttpRequest) -> bool:
    return request.COOKIES.get(LETTERS_COOKIE) != INTERNATIONAL


class KeepChoice(MiddlewareMixin):
    """Stores the choice of a person who has just signed in in the browser's cookies."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        user = getattr(request, "chooses", None)
        if user is not None:
            remember(response, user)
        return response


@receiver(user_logged_in)
def _signed_in(request: HttpRequest | None, user: User, **_: Any) -> None:
    if request is None or user.is_guest:  # a guest keeps the choice of the visitor
        return
    here = get_language(), wants_local_letters(request)
    if here != (user.language, user.local_letters):
        request.chooses = user  # type: ignore[attr-defined]


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """The switch in the page: ``language``, ``letters`` or both; back to ``next``."""
    user = request.user if request.user.is_authenticated else User()
    if request.POST.get("language") in club.PLACE.languages:
        user.language = request.POST["language"]
    elif not request.user.is_authenticated:
        user.language = get_language() or settings.LANGUAGE_CODE
    if "letters" in request.POST:
        user.local_letters = request.POST["letters"] != INTERNATIONAL
    elif not request.user.is_authenticated:
        user.local_letters = wants_local_letters(request)
    if request.user.is_authenticated:
        services.change_profile(user=user, language=user.language, local_letters=user.local_letters)
    response = redirect(next_page(request))
    remember(response, user)
    return response


def remember(response: HttpResponseBase, user: User) -> None:
    letters = LOCAL if user.local_letters else INTERNATIONAL
    keep_choice(response, settings.LANGUAGE_COOKIE_NAME, user.language)
    keep_choice(response, LETTERS_COOKIE, letters)


def keep_choice(response: HttpResponseBase, cookie: str, value: str) -> None:
    """The browser keeps a choice of its reader as long as a session."""
    response.set_cookie(
        cookie,
        value,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def next_page(request: HttpRequest) -> str:
    """The page after a form: ``next``, if it is a page of ours."""
    to = request.POST.get("next", "")
    return to if is_page_of_ours(request, to) else "/"


# Times on pages stand in the time zone of the reader's account, also where no script runs.


class ReadersZone(tzinfo):
    """Read from the account when a page shows its first moment: most pages show none."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    @cached_property
    def chosen(self) -> ZoneInfo:
        user = self.request.user
        if not user.is_authenticated:
            return club.zone()
        return ZoneInfo(choices.choices_of(user.pk).time_zone)

    def utcoffset(self, at: datetime | None) -> timedelta | None:
        return self.chosen.utcoffset(at)

    def dst(self, at: datetime | None) -> timedelta | None:
        return self.chosen.dst(at)

    def tzname(self, at: datetime | None) -> str | None:
        return self.chosen.tzname(at)

    def fromutc(self, at: datetime) -> datetime:
        return self.chosen.fromutc(at.replace(tzinfo=self.chosen))


# The API has its times in UTC, operators theirs too; a table counts down and shows no time of day.
IN_UTC: Final = ("/api/", "/admin/", "/matches/")


def show_local_times(get_response: Handler) -> Handler:
    """Middleware: the reader's own time zone, until the answer is made."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(IN_UTC):
            return get_response(request)
        with timezone.override(ReadersZone(request)):
            return get_response(request)

    return middleware


# A person who signed up before the terms counted is asked once. Programs and open tables go on.

NOT_ASKED: Final = (
    *("/about/", "/accounts/terms/", "/accounts/logout/", "/accounts/delete/", "/accounts/data/"),
    *("/admin/", "/api/", "/app", "/oauth/"),
)


def ask_consent(get_response: Handler) -> Handler:
    """Middleware: a page that somebody opens waits until they agree to the terms that count now."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        opens = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
        if not opens or not club.value("club.terms") or "HX-Request" in request.headers:
            return get_response(request)
        if request.path_info.startswith(NOT_ASKED) or not request.user.is_authenticated:
            return get_response(request)
        if not joining.must_agree(request.user):
            return get_response(request)
        return redirect(f"{reverse('terms')}?{urlencode({'next': request.get_full_path()})}")

    return middleware


FOR_REGISTERED = frozenset(
    {"account_email", "account_change_password", "account_set_password", "account_reauthenticate"}
    | {"socialaccount_connections"}
)


class GuestsSignUpFirst(MiddlewareMixin):
    """Sends guests from pages about passwords, e-mail and second factors to the sign-up."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Any page may open a guest account, and so may meet this limit."""
        if not isinstance(error, TooManyGuests):
            return None
        return render(request, "account/too_many_guests.html", {"why": error}, status=429)

    def process_view(
        self, request: HttpRequest, _view: Callable[..., Any], _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        name = (request.resolver_match and request.resolver_match.url_name) or ""
        kept = name in FOR_REGISTERED or (name.startswith("mfa_") and name != "mfa_authenticate")
        if kept and request.user.is_authenticated and request.user.is_guest:
            return redirect("account_signup")
        return None
