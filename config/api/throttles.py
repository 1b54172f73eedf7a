"""Limits of requests: so many in a window, by user, or by address without one.

There is one number for each caller and window; rates are settings (`DEFAULT_THROTTLE_RATES`).
Requests and moves are counted in memory (`config.counting`), so that no request pays for a
round trip. New accounts and wrong passwords, which somebody might spread over many processes, are
counted in the cache.
"""

import math
import time
from contextlib import suppress
from functools import cache as kept
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from django.core.cache import BaseCache, caches
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from config.counting import client_address

if TYPE_CHECKING:  # the views import their throttles first
    from rest_framework.views import APIView

SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Taken(NamedTuple):
    """An allowance after a request was taken from it; the window ends in ``left`` seconds."""

    allowed: int
    used: int
    left: float

    @property
    def wait(self) -> float | None:
        """The seconds to wait when nothing was left."""
        return None if self.used <= self.allowed else self.left

    @property
    def remaining(self) -> int:
        return max(0, self.allowed - self.used)

    def headers(self) -> dict[str, str]:
        """The headers of answers; ``RateLimit-Reset`` counts seconds."""
        return {
            "RateLimit-Limit": str(self.allowed),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(math.ceil(self.left)),
        }

    def raw_headers(self) -> list[tuple[bytes, bytes]]:
        """The same for a door in front of Django, where a move pays for every call."""
        allowed, used, left = self
        return [
            (b"ratelimit-limit", b"%d" % allowed),
            (b"ratelimit-remaining", b"%d" % (allowed - used if used < allowed else 0)),
            (b"ratelimit-reset", b"%d" % math.ceil(left)),
        ]


def take(scope: str, who: str, *, cache: str = "memory", amount: int = 1) -> Taken:
    """Take one request, or what it costs, from the caller's allowance."""
    allowed, seconds = rate_of(scope)
    key, left = _window(scope, who, seconds)
    counts = _counts(cache)
    try:
        used = counts.incr(key, amount)
    except ValueError:  # the first of this window
        used = amount if counts.add(key, amount, seconds) else counts.get(key, amount)
    return Taken(allowed, used, left)


def spend(scope: str, who: str, *, cache: str = "memory", amount: int = 1) -> float | None:
    """The same; the seconds to wait when nothing was left."""
    return take(scope, who, cache=cache, amount=amount).wait


def give_back(scope: str, who: str, *, cache: str = "memory") -> None:
    """Takes one ``spend`` back: the request is counted elsewhere."""
    key, _ = _window(scope, who, rate_of(scope)[1])
    with suppress(ValueError):  # the window has just ended
        _counts(cache).incr(key, -1)


def seconds_until_allowed(
    scope: str, who: str, *, cache: str = "memory", unit: int = 1
) -> float | None:
    """The same for the next request, without taking anything."""
    allowed, seconds = rate_of(scope)
    key, left = _window(scope, who, seconds)
    return None if _counts(cache).get(key, 0) < allowed * unit else left


@kept
def _counts(cache: str) -> BaseCache:
    """One for the whole process; Django makes one for each thread and each request of a loop."""
    return caches[cache]


def _window(scope: str, who: str, seconds: int) -> tuple[str, float]:
    """The name of the count of this window, and the seconds until it ends."""
    window, passed = divmod(time.time(), seconds)
    return f"throttle:{scope}:{who}:{int(window)}", seconds - passed


def rate_of(scope: str) -> tuple[int, int]:
    return _parsed(api_settings.DEFAULT_THROTTLE_RATES[scope])


@kept
def _parsed(rate: str) -> tuple[int, int]:
    """`600/min` as (600, 60)."""
    count, _, period = rate.partition("/")
    return int(count), SECONDS[period[:1]]


def _note(request: Request, taken: Taken) -> None:
    """For the answer (``config.api.throttles``), which names the allowance that ends first."""
    plain: Any = request._request  # noqa: SLF001 - the middleware sees Django's own
    known = getattr(plain, "rate_limit", None)
    if known is None or taken.remaining < known.remaining:
        plain.rate_limit = taken


class Allowance(BaseThrottle):
    scope: ClassVar[str]
    cache: ClassVar[str] = "memory"
    _wait: float | None = None

    def allow_request(self, request: Request, _view: "APIView") -> bool:
        taken = take(self.scope_of(request), self.who(request), cache=self.cache)
        _note(request, taken)
        self._wait = taken.wait
        return self._wait is None

    def wait(self) -> float | None:
        return self._wait

    def get_ident(self, request: Request) -> str:
        return client_address(request)

    def scope_of(self, _request: Request) -> str:
        return self.scope

    def who(self, request: Request) -> str:
        return str(request.user.pk or f"@{self.get_ident(request)}")


class Requests(Allowance):
    """The limit of every call: generous for people and programs that are signed in."""

    def scope_of(self, request: Request) -> str:
        return "user" if request.user.pk else "anon"


class Moves(Allowance):
    scope = "moves"


class ByAddress(Allowance):
    """By address, for every caller: one machine may have many users. Reads are not counted.

    Pages take from the same allowances as the API.
    """

    cache = "default"

    def allow_request(self, request: Request, view: "APIView") -> bool:
        return request.method in SAFE_METHODS or super().allow_request(request, view)

    def who(self, request: Any) -> str:
        return f"@{client_address(request)}"

    @classmethod
    def take(cls, request: Any) -> float | None:
        """Like ``spend``; takes a request of Django's too."""
        return spend(cls.scope, cls().who(request), cache=cls.cache)

    @classmethod
    def seconds_left(cls, request: Any) -> float | None:
        return seconds_until_allowed(cls.scope, cls().who(request), cache=cls.cache)


class NewGuests(ByAddress):
    scope = "guests"


class Registrations(ByAddress):
    scope = "registrations"


class ByPerson(ByAddress):
    """By account; guests by address, because one machine may open any number of them."""

    def who(self, request: Any) -> str:
        is_guest = getattr(request.user, "is_guest", True)
        return super().who(request) if is_guest else str(request.user.pk)


class Loads(ByPerson):
    scope = "loads"


class Pictures(ByAddress):
    """Pictures that are drawn, for readers who have no account too."""

    scope = "pictures"


class ProcessorTime(ByPerson):
    """Limits the processor time of calls instead of their number: so many seconds in a window.

    The call reports the time that it took (`used`).
    """

    unit: ClassVar[int] = 1000  # counted in milliseconds

    def allow_request(self, request: Request, _view: "APIView") -> bool:
        if request.method not in SAFE_METHODS:
            who = self.who(request)
            self._wait = seconds_until_allowed(self.scope, who, cache=self.cache, unit=self.unit)
        return self._wait is None

    @classmethod
    def used(cls, request: Request, seconds: float) -> None:
        """``seconds`` may be negative, if too much was counted before."""
        amount = round(cls.unit * seconds)
        spend(cls.scope, cls().who(request), cache=cls.cache, amount=amount)


class RecordChecks(ProcessorTime):
    scope = "checks"


class WrongCodes(ByAddress):
    """Sitting down by the code of a screen: only wrong ones count, where they are looked up."""

    scope = "wrong_codes"


class WrongPasswords(ByAddress):
    """Signing in: only failures count, and they are counted where they happen."""

    scope = "wrong_passwords"

    def allow_request(self, request: Request, _view: "APIView") -> bool:
        if request.method not in SAFE_METHODS:
            self._wait = self.seconds_left(request)
        return self._wait is None
