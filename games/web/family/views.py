"""The page of a family of matches."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from games.house_names import HIDDEN
from games.matches.selectors.family import family_of, members
from games.matches.selectors.watched import as_listed
from games.web.family.drawing import drawn
from games.web.family.tree import family_tree
from games.web.parts.visitor import user_id
from games.web.table.showing import visible_match


@never_cache
@require_GET
def family(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match, user = visible_match(request, match_id), user_id(request)
    root = family_tree(family_of(match_id, user), match_id)
    shown = [knot.id for knot in root.walk() if knot.id is not None]
    listed = as_listed(members(shown), user, gettext(HIDDEN))
    tree = drawn(root, {each.id: each for each in listed}, match_id, user)
    return render(request, "games/family.html", {"match": match, "tree": tree})
