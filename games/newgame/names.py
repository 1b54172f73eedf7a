"""What a new game is called, everywhere: from its slug, and its name if that is another one."""

import re
from dataclasses import dataclass
from typing import Final

from cardroom.rules import catalog
from cardroom.rules.contract_version import written
from cardroom.rules.outside import LONGEST_SLUG, SLUG

TEMPLATE: Final = "games.newgame.template"


class BadName(ValueError):
    """A slug that no game can have."""


@dataclass(frozen=True)
class Names:
    slug: str
    name: str

    @classmethod
    def of(cls, slug: str, name: str = "") -> "Names":
        """Raises ``BadName``."""
        if not SLUG.fullmatch(slug) or len(slug) > LONGEST_SLUG:
            raise BadName(
                f"{slug!r} is no slug: up to {LONGEST_SLUG} small letters and digits, "
                "with - between words."
            )
        if slug in catalog.slugs():
            raise BadName(f"There is a game {slug!r} already.")
        return cls(slug, name or slug.replace("-", " ").title())

    @property
    def module(self) -> str:
        return f"{self.slug.replace('-', '_')}_cardroom"

    @property
    def prefix(self) -> str:
        """Of its classes."""
        return "".join(part.capitalize() for part in self.slug.split("-"))

    def in_text(self, text: str) -> str:
        """A text of the template with these names."""
        for old, new in (
            (TEMPLATE, self.module),
            ("new_game_cardroom", self.module),
            ("NewGame", self.prefix),
            ("new-game", self.slug),
            ("CONTRACT", written()),
        ):
            text = text.replace(old, new)
        return re.sub(r"\bNew Game\b", self.name, text)
