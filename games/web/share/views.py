"""The addresses of the picture, which is there for everybody who may see the page of the match."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import blake2s
from pathlib import Path
from typing import Final
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language, gettext, override
from django.views.decorators.http import require_safe

from config.api.throttles import Pictures
from config.refusals import TooManyRequests
from games.absent import check_installed
from games.house_names import HIDDEN
from games.language import tag_of_language
from games.matches.selectors.secrecy import may_tell_all
from games.matches.selectors.withheld import named_for
from games.matches.snapshot import MatchSnapshot
from games.web.share.drawing import Drawing
from games.web.share.facts import picture_of
from games.web.share.png import png_of
from games.web.table.showing import found_match

KEPT: Final = 32  # pictures in the memory of a process


@dataclass(frozen=True)
class Wanted:
    """A match and whether its cards may be shown; ``tag`` names all that its picture depends on."""

    tag: str
    match: MatchSnapshot = field(compare=False)
    with_cards: bool = field(compare=False)


@require_safe
def share_svg(request: HttpRequest, match_id: UUID) -> HttpResponseBase:
    return _picture(request, match_id, "image/svg+xml")


@require_safe
def share_png(request: HttpRequest, match_id: UUID) -> HttpResponseBase:
    return _picture(request, match_id, "image/png")


def _picture(request: HttpRequest, match_id: UUID, kind: str) -> HttpResponseBase:
    match = found_match(request, match_id)
    if match.status != "finished":
        raise Http404("There is a picture of a match when it is finished.")
    check_installed(match.rules)
    with override(_language(request)):
        wanted = _wanted(named_for(match, None, gettext(HIDDEN)))  # it is there to be passed on
        answer = get_conditional_response(request, etag=f'"{wanted.tag}-{kind[-3:]}"')
        if answer is None:
            answer = HttpResponse(_drawn(request, wanted, kind), content_type=kind)
    answer["ETag"] = f'"{wanted.tag}-{kind[-3:]}"'
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ("Cookie", "Accept-Language"))
    return answer


def _language(request: HttpRequest) -> str | None:
    """The one that the address names, else the reader's."""
    named = request.GET.get("lang", "")
    return named if named in dict(settings.LANGUAGES) else get_language()


def _wanted(match: MatchSnapshot) -> Wanted:
    with_cards = may_tell_all(match, None)
    facts = (_design(), match.id, match.updated_at, match.version, match.names, with_cards)
    named = f"{facts}{tag_of_language()}"
    return Wanted(blake2s(named.encode(), digest_size=12).hexdigest(), match, with_cards)


@cache
def _design() -> str:
    """Names how pictures are drawn by this release."""
    sources = sorted(Path(__file__).parent.rglob("*.*"))
    texts = (source.read_bytes() for source in sources if source.suffix in (".py", ".json"))
    return blake2s(b"".join(texts), digest_size=8).hexdigest()


def _drawn(request: HttpRequest, wanted: Wanted, kind: str) -> str | bytes:
    if Pictures.take(request) is not None:
        raise TooManyRequests
    return _svg(wanted) if kind == "image/svg+xml" else _png(wanted)


@lru_cache(maxsize=KEPT)
def _svg(wanted: Wanted) -> str:
    return str(Drawing(picture_of(wanted.match, with_cards=wanted.with_cards)))


@lru_cache(maxsize=KEPT)
def _png(wanted: Wanted) -> bytes:
    return png_of(_svg(wanted))
