"""The pages as an app: manifest, service worker, shell, files of the root, the stream."""

import hashlib
import json
import re
from base64 import b64decode
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.staticfiles import finders
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import get_template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_safe

from config.club import PLACE
from config.counting import client_address
from config.pictures import png_of
from config.server.streams import LiveResponse
from config.settings.club import LOGO_PIXELS
from decks.selectors import BadCode, decode_deck
from games.competitions.selectors import find as find_tournament
from games.live.hub import hub
from games.live.listener import EVENTS, Credential, Talk, session_credential
from games.live.page_stream import FriendList, PageListener, TournamentSheet
from games.matches.selectors.access import SERVICE, find_match
from games.matches.snapshot import MatchSnapshot
from games.spoken import messages_for_reader
from games.web.parts.visitor import match_or_404, user_id
from games.web.picture import place_png
from games.web.picture_parts import darker

SHARED: Final = ("url", "text", "title")
MOST_LETTERS_SHARED: Final = 2000
ADDRESS: Final = re.compile(r"https?://[^\s<>\"']+")
ID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
MATCH: Final = re.compile(rf"(?:/api/v1)?(/matches/{ID})")
# The name of a record's file, or the line of a record that names its match (FORMAT.md §3).
RECORD: Final = re.compile(rf'\b({ID})\.cardroom\.json\b|"match"\s*:\s*"({ID})"')
# Looked ahead, so that the word before a code does not swallow half of it.
DECK: Final = re.compile(r"\b(?=([0-9A-Za-z]{4}[- ]?[0-9A-Za-z]{4})\b)")


@require_safe
def shell(request: HttpRequest) -> HttpResponse:
    """Kept by the worker: it holds nothing of a person, so no cookie is read for it."""
    return render(request, "games/app/shell.html")


@require_safe
def share(request: HttpRequest) -> HttpResponse:
    """A link to a page of ours, a record or the code of a side deck, in what is shared."""
    words = [request.GET.get(name, "")[:MOST_LETTERS_SHARED] for name in SHARED]
    for text in words:
        target = page_in(text, request.get_host()) or record_in(text, request.user.pk)
        target = target or deck_in(text)
        if target is not None:
            return redirect(target)
    messages.error(
        request, gettext("Nothing in this opens here: no match, no record and no side deck.")
    )
    return redirect("landing")


def page_in(text: str, host: str) -> str | None:
    """The path of a match or of a deck's code, of this site only."""
    for address in ADDRESS.findall(text):
        parts = urlsplit(address)
        if parts.netloc == host:
            match = MATCH.match(parts.path)
            return match[1] if match else deck_in(parts.query)
    return None


def record_in(text: str, reader: UUID | None) -> str | None:
    """The page of the match of a record, if it was played here and this reader may see it."""
    named = RECORD.search(text)
    access = find_match(UUID(named[1] or named[2]), SERVICE) if named else None
    if access is None or not access.match.is_visible_to(reader):
        return None
    return reverse("table", args=[access.match.id])


def deck_in(text: str) -> str | None:
    """The form of a new deck with the code filled in; parts of a match's id look like codes."""
    for code in DECK.finditer(re.sub(ID, " ", text)):
        try:
            decode_deck(code[1])
        except BadCode:
            continue
        return f"{reverse('deck_new')}?{urlencode({'code': code[1]})}"
    return None


# The manifest, which a phone asks for before it keeps the site beside its programs.

FELT, PAPER = "#1f5a45", "#f6f2e9"
ICON_SIZES: Final = (192, 512)
PICTURES: Final = {"narrow": (780, 1688), "wide": (1280, 800)}


