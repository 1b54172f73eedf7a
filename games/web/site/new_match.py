"""The form that opens a match: game, preset, options, seats.

What was typed is kept when the form is shown again, for another number of seats or after a refusal.
Another game or preset brings its own options.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Words
from config.refusals import Refusal
from config.words import sentence_of
from games.guests import with_names
from games.language import words
from games.lobby.paces import CLOCKS, OF_CLOCKS, PACES, find_pace
from games.matches.models import Match
from games.matches.seating import opening
from games.matches.snapshot import MatchSnapshot
from games.matches.time_bank import Clock
from games.mirrored.opening import open_mirrored
from games.web.front import setting_up
from games.web.front.seat_forms import SeatForm, sent_forms, shown_forms
from games.web.parts import options_form
from games.web.parts.options_form import OptionsForm
from games.web.parts.side_decks import decks_for
from games.web.parts.visitor import once, reader_name, user_id
from games.web.site import suggestions
from games.web.site.landing import game_or_404

TURN_TIMES: list[tuple[str, Words]] = [
    ("", gettext_noop("No limit")),
    ("10", gettext_noop("10 seconds")),
    *((str(pace.turn_seconds), pace.name) for pace in PACES if pace.is_live),
    *((pace.slug, pace.name) for pace in CLOCKS),
    ("120", gettext_noop("2 minutes")),
    ("3600", gettext_noop("1 hour")),
    *((str(pace.turn_seconds), pace.name) for pace in PACES if not pace.is_live),
    ("1209600", gettext_noop("14 days")),
]
ON_TIMEOUT = [
    ("resign", _("The player loses")),
    ("bot_move", _("The computer makes the move; not rated")),
    ("bot_takes_over", _("The computer plays on until the player is back; not rated")),
]
VISIBILITIES = [
    ("unlisted", _("Anybody with the address")),
    ("public", _("Everybody: it is in the lobby")),
    ("private", _("Only the players")),
]


DELAYS = [
    ("0", _("At once")),
    ("2", _("2 moves later")),
    ("5", _("5 moves later")),
    ("10", _("10 moves later")),
]


RATED = [
    ("", _("Where that is possible")),
    ("yes", _("Rated, or nobody sits down")),
    ("no", _("Not rated")),
]


TEAMS = "teams"
PAIRS = ("3", "4", "6", "8")


@dataclass(frozen=True)
class NewMatchInput:
    """What came with the request, and the game it is about."""

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
        """Those at the table, and of two teams at two tables those at the other one."""
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
        """What was sent, with the chosen opponent on the chairs."""
        return setting_up.seated(self.game, self.sent, self.seats)

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
        return chosen if chosen in dict(TURN_TIMES) else ""

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
    rival = suggestions.rival_of(user_id(request), typed.game).slug
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
                    _opening_of(typed)(
                        creator=user,
                        game=typed.game.slug,
                        seats=with_names([seat.request(deck) for seat in seats]),
                        options=form.values(),
                        visibility=typed.visibility,
                        turn_seconds=int(limit) if limit.isdecimal() else None,
                        clock=typed.clock,
                        on_timeout=typed.on_timeout if limit else None,
                        watch_delay=int(typed.watch_delay),
                        rated=typed.rated != "no",
                        only_rated=typed.rated == "yes",
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


def _opening_of(typed: NewMatchInput) -> Callable[..., MatchSnapshot]:
    return partial(open_mirrored, pairs=typed.pairs) if typed.mirrored else opening.open_match


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
        "games": catalog.GAMES,
        "typed": typed,
        "preset_says": words(typed.game.preset_words.get(typed.preset or "", "")),
        "presets": [
            (name, capfirst(options_form.preset_name(typed.game, name)))
            for name in typed.game.presets
        ],
        "players": form["players"] if "players" in form.fields else None,
        "options": options,
        "options_wrong": any(field.errors for field in options),
        "seats": setting_up.chairs(seats, reader_name(request)),
        "opponents": setting_up.opponents(typed.game),
        "rival": setting_up.shared_rival(seats),
        "rule_lines": setting_up.rule_lines(options),
        "pace": words(dict(TURN_TIMES)[typed.turn_time]),
        "chosen_deck": typed.sent.get("side_deck", ""),
        "decks": decks_for(user_id(request), typed.game),
        "turn_times": [(seconds, words(label)) for seconds, label in TURN_TIMES],
        "timeouts": ON_TIMEOUT,
        "visibilities": VISIBILITIES,
        "delays": DELAYS,
        "rated": RATED,
        "mirrored": _mirrored(),
        "fault": fault,
    }
    return render(request, "games/new_match.html", context, status=status)
