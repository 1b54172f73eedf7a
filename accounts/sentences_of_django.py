"""Sentences of Django's password rules, which stand beside the fields of allauth's pages.

As those of :mod:`accounts.sentences_of_allauth`: ours come first and speak to the reader as all
pages do.
"""

from typing import Final

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

SENTENCES: Final = (
    _("Your password can’t be too similar to your other personal information."),
    _("Your password can’t be a commonly used password."),
    _("Your password can’t be entirely numeric."),
)
LONG_ENOUGH: Final = ngettext_lazy(
    "Your password must contain at least %(min_length)d character.",
    "Your password must contain at least %(min_length)d characters.",
    "min_length",
)
