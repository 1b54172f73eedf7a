"""Forms of the account page. The services decide what is allowed."""

from django import forms
from django.conf import settings

from accounts.models import DISPLAY_NAME_LENGTH, KEY_NAME_LENGTH
from accounts.names import shown_name
from config.api.scopes import MEANING, SCOPES, USUAL, Scope


class ProfileForm(forms.Form):
    display_name = forms.CharField(
        label="Your name at the table", max_length=DISPLAY_NAME_LENGTH, strip=True
    )
    language = forms.ChoiceField(choices=settings.LANGUAGES)

    def clean_display_name(self) -> str:
        return shown_name(self.cleaned_data["display_name"])


class KeyForm(forms.Form):
    name = forms.CharField(label="What is it for?", max_length=KEY_NAME_LENGTH, required=False)
    scopes = forms.MultipleChoiceField(
        label="What does it allow?",
        choices=[(scope, f"{scope}: {MEANING[scope]}") for scope in SCOPES],
        initial=USUAL,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def clean_scopes(self) -> list[Scope]:
        return self.cleaned_data["scopes"] or list(USUAL)
