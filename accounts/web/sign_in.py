"""Allauth's doors, open to guests: to them a guest is somebody who has not signed up yet."""

from collections.abc import Callable
from typing import Any

from allauth.account.views import LoginView, SignupView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.deprecation import MiddlewareMixin

from config.refusals import Refusal

# Allauth's pages that want a password to be there, or put something beside the account that
# a later sign-up would stumble over.
FOR_REGISTERED = frozenset(
    {"account_email", "account_change_password", "account_set_password", "account_reauthenticate"}
)


class RegisteredGoHome:
    """Allauth sends everybody away who is signed in; here only those who are registered."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.is_guest:
            return redirect(self.get_authenticated_redirect_url())  # type: ignore[attr-defined]
        answer: HttpResponseBase = super().dispatch(  # type: ignore[misc]
            request, *args, **kwargs
        )
        return answer


class SignInView(RegisteredGoHome, LoginView):  # type: ignore[misc]
    pass


class SignUpView(RegisteredGoHome, SignupView):  # type: ignore[misc]
    def form_valid(self, form: Any) -> HttpResponse:
        try:
            answer: HttpResponse = super().form_valid(form)
        except Refusal as refusal:  # somebody took the name since the form was checked
            form.add_error("username", str(refusal))
            answer = self.form_invalid(form)
        return answer


class GuestsSignUpFirst(MiddlewareMixin):
    """Passwords, e-mail addresses and second factors begin with the sign-up."""

    def process_view(
        self, request: HttpRequest, _view: Callable[..., Any], _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        name = (request.resolver_match and request.resolver_match.url_name) or ""
        kept = name in FOR_REGISTERED or (name.startswith("mfa_") and name != "mfa_authenticate")
        if kept and request.user.is_authenticated and request.user.is_guest:
            return redirect("account_signup")
        return None
