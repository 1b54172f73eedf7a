"""Pages of tournaments: the list, one with its standings and boards, the form of a new one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import DISPLAY_NAME_LENGTH, User
from accounts.signing_in import signed_in
from cardroom.rules import catalog
from config.postgres.replicas import a_second_old
from config.refusals import Refusal
from config.words import sentence_of
from games.competitions import files, organising, selectors, taking_part
from games.competitions.files import rounds_shown
from games.competitions.models import Board, Entrant, Tournament
from games.competitions.rules import ARENA, KNOCKOUT, TIES, Line
from games.competitions.rules import Board as PlayedBoard
from games.competitions.selectors import Sheet, bot_name, plain_name
from games.competitions.taking_part import MOST_COMPUTERS, MOST_PLAYERS, SEATS, NewTournament
from games.language import words
from games.matches.seats import offered_presets
from games.matches.time_bank import CLOCKS, NORMAL, PACES
from games.mirrored.opening import LEAST_PAIRS
from games.web.parts.options_form import number_field, preset_name
from games.web.parts.visitor import current_or_guest_user, once, user_id

# The form for a new tournament. Games are offered with the presets that two can play.

FORMS: Final = [
    ("swiss", gettext_lazy("Swiss: a few rounds among equals")),
    ("round_robin", gettext_lazy("Everybody against everybody")),
    ("knockout", gettext_lazy("Knockout: a player who loses is out")),
    ("arena", gettext_lazy("Arena: all you can play in the time")),
]
VISIBILITY_CHOICES: Final = [
    ("public", gettext_lazy("Everybody: it is listed")),
    ("link", gettext_lazy("Everybody who has the link")),
    ("private", gettext_lazy("Those whom I invite")),
]
BEGINNING_CHOICES: Final = [
    ("0", gettext_lazy("When I press Begin or it is full")),
    ("5", gettext_lazy("In 5 minutes")),
    ("15", gettext_lazy("In 15 minutes")),
    ("60", gettext_lazy("In an hour")),
    ("180", gettext_lazy("In 3 hours")),
    ("1440", gettext_lazy("In a day")),
    ("4320", gettext_lazy("In 3 days")),
    ("10080", gettext_lazy("In a week")),
]
PACES_OFFERED: Final = (*PACES[:2], *CLOCKS, *PACES[2:])


def games() -> Iterator[tuple[str, str]]:
    """Matches for two: a game with each of its presets."""
    for game in catalog.GAMES:
        for preset, options in offered_presets(game).items():
            if game.seats(options) == SEATS:
                yield f"{game.slug}:{preset}", f"{words(game.name)}: {preset_name(game, preset)}"


def paces() -> list[tuple[str, str]]:
    return [(pace.slug, words(pace.name)) for pace in PACES_OFFERED]


class TournamentForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=DISPLAY_NAME_LENGTH)
    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=games)
    plays = forms.BooleanField(label=gettext_lazy("I play, too"), required=False, initial=True)
    form = forms.ChoiceField(label=gettext_lazy("Form"), choices=FORMS)
    pace = forms.ChoiceField(label=gettext_lazy("Pace"), choices=paces, initial=NORMAL.slug)
    begins = forms.ChoiceField(label=gettext_lazy("Begins"), choices=BEGINNING_CHOICES, initial="0")
    most = number_field(NewTournament, "most", label=gettext_lazy("Players at most"))
    fill_to = number_field(
        NewTournament,
        "fill_to",
        label=gettext_lazy("Computers join until there are"),
        help_text=gettext_lazy("This many players at least; 0: people only."),
    )
    rounds = number_field(
        NewTournament,
        "rounds",
        label=gettext_lazy("Rounds of a Swiss tournament"),
        help_text=gettext_lazy("Empty: by the number of players."),
    )
    minutes = number_field(
        NewTournament, "minutes", label=gettext_lazy("Minutes of an arena"), initial=60
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who can see and join it"), choices=VISIBILITY_CHOICES
    )
    rated = forms.BooleanField(label=gettext_lazy("Rated"), required=False, initial=True)
    mirrored = forms.BooleanField(
        label=gettext_lazy("Mirrored"),
        required=False,
        help_text=gettext_lazy(
            "Each deal is played twice with the sides swapped. "
            "Not rated, as a player who remembers a deal knows all cards of its twin. "
            "Not for arenas, not for games of luck."
        ),
    )
    pairs = number_field(
        NewTournament,
        "pairs",
        label=gettext_lazy("Deals of a mirrored board"),
        help_text=gettext_lazy("Each is two matches."),
        initial=LEAST_PAIRS,
    )

    FIRST: ClassVar = ("name", "game", "begins", "plays")
    ABOUT: ClassVar = ("begins", "plays")  # no terms of it
    limits: ClassVar = {"players": MOST_PLAYERS, "computers": MOST_COMPUTERS}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    @property
    def first(self) -> list[forms.BoundField]:
        """The usual fields; ``more`` is folded unless something in it is wrong."""
        return [self[name] for name in self.FIRST]

    @property
    def more(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.FIRST]

    @property
    def opens_more(self) -> bool:
        return bool(self.errors)

    def terms(self) -> NewTournament:
        sent = {name: self.cleaned_data[name] for name in self.fields if name not in self.ABOUT}
        sent["game"], sent["preset"] = sent["game"].split(":", 1)
        if not sent["mirrored"]:
            sent["pairs"] = None
        minutes = int(self.cleaned_data["begins"])
        begins = timezone.now() + timedelta(minutes=minutes) if minutes else None
        return NewTournament(**sent, starts_at=begins)


# The page of a tournament: standings with a crosstable, and boards.

FORM_NAMES: Final = {
    "swiss": gettext_lazy("Swiss"),
    "round_robin": gettext_lazy("Everybody against everybody"),
    "knockout": gettext_lazy("Knockout"),
    "arena": gettext_lazy("Arena"),
}
TIE_NAMES: Final = {
    "buchholz": gettext_lazy("Opponents’ points"),
    "sonneborn_berger": gettext_lazy("Beaten opponents’ points"),
    "direct": gettext_lazy("Against those level with you"),
    "wins": gettext_lazy("Wins"),
}
TIE_MEANINGS: Final = {
    "buchholz": gettext_lazy("what all one’s opponents have together (Buchholz)"),
    "sonneborn_berger": gettext_lazy(
        "what those have whom one has beaten, and half of what those have with whom one has drawn "
        "(Sonneborn–Berger)"
    ),
    "direct": gettext_lazy("what was won against those with as many points"),
    "wins": gettext_lazy("how many boards were won"),
}
RESULTS: Final = {
    2: gettext_lazy("beat {name}"),
    1: gettext_lazy("drew with {name}"),
    0: gettext_lazy("lost to {name}"),
}
ARENA_BOARDS_SHOWN: Final = 12  # boards of an arena


@dataclass(frozen=True)
class Summary:
    """A tournament in a line of the list."""

    row: Tournament
    players: int

    @property
    def terms(self) -> str:
        game = self.row.rules
        preset = preset_name(game, self.row.preset) if self.row.preset else ""
        form = str(FORM_NAMES[self.row.form])
        pace = words(self.row.named_pace.name)
        named = (words(game.name), preset, form, pace, _mirrored(self.row.pairs))
        return " · ".join(each for each in named if each)


def _mirrored(pairs: int | None) -> str:
    if pairs is None:
        return ""
    deals = ngettext(
        "mirrored: {n} deal, played twice", "mirrored: {n} deals, each played twice", pairs
    )
    return deals.format(n=pairs)


@dataclass(frozen=True)
class StandingRow:
    line: Line
    name: str
    entrant: Entrant
    points: str
    ties: list[tuple[str, str]]  # what breaks a tie, and how much of it
    cells: list["Cell"]
    is_you: bool


@dataclass(frozen=True)
class Cell:
    """A board of a crosstable in words; ``sign`` is what it gave: 1, ½ or 0."""

    sentence: str
    sign: str = ""


@dataclass(frozen=True)
class BoardRow:
    """``match`` is the last one, if the reader may see it: one of a set that runs is private."""

    board: Board
    players: list[tuple[str, str]]  # name, computer
    points: list[str]
    match: UUID | None
    is_yours: bool

    @property
    def names(self) -> list[str]:
        return [name for name, _bot in self.players]

    @property
    def is_played(self) -> bool:
        """By others, unseen."""
        return self.match is None and not self.board.result and bool(self.board.matches.all())


def halves(points: int) -> str:
    """Half points as people write them: 2½."""
    whole, half = divmod(points, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def standing_rows(sheet: Sheet, reader: UUID | None) -> list[StandingRow]:
    tournament = sheet.tournament
    whole, names = tournament.form in (ARENA, KNOCKOUT), names_of(sheet)
    return [
        StandingRow(
            line=line,
            name=names[sheet.numbered[line.entrant].pk],
            entrant=sheet.numbered[line.entrant],
            points=str(line.points) if whole else halves(line.points),
            ties=[(str(TIE_NAMES[tie]), f"{value:g}") for tie, value in line.shown_ties.items()],
            cells=_cells(sheet, line.entrant, names),
            is_you=_is(sheet.numbered[line.entrant], reader),
        )
        for line in sheet.lines
    ]


def names_of(sheet: Sheet) -> dict[int, str]:
    """The names of all entrants, in the reader's language; equal names are distinguished."""
    plain = {one.pk: _name(sheet.tournament, one) for one in sheet.entrants}
    counts = Counter(plain.values())
    return {
        one.pk: f"{plain[one.pk]} ({one.account.username})"
        if one.account is not None and counts[plain[one.pk]] > 1
        else plain[one.pk]
        for one in sheet.entrants
    }


