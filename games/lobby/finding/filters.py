"""Which tables somebody looks for in the lobby, and where that is remembered.

An account's choice is a row; a visitor's is text that the browser keeps. Whatever is odd in either
is no filter.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final, Self
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

from django.db.models import Q, QuerySet

from cardroom.rules import catalog
from games.lobby.models import LobbyFilter
from games.lobby.paces import DAY
from games.matches.models import Match

PACES: Final = {
    "live": Q(turn_seconds__lt=DAY) | Q(clock__isnull=False),
    "slow": Q(turn_seconds__gte=DAY),
    "none": Q(turn_seconds=None, clock=None),
}
RATED: Final = {"yes": Q(rated=True), "no": Q(rated=False)}


@dataclass(frozen=True)
class TableFilter:
    """Empty: every game, any pace, rated or not."""

    game: str = ""
    pace: str = ""
    rated: str = ""

    @classmethod
    def of(cls, sent: Mapping[str, str]) -> Self:
        game, pace, rated = (sent.get(name, "") for name in ("game", "pace", "rated"))
        return cls(
            game if game in {each.slug for each in catalog.GAMES} else "",
            pace if pace in PACES else "",
            rated if rated in RATED else "",
        )

    @classmethod
    def read(cls, text: str) -> Self:
        return cls.of(dict(parse_qsl(text[:200])))

    @property
    def text(self) -> str:
        return urlencode({name: value for name, value in asdict(self).items() if value})

    def applied(self, matches: QuerySet[Match]) -> QuerySet[Match]:
        conditions = Q(game=self.game) if self.game else Q()
        if self.pace:
            conditions &= PACES[self.pace]
        if self.rated:
            conditions &= RATED[self.rated]
        return matches.filter(conditions)


def remembered(account: UUID) -> TableFilter:
    row = LobbyFilter.objects.filter(account=account).first()
    return TableFilter.read(row.chosen) if row else TableFilter()


def remember(account: UUID, chosen: TableFilter) -> None:
    LobbyFilter.objects.update_or_create(account_id=account, defaults={"chosen": chosen.text})
