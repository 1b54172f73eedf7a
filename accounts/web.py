"""The own account as pages: signing in and up, keys, sessions, notices."""

from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from allauth.account.forms import ChangePasswordForm as AllauthChangePasswordForm
from allauth.account.forms import LoginForm, SignupForm
from allauth.account.forms import ResetPasswordKeyForm as AllauthResetPasswordForm
from allauth.account.views import LoginView, SignupView
from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import joining, services
from accounts.audit import log
from accounts.models import DISPLAY_NAME_LENGTH, KEY_NAME_LENGTH, User
from accounts.names import shown_name
from accounts.notifications import choices
from accounts.notifications.channels import send
from accounts.notifications.refusals import BadChoices
from accounts.notifications.web import zones
from accounts.refusals import (
    AddressNeeded,
    BadAccount,
    NoSuchKey,
    NoSuchNotice,
    TooManyKeys,
    TooManyRegistrations,
)
from accounts.signing_in import signed_in
from accounts.visitors import next_page, remember
from config import club
from config.api.errors import Unavailable
from config.api.scopes import MEANING, SCOPES, USUAL, Scope
from config.api.throttles import Registrations
from config.refusals import NotAllowed, Refusal
from config.words import sentence_of, sentences

# Forms of the account page. The services decide what is allowed.

# Of a field for a username: the keyboard of a telephone leaves it as it is typed.
AS_TYPED: Final = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}


