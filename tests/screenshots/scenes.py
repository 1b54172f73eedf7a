"""The scenes: pages by name, and matches played far enough to show something."""

import os
import secrets
import time
from collections.abc import Mapping
from operator import itemgetter
from typing import Any, Final

from playwright.sync_api import APIResponse, BrowserContext, Page

from tests.screenshots.moments import MOMENTS

PLAIN: Final = {
    "landing": "/",
    "new-pisti": "/new",
    "new-pazaak": "/new?game=pazaak",
    "new-shithead": "/new?game=shithead&players=5",
    "new-pyanitsa": "/new?game=pyanitsa",
    "rules-pisti": "/games/pisti/rules",
    "rules-shithead": "/games/shithead/rules",
    "decks": "/decks/",
    "decks-new": "/decks/new",
    "simulations": "/simulations",
    "login": "/accounts/login/",
    "signup": "/accounts/signup/",
    "password": "/accounts/password/reset/",
    "account": "/accounts/",
    "missing": "/nowhere",
    "design": "/design",  # there while DEBUG is on
}
AFTERWARDS: Final = {"landing-again": "/", "lobby": "/lobby", "history": "/history"}

Terms = tuple[str, int, dict[str, Any], int]
# name: game, seats, options, how many own moves (0: as dealt, -1: to the end)
MATCHES: Final[Mapping[str, Terms]] = {
    "table-pisti": ("pisti", 2, {}, 5),
    "table-pisti-4": ("pisti", 4, {"players": 4}, 4),
    "table-pisti-deal": ("pisti", 2, {}, 24),
    "table-pisti-over": ("pisti", 2, {"target_score": None}, -1),
    "table-pazaak": ("pazaak", 2, {}, 3),
    "table-pazaak-over": ("pazaak", 2, {}, -1),
    "table-shithead": ("shithead", 2, {}, 5),
    "table-shithead-swap": ("shithead", 3, {"players": 3}, 0),
    "table-shithead-8": ("shithead", 8, {"players": 8, "exchange": False}, 3),
    "table-shithead-18": ("shithead", 18, {"players": 18, "exchange": False}, 2),
    "table-shithead-over": ("shithead", 4, {"players": 4, "exchange": False}, -1),
    "table-pyanitsa": ("pyanitsa", 2, {}, 9),
    "table-pyanitsa-8": ("pyanitsa", 8, {"players": 8}, 4),
    "table-pyanitsa-over": ("pyanitsa", 2, {"max_tricks": 60}, -1),
}
GAMES: Final = ("pisti", "pazaak", "shithead", "pyanitsa")
# name: the match that it belongs to, what follows its address
PAGES_OF_MATCHES: Final = {
    "replay": ("table-pisti-over", "?ply=20"),
    "deals": ("table-pisti-over", "/deals"),
    "family": ("table-pisti-over", "/family"),
    **{f"share-{game}": (f"table-{game}-over", "/share.svg") for game in GAMES},
}
SECONDS: Final = 120  # that a match may take to reach its scene


class Guest:
    """Somebody who plays over the API with the cookies of a browser."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        page = context.new_page()
        self.profile = f"/people/{_signed_up(page)}"
        page.close()
        games = self._answer(context.request.get("/api/v1/games"))
        self._rivals = {game["slug"]: _usual(game["bots"]) for game in games}

    def opened(self, game: str, others: list[dict[str, str]], **terms: Any) -> dict[str, Any]:
        return self._post("matches", game=game, seats=[{"kind": "me"}, *others], **terms)

    def played(self, game: str, seats: int, options: dict[str, Any], moves: int) -> str:
        """The address of a match against bots after so many own moves."""
        bots = [{"kind": "bot", "bot": self._rivals[game]}] * (seats - 1)
        match = self.opened(game, bots, options=options)
        until = time.monotonic() + SECONDS
        while moves and match["status"] == "active" and time.monotonic() < until:
            if match["legal_moves"]:
                move = match["legal_moves"][0]["move"]
                path = f"matches/{match['id']}/moves"
                match = self._post(path, move=move, version=match["version"])
                moves -= 1
            else:
                time.sleep(0.05)
                match = self._answer(self.context.request.get(match["links"]["self"]))
        return f"/matches/{match['id']}"

    def load(self, address: str, times: int) -> None:
        """Matches that are played on from its first save."""
        for _ in range(times):
            self._post(f"{address.removeprefix('/')}/load", round=1, cards="reshuffled")

    def _post(self, path: str, **body: Any) -> Any:
        token = next(
            cookie["value"] for cookie in self.context.cookies() if "csrf" in cookie["name"]
        )
        home = self.context.pages[0].url if self.context.pages else ""
        headers = {"X-CSRFToken": token, "Referer": home}
        return self._answer(
            self.context.request.post(f"/api/v1/{path}", headers=headers, data=body)
        )

    @staticmethod
    def _answer(answer: APIResponse) -> Any:
        if not answer.ok:
            raise RuntimeError(f"{answer.url}: {answer.status} {answer.text()}")
        return answer.json()


def _usual(bots: list[dict[str, Any]]) -> str:
    """A computer of middle strength: quick, and no fool."""
    return str(sorted(bots, key=itemgetter("level"))[len(bots) // 2]["slug"])


def _signed_up(page: Page) -> str:
    name = f"ada-{secrets.token_hex(3)}" if os.environ.get("SCREENSHOTS_OF") else "ada"
    page.goto("/accounts/signup/")
    page.locator("[name=username]").fill(name)
    for field in page.locator("[type=password]").all():
        field.fill("a long and quiet evening")
    page.locator("main button[type=submit]").first.click()
    page.wait_for_load_state()
    return name


def prepare(guest: Guest, wanted: str) -> dict[str, str]:
    """Opens and plays what is to be seen; gives the addresses by name."""
    pages = {name: page for name, page in PAGES_OF_MATCHES.items() if wanted in name}
    moments = {name: moment.table for name, moment in MOMENTS.items() if wanted in name}
    needed = {match for match, _path in pages.values()} | {*moments.values()}
    played = {
        name: guest.played(*terms)
        for name, terms in MATCHES.items()
        if wanted in name or name in needed
    }
    if wanted in "family" and "table-pisti-over" in played:
        guest.load(played["table-pisti-over"], times=3)
    found = {name: path for name, path in played.items() if wanted in name}
    found |= {name: played[match] + path for name, (match, path) in pages.items()}
    found |= {name: played[table] for name, table in moments.items()}
    found |= _at_one_device(guest, wanted)
    known = {**PLAIN, **AFTERWARDS, "profile": guest.profile}
    return found | {name: path for name, path in known.items() if wanted in name}


def _at_one_device(guest: Guest, wanted: str) -> dict[str, str]:
    """A match of two at one device, and one with a clock that waits for a player."""
    found = {}
    if wanted in "table-handover":
        match = guest.opened("pisti", [{"kind": "local", "name": "Ben"}])
        found["table-handover"] = f"/matches/{match['id']}"
    if wanted in "table-waiting":
        match = guest.opened("shithead", [{"kind": "open"}], turn_seconds=120)
        found["table-waiting"] = f"/matches/{match['id']}"
    return found
