"""Options tried out before people play by them: a page needs them, a worker plays, a cache keeps.

The result depends on the game, its rules and the options alone, so it is kept for everybody.
Matches that hardly ever end are not rated (``games.matches.rating``).
"""

import hashlib
from dataclasses import dataclass, field
from time import monotonic, time

import msgspec
import redis
from celery import current_app
from django.core.cache import cache

from cardroom.arena import compiled_code
from cardroom.arena.reports import MATCHES, Forecast, forecast
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options
from config.tasks import after_commit
from config.tasks.queues import SLOW
from config.telemetry import work

# The announcement of options to be tried out.

TRY = "games.simulations.tasks.try_options"


@dataclass(frozen=True)
class OptionsWaiting:
    """A form with these options is open: they are worth trying for so many seconds."""

    game: str
    options: str
    seconds: int
    request_id: str = field(default_factory=work.request_id, compare=False)

    def send(self, _broker: "redis.Redis") -> None:
        arguments = [self.game, self.options]
        with work.working_for(self.request_id):
            current_app.send_task(
                TRY, args=arguments, queue=SLOW, expires=self.seconds, retry=False
            )


def announce_options(game: str, options: str, seconds: int) -> None:
    """Sends options to a worker to be tried out; ``options`` are those of the game as JSON."""
    after_commit.announce(OptionsWaiting(game, options, seconds))


KEPT_SECONDS = 7 * 86_400
AGAIN_SECONDS = 3600  # not all matches were played in time: perhaps a kernel can later
WAITING_SECONDS = 30  # then a lost request is sent again
STARTED_A_MINUTE = 60  # by everybody together: each may take a worker for a moment
SECONDS = 0.8
MAY_NEVER_END = 0.25  # of the matches, for rules by which rated ones are played


def forecast_of(game: AnyGame, options: Options) -> Forecast | None:
    """The ends of matches by these options; None while a worker tries them."""
    name = _name(game, options)
    kept = cache.get(name)
    if kept is not None:
        return msgspec.convert(kept, Forecast)
    if cache.add(f"{name}:waiting", 1, WAITING_SECONDS) and _may_start():
        announce_options(game.slug, msgspec.json.encode(options).decode(), WAITING_SECONDS)
    return None


def may_be_rated(game: AnyGame, options: Options) -> bool | None:
    """Whether enough matches by these options end; None while a worker tries them."""
    if not game.may_be_stopped(options):
        return True
    tried = forecast_of(game, options)
    return None if tried is None else ends(tried)


def ends(tried: Forecast) -> bool:
    return tried.endless <= MAY_NEVER_END


def try_options(slug: str, chosen: str) -> Forecast:
    """Plays with the options and keeps the forecast."""
    compiled_code.prepare()  # before the clock starts
    game = catalog.find(slug)
    options = game.decode_options(chosen.encode())
    name, until = _name(game, options), monotonic() + SECONDS
    tried = forecast(game, options, lambda: monotonic() > until)
    seconds = KEPT_SECONDS if tried.matches >= MATCHES else AGAIN_SECONDS
    cache.set(name, msgspec.to_builtins(tried), seconds)
    cache.delete(f"{name}:waiting")
    return tried


def _name(game: AnyGame, options: Options) -> str:
    chosen = msgspec.json.encode(options)
    digest = hashlib.sha256(chosen).hexdigest()[:32]
    return f"forecast:1:{game.slug}:{game.rules_version}:{digest}"


def _may_start() -> bool:
    minute = f"forecasts:{int(time() // 60)}"
    cache.add(minute, 0, 120)
    return int(cache.incr(minute)) <= STARTED_A_MINUTE
