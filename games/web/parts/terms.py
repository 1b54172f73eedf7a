"""How a match is played, in a few words, and what that says to a person who is invited to it."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext

from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options
from games.language import words
from games.lobby.paces import PACES, clock_pace
from games.matches.time_bank import Clock
from games.web.parts.options_form import chosen
from games.web.parts.table_page import TablePage

OPTIONS_SHOWN: Final = 6
_PACES: Final = {pace.turn_seconds: pace.name for pace in PACES}


def rules_in_words(game: AnyGame, options: Options) -> list[str]:
    """*Points to win: 51*, of what is not as usual."""
    changed = [each for each in chosen(game, options) if each.is_changed]
    return [f"{each.label}: {each.value}" for each in changed[:OPTIONS_SHOWN]]


def pace_in_words(turn_seconds: int | None, clock: Clock | None = None) -> str:
    if clock is not None:
        return words(clock_pace(clock).name)
    if turn_seconds is None:
        return gettext("no limit for a move")
    if turn_seconds in _PACES:
        return words(_PACES[turn_seconds])
    return gettext("{n} seconds for a move").format(n=turn_seconds)


@dataclass(frozen=True)
class Invitation:
    """An open match for a person who may never have heard of the game.

    ``seat`` is the one that a single press takes; none where the reader cannot sit down.
    """

    page: TablePage

    @property
    def host(self) -> str:
        return self.page.name_of(self.page.match.creator_id)

    @property
    def summary(self) -> str:
        return words(self.page.match.rules.summary)

    @property
    def rules(self) -> list[str]:
        return rules_in_words(self.page.match.rules, self.page.match.options)

    @property
    def pace(self) -> str:
        match = self.page.match
        return pace_in_words(match.turn_seconds, match.banks.terms if match.banks else None)

    @property
    def seat(self) -> int | None:
        free = [panel.seat for panel in self.page.seat_panels if panel.seat.kind == "open"]
        own = [seat.index for seat in free if seat.awaits(self.page.user)]
        anybodys = [seat.index for seat in free if self.page.is_free_for_reader(seat)]
        return next(iter(own + anybodys), None) if self.page.can_join else None


def invitation(page: TablePage) -> Invitation | None:
    """While the match waits for players and the reader has no seat in it."""
    is_open = page.match.status == "open" and not page.own_seats
    return Invitation(page) if is_open else None
