"""How allauth makes an account: through the same service as the API."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from accounts.services import people
from accounts.suspensions import suspension_of
from accounts.web.suspended import suspended_page
from config.api.throttles import WrongPasswords
from config.counting.client_address import client_address


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

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def save_user(self, request: HttpRequest, _user: User, form: Any, **_commit: bool) -> User:
        """A signed-in guest becomes the new account and keeps the matches."""
        fields = form.cleaned_data
        return people.register(
            username=fields["username"],
            password=fields["password1"],
            email=fields.get("email") or "",
            guest=request.user if isinstance(request.user, User) else None,
        )
