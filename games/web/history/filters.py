"""Which of the own matches are wanted, and from where on: read from the address, never trusted."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from cardroom.rules import catalog
from games.matches.models import Match, Seat

LONGEST_NAME: Final = 64
RESULTS: Final[dict[str, Promise]] = {
    "won": _("you won"),
    "lost": _("you lost"),
    "drawn": _("a draw"),
}


@dataclass(frozen=True)
class Cursor:
    """The last match of the page before: later pages go on below it."""

    finished_at: datetime
    match: UUID

    def __str__(self) -> str:
        return f"{round(self.finished_at.timestamp() * 1_000_000):x}-{self.match.hex}"

    @classmethod
    def read(cls, text: str) -> "Cursor | None":
        """``None`` for what is no cursor: that is the first page."""
        at, _dash, match = text.partition("-")
        try:
            return cls(datetime.fromtimestamp(int(at, 16) / 1_000_000, UTC), UUID(hex=match))
        except (ValueError, OverflowError, OSError):
            return None


@dataclass(frozen=True)
class HistoryFilter:
    """``opponent`` is a part of a name; empty values are no filter."""

    game: str = ""
    opponent: str = ""
    result: str = ""
    before: Cursor | None = None

    @classmethod
    def of(cls, sent: QueryDict) -> "HistoryFilter":
        game, result = sent.get("game", ""), sent.get("result", "")
        opponent = sent.get("opponent", "").replace("\0", "").strip()[:LONGEST_NAME]
        return cls(
            game=game if game in {each.slug for each in catalog.GAMES} else "",
            opponent=opponent,
            result=result if result in RESULTS else "",
            before=Cursor.read(sent.get("before", "")),
        )

    @property
    def is_any(self) -> bool:
        return bool(self.game or self.opponent or self.result)

    @property
    def query(self) -> str:
        """What an address says to be shown this page."""
        values = {
            "game": self.game,
            "opponent": self.opponent,
            "result": self.result,
            "before": str(self.before or ""),
        }
        return urlencode({name: value for name, value in values.items() if value})

    @property
    def first(self) -> "HistoryFilter":
        return replace(self, before=None)

    def older(self, last: Match) -> "HistoryFilter":
        return replace(self, before=Cursor(last.finished_at or last.updated_at, last.id))

    def applied(self, user: UUID) -> QuerySet[Match]:
        """The user's finished matches, the last one first."""
        own = Seat.objects.filter(match=OuterRef("pk"), user=user)
        matches = Match.objects.filter(Exists(own), status=Match.Status.FINISHED)
        if self.game:
            matches = matches.filter(game=self.game)
        if self.opponent:
            others = Seat.objects.filter(match=OuterRef("pk"), name__icontains=self.opponent)
            matches = matches.filter(Exists(others.exclude(user=user)))
        if self.result:
            matches = matches.filter(self._result(user))
        if self.before:
            at, match = self.before.finished_at, self.before.match
            matches = matches.filter(Q(finished_at__lt=at) | Q(finished_at=at, id__lt=match))
        return matches.order_by("-finished_at", "-id")

    def _result(self, user: UUID) -> Q:
        """As a line tells it (`games.web.front.results`): by the seat that the user plays."""
        seats = Seat.objects.filter(match=OuterRef("pk"))
        own = seats.filter(user=user, kind=Seat.Kind.USER)
        decided = Exists(seats.filter(place__gt=1))
        if self.result == "drawn":
            return Q(~decided) & Q(Exists(own))
        placed = own.filter(place=1) if self.result == "won" else own.filter(place__gt=1)
        return Q(decided) & Q(Exists(placed))
