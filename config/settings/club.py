"""Settings that operators change without a restart: each declared once, with its words.

The environment has the defaults. `config.club` stores what operators chose and tells every process;
readers find it in `settings.CLUB`, `settings.LIMITS` and the rates of requests, which are in the
memory of their process. Form, validation and documentation come from the declarations here.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import environ
from django.core.exceptions import ImproperlyConfigured

from config.settings.limits import LIMITS, Changeable

RATE: Final = re.compile(r"[1-9][0-9]{0,6}/(sec|min|hour|day)")
LONGEST_READ_ONLY: Final = timedelta(days=1)
WHO: Final = {
    "everybody": "everybody, guests too",
    "registered": "people who are registered",
    "staff": "staff only",
}


@dataclass(frozen=True)
class Kind:
    """``parse`` raises ``ValueError`` for what is not ``allowed``; JSON stores what it gives."""

    allowed: str
    parse: Callable[[Any], Any]
    choices: Mapping[str, str] | None = None
    is_list: bool = False


@dataclass(frozen=True)
class Setting:
    name: str  # "<group>.<key>"
    title: str
    kind: Kind
    words: str = ""
    default: Any = None
    variable: str = ""  # of the environment

    @property
    def group(self) -> str:
        return self.name.partition(".")[0]

    @property
    def key(self) -> str:
        return self.name.partition(".")[2]


def _switch(value: Any) -> bool:
    if value in (True, "on", "true", "1"):
        return True
    if value in (False, "off", "false", "0"):
        return False
    raise ValueError


def _moment(value: Any) -> str | None:
    """ISO 8601; a time without a zone is UTC, as everywhere in the admin."""
    if not value:
        return None
    at = value if isinstance(value, datetime) else datetime.fromisoformat(str(value).strip())
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def _soon(value: Any) -> str | None:
    at = _moment(value)
    if at and datetime.fromisoformat(at) > datetime.now(UTC) + LONGEST_READ_ONLY:
        raise ValueError
    return at


def _rate(value: Any) -> str:
    if not RATE.fullmatch(str(value).strip()):
        raise ValueError
    return str(value).strip()


def _number(least: int, most: int) -> Kind:
    def parse(value: Any) -> int:
        number = int(str(value))
        if not least <= number <= most:
            raise ValueError
        return number

    return Kind(f"a whole number from {least} to {most:,}", parse)


def _choice(choices: Mapping[str, str]) -> Kind:
    def parse(value: Any) -> str:
        if value not in choices:
            raise ValueError
        return str(value)

    return Kind(" or ".join(choices), parse, choices)


def _slugs(value: Any) -> list[str]:
    """Which games there are only the service knows (`config.club.check`)."""
    names = value.replace(",", " ").split() if isinstance(value, str) else value
    if not all(isinstance(name, str) for name in names):
        raise ValueError
    return sorted(set(names))


SWITCH: Final = Kind("on or off", _switch, {"on": "on", "off": "off"})
MOMENT: Final = Kind("a time such as 2030-01-31 20:00 (UTC), or nothing", _moment)
SOON: Final = Kind("a time within the next 24 hours (UTC), or nothing", _soon)
A_RATE: Final = Kind("a rate such as 600/min (sec, min, hour, day)", _rate)
GAMES: Final = Kind("names of games here, with commas between them, or nothing", _slugs)

CLUB: Final = (
    Setting(
        "club.maintenance_from",
        "Maintenance from",
        MOMENT,
        "From then on no match begins; those that run go on. Every page says so before.",
    ),
    Setting(
        "club.maintenance_until",
        "Maintenance until",
        MOMENT,
        "Matches begin again then. Without a time when you empty the one above.",
    ),
    Setting(
        "club.read_only_until",
        "Read-only until",
        SOON,
        "Until then everything can be read and nothing written; clocks stand still.",
    ),
    Setting(
        "club.guests", "Guests", SWITCH, "Whether one plays without an account.", True, "GUESTS"
    ),
    Setting(
        "club.registration",
        "Registration",
        _choice({"open": "open to everybody", "closed": "closed"}),
        "Closed: accounts are made in the admin only. Guests that there are stay guests.",
        "open",
        "REGISTRATION",
    ),
    Setting(
        "club.games_off",
        "Games that are off",
        GAMES,
        "No match of theirs begins; those that run go on.",
        (),
        "GAMES_OFF",
    ),
    Setting("club.phrases", "Phrases at tables", SWITCH, "", True, "PHRASES"),
    Setting("club.rated", "Who may open rated matches", _choice(WHO), "", "everybody", "RATED_FOR"),
    Setting(
        "club.tournaments",
        "Who may hold tournaments",
        _choice(WHO),
        "",
        "everybody",
        "TOURNAMENTS_FOR",
    ),
    Setting(
        "club.webhooks", "Who may have webhooks", _choice(WHO), "", "everybody", "WEBHOOKS_FOR"
    ),
)


def club(env: environ.Env) -> Changeable[Any]:
    """CLUB: each of these by its key, as the environment has it."""
    values = {one.key: one.default for one in CLUB}
    for one in CLUB:
        if one.variable:
            values[one.key] = _from_environment(env, one)
    return Changeable(values)


def _from_environment(env: environ.Env, one: Setting) -> Any:
    if isinstance(one.default, bool):
        return env.bool(one.variable, default=one.default)
    text = env.str(one.variable, default="")
    try:
        return one.kind.parse(text) if text else one.default
    except ValueError:
        raise ImproperlyConfigured(f"{one.variable}={text} is not {one.kind.allowed}.") from None


def every_setting(rates: Mapping[str, str]) -> tuple[Setting, ...]:
    """The settings above, each limit of an account, each rate of requests."""
    limits = (
        Setting(
            f"limits.{name}",
            name.replace("_", " ").capitalize(),
            _number(0, 1_000_000),
            "",
            usual,
            variable,
        )
        for name, (variable, usual) in LIMITS.items()
    )
    of_requests = (
        Setting(
            f"rates.{name}",
            f"Requests: {name.replace('_', ' ')}",
            A_RATE,
            "",
            rate,
            f"THROTTLE_{name.upper()}",
        )
        for name, rate in rates.items()
    )
    return (*CLUB, *limits, *of_requests)
