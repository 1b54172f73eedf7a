"""Ratings of people and the matches that they come from; who may have them from a farm."""

from typing import Any, cast
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path

from accounts.models import User
from accounts.staff_pages import LongLists
from config.pages.admin_pages import ReadOnly
from games.admin.bulk_runs import run_page
from games.admin.refereeing.match_acts import allowed
from games.operations.refereeing import bulk
from games.operations.refereeing.acts import ACTS
from games.ratings.models import PersonRating, RatedMatch
from games.ratings.people import collusion
from games.ratings.people.collusion import suspicions
from games.ratings.people.standing import standing_of

ANNUL = ACTS["annul-rating"]


class PairsPage:
    """Beside the list of ratings."""

    admin_site: Any

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.pairs_page)
        return [path("pairs", page, name="ratings_personrating_pairs"), *super().get_urls()]  # type: ignore[misc]

    def pairs_page(self, request: HttpRequest) -> HttpResponse:
        """Drafts a bulk run for the matches of a pair, which says what will happen."""
        if not request.user.has_perm("ratings.view_personrating"):
            raise PermissionDenied
        suspected, may = suspicions(), allowed(request, ANNUL)
        if request.method == "POST":
            if not may:
                raise PermissionDenied
            matches = _chosen(request, suspected)
            user = cast("User", request.user)
            return redirect(run_page(bulk.draft(act=ANNUL.slug, match_ids=matches, user=user).pk))
        ids = {person for pair in suspected.pairs for person in (pair.one, pair.other)}
        people = User.objects.in_bulk(list(ids | {farm.account for farm in suspected.farms}))
        context = self.admin_site.each_context(request) | {
            "title": "Suspicious ratings",
            "pairs": [
                (pair, people.get(pair.one), people.get(pair.other)) for pair in suspected.pairs
            ],
            "farms": [(farm, people.get(farm.account)) for farm in suspected.farms],
            "may": may,
            "days": collusion.SINCE.days,
        }
        return TemplateResponse(request, "admin/operators/pairs.html", context)


def _chosen(request: HttpRequest, suspected: collusion.Suspicions) -> list[UUID]:
    """Of a pair in a game, or of a farm, which has no other person."""
    sent = tuple(request.POST.get(name, "") for name in ("one", "other", "game"))
    listed = {(str(pair.one), str(pair.other), pair.game): pair.matches for pair in suspected.pairs}
    listed |= {(str(farm.account), "", ""): farm.matches for farm in suspected.farms}
    if sent not in listed:
        raise Http404("This is not listed any more.")
    return list(listed[sent])


@admin.register(PersonRating)
class PersonRatingAdmin(PairsPage, ReadOnly, LongLists):
    list_display = ("account", "board", "rating", "deviation", "matches", "at")
    list_select_related = ("account",)
    search_fields = ("account__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = ("account", "board", "rating", "deviation", "matches", "at", "settled_until")
    readonly_fields = fields

    @admin.display(description="Rating")
    def rating(self, row: PersonRating) -> str:
        return f"{standing_of(row, row.at).rating:.0f}"

    @admin.display(description="Deviation")
    def deviation(self, row: PersonRating) -> str:
        return f"{standing_of(row, row.at).deviation:.0f}"


@admin.register(RatedMatch)
class RatedMatchAdmin(ReadOnly, LongLists):
    list_display = ("match", "board", "at", "annulled_at", "is_settled")
    list_select_related = ("match",)
    search_fields = ("match__id__exact",)
    search_help_text = "The id of a match"
    ordering = ("-match_id",)
    fields = ("match", "board", "at", "annulled_at", "is_settled")
    readonly_fields = fields
