"""A small form for each seat of a new match: who sits there."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from games.matches.services.seats import SeatRequest
from games.ratings.models import BotRating
from games.ratings.selectors import ratings_of
from games.rules.bot import Bot
from games.rules.game import AnyGame

_BOT = "bot:"
AT_ONCE = 1.0  # the most seconds for a move of the computer that a table offers by itself


class SeatForm(forms.Form):
    """``who``: me, a bot, a person at this device, a player by name, or open for anybody."""

    who = forms.ChoiceField(label=gettext_lazy("Who"))
    name = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=40,
        help_text=gettext_lazy("Of a player, or of a person at this device"),
    )

    def __init__(
        self, game: AnyGame, ratings: Mapping[str, BotRating], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        bots = [(_BOT + bot.slug, _offered(bot, ratings.get(bot.slug))) for bot in game.bots]
        who = self.fields["who"]
        _offer(
            who,
            [
                ("me", gettext("Me")),
                *bots,
                ("open", gettext("Open: anybody may join")),
                ("user", gettext("A player, by username")),
                ("local", gettext("A person at this device")),
            ],
        )

    def request(self, deck: str | None) -> SeatRequest:
        who, name = self.cleaned_data["who"], self.cleaned_data["name"].strip()
        if who.startswith(_BOT):
            return SeatRequest("bot", bot=who.removeprefix(_BOT))
        if who == "user":
            return SeatRequest("user", username=name)
        if who == "local":
            return SeatRequest("local", name=name or None, deck=deck)
        return SeatRequest("me", deck=deck) if who == "me" else SeatRequest("open")


def _offered(bot: Bot[Any], found: BotRating | None) -> str:
    """How the list of seats names a computer."""
    facts = [gettext("level {n}").format(n=bot.level)]
    if found:
        facts.append(gettext("rating {n}").format(n=f"{found.rating:.0f}"))
    if not bot.rated:
        facts.append(gettext("not rated"))
    return gettext("Computer: {name} ({facts})").format(name=bot.name, facts=", ".join(facts))


def _offer(field: forms.Field, choices: Sequence[tuple[str, str]]) -> None:
    if isinstance(field, forms.ChoiceField):
        field.choices = list(choices)


def seat_forms(
    game: AnyGame, count: int, data: Any = None, *, typed: Mapping[str, str] | None = None
) -> list[SeatForm]:
    """The forms of all seats, bound to ``data`` or showing what was ``typed`` before.

    By default the viewer sits first and the strongest rated computer that moves at once elsewhere.
    """
    rival = max(
        (bot for bot in game.bots if bot.rated and bot.seconds <= AT_ONCE),
        key=lambda bot: bot.level,
        default=game.bot(game.stand_in),
    )
    usual = ["me"] + [_BOT + rival.slug] * (count - 1)
    first = [_initial(game, n, usual[n], typed or {}) for n in range(count)]
    ratings = ratings_of(game.slug)
    return [
        SeatForm(game, ratings, data, prefix=f"seat-{n}", initial=initial)
        for n, initial in enumerate(first)
    ]


def _initial(game: AnyGame, index: int, usual: str, typed: Mapping[str, str]) -> dict[str, str]:
    who = typed.get(f"seat-{index}-who", usual)
    if who.startswith(_BOT) and who.removeprefix(_BOT) not in {bot.slug for bot in game.bots}:
        who = usual
    return {"who": who, "name": typed.get(f"seat-{index}-name", "")}
