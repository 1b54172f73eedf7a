"""One account against everybody: matches of eighteen bots that search, as many as it likes.

The limits are raised for it; what is measured is how fairly the workers share what is left.
"""

from typing import Any, Final

from tests.served import Caller, Served

MATCHES: Final = 40
SEATS: Final = 18
ALLOWED: Final = {"BOT_MATCHES_PER_ACCOUNT": "1000", "ACTIVE_MATCHES_PER_ACCOUNT": "1000"}


def begin(service: Served) -> int:
    """Opens the matches; how many. Half have a person in them, who waits for seventeen bots."""
    caller = Caller(service.port).sign_in_as_guest()
    for number in range(MATCHES):
        searcher = {"kind": "bot", "bot": "searcher"}
        seats = [{"kind": "me"} if number % 2 else searcher, *[searcher] * (SEATS - 1)]
        body: dict[str, Any] = {"game": "shithead", "options": {"players": SEATS}, "seats": seats}
        answer = caller.post("/api/v1/matches", body)
        if answer.status != 201:
            raise RuntimeError(f"{answer.status} {answer.body[:300]!r}")
    return MATCHES
