"""The page of a match whose game is not installed: who played it, how it ended, and its record."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.absent import GameNotInstalled
from games.guests import name_for
from games.language import words
from games.matches.snapshot import MatchSnapshot
from games.web.parts.visitor import user_id


def absent_match(request: HttpRequest, match: MatchSnapshot) -> HttpResponse:
    user = user_id(request)
    seats = [
        (name_for(seat, name, match.seats, user), seat.points)
        for seat, name in zip(match.seats, match.names, strict=True)
    ]
    context = {
        "match": match,
        "game_name": words(match.rules.name),
        "sentence": words(GameNotInstalled.sentence()),
        "seats": seats,
    }
    return render(request, "games/absent_match.html", context)
