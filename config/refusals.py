"""The base of every refusal: a stable code, a status, a title, a sentence for a person.

A cause is declared once, as a class::

    class SeatTaken(Refusal, status=409):
        \"\"\"This seat is taken.\"\"\"

``code`` is the name of the class in snake case, ``title`` the code in words, the sentence the
docstring, unless given. A subclass without ``status`` inherits code, status and title. Problem
documents, the OpenAPI document and pages all read them from here. ``members`` are the types of
the further facts that a cause may bring, by name; a name of a component of the OpenAPI document
stands for what only the API knows. Standard library only.

Code that refuses knows no reader: a sentence with values in it is a phrase, and so are the faults
among the further facts. ``str(refusal)`` is English; a door renders the same in the reader's
language (``config.words``).
"""

import inspect
import re
from typing import Any, ClassVar, Protocol, TypeAlias


class Phrase(Protocol):
    """A message with named values; ``str`` gives it in English."""

    def render(self, language: Any) -> str: ...


Sentence: TypeAlias = str | Phrase


class Refusal(Exception):
    """This cannot be done."""

    status: ClassVar[int]
    code: ClassVar[str]
    title: ClassVar[str]
    members: ClassVar[dict[str, Any]] = {}
    by_code: ClassVar[dict[str, "type[Refusal]"]] = {}

    def __init_subclass__(
        cls,
        *,
        status: int | None = None,
        code: str = "",
        title: str = "",
        members: dict[str, Any] | None = None,
    ) -> None:
        super().__init_subclass__()
        if members is not None:
            cls.members = members
        if status is None:
            return
        cls.status = status
        cls.code = code or re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        cls.title = title or cls.code.replace("_", " ").capitalize()
        known = Refusal.by_code.setdefault(cls.code, cls)
        if (known.status, known.title) != (cls.status, cls.title):
            raise TypeError(f"The code {cls.code!r} is declared twice, and differently.")

    def __init__(self, sentence: Sentence = "", **extras: Any) -> None:
        """``extras`` are further facts for the caller, members of the problem document."""
        self.detail: Sentence = sentence or self.sentence()
        super().__init__(self.detail)
        self.extras = extras

    @classmethod
    def sentence(cls) -> str:
        """The sentence of the class, for a refusal without one of its own."""
        return inspect.getdoc(cls) or ""

    @property
    def sentences(self) -> list[Sentence]:
        """Every fault that the refusal names, a sentence each; without any the sentence itself."""
        return list(self.extras.get("faults") or ()) or [self.detail]


class NotSignedIn(Refusal, status=401, code="not_authenticated", title="Not signed in"):
    """Sign in, or send a valid key."""


class NotAllowed(Refusal, status=403, members={"scope": str}):
    """You may not do this."""


class NotFound(Refusal, status=404):
    """It is not there, or not yours to see."""


class TooManyRequests(Refusal, status=429, code="throttled", title="Too many requests"):
    """Too many requests. Try again in a minute."""
