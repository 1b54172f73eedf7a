"""Which games there are: where each came from, in which version, and which packages are refused."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path

from cardroom.rules import catalog
from cardroom.rules.contract_version import written
from games.absent import of_installed_games
from games.matches.models import Match


class GamesPage:
    """Beside the list of matches."""

    admin_site: Any

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.games_page)
        return [path("games", page, name="games_match_games"), *super().get_urls()]  # type: ignore[misc]

    def games_page(self, request: HttpRequest) -> HttpResponse:
        if not request.user.has_perm("games.view_match"):
            raise PermissionDenied
        context = self.admin_site.each_context(request) | {
            "title": "Games",
            "contract": written(),
            "games": [(game, catalog.installed(game.slug)) for game in catalog.GAMES],
            "refused": catalog.REFUSED,
            "absent": _absent(),
        }
        return TemplateResponse(request, "admin/operators/games.html", context)


def _absent() -> list[tuple[str, int]]:
    """Games of matches that are open or run, and are not installed: how many each."""
    running = Match.objects.filter(status__in=[Match.Status.OPEN, Match.Status.ACTIVE])
    waiting = running.exclude(of_installed_games()).order_by("game")
    return list(waiting.values("game").annotate(n=Count("id")).values_list("game", "n"))
