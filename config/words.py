"""A refusal in the reader's language: its English sentence is the message that is translated."""

from django.utils.translation import gettext

from config.refusals import Refusal


def said(refusal: Refusal) -> str:
    return gettext(str(refusal))


def sentences(refusal: Refusal) -> list[str]:
    """Every fault that the refusal names, a sentence each."""
    return [gettext(one) for one in refusal.sentences]
