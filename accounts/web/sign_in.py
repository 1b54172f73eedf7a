"""Allauth's sign-in and sign-up for guests too: a guest counts as not registered yet."""

from collections.abc import Callable
from typing import Any

from allauth.account.views import LoginView, SignupView
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.deprecation import MiddlewareMixin

from accounts.refusals import TooManyGuests, TooManyRegistrations
from config.api.throttles import Registrations
from config.refusals import Refusal
from config.words import sentence_of

# Pages of allauth that need a password, or add to the account what a later sign-up conflicts with.
FOR_REGISTERED = frozenset(
    {"account_email", "account_change_password", "account_set_password", "account_reauthenticate"}
)


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
    def form_valid(self, form: Any) -> HttpResponse:
        try:
            if Registrations.take(self.request) is not None:
                raise TooManyRegistrations
            response: HttpResponse = super().form_valid(form)
        except Refusal as refusal:  # or the name was taken since the form was checked
            form.add_error("username", sentence_of(refusal))
            response = self.form_invalid(form)
        return response


@login_required
def welcome(request: HttpRequest) -> HttpResponse:
    """What the new account gives; it asks nothing."""
    return render(request, "account/welcome.html")


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
