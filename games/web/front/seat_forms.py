"""A small form for each seat of a new match: who sits there."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext, gettext_lazy

from accounts.web.forms import AS_TYPED
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from games.bot_accounts.models import Program
from games.bot_accounts.selectors import bot_accounts
from games.matches.seating.seats import SeatRequest
from games.ratings.models import BotRating
from games.ratings.selectors import ratings_of

PROGRAMS_SHOWN: Final = 10
_BOT = "bot:"
_PROGRAM = "program:"  # a bot account that is online: it is invited, and answers by itself


class SeatForm(forms.Form):
    """``who``: me, a bot, a person at this device, a player by name, or open for anybody."""

    who = forms.ChoiceField(label=gettext_lazy("Who"))
    name = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=40,
        help_text=gettext_lazy("Of a player, or of a person at this device"),
        widget=forms.TextInput({"list": "people-known", "autocomplete": "off", **AS_TYPED}),
    )

    def __init__(
        self,
        game: AnyGame,
        ratings: Mapping[str, BotRating],
        programs: Sequence[Program],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        bots = [(_BOT + bot.slug, _offered(bot, ratings.get(bot.slug))) for bot in game.bots]
        who = self.fields["who"]
        _offer(
            who,
            [
                ("me", gettext("Me")),
                *bots,
                *((_PROGRAM + one.account.username, one.account.display_name) for one in programs),
                ("open", gettext("Open: anybody may join")),
                ("friends", gettext("Open: my friends may join")),
                ("user", gettext("A player, by username")),
                ("local", gettext("A person at this device")),
            ],
        )

    def request(self, deck: str | None) -> SeatRequest:
        who, name = self.cleaned_data["who"], self.cleaned_data["name"].strip()
        if who.startswith(_BOT):
            return SeatRequest("bot", bot=who.removeprefix(_BOT))
        if who.startswith(_PROGRAM):
            return SeatRequest("user", username=who.removeprefix(_PROGRAM))
        if who == "user":
            return SeatRequest("user", username=name)
        if who == "friends":
            return SeatRequest("open", friends=True)
        if who == "local":
            return SeatRequest("local", name=name or None, deck=deck)
        return SeatRequest("me", deck=deck) if who == "me" else SeatRequest("open")


def _offered(bot: Bot[Any], rating: BotRating | None) -> str:
    """How the list of seats names a computer."""
    facts = [gettext("level {n}").format(n=bot.level)]
    if rating:
        facts.append(gettext("rating {n}").format(n=f"{rating.rating:.0f}"))
    if not bot.rated:
        facts.append(gettext("not rated"))
    return gettext("Computer: {name} ({facts})").format(name=bot.name, facts=", ".join(facts))


def _offer(field: forms.Field, choices: Sequence[tuple[str, str]]) -> None:
    if isinstance(field, forms.ChoiceField):
        field.choices = list(choices)


def _programs(game: AnyGame) -> list[Program]:
    """The bot accounts that play this game and have room, a few of them."""
    return [one.program for one in bot_accounts(None, game.slug) if one.is_free][:PROGRAMS_SHOWN]


def sent_forms(game: AnyGame, count: int, sent: Mapping[str, str]) -> list[SeatForm]:
    """The forms of all seats with what was sent, to be judged."""
    ratings, programs = ratings_of(game.slug), _programs(game)
    return [SeatForm(game, ratings, programs, sent, prefix=f"seat-{n}") for n in range(count)]


def shown_forms(game: AnyGame, count: int, typed: Mapping[str, str], rival: str) -> list[SeatForm]:
    """The forms of all seats as they are shown, with what was typed before.

    By default the viewer sits first and the computer ``rival`` elsewhere.
    """
    usual = ["me"] + [_BOT + rival] * (count - 1)
    ratings, programs = ratings_of(game.slug), _programs(game)
    return [
        SeatForm(
            game, ratings, programs, prefix=f"seat-{n}", initial=_initial(game, n, usual[n], typed)
        )
        for n in range(count)
    ]


def _initial(game: AnyGame, index: int, usual: str, typed: Mapping[str, str]) -> dict[str, str]:
    who = typed.get(f"seat-{index}-who", usual)
    if who.startswith(_BOT) and who.removeprefix(_BOT) not in {bot.slug for bot in game.bots}:
        who = usual
    return {"who": who, "name": typed.get(f"seat-{index}-name", "")}
