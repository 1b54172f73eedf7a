"""What every service's "no" has in common: a stable code, a sentence for a person, nothing changed.

The apps name their causes as subclasses; the API turns any of them into a problem
(``config.api.errors``), a page shows the sentence.
"""

from typing import Any, ClassVar


class Refused(Exception):
    """``code`` is the API's word for the cause; ``extras`` are further facts for the caller."""

    code: ClassVar[str]

    def __init__(self, sentence: str = "", **extras: Any) -> None:
        super().__init__(sentence or (self.__doc__ or "").strip())
        self.extras = extras
