"""A table in a browser, compared with the API; and all cards that were shown meanwhile.

Only what can be seen counts: a card that is hidden or not drawn is none.
"""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SCRIPT = (Path(__file__).parent / "felts.js").read_text()
STILL = "() => isStill()"


def watch(page: Page) -> None:
    """From now on every frame in which cards move is looked at; again after a page is loaded."""
    page.evaluate("() => watchFrames()")


def frames(page: Page) -> dict[str, Any]:
    """How many were seen, the numbers of seats marked as to play, and what was wrong."""
    return page.evaluate("() => ({ ...framesSeen, acting: [...framesSeen.acting] })")


def shown(page: Page, game: str) -> dict[str, Any]:
    return page.evaluate("game => shownFelt(game)", game)


def said(match: dict[str, Any]) -> dict[str, Any]:
    """The same as the API says it."""
    over = match["status"] != "active"
    acting = set(match["to_act"])
    return {
        "version": match["version"],
        "acting": 0 if match["view"].get("phase") == "exchange" else len(acting),
        "yours": bool(acting & set(match["your_seats"])),
        "finished": over,
        "felt": None if over else FELTS[match["game"]](match["view"]),
    }


def _pisti(view: dict[str, Any]) -> dict[str, Any]:
    points = {seat: view["totals"][n] for n, side in enumerate(view["sides"]) for seat in side}
    return {
        "top": view["top"],
        "pile": view["pile_size"],
        "stock": view["stock_size"],
        "hand": view["hand"],
        "seats": {
            str(seat): {"cards": cards, "points": points[seat]}
            for seat, cards in enumerate(view["hand_sizes"])
        },
    }


def _pazaak(view: dict[str, Any]) -> dict[str, Any]:
    return {
        "hand": view["hand"],
        "seats": {
            str(seat): {
                "placed": len(half["board"]), "total": half["total"], "wins": half["wins"]
            }
            for seat, half in enumerate(view["halves"])
        },
    }  # fmt: skip


def _shithead(view: dict[str, Any]) -> dict[str, Any]:
    own, pile = view["seat"], view["pile"] if view["phase"] == "play" else []
    return {
        "top": pile[-5:],
        "pile": len(pile),
        "hand": view["hand"],
        "tops": view["tops"][own],
        "others": {
            str(seat): [view["hand_counts"][seat], len(view["hidden"][seat])]
            for seat, place in enumerate(view["places"])
            if seat != own and not place
        },
    }


def _pyanitsa(view: dict[str, Any]) -> dict[str, Any]:
    held = [draw + won for draw, won in zip(view["draw_counts"], view["won_counts"], strict=True)]
    return {
        "table": [each["card"] for each in view["table"] if each["card"]],
        "held": {
            str(seat): 0 if view["out_in"][seat] else cards for seat, cards in enumerate(held)
        },
    }


FELTS = {"pisti": _pisti, "pazaak": _pazaak, "shithead": _shithead, "pyanitsa": _pyanitsa}
