"""A refusal in the reader's language: its English sentence is the message that is translated."""

from functools import singledispatch
from typing import Any

from django.utils.translation import gettext

from config.refusals import Refusal


@singledispatch
def words(sentence: object) -> str:
    """A sentence in the reader's language; ``games.language`` registers that of phrases."""
    return gettext(str(sentence))


def sentence_of(refusal: Refusal) -> str:
    return words(refusal.detail)


def sentences(refusal: Refusal) -> list[str]:
    """Every fault that the refusal names, a sentence each."""
    return [words(one) for one in refusal.sentences]


def in_words(fact: Any) -> Any:
    """A fact that a refusal brings, its phrases in the reader's language; other text stays."""
    if isinstance(fact, list):
        return [in_words(one) for one in fact]
    if isinstance(fact, dict):
        return {name: in_words(one) for name, one in fact.items()}
    return words(fact) if hasattr(fact, "render") else fact
