"""What the form of a new match shows beside its fields: the opponent, faces, rules in a line."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext

from cardroom.rules.game import AnyGame
from games.ratings.selectors import ratings_of
from games.web.front.seat_forms import SeatForm

BOT: Final = "bot:"
TOP_LEVEL: Final = 5


@dataclass(frozen=True)
class Opponent:
    """A computer as it is offered; ``pips`` are its strength, lit or not."""

    slug: str
    name: str
    summary: str
    level: int
    rating: int | None

    @property
    def pips(self) -> list[bool]:
        return [number < self.level for number in range(TOP_LEVEL)]


def opponents(game: AnyGame) -> list[Opponent]:
    """The computers that may be met, the weakest first."""
    ratings = ratings_of(game.slug)
    offered = sorted((bot for bot in game.bots if bot.suggested), key=lambda bot: bot.level)
    return [
        Opponent(
            bot.slug, bot.name, bot.summary, bot.level,
            round(ratings[bot.slug].rating) if bot.slug in ratings else None,
        )
        for bot in offered
    ]  # fmt: skip


def seated(game: AnyGame, sent: QueryDict, seats: int) -> QueryDict:
    """What was sent, with another opponent on every chair of the one that was shown before."""
    rival, before = sent.get("rival", ""), sent.get("shown_rival", "")
    if rival == before or rival not in {bot.slug for bot in game.bots}:
        return sent
    changed = sent.copy()
    for name in (f"seat-{number}-who" for number in range(seats)):
        if changed.get(name) == f"{BOT}{before}":
            changed[name] = f"{BOT}{rival}"
    return changed


def shared_rival(seats: Iterable[SeatForm]) -> str:
    """The computer on every computer's chair; empty if there are several, or none."""
    held = {str(seat["who"].value() or "") for seat in seats}
    bots = [who.removeprefix(BOT) for who in held if who.startswith(BOT)]
    return bots[0] if len(bots) == 1 else ""


@dataclass(frozen=True)
class Chair:
    """A seat of the form, with the face on it: ``bot``, else a name; neither where it is open."""

    form: SeatForm
    name: str
    bot: str

    @property
    def who(self) -> str:
        return str(self.form["who"].value() or "")


def chairs(seats: Sequence[SeatForm], reader: str) -> list[Chair]:
    return [_chair(seat, reader) for seat in seats]


def _chair(seat: SeatForm, reader: str) -> Chair:
    who, typed = str(seat["who"].value() or ""), str(seat["name"].value() or "")
    if who.startswith(BOT):
        return Chair(seat, "", who.removeprefix(BOT))
    return Chair(
        seat, reader if who == "me" else "" if who in ("open", "friends") else typed or "?", ""
    )


@dataclass(frozen=True)
class RuleLine:
    label: str
    value: str
    is_changed: bool


def rule_lines(fields: Iterable[BoundField]) -> list[RuleLine]:
    """The options as they stand in the form, what was changed first; what is off is left out."""
    lines = filter(None, map(_rule_line, fields))
    return sorted(lines, key=lambda line: not line.is_changed)


def _rule_line(field: BoundField) -> RuleLine | None:
    value, usual = field.value(), field.field.initial
    if isinstance(usual, bool):
        is_on = value in (True, "on", "true", "True")
        changed = is_on != usual
        shown = gettext("yes") if is_on else gettext("no")
        return RuleLine(str(field.label), shown, changed) if is_on or changed else None
    choices: Mapping[str, Any] = {
        str(key): words for key, words in getattr(field.field, "choices", ())
    }
    shown = str(choices.get(str(value), value))
    changed = str("" if usual is None else usual) != str("" if value is None else value)
    return RuleLine(str(field.label), shown or gettext("no limit"), changed)