def _name(tournament: Tournament, entrant: Entrant) -> str:
    name = plain_name(tournament, entrant)
    if not entrant.bot:
        return name if entrant.account is not None else words(name)
    number = f" {entrant.bot_number}" if entrant.bot_number > 1 else ""
    return f"{words(bot_name(tournament.rules, entrant.bot))}{number}"


def _cells(sheet: Sheet, entrant: int, names: Mapping[int, str]) -> list[Cell]:
    by_round = {board.round: board for board in sheet.values if entrant in board.entrants}
    return [_cell(sheet, entrant, by_round.get(n), names) for n in rounds_shown(sheet)]


def _cell(sheet: Sheet, entrant: int, board: PlayedBoard | None, names: Mapping[int, str]) -> Cell:
    if board is None:
        return Cell("")
    if (other := board.other(entrant)) is None:
        return Cell(_("bye"))
    name = names[sheet.numbered[other].pk]
    if board.points is None:
        return Cell(_("plays {name}").format(name=name))
    points = board.points_of(entrant)
    return Cell(RESULTS[points].format(name=name), halves(points))


def tie_names(tournament: Tournament) -> list[tuple[str, str]]:
    return [(str(TIE_NAMES[tie]), str(TIE_MEANINGS[tie])) for tie in TIES[tournament.form]]


