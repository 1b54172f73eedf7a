"""The form for a new tournament. Games are offered with the presets that two can play."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, ClassVar, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from cardroom.rules import catalog
from games.competitions.models import NAME_LENGTH
from games.competitions.running.creating import MOST_COMPUTERS, MOST_PLAYERS, SEATS, Terms
from games.language import words
from games.lobby.paces import CLOCKS, NORMAL, PACES
from games.mirrored.order import LEAST_PAIRS, MOST_PAIRS
from games.web.parts.options_form import preset_name

FORMS: Final = [
    ("swiss", _("Swiss: a few rounds, each against somebody of about the same points")),
    ("round_robin", _("Everybody against everybody")),
    ("knockout", _("Knockout: a player who loses is out")),
    ("arena", _("Arena: as many matches as you can in the time")),
]
SEEN_BY: Final = [
    ("public", _("Everybody: it is listed")),
    ("link", _("Everybody who has the link")),
    ("private", _("Those whom I invite")),
]
BEGINS: Final = [
    ("0", _("At once")),
    ("5", _("In 5 minutes")),
    ("15", _("In 15 minutes")),
    ("60", _("In an hour")),
    ("180", _("In 3 hours")),
    ("1440", _("In a day")),
    ("4320", _("In 3 days")),
    ("10080", _("In a week")),
]
OFFERED: Final = (*PACES[:2], *CLOCKS, *PACES[2:])


def games() -> Iterator[tuple[str, str]]:
    """What two can play: a game with each of its presets."""
    for game in catalog.GAMES:
        for preset, options in game.presets.items():
            if game.seats(options) == SEATS:
                yield f"{game.slug}:{preset}", f"{words(game.name)}: {preset_name(game, preset)}"


def paces() -> list[tuple[str, str]]:
    return [(pace.slug, words(pace.name)) for pace in OFFERED]


class TournamentForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH)
    game = forms.ChoiceField(label=_("Game"), choices=games)
    form = forms.ChoiceField(label=_("Form"), choices=FORMS)
    pace = forms.ChoiceField(label=_("Pace"), choices=paces, initial=NORMAL.slug)
    begins = forms.ChoiceField(label=_("Begins"), choices=BEGINS, initial="15")
    most = forms.IntegerField(label=_("Players at most"), min_value=2, max_value=1024, initial=16)
    fill_to = forms.IntegerField(
        label=_("Computers fill it up to"),
        min_value=0,
        max_value=1024,
        initial=0,
        help_text=_("So many players there are at least; 0: people only."),
    )
    rounds = forms.IntegerField(
        label=_("Rounds of a Swiss"),
        min_value=1,
        max_value=15,
        required=False,
        help_text=_("Empty: by the number of players."),
    )
    minutes = forms.IntegerField(
        label=_("Minutes of an arena"), min_value=1, max_value=180, initial=60, required=False
    )
    visibility = forms.ChoiceField(label=_("Who can see and join it"), choices=SEEN_BY)
    rated = forms.BooleanField(label=_("Rated"), required=False, initial=True)
    mirrored = forms.BooleanField(
        label=_("Mirrored"),
        required=False,
        help_text=_(
            "Each deal is played twice with the sides swapped. "
            "Not rated, as whoever remembers a deal knows all cards of its twin. "
            "Not for arenas, not for games of luck."
        ),
    )
    pairs = forms.IntegerField(
        label=_("Deals of a mirrored board"),
        min_value=LEAST_PAIRS,
        max_value=MOST_PAIRS,
        initial=LEAST_PAIRS,
        required=False,
        help_text=_("Each is two matches."),
    )

    limits: ClassVar = {"players": MOST_PLAYERS, "computers": MOST_COMPUTERS}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    def terms(self) -> Terms:
        sent = self.cleaned_data
        game, preset = sent["game"].split(":", 1)
        minutes = int(sent["begins"])
        return Terms(
            name=sent["name"],
            form=sent["form"],
            game=game,
            preset=preset,
            pace=sent["pace"],
            visibility=sent["visibility"],
            rated=sent["rated"],
            mirrored=sent["mirrored"],
            pairs=sent["pairs"] if sent["mirrored"] else None,
            rounds=sent["rounds"],
            minutes=sent["minutes"],
            most=sent["most"],
            fill_to=sent["fill_to"],
            starts_at=timezone.now() + timedelta(minutes=minutes) if minutes else None,
        )