class SignInForm(LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs.update(AS_TYPED)


class SignUpForm(SignupForm):  # type: ignore[misc]
    """One line says what a password must be; ``password.js`` answers in it while one types."""

    invitation = forms.CharField(required=False, max_length=512, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if joining.confirmed_address(str(self["invitation"].value() or "")):
            del self.fields["email"]
        if settings.CLUB["terms"]:
            link = format_html(
                '<a href="{}">{}</a>', club.page("terms"), club.PLACE.titles["terms"]
            )
            self.fields["agrees"] = forms.BooleanField(
                label=gettext_lazy("I agree to the terms"), help_text=link
            )
        self.fields["username"].widget.attrs.update(AS_TYPED)
        self.fields["password1"].help_text = gettext_lazy(
            "At least 8 characters, not only digits, nothing usual and not your name."
        )
        self.fields["password1"].widget.attrs.update(
            {
                "data-short": gettext_lazy("Still too short: at least 8 characters."),
                "data-digits": gettext_lazy("Not only digits: add a letter."),
                "data-alike": gettext_lazy("Too much like your name."),
                "data-fine": gettext_lazy("Long enough."),
            }
        )


def _languages() -> list[tuple[str, str]]:
    return [(code, name) for code, name in settings.LANGUAGES if code in club.PLACE.languages]


class ProfileForm(forms.Form):
    display_name = forms.CharField(
        label=gettext_lazy("Your name at the table"), max_length=DISPLAY_NAME_LENGTH, strip=True
    )
    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=_languages)
    local_letters = forms.BooleanField(
        label=gettext_lazy("Letters of my language on the cards"),
        help_text=gettext_lazy("Turkish V K P A, Russian В Д К Т; else J Q K A everywhere."),
        required=False,
    )
    time_zone = forms.CharField(
        label=gettext_lazy("Time zone"),
        max_length=64,
        required=False,
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
        help_text=gettext_lazy("Such as Europe/Istanbul. Times on the pages are shown in it."),
    )
    in_archive = forms.BooleanField(
        label=gettext_lazy("My public matches may appear in the public archive"), required=False
    )

    def clean_display_name(self) -> str:
        return shown_name(self.cleaned_data["display_name"])


class RevokesKeys(forms.Form):
    """A new password signs other browsers out by itself; programs have keys of their own."""

    revoke_keys = forms.BooleanField(
        label=gettext_lazy("Also end all keys and connected programs"),
        help_text=gettext_lazy("All other browsers are signed out in any case."),
        required=False,
    )

    def _revoke(self, user: User) -> None:
        if self.cleaned_data["revoke_keys"]:
            services.revoke_keys(user=user)


class ChangePasswordForm(RevokesKeys, AllauthChangePasswordForm):  # type: ignore[misc]
    def save(self) -> None:
        super().save()
        self._revoke(self.user)


class ResetPasswordForm(RevokesKeys, AllauthResetPasswordForm):  # type: ignore[misc]
    """Somebody else may have had the account: unless its owner says no, programs end too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["revoke_keys"].initial = True

    def save(self) -> None:
        super().save()
        self._revoke(self.user)


class KeyForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("What is it for?"), max_length=KEY_NAME_LENGTH, required=False
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What does it allow?"),
        choices=[
            (scope, format_lazy("{}: {}", scope, gettext_lazy(MEANING[scope]))) for scope in SCOPES
        ],
        initial=USUAL,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def clean_scopes(self) -> list[Scope]:
        return self.cleaned_data["scopes"] or list(USUAL)


# The account page: display name, language, browsers that are signed in, keys.


@require_safe
@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    return _page(request)


@require_POST
@login_required
def change_profile(request: HttpRequest) -> HttpResponse:
    form = ProfileForm(request.POST)
    if not form.is_valid():
        return _page(request, profile_form=form, status=422)
    changes, me = dict(form.cleaned_data), signed_in(request)
    zone = changes.pop("time_zone")
    try:
        if zone and zone != choices.choices_of(me.pk).time_zone:
            choices.change(user=me, time_zone=zone)
        services.change_profile(user=me, **changes)
    except BadChoices as refusal:
        form.add_error("time_zone", sentences(refusal))
        return _page(request, profile_form=form, status=422)
    except BadAccount as refusal:
        form.add_error("display_name", sentences(refusal))
        return _page(request, profile_form=form, status=422)
    response = redirect("account")
    remember(response, signed_in(request))
    return response


@require_POST
@never_cache
@login_required
def make_key(request: HttpRequest) -> HttpResponse:
    """Responds with the page itself: the secret is not stored, so a redirect would lose it."""
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _page(request, key_form=form, status=422)
    try:
        new_key = services.issue_key(user=signed_in(request), **form.cleaned_data)
    except TooManyKeys as refusal:
        form.add_error(None, sentence_of(refusal))
        return _page(request, key_form=form, status=409)
    return _page(request, new_key=new_key, status=201)


@require_POST
@login_required
def revoke_key(request: HttpRequest, key_id: UUID) -> HttpResponse:
    with suppress(NoSuchKey):  # revoked already
        services.revoke_key(user=signed_in(request), key_id=key_id)
    return redirect("account")


@require_POST
@login_required
def end_session(request: HttpRequest, session_id: UUID) -> HttpResponse:
    services.end_session(user=signed_in(request), session_id=session_id)
    return redirect("account")


def _page(request: HttpRequest, *, status: int = 200, **shown: Any) -> HttpResponse:
    me = signed_in(request)
    current = {name: getattr(me, name, None) for name in ProfileForm.base_fields}
    current["time_zone"] = choices.choices_of(me.pk).time_zone
    context = {
        "zones": zones(),
        "profile_form": ProfileForm(initial=current),
        "key_form": KeyForm(),
        "sessions": services.sessions_of(me),
        "keys": services.keys_of(me),
        **shown,
    }
    return render(request, "account/account.html", context, status=status)


# The button below a notice of the operators: it marks the notice as read.


@require_POST
def close_announcement(request: HttpRequest, announcement_id: UUID) -> HttpResponse:
    """This browser shows it no more; the newest of those that it closed are remembered."""
    closed = [*request.COOKIES.get(club.CLOSED, "").split("."), str(announcement_id)]
    response = redirect(next_page(request))
    response.set_cookie(
        club.CLOSED,
        ".".join([one for one in dict.fromkeys(closed) if one][-club.CLOSED_AT_MOST :]),
        max_age=settings.SESSION_COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@require_POST
@login_required
def read_notice(request: HttpRequest, notice_id: UUID) -> HttpResponse:
    with suppress(NoSuchNotice):  # of another account, or it was never there
        log.mark_read(user_id=signed_in(request).pk, notice_id=notice_id)
    return redirect(next_page(request))


# Allauth's sign-in and sign-up for guests too: a guest counts as not registered yet.


# Pages of allauth that need a password, or add to the account what a later sign-up conflicts with.
class RedirectRegistered:
    """Redirects registered users only; allauth redirects everybody who is signed in."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.is_guest:
            return redirect(self.get_authenticated_redirect_url())  # type: ignore[attr-defined]
        response: HttpResponseBase = super().dispatch(  # type: ignore[misc]
            request, *args, **kwargs
        )
        return response


class SignInView(RedirectRegistered, LoginView):  # type: ignore[misc]
    pass


class SignUpView(RedirectRegistered, SignupView):  # type: ignore[misc]
    def get_initial(self) -> dict[str, Any]:
        return {**super().get_initial(), "invitation": self.request.GET.get("invitation", "")}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        invitation = str(context["form"]["invitation"].value() or "")
        try:
            joining.check_open(invitation)
        except AddressNeeded:
            context["address_form"] = AddressForm()
        except NotAllowed as refusal:
            context["why_not"] = sentence_of(refusal)
        return context

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            if Registrations.take(self.request) is not None:
                raise TooManyRegistrations
            with transaction.atomic():
                response: HttpResponse = super().form_valid(form)
        except Refusal as refusal:  # or the name was taken since the form was checked
            form.add_error("username", sentence_of(refusal))
            response = self.form_invalid(form)
        return response


class AddressForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("Your address of mail"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


@require_POST
@never_cache
def ask_address(request: HttpRequest) -> HttpResponse:
    """Sends the link by which the owner of an address signs up; it tells no one who has one."""
    form = AddressForm(request.POST)
    if club.value("club.registration") != "confirmed":
        return redirect("account_signup")
    if not form.is_valid():
        return render(request, "account/signup.html", {"address_form": form}, status=422)
    if Registrations.take(request) is not None:
        raise TooManyRegistrations
    address = form.cleaned_data["email"]
    link = joining.page_of(joining.invitation_to(address))
    name = club.PLACE.name
    subject = gettext("Sign up at {club}").format(club=name)
    asks = gettext(
        "Somebody wants to sign up at {club} with this address. "
        "If it was you, go on here within three days:"
    ).format(club=name)
    text = f"{asks}\n\n{link}\n\n{gettext('If you know nothing of it, do nothing.')}\n"
    if not send(EmailMultiAlternatives(subject, text, club.PLACE.sender, [address])).is_good:
        raise Unavailable
    return render(request, "account/signup.html", {"sent_to": address})


@login_required
def welcome(request: HttpRequest) -> HttpResponse:
    """The first page of a new account, which says what it gives; it asks nothing."""
    return render(request, "account/welcome.html")


# The pages of who runs the place, and the terms.


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def terms(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        User.objects.filter(pk=signed_in(request).pk).update(terms_agreed_at=timezone.now())
        return redirect(next_page(request))
    return _club_page(request, "terms", asks=True, next=request.GET.get("next", "/"))


@require_safe
def about(request: HttpRequest, name: str) -> HttpResponse:
    if name not in club.PAGES:
        raise Http404
    return _club_page(request, name)


def _club_page(request: HttpRequest, name: str, **shown: Any) -> HttpResponse:
    text = club.value(f"club.{name}")
    if not text:
        raise Http404
    context = {"title": club.PLACE.titles[name], "text": text, **shown}
    return render(request, "account/club_page.html", context)
