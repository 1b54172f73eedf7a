"""The form that opens a match: game, preset, options, seats.

The input is kept when the form is shown again, for another number of seats or after a refusal.
Another game or preset brings its own options.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods

from accounts.web import AS_TYPED
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Words
from config.refusals import Refusal
from config.words import sentence_of
from games.bot_accounts.models import Program
from games.bot_accounts.services import bot_accounts
from games.guests import with_names
from games.language import words
from games.matches.models import Match
from games.matches.seats import SeatRequest, offered_bots, offered_presets
from games.matches.time_bank import CLOCKS, OF_CLOCKS, Clock, find_pace
from games.mirrored.opening import open_asked
from games.ratings.computers import ratings_of
from games.web import landing
from games.web.landing import game_or_404
from games.web.parts import options_form
from games.web.parts.options_form import OptionsForm, decks_for
from games.web.parts.visitor import once, reader_name, user_id

# A small form for each seat of a new match: who sits there.

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
        programs: Sequence[Program],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        bots = [(_BOT + bot.slug, _offered(bot)) for bot in offered_bots(game)]
        who = self.fields["who"]
        choices = [
            ("me", gettext("Me")),
            *bots,
            *((_PROGRAM + one.account.username, one.account.display_name) for one in programs),
            ("open", gettext("Open: anybody may join")),
            ("friends", gettext("Open: my friends may join")),
            ("user", gettext("A player, by username")),
            ("local", gettext("A person at this device")),
        ]
        if isinstance(who, forms.ChoiceField):
            who.choices = list(choices)

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


def _offered(bot: Bot[Any]) -> str:
    """The name of a computer in the list of seats, in few words: a telephone shows them whole."""
    facts = [gettext("level {n}").format(n=bot.level)]
    if not bot.rated:
        facts.append(gettext("not rated"))
    return gettext("Computer: {name} ({facts})").format(
        name=words(bot.name), facts=", ".join(facts)
    )


def _programs(game: AnyGame) -> list[Program]:
    """The bot accounts that play this game and have room, a few of them."""
    return [one.program for one in bot_accounts(None, game.slug) if one.is_free][:PROGRAMS_SHOWN]


def sent_forms(game: AnyGame, count: int, sent: Mapping[str, str]) -> list[SeatForm]:
    """The forms of all seats with what was sent, to be judged."""
    programs = _programs(game)
    return [SeatForm(game, programs, sent, prefix=f"seat-{n}") for n in range(count)]


def shown_forms(game: AnyGame, count: int, typed: Mapping[str, str], rival: str) -> list[SeatForm]:
    """The forms of all seats as they are shown, with what was typed before.

    By default the viewer sits first and the computer ``rival`` elsewhere.
    """
    usual = ["me"] + [_BOT + rival] * (count - 1)
    programs = _programs(game)
    return [
        SeatForm(game, programs, prefix=f"seat-{n}", initial=_initial(game, n, usual[n], typed))
        for n in range(count)
    ]


def _initial(game: AnyGame, index: int, usual: str, typed: Mapping[str, str]) -> dict[str, str]:
    who = typed.get(f"seat-{index}-who", usual)
    if who.startswith(_BOT) and who.removeprefix(_BOT) not in {bot.slug for bot in game.bots}:
        who = usual
    return {"who": who, "name": typed.get(f"seat-{index}-name", "")}


# Beside the fields of a new match's form: the opponent, faces, rules in a line.

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
    suggested = (bot for bot in offered_bots(game) if bot.suggested)
    offered = sorted(suggested, key=lambda bot: bot.level)
    return [
        Opponent(
            bot.slug, words(bot.name), words(bot.summary), bot.level,
            round(ratings[bot.slug].rating) if bot.slug in ratings else None,
        )
        for bot in offered
    ]  # fmt: skip


def seated(game: AnyGame, sent: QueryDict, seats: int) -> QueryDict:
    """The form as it was sent, with another opponent on every chair of the one shown before."""
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


# In four groups, the usual ones of each first; a clock is its minutes + seconds.
TURN_TIMES: list[tuple[Words, list[tuple[str, Words]]]] = [
    ("", [("", gettext_noop("No limit"))]),
    (
        gettext_noop("For each move"),
        [
            ("60", gettext_noop("60 seconds")),
            ("20", gettext_noop("20 seconds")),
            ("120", gettext_noop("2 minutes")),
            ("10", gettext_noop("10 seconds")),
            ("3600", gettext_noop("1 hour")),
        ],
    ),
    (
        gettext_noop("A clock: minutes for the match + seconds that each move adds"),
        [
            (pace.slug, f"{clock.bank // 60} + {clock.increment}")
            for pace in CLOCKS
            if (clock := pace.clock)
        ],
    ),
    (
        gettext_noop("Days for each move: you need not be there at the same time"),
        [
            ("86400", gettext_noop("1 day")),
            ("259200", gettext_noop("3 days")),
            ("604800", gettext_noop("7 days")),
            ("1209600", gettext_noop("14 days")),
        ],
    ),
]
_TIMES: Final = frozenset(value for _, times in TURN_TIMES for value, _ in times)
ON_TIMEOUT = [
    ("resign", gettext_lazy("The player loses")),
    ("bot_move", gettext_lazy("The computer makes the move; not rated")),
    ("bot_takes_over", gettext_lazy("The computer plays on until the player is back; not rated")),
]
VISIBILITIES = [
    ("unlisted", gettext_lazy("Anybody with the address")),
    ("public", gettext_lazy("Everybody: it is in the lobby")),
    ("private", gettext_lazy("Only the players")),
]


DELAYS = [
    ("0", gettext_lazy("At once")),
    ("2", gettext_lazy("2 moves later")),
    ("5", gettext_lazy("5 moves later")),
    ("10", gettext_lazy("10 moves later")),
]


RATED = [
    ("", gettext_lazy("Where that is possible")),
    ("yes", gettext_lazy("Only rated")),
    ("no", gettext_lazy("Not rated")),
]


TEAMS = "teams"
PAIRS = ("3", "4", "6", "8")


@dataclass(frozen=True)
class NewMatchInput:
    """The form that came with the request, and its game."""

    sent: QueryDict
    game: AnyGame

    @cached_property
    def preset(self) -> str | None:
        chosen = self.sent.get("preset")
        return chosen if chosen in self.game.presets else None

    @cached_property
    def is_kept(self) -> bool:
        """The options shown were of this game and preset, so they stay as they were typed."""
        before = self.sent.get("shown_game"), self.sent.get("shown_preset") or None
        return before == (self.game.slug, self.preset)

    @property
    def is_link(self) -> bool:
        """No form was shown before: an address that may name some options."""
        return "shown_game" not in self.sent

    @cached_property
    def options(self) -> dict[str, object]:
        if self.is_kept:
            return options_form.read(self.game, self.sent)
        usual = options_form.initial(self.game, self.preset)
        if not self.is_link:
            return usual
        named = options_form.read(self.game, self.sent)
        return usual | {name: value for name, value in named.items() if name in self.sent}

    @property
    def mirrored(self) -> str:
        chosen = self.sent.get("mirrored", "")
        return chosen if chosen in (*PAIRS, TEAMS) else ""

    @property
    def pairs(self) -> int | None:
        return int(self.mirrored) if self.mirrored.isdecimal() else None

    @property
    def seats(self) -> int:
        """The chairs at the table, and of two teams at two tables those at the other one."""
        return self.at_table * (2 if self.mirrored == TEAMS else 1)

    @cached_property
    def at_table(self) -> int:
        """As many as typed, else as the preset has."""
        game, typed = self.game, str(self.options.get("players", ""))
        if typed.isdecimal() and len(typed) < 5:
            return min(max(int(typed), game.min_seats), game.max_seats)
        return game.seats(game.choose_options(preset=self.preset))

    @cached_property
    def chairs(self) -> QueryDict:
        """The form as it was sent, with the chosen opponent on the chairs."""
        return seated(self.game, self.sent, self.seats)

    @property
    def visibility(self) -> str:
        chosen = self.sent.get("visibility", "")
        return chosen if chosen in Match.Visibility.values else "unlisted"

    @property
    def watch_delay(self) -> str:
        chosen = self.sent.get("watch_delay", "")
        return chosen if chosen in dict(DELAYS) else "0"

    @property
    def turn_time(self) -> str:
        chosen = self.sent.get("turn_seconds", "")
        return chosen if chosen in _TIMES else ""

    @property
    def clock(self) -> Clock | None:
        return find_pace(self.turn_time).clock if OF_CLOCKS in self.turn_time else None

    @property
    def rated(self) -> str:
        chosen = self.sent.get("rated", "")
        return chosen if chosen in dict(RATED) else ""

    @property
    def on_timeout(self) -> str:
        chosen = self.sent.get("on_timeout", "")
        return chosen if chosen in Match.OnTimeout.values else Match.OnTimeout.RESIGN.value


@require_http_methods(["GET", "HEAD", "POST"])
def new_match(request: HttpRequest) -> HttpResponse:
    """Shows the form, updates it (``update``), or opens the match."""
    sent = request.POST if request.method == "POST" else request.GET
    typed = NewMatchInput(sent, game_or_404(sent.get("game", catalog.GAMES[0].slug)))
    if request.method == "POST" and "update" not in sent and typed.is_kept:
        return _open(request, typed)
    form = OptionsForm(typed.game, initial=typed.options)
    rival = landing.rival_of(user_id(request), typed.game).slug
    return _page(request, typed, form, shown_forms(typed.game, typed.seats, typed.chairs, rival))


def _open(request: HttpRequest, typed: NewMatchInput) -> HttpResponse:
    form = OptionsForm(typed.game, typed.sent)
    seats = sent_forms(typed.game, typed.seats, typed.chairs)
    deck, limit = typed.sent.get("side_deck") or None, typed.turn_time
    fault = ""
    if all([form.is_valid(), *[seat.is_valid() for seat in seats]]):
        try:
            match_id = once(
                request,
                lambda user: (
                    open_asked(
                        creator=user,
                        game=typed.game.slug,
                        seats=with_names([seat.request(deck) for seat in seats]),
                        options=form.values(),
                        visibility=typed.visibility,
                        turn_seconds=int(limit) if limit.isdecimal() else None,
                        clock=typed.clock,
                        on_timeout=typed.on_timeout if limit else None,
                        watch_delay=int(typed.watch_delay),
                        rated={"yes": True, "no": False}.get(typed.rated),
                        mirrored=bool(typed.mirrored),
                        pairs=typed.pairs,
                    ).id
                ),
            )
        except Refusal as refused:
            fault = sentence_of(refused)
        else:
            return redirect("table", match_id)
    return _page(request, typed, form, seats, fault=fault, status=422)


def _mirrored() -> list[tuple[str, str]]:
    deals = gettext("{n} deals, {matches} matches")
    sets = [(n, deals.format(n=n, matches=2 * int(n))) for n in PAIRS]
    return [("", gettext("No")), *sets, (TEAMS, gettext("Two teams at two tables"))]


def _page(
    request: HttpRequest,
    typed: NewMatchInput,
    form: OptionsForm,
    seats: list[SeatForm],
    *,
    fault: str = "",
    status: int = 200,
) -> HttpResponse:
    options = [form[name] for name in form.fields if name != "players"]
    context = {
        "game": typed.game,
        "games": landing.offered_games(),
        "typed": typed,
        "preset_says": words(typed.game.preset_words.get(typed.preset or "", "")),
        "presets": [
            (name, capfirst(options_form.preset_name(typed.game, name)))
            for name in offered_presets(typed.game)
        ],
        "players": form["players"] if "players" in form.fields else None,
        "options": options,
        "options_wrong": any(field.errors for field in options),
        "seats": chairs(seats, reader_name(request)),
        "opponents": opponents(typed.game),
        "rival": shared_rival(seats),
        "rule_lines": rule_lines(options),
        "chosen_deck": typed.sent.get("side_deck", ""),
        "decks": decks_for(user_id(request), typed.game),
        "turn_times": [
            (group and words(group), [(value, words(label)) for value, label in times])
            for group, times in TURN_TIMES
        ],
        "timeouts": ON_TIMEOUT,
        "visibilities": VISIBILITIES,
        "delays": DELAYS,
        "rated": RATED,
        "mirrored": _mirrored(),
        "fault": fault,
    }
    return render(request, "games/new_match.html", context, status=status)