@require_safe
def manifest(_request: HttpRequest) -> JsonResponse:
    about = {
        "name": PLACE.name,
        "short_name": PLACE.name,
        "description": _("Card games against the computer, with friends, or side by side."),
        "id": "/",
        "scope": "/",
        "start_url": reverse("app"),
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": settings.CLUB["felt"] or FELT,
        "icons": [icon(size, purpose) for purpose in ("any", "maskable") for size in ICON_SIZES],
        "screenshots": [] if PLACE.preview else [screenshot(form) for form in PICTURES],
        "shortcuts": [
            shortcut(_("Play"), reverse("new_match")),
            shortcut(_("Your turn"), f"{reverse('lobby')}#yours"),
        ],
        "share_target": {
            "action": reverse("app_share"),
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
    }
    return JsonResponse(about, content_type="application/manifest+json")


def icon(size: int, purpose: str) -> dict[str, str]:
    """A maskable one has room around its picture: phones cut it to their own shape."""
    if PLACE.icon:
        size = LOGO_PIXELS
        source = PLACE.icon + ("?round=1" if purpose == "maskable" else "")
        return {"src": source, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
    name = "maskable" if purpose == "maskable" else "icon"
    source = static(f"games/img/{name}-{size}.png")
    return {"src": source, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


def screenshot(form: str) -> dict[str, str]:
    width, height = PICTURES[form]
    return {
        "src": static(f"games/img/screen-{form}.webp"),
        "sizes": f"{width}x{height}",
        "type": "image/webp",
        "form_factor": form,
        "label": _("A card table"),
    }


def shortcut(name: str, url: str) -> dict[str, Any]:
    return {"name": name, "url": url, "icons": [icon(192, "any")]}


# The service worker: one script at the root, since a worker serves what lies below its address.
#
# Its first lines, a version and the files of the first page, are put before the script. The
# version is made of their contents, so a browser fetches a new worker whenever one of them
# changes.

SCRIPT: Final = "games/js/worker.js"
FILES: Final = (
    "games/css/tokens.css",
    "games/css/site.css",
    "games/css/forms.css",
    "games/js/offline.js",
    "games/img/favicon.svg",
)


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        script(PLACE.name, PLACE.icon),
        content_type="text/javascript",
        headers={"Cache-Control": "no-cache"},
    )


@lru_cache(maxsize=1)
def script(name: str, logo: str) -> str:
    begin = {
        "VERSION": version(name + logo),
        "SHELL": reverse("app"),
        "FILES": [*map(static, FILES), *([logo] if logo else [])],
        "ICON": logo or static("games/img/icon-192.png"),
        "NAME": name,
    }
    lines = [f"const {name} = {json.dumps(value)};\n" for name, value in begin.items()]
    return "".join(lines) + source(SCRIPT).decode()


def version(place: str = "") -> str:
    template: Any = get_template("games/app/shell.html")
    parts = [place.encode(), *(source(name) for name in (SCRIPT, *FILES))]
    parts.append(template.template.source.encode())
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def source(name: str) -> bytes:
    return Path(str(finders.find(name))).read_bytes()


# The clients that the service serves: one file each, for programs elsewhere.

CLIENTS_FOLDER: Final = Path(__file__).resolve().parents[1] / "static" / "clients"
MEDIA_TYPES: Final = {
    name: f"{kind}; charset=utf-8"
    for kind, names in {
        "text/x-python": ("cardroom.py", "bot.py"),
        "text/javascript": ("cardroom.js", "bot.js"),
    }.items()
    for name in names
}


@require_safe
def client(_request: HttpRequest, name: str) -> FileResponse:
    """The newest version, at an address that stays; every site may import it."""
    if name not in MEDIA_TYPES:
        raise Http404
    headers = {"Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*"}
    return FileResponse(
        (CLIENTS_FOLDER / name).open("rb"), content_type=MEDIA_TYPES[name], headers=headers
    )


# The look of the place: its logo, its colours, its picture for links.


def _as_seen(request: HttpRequest, address: str, body: bytes | str, kind: str) -> HttpResponse:
    """Kept for long at the address of today; a process may not know yet what another one names."""
    response = HttpResponse(body, content_type=kind)
    is_todays = request.path == address
    response["Cache-Control"] = "public, max-age=31536000, immutable" if is_todays else "no-cache"
    return response


@require_safe
def logo(request: HttpRequest, **_digest: str) -> HttpResponse:
    picture: str = settings.CLUB["logo"]
    if not picture:
        raise Http404
    ground = settings.CLUB["felt"] or FELT
    png = _with_room(picture, ground) if "round" in request.GET else b64decode(picture)
    return _as_seen(request, PLACE.icon, png, "image/png")


@lru_cache(maxsize=1)
def _with_room(picture: str, ground: str) -> bytes:
    """On a ground, within the four fifths that no phone cuts away."""
    return png_of(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LOGO_PIXELS}" height="{LOGO_PIXELS}" '
        f'viewBox="0 0 100 100"><rect width="100" height="100" fill="{ground}"/>'
        f'<image x="20" y="20" width="60" height="60" href="data:image/png;base64,{picture}"/>'
        "</svg>"
    )


@require_safe
def colours(request: HttpRequest, **_digest: str) -> HttpResponse:
    """Weighs more than the sheets of games: a felt of the place is that of every table."""
    felt, accent, rules = settings.CLUB["felt"], settings.CLUB["accent"], ""
    if felt:
        line = f"color-mix(in srgb, {felt} 65%, #fff)"
        shades = f"--felt: {felt}; --felt-deep: {darker(felt)}; --felt-line: {line};"
        rules += f':root, [class*="game-"][class] {{ {shades} }}\n'
    if accent:
        rules += f":root {{ --accent: {accent}; }}\n"
    return _as_seen(request, PLACE.sheet, rules, "text/css; charset=utf-8")


@require_safe
def preview(request: HttpRequest, **_digest: str) -> HttpResponse:
    png = place_png(PLACE.name, settings.CLUB["logo"], settings.CLUB["felt"])
    return _as_seen(request, PLACE.preview, png, "image/png")


# Files that browsers, phones and search engines ask every site for by a fixed name.

ICONS: Final = Path(__file__).resolve().parents[1] / "static" / "games" / "img"
# Pages that are somebody's own, change with every move, or cost work to make.
NOT_FOR_ROBOTS: Final = (
    "/accounts/", "/admin/", "/api/", "/decks/", "/history", "/lobby", "/matches/", "/new",
    "/play/", "/simulations", "/stream",
)  # fmt: skip
# They ask for the page that somebody sent on, to show what it is.
FOR_PREVIEWS: Final = ("facebookexternalhit", "Twitterbot", "WhatsApp", "TelegramBot")
_CLOSED: Final = [f"Disallow: {path}\n" for path in NOT_FOR_ROBOTS]
ROBOTS: Final = "".join([
    "User-agent: *\n", *_CLOSED,
    "\n", *[f"User-agent: {name}\n" for name in FOR_PREVIEWS],
    *[line for line in _CLOSED if "/matches/" not in line],
])  # fmt: skip

_kept_for_a_day = cache_control(public=True, max_age=86400)


@_kept_for_a_day
@require_safe
def favicon(_request: HttpRequest) -> FileResponse | HttpResponse:
    if picture := settings.CLUB["logo"]:
        return HttpResponse(b64decode(picture), content_type="image/png")
    return FileResponse((ICONS / "favicon.ico").open("rb"), content_type="image/x-icon")


@_kept_for_a_day
@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


# The stream of a page: it says that the page has changed, and the page asks for itself again.


@require_GET
def page_stream(request: HttpRequest) -> HttpResponse:
    """``match``: the page shows this match; ``lobby``: it lists the open ones of everybody;
    ``friends``: it shows the reader's in this state (``state_of_list``); ``tournament``: it shows
    this one as it was at ``version``; ``screen``: it is nobody's, also where its host opened it.
    """
    match, sheet, user = _match(request), _sheet(request), user_id(request)
    credential = session_credential(request, client_address(request))
    if "screen" in request.GET and match is not None and match.is_visible_to(None):
        user, credential = None, Credential(address=client_address(request))
    plays = match is not None and match.is_played_by(user)
    hub().judge(credential, plays=plays)
    shown = match.id if match else None
    lobby = "lobby" in request.GET
    talk = Talk(match.id, user, messages_for_reader(match.rules)) if match else None
    friends = (
        FriendList(user, request.GET["friends"]) if user and "friends" in request.GET else None
    )
    live = PageListener(
        credential,
        hub(),
        shown,
        lobby=lobby,
        plays=plays,
        talk=talk,
        friends=friends,
        sheet=sheet,
    )
    live.sits = match is not None and bool(match.seats_of(user))
    return LiveResponse(live, EVENTS.content_type)


def _named(request: HttpRequest, what: str) -> UUID | None:
    named = request.GET.get(what)
    if named is None:
        return None
    try:
        return UUID(named)
    except ValueError:
        raise Http404("This is no id.") from None


def _sheet(request: HttpRequest) -> TournamentSheet | None:
    tournament_id, version = _named(request, "tournament"), request.GET.get("version", "")
    if tournament_id is None:
        return None
    row = find_tournament(tournament_id, user_id(request))
    return TournamentSheet(row.id, int(version) if version.isdecimal() else row.version)


def _match(request: HttpRequest) -> MatchSnapshot | None:
    match_id = _named(request, "match")
    return None if match_id is None else match_or_404(request, match_id)
