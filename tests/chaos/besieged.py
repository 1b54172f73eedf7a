"""Tables of a siege: they play short matches to their end until there are enough."""

import threading
import time
from typing import Any, Final

from tests.chaos.load import Match, Table

# Matches that are over soon.
RULES: Final[dict[str, dict[str, Any]]] = {
    "pisti": {"target_score": None},
    "pazaak": {"rounds_to_win": 2},
    "shithead": {"max_turns": 120},
    "pyanitsa": {"max_tricks": 24},
}
KINDS: Final = (
    ("pisti", 1, ["greedy"]),
    ("pazaak", 1, ["gambler"]),
    ("shithead", 1, ["keeper"]),
    ("pyanitsa", 1, ["automaton"]),
    ("pisti", 2, []),
    ("pazaak", 2, []),
    ("shithead", 2, ["lowest"]),
    ("pyanitsa", 2, []),
)


class Quota:
    """At least so many matches are opened by all tables together, and as many as there is time for
    until the last fault is over."""

    def __init__(self, matches: int) -> None:
        self._left, self._lock, self._under_fire = matches, threading.Lock(), True

    def take(self) -> bool:
        with self._lock:
            self._left -= 1
            return self._left >= 0 or self._under_fire

    def cease(self) -> None:
        self._under_fire = False


class Besieged(Table):
    """A table that plays matches to their end until there are enough."""

    def __init__(self, quota: Quota, *of_a_table: Any) -> None:
        super().__init__(*of_a_table)
        self._quota, self.opened = quota, set[str]()

    def run(self) -> None:
        try:
            while self._quota.take():
                self._play_a_match()
                self.answers.append(time.monotonic())
        except Exception as error:
            self.book.faults.append(f"{self.name}: {type(error).__name__}: {error}")
            raise

    def _open(self) -> Match:
        host, *guests = self.people
        seats = [{"kind": "me"}, *({"kind": "open"} for _ in guests)]
        seats += [{"kind": "bot", "bot": bot} for bot in self.bots]
        players = {"players": len(seats)} if len(seats) > 2 else {}
        wish = {"game": self.game, "seats": seats, "options": RULES[self.game] | players}
        match = self._insist(host, "/api/v1/matches", wish)
        self.opened.add(match["id"])
        for guest in guests:
            self._insist(guest, f"/api/v1/matches/{match['id']}/join", {})
        return match
