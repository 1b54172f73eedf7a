"""Every way the API says no, in one place: the code clients rely on, its status and its title.

An answer is `application/problem+json` (RFC 9457). Raise `Problem` in a view; what services raise
is translated in `errors`.
"""

from typing import Any, Final, NamedTuple

import msgspec
from django.http import HttpResponse

MEDIA_TYPE: Final = "application/problem+json"


class Kind(NamedTuple):
    status: int
    title: str


PROBLEMS: Final[dict[str, Kind]] = {
    # 400: the request cannot be read
    "malformed": Kind(400, "Malformed request"),
    "malformed_move": Kind(400, "Malformed move"),
    # 401, 403: who is asking
    "not_authenticated": Kind(401, "Not signed in"),
    "bad_key": Kind(401, "Bad key"),
    "bad_credentials": Kind(401, "Bad credentials"),
    "not_allowed": Kind(403, "Not allowed"),
    "not_your_seat": Kind(403, "Not your seat"),
    # 404 to 415: what is asked, and how
    "not_found": Kind(404, "Not found"),
    "method_not_allowed": Kind(405, "Method not allowed"),
    "not_acceptable": Kind(406, "Not acceptable"),
    "body_too_large": Kind(413, "Body too large"),
    "unsupported_media_type": Kind(415, "Unsupported media type"),
    # 409: not as things stand
    "stale_version": Kind(409, "Stale version"),
    "not_your_turn": Kind(409, "Not your turn"),
    "match_not_active": Kind(409, "Match not active"),
    "match_not_open": Kind(409, "Match not open"),
    "match_not_over": Kind(409, "Match not over"),
    "seat_taken": Kind(409, "Seat taken"),
    "already_seated": Kind(409, "Already seated"),
    "seat_is_out": Kind(409, "Seat is out"),
    "username_taken": Kind(409, "Username taken"),
    "already_registered": Kind(409, "Already registered"),
    "too_many_simulations": Kind(409, "Too many simulations"),
    "too_many_keys": Kind(409, "Too many keys"),
    "deck_name_taken": Kind(409, "Deck name taken"),
    "too_many_decks": Kind(409, "Too many decks"),
    # 422: well-formed, but against the rules
    "illegal_move": Kind(422, "Illegal move"),
    "unknown_game": Kind(422, "Unknown game"),
    "unknown_bot": Kind(422, "Unknown bot"),
    "unknown_user": Kind(422, "Unknown user"),
    "unknown_deck": Kind(422, "Unknown deck"),
    "bad_options": Kind(422, "Bad options"),
    "bad_seats": Kind(422, "Bad seats"),
    "bad_deck": Kind(422, "Bad deck"),
    "bad_save": Kind(422, "Bad save"),
    "bad_simulation": Kind(422, "Bad simulation"),
    "bad_account": Kind(422, "Bad account"),
    # 429, 5xx: not now
    "throttled": Kind(429, "Too many requests"),
    "locked_out": Kind(429, "Locked out"),
    "internal": Kind(500, "Internal error"),
    "unavailable": Kind(503, "Unavailable"),
}


class Problem(Exception):
    """`detail` is a sentence a person can act on; `extras` are further facts for the client."""

    def __init__(self, code: str, detail: str, **extras: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.extras = extras
        self.headers: dict[str, str] = {}

    @property
    def status(self) -> int:
        return PROBLEMS[self.code].status

    def with_headers(self, **headers: str) -> "Problem":
        self.headers |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self

    def as_dict(self) -> dict[str, Any]:
        kind = PROBLEMS[self.code]
        return {
            "type": f"urn:cardroom:problem:{self.code}",
            "title": kind.title,
            "status": kind.status,
            "code": self.code,
            "detail": self.detail,
            **self.extras,
        }

    def as_response(self) -> HttpResponse:
        body = msgspec.json.encode(self.as_dict())
        challenge = {"WWW-Authenticate": "Token"} if self.status == 401 else {}  # RFC 9110 §15.5.2
        return HttpResponse(body, MEDIA_TYPE, self.status, headers=challenge | self.headers)
