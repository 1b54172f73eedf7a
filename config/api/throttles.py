"""How much one caller may ask for: so many requests a window, by user, or by address without one.

One small number a caller and window; rates are settings (`DEFAULT_THROTTLE_RATES`). Requests and
moves are counted in the memory of each process: a flood is stopped as well there, and no request
pays for a round trip. New accounts and sign-ins, which somebody might ration out over many
processes, are counted for all of them together in the cache.
"""

import time
from typing import TYPE_CHECKING, ClassVar, Final

from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

if TYPE_CHECKING:  # the views import their throttles first
    from rest_framework.views import APIView

SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def spend(scope: str, who: str, *, cache: str = "memory") -> float | None:
    """Take one request from the caller's allowance; the seconds to wait when nothing is left."""
    allowed, seconds = rate_of(scope)
    window, passed = divmod(time.time(), seconds)
    key = f"throttle:{scope}:{who}:{int(window)}"
    counts = caches[cache]
    try:
        used = counts.incr(key)
    except ValueError:  # the first of this window
        used = 1 if counts.add(key, 1, seconds) else counts.get(key, 1)
    return None if used <= allowed else seconds - passed


def rate_of(scope: str) -> tuple[int, int]:
    """`600/min` as (600, 60)."""
    count, _, period = str(api_settings.DEFAULT_THROTTLE_RATES[scope]).partition("/")
    return int(count), SECONDS[period[:1]]


class Allowance(BaseThrottle):
    scope: ClassVar[str]
    cache: ClassVar[str] = "memory"
    _wait: float | None = None

    def allow_request(self, request: Request, _view: "APIView") -> bool:
        self._wait = spend(self.scope_of(request), self.who(request), cache=self.cache)
        return self._wait is None

    def wait(self) -> float | None:
        return self._wait

    def scope_of(self, _request: Request) -> str:
        return self.scope

    def who(self, request: Request) -> str:
        return str(request.user.pk or f"@{self.get_ident(request)}")


class Requests(Allowance):
    """What holds for every call: generous for people and programs that have said who they are."""

    def scope_of(self, request: Request) -> str:
        return "user" if request.user.pk else "anon"


class Moves(Allowance):
    scope = "moves"


class SignUps(Allowance):
    """New accounts, and passwords tried, by address: whoever makes guests has many users."""

    scope = "signup"
    cache = "default"

    def who(self, request: Request) -> str:
        return f"@{self.get_ident(request)}"
