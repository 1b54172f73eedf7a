"""A match that a test plays over the API, choosing for every seat, while a page looks on."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import APIResponse, Page

Match = dict[str, Any]
Choose = Callable[[Match], str]
HERE = {"kind": "local", "name": "Twin"}


class MatchByApi:
    """All seats are those of one guest, who is signed in on ``page``."""

    def __init__(self, page: Page, game: str, others: list[dict[str, str]], **terms: Any) -> None:
        self._page = page
        seats = [{"kind": "me"}, *others]
        self.match = self._post("matches", game=game, seats=seats, **terms)

    @property
    def address(self) -> str:
        return f"/matches/{self.match['id']}"

    @property
    def is_over(self) -> bool:
        return bool(self.match["status"] != "active")

    def play(self, choose: Choose) -> Match:
        path = f"matches/{self.match['id']}/moves"
        self._post(path, move=choose(self.match), version=self.match["version"])
        self.match = _read(self._page.request.get(f"/api/v1/matches/{self.match['id']}"))
        return self.match

    def play_on(self, choose: Choose, until: Callable[[Match], bool]) -> Match:
        while not (self.is_over or until(self.match)):
            self.play(choose)
        return self.match

    def _post(self, path: str, **body: Any) -> Match:
        cookies = self._page.context.cookies()
        token = next(each["value"] for each in cookies if "csrf" in each["name"])
        headers = {"X-CSRFToken": token, "Referer": self._page.url}
        return _read(self._page.request.post(f"/api/v1/{path}", headers=headers, data=body))


def _read(answer: APIResponse) -> Match:
    if not answer.ok:
        raise RuntimeError(f"{answer.url}: {answer.status} {answer.text()}")
    found: Match = answer.json()
    return found


def moves(match: Match) -> list[str]:
    return [each["move"] for each in match["legal_moves"]]
