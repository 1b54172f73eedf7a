"""Tournaments of scenes: created, filled, paid and played through the services."""

from datetime import timedelta
from typing import Any
from unittest.mock import patch

from django.utils import timezone

from accounts import services
from accounts.models import User
from games.competitions import advancing, selectors, taking_part
from games.competitions.models import Board, Tournament
from games.competitions.taking_part import NewTournament
from games.matches.leaving import resign_as_operator
from games.matches.models import Match

PASSWORD = "a long and quiet evening"


def player(name: str) -> User:
    return services.register(username=name, password=PASSWORD)


def players(count: int) -> list[User]:
    return [services.open_guest() for _ in range(count)]


def held(creator: User, form: str = "swiss", **more: Any) -> Tournament:
    """Announced for in an hour."""
    usual = {"game": "pazaak", "pace": "normal", "starts_at": timezone.now() + timedelta(hours=1)}
    terms = NewTournament(**{"name": "Evening cup", "form": form, **usual, **more})
    return taking_part.create_tournament(creator=creator, terms=terms)


def begun(tournament: Tournament, *entrants: User) -> Tournament:
    """It began with these, and its first round is paired and opened."""
    for person in entrants:
        taking_part.join(tournament_id=tournament.id, user=person)
    Tournament.objects.filter(id=tournament.id).update(starts_at=timezone.now())
    return paid(tournament)


def paid(tournament: Tournament) -> Tournament:
    """After all that was due is done, in as many steps as two beats would take."""
    with patch.object(advancing, "STEPS_AT_ONCE", 2 * advancing.STEPS_AT_ONCE):
        advancing.advance(tournament.id)
    return now(tournament)


def now(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(id=tournament.id)


def sheet(tournament: Tournament) -> selectors.Sheet:
    found = selectors.sheet_of(now(tournament))
    selectors.add_matches(found.boards)
    return found


def end_all(tournament: Tournament, loser: int = 1) -> Tournament:
    """Who sits at this seat of each running match gives up."""
    for match in matches_of(tournament, "active"):
        resign_as_operator(match_id=match.id, seat=loser)
    return paid(tournament)


def matches_of(tournament: Tournament, status: str) -> list[Match]:
    boards = sheet(tournament).boards
    each = [one.match for board in boards for one in board.matches.all()]
    return [match for match in each if match.status == status]


def played_out(tournament: Tournament) -> Tournament:
    for _ in range(30):
        if now(tournament).is_over:
            break
        end_all(tournament)
    return now(tournament)


def boards(tournament: Tournament, number: int) -> list[Board]:
    return [one for one in sheet(tournament).boards if one.round == number]
