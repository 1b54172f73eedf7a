"""The beginning: computers come in, starting numbers are given, or too few have come."""

from datetime import datetime
from random import SystemRandom
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from cardroom.rules.game import AnyGame
from games.competitions.models import Entrant, Tournament
from games.competitions.rules import plans
from games.competitions.running.locking import changed
from games.competitions.running.taking_part import end
from games.lobby.strength import NEUTRAL, ratings_for

LEAST = 2
IN = Entrant.State.JOINED

_chance = SystemRandom()


def begin(tournament_id: UUID) -> None:
    """Begins a tournament that is due; again changes nothing."""
    now = timezone.now()
    if not _due(now).filter(id=tournament_id).exists():
        return
    with changed(tournament_id) as tournament:
        if not _due(now).filter(id=tournament_id).exists():
            return
        drop_the_inactive(tournament)
        _fill(tournament)
        entrants = list(Entrant.objects.filter(tournament=tournament, state=IN))
        if len(entrants) < LEAST:
            end(tournament, Tournament.Ending.TOO_FEW)
            return
        _number(tournament, entrants, now)
        tournament.rounds = plans.rounds_of(tournament.form, len(entrants), tournament.rounds)
        tournament.status, tournament.begun_at = Tournament.Status.RUNNING, now


def _due(now: datetime) -> QuerySet[Tournament]:
    return Tournament.objects.filter(
        status=Tournament.Status.ANNOUNCED, starts_at__lte=now, paused_at=None
    )


def drop_the_inactive(tournament: Tournament) -> int:
    """People who were suspended or are gone play no more boards; how many."""
    gone = Entrant.objects.filter(tournament=tournament, state=IN, account__is_active=False)
    return gone.update(state=Entrant.State.WITHDRAWN)


def _fill(tournament: Tournament) -> None:
    """Computers in the order of their strength, again and again, each with its number."""
    there = Entrant.objects.filter(tournament=tournament, state=IN).count()
    bots = computers_of(tournament.rules)
    for at in range(min(tournament.fill_to, tournament.most) - there):
        Entrant.objects.create(
            tournament=tournament,
            bot=bots[at % len(bots)],
            bot_number=1 + at // len(bots),
            joined_at=timezone.now(),
        )


def computers_of(game: AnyGame) -> list[str]:
    """Rated ones that are suggested, the strongest first."""
    rated = sorted((bot for bot in game.bots if bot.rated), key=lambda bot: -bot.level)
    return [bot.slug for bot in ([bot for bot in rated if bot.suggested] or rated)]


def _number(tournament: Tournament, entrants: list[Entrant], now: datetime) -> None:
    """The strongest first; those who are equal by lot."""
    people = [one.account_id for one in entrants if one.account_id]
    known = ratings_for(tournament.game, people)
    _chance.shuffle(entrants)
    for one in entrants:
        one.rating = known[one.account_id] if one.account_id else NEUTRAL
        one.free_since = now
    entrants.sort(key=lambda one: -(one.rating or NEUTRAL))
    for number, one in enumerate(entrants, start=1):
        one.number = number
    Entrant.objects.bulk_update(entrants, ["number", "rating", "free_since"])