def board_rows(sheet: Sheet, boards: Sequence[Board], reader: UUID | None) -> Iterator[BoardRow]:
    called = names_of(sheet)
    for board in boards:
        entrants = [sheet.by_id[place.entrant_id] for place in board.places.all()]
        matches = [one.match_id for one in board.matches.all()]
        points = [place.points for place in board.places.all() if place.points is not None]
        is_yours = any(_is(one, reader) for one in entrants)
        is_seen = board.result or is_yours or sheet.tournament.pairs is None
        yield BoardRow(
            board=board,
            players=[(called[one.pk], one.bot) for one in entrants],
            points=[halves(each) for each in points],
            match=matches[-1] if matches and is_seen else None,
            is_yours=is_yours,
        )


def shown_boards(sheet: Sheet, number: int | None) -> list[Board]:
    """Boards of a round; of an arena those that are played, and the newest."""
    if sheet.tournament.is_arena:
        decided = [board for board in sheet.boards if board.result]
        return [*reversed(sheet.undecided), *decided[: -ARENA_BOARDS_SHOWN - 1 : -1]]
    wanted = number if number in rounds_shown(sheet) else sheet.tournament.round
    return [board for board in sheet.boards if board.round == wanted]


def joined_names(sheet: Sheet, reader: UUID | None) -> list[tuple[str, str, bool]]:
    names = names_of(sheet)
    return [(names[one.pk], one.bot, _is(one, reader)) for one in sheet.joined]


def _is(entrant: Entrant, reader: UUID | None) -> bool:
    return reader is not None and entrant.account_id == reader


TOURNAMENTS_PER_PAGE: Final = 30
LISTED_STATUSES: Final = (
    Tournament.Status.RUNNING,
    Tournament.Status.ANNOUNCED,
    Tournament.Status.FINISHED,
)


