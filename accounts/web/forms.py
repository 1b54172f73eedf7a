"""Forms of the account page. The services decide what is allowed."""

from typing import Any, Final

from allauth.account.forms import ChangePasswordForm as AllauthChangePasswordForm
from allauth.account.forms import LoginForm, SignupForm
from allauth.account.forms import ResetPasswordKeyForm as AllauthResetPasswordForm
from django import forms
from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from accounts.models import DISPLAY_NAME_LENGTH, KEY_NAME_LENGTH, User
from accounts.names.shown_names import shown_name
from accounts.services import keys
from config.api.scopes import MEANING, SCOPES, USUAL, Scope

# Of a field for a username: the keyboard of a telephone leaves it as it is typed.
AS_TYPED: Final = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}


class SignInForm(LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs.update(AS_TYPED)


class SignUpForm(SignupForm):  # type: ignore[misc]
    """One line says what a password must be; ``password.js`` answers in it while one types."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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


class ProfileForm(forms.Form):
    display_name = forms.CharField(
        label=gettext_lazy("Your name at the table"), max_length=DISPLAY_NAME_LENGTH, strip=True
    )
    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=settings.LANGUAGES)
    local_letters = forms.BooleanField(
        label=gettext_lazy("Letters of my language on the cards"),
        help_text=gettext_lazy("Turkish V K P A, Russian В Д К Т; else J Q K A everywhere."),
        required=False,
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
            keys.revoke_all(user=user)


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