@a_second_old
@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    listed = selectors.listed_for(user_id(request))
    groups = []
    for status in LISTED_STATUSES:
        rows = list(listed.filter(status=status)[:TOURNAMENTS_PER_PAGE])
        counts = selectors.counts_of(rows)
        groups.append((status, [Summary(row, counts.get(row.id, 0)) for row in rows]))
    return render(request, "games/tournaments/index.html", {"groups": groups})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A guest is asked to sign up; the form keeps what was typed."""
    if request.method != "POST":
        return _form(request, TournamentForm())
    form = TournamentForm(request.POST)
    if not form.is_valid():
        return _form(request, form, status=422)
    try:
        made = once(request, lambda user: _create(request, user, form))
    except Refusal as refused:
        form.add_error(None, sentence_of(refused))
        return _form(request, form, status=422)
    return redirect("tournament", made)


def _create(request: HttpRequest, user: User, form: TournamentForm) -> UUID:
    """Create a tournament that its host joins if the form says so; a refusal becomes a message."""
    made: UUID = taking_part.create_tournament(
        creator=user, terms=form.terms(), by_hand=form.cleaned_data["begins"] == "0"
    ).id
    if form.cleaned_data["plays"]:
        try:
            taking_part.join(tournament_id=made, user=user)
        except Refusal as refused:
            messages.error(request, sentence_of(refused))
    return made


def _form(request: HttpRequest, form: TournamentForm, *, status: int = 200) -> HttpResponse:
    user = request.user
    may = isinstance(user, User) and not user.is_guest
    context = {"form": form, "may": may}
    return render(request, "games/tournaments/new.html", context, status=status)


@never_cache
@require_safe
def tournament(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    row = selectors.find(tournament_id, user_id(request))
    return render(request, "games/tournaments/tournament.html", _context(request, row))


def _context(request: HttpRequest, row: Tournament) -> dict[str, Any]:
    reader, sheet = user_id(request), selectors.sheet_of(row)
    wanted = request.GET.get("round", "")
    boards = shown_boards(sheet, int(wanted) if wanted.isdecimal() else None)
    selectors.add_matches([board for board in boards if board.result])
    own = selectors.entrant_of(row, reader)
    return {
        "tournament": row,
        "summary": Summary(row, len(sheet.joined)),
        "game": row.rules,
        "standings": standing_rows(sheet, reader),
        "ties": tie_names(row),
        "rounds": rounds_shown(sheet),
        "round": boards[0].round if boards and not row.is_arena else None,
        "boards": list(board_rows(sheet, boards, reader)),
        "joined": joined_names(sheet, reader),
        "own": own,
        "takes_part": own is not None and own.state == Entrant.State.JOINED,
        "may_join": taking_part.may_still_join(row),
        "current": selectors.current_match(row, reader) if reader and own else None,
        "is_organiser": _is_organiser(request, row),
        "invited": [one for one in sheet.entrants if one.state == Entrant.State.INVITED],
        "ends_at": selectors.ends_at(row),
        "address": request.build_absolute_uri(reverse("tournament", args=[row.id])),
    }


def _is_organiser(request: HttpRequest, row: Tournament) -> bool:
    user = request.user
    return isinstance(user, User) and (row.creator_id == user.pk or user.has_perm(selectors.RIGHT))


@require_POST
def join(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    """A visitor becomes a guest."""
    selectors.find(tournament_id, user_id(request))
    taking_part.join(tournament_id=tournament_id, user=current_or_guest_user(request))
    return redirect("tournament", tournament_id)


@require_POST
def withdraw(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    row = taking_part.withdraw(tournament_id=tournament_id, user=signed_in(request))
    if selectors.visible_to(user_id(request)).filter(id=row.id).exists():
        return redirect("tournament", tournament_id)
    return redirect("tournaments")


@require_POST
def invite(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    name = request.POST.get("username", "").strip()
    taking_part.invite(tournament_id=tournament_id, user=signed_in(request), username=name)
    messages.success(request, _("{name} can see and join it now.").format(name=name))
    return redirect("tournament", tournament_id)


@require_POST
def begin(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    taking_part.begin(tournament_id=tournament_id, user=signed_in(request))
    return redirect("tournament", tournament_id)


@require_POST
def pause(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    organising.pause(tournament_id=tournament_id, user=signed_in(request))
    return redirect("tournament", tournament_id)


@require_POST
def resume(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    organising.resume(tournament_id=tournament_id, user=signed_in(request))
    return redirect("tournament", tournament_id)


@require_POST
def call_off(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    taking_part.call_off(tournament_id=tournament_id, user=signed_in(request))
    return redirect("tournament", tournament_id)


@require_safe
def calendar_entry(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    row = selectors.find(tournament_id, user_id(request))
    address = request.build_absolute_uri(reverse("tournament", args=[row.id]))
    return HttpResponse(
        files.calendar_of(row, address),
        content_type=files.CONTENT_TYPE,
        headers={"Content-Disposition": 'attachment; filename="tournament.ics"'},
    )
