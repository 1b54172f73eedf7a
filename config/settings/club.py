"""Settings that operators change without a restart: each declared once, with its words.

The environment has the defaults. `config.club` stores what operators chose and tells every process;
readers find it in `settings.CLUB`, `settings.LIMITS` and the rates of requests, which are in the
memory of their process. Form, validation and documentation come from the declarations here.
"""

import re
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import available_timezones

import environ
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import URLValidator, validate_email

from config.settings.limits import LIMITS, RETENTION, Changeable

RATE: Final = re.compile(r"[1-9][0-9]{0,6}/(sec|min|hour|day)")
LONGEST_READ_ONLY: Final = timedelta(days=1)
WHO: Final = {
    "everybody": "everybody, guests too",
    "registered": "people who are registered",
    "staff": "staff only",
}
SERVICE: Final = "Cardroom"  # what this service is called, also where the place has another name
LANGUAGES: Final = {"en": "English", "tr": "Türkçe", "ru": "Русский", "cs": "Čeština"}
BLOCKS: Final = ("table", "games", "doors", "running", "results")
LETTERS_ON_FELT: Final = "#d3dfd6"  # the faintest; tokens.css has both
LETTERS_ON_ACCENT: Final = "#ffffff"
LEAST_CONTRAST: Final = 4.5  # WCAG 2.2, level AA
LOGO_PIXELS: Final = 512
PNG: Final = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Kind:
    """``parse`` raises ``ValueError`` for what is not ``allowed``; JSON stores what it gives.

    ``known`` is what apps offer the names of a list by (`config.offers`). ``field`` is that of the
    form: ``line``, ``text``, ``colour`` or ``picture``.
    """

    allowed: str
    parse: Callable[[Any], Any]
    choices: Mapping[str, str] | None = None
    known: str = ""
    field: str = "line"


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


def _listed(what: str, known: str) -> Kind:
    return Kind(f"{what}, with commas between them, or nothing", _slugs, known=known)


def _some_of(names: Sequence[str], least: int) -> Kind:
    """Stored in the order of the names."""

    def parse(value: Any) -> list[str]:
        chosen = _slugs(value)
        if len(chosen) < least or not set(chosen) <= set(names):
            raise ValueError
        return [name for name in names if name in chosen]

    return Kind(f"some of {', '.join(names)}, with commas between them", parse)


def _words(least: int, most: int, field: str = "line") -> Kind:
    def parse(value: Any) -> str:
        words = str(value or "").replace("\r\n", "\n").strip()
        lines = words.split("\n") if field == "text" else [words]
        if not least <= len(words) <= most or not all(map(str.isprintable, lines)):
            raise ValueError
        return words

    return Kind(f"{least} to {most:,} characters", parse, field=field)


def _checked(allowed: str, *checks: Callable[[str], None]) -> Kind:
    """Nothing, or what one of Django's validators takes."""

    def parse(value: Any) -> str:
        text = str(value or "").strip()
        faults = []
        for check in checks if text else ():
            try:
                check(text)
            except ValidationError as fault:
                faults.append(fault)
        if text and len(faults) == len(checks):
            raise ValueError
        return text

    return Kind(allowed, parse)


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb`` (WCAG 2.2)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _colour(letters: str) -> Kind:
    def parse(value: Any) -> str:
        colour = str(value or "").strip().lower()
        if not colour:
            return ""
        if not re.fullmatch("#[0-9a-f]{6}", colour) or contrast(colour, letters) < LEAST_CONTRAST:
            raise ValueError
        return colour

    allowed = f"a colour such as #23654d on which {letters} has a contrast of {LEAST_CONTRAST}"
    return Kind(f"{allowed}, or nothing", parse, field="colour")


def _picture(value: Any) -> str:
    """A drawn logo (`config.pictures`), base64."""
    text = str(value or "")
    if text and not b64decode(text, validate=True).startswith(PNG):
        raise ValueError
    return text


def _zone(value: Any) -> str:
    if value not in available_timezones():
        raise ValueError
    return str(value)


SWITCH: Final = Kind("on or off", _switch, {"on": "on", "off": "off"})
MOMENT: Final = Kind("a time such as 2030-01-31 20:00 (UTC), or nothing", _moment)
SOON: Final = Kind("a time within the next 24 hours (UTC), or nothing", _soon)
A_RATE: Final = Kind("a rate such as 600/min (sec, min, hour, day)", _rate)
LOGO: Final = Kind(
    f"an SVG or a PNG of at most 48 kB; it is drawn as {LOGO_PIXELS} by {LOGO_PIXELS} points",
    _picture,
    field="picture",
)
ADDRESS: Final = _checked(
    "an address of mail, a web address, or nothing", validate_email, URLValidator(["http", "https"])
)
TEXT: Final = _words(0, 20_000, "text")

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
        _choice(
            {
                "open": "open to everybody",
                "confirmed": "by a confirmed address of mail",
                "invited": "by invitation",
                "closed": "closed",
            }
        ),
        "Links of invitation (Sign-up links) open all but the closed one, where accounts are made "
        "in the admin only. Guests that there are stay guests.",
        "open",
        "REGISTRATION",
    ),
    Setting(
        "club.games_off",
        "Games that are off",
        _listed("names of games here", "game_slugs"),
        "No match of theirs begins; those that run go on.",
        (),
        "GAMES_OFF",
    ),
    Setting(
        "club.presets_off",
        "Presets that are off",
        _listed("presets as game/preset", "preset_slugs"),
        "Nobody opens a match by such rules; those that run, and tournaments, go on.",
        (),
        "PRESETS_OFF",
    ),
    Setting(
        "club.bots_off",
        "Computers that are off",
        _listed("computers as game/computer", "bot_slugs"),
        "Nobody opens a match against them; those that run, and tournaments, go on.",
        (),
        "BOTS_OFF",
    ),
    Setting("club.phrases", "Phrases at tables", SWITCH, "", True, "PHRASES"),
    Setting(
        "club.phrases_off",
        "Phrases that are off",
        _listed("names of phrases and signs", "phrase_slugs"),
        "",
        (),
        "PHRASES_OFF",
    ),
    Setting(
        "club.simulations",
        "Simulations go on",
        SWITCH,
        "Off: those that run pause where they are, new ones wait.",
        True,
    ),
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
    Setting(
        "club.programs",
        "Who may have programs",
        _choice(WHO),
        "Bot accounts, and programs that people connect. Those that there are go on.",
        "everybody",
        "PROGRAMS_FOR",
    ),
)
OF_PLACE: Final = (
    Setting("club.name", "Name of the place", _words(1, 40), "", SERVICE, "CLUB_NAME"),
    Setting(
        "club.says_service",
        "Line about the service",
        SWITCH,
        f"At the foot of each page: Runs on {SERVICE}, with its version.",
        True,
    ),
    Setting("club.logo", "Logo", LOGO, "Also the icon of the app and of a browser's tab.", ""),
    Setting("club.felt", "Colour of the felt", _colour(LETTERS_ON_FELT), "Of every game.", ""),
    Setting("club.accent", "Colour of buttons", _colour(LETTERS_ON_ACCENT), "", ""),
    Setting("club.welcome", "Welcome", _words(0, 2000, "text"), "On the first page.", ""),
    Setting(
        "club.home", "Blocks of the first page", _some_of(BLOCKS, 0), "Below the welcome.", BLOCKS
    ),
    Setting("club.imprint", "Imprint", TEXT, "This and the next two are pages of their own.", ""),
    Setting("club.privacy", "Privacy", TEXT, "", ""),
    Setting("club.terms", "Terms", TEXT, "People who sign up agree to them.", ""),
    Setting(
        "club.terms_from",
        "Terms count from",
        MOMENT,
        "People who agreed before that are asked again, once. Set it when you change the terms.",
    ),
    Setting("club.contact", "Contact", ADDRESS, "", ""),
    Setting(
        "club.sender",
        "Sender of mail",
        _checked("an address of mail, or nothing for that of the environment", validate_email),
        "",
        "",
    ),
    Setting(
        "club.languages",
        "Languages offered",
        _some_of([*LANGUAGES], 1),
        "Of pages, for their readers; the API and the admin go on as they are.",
        tuple(LANGUAGES),
    ),
    Setting(
        "club.time_zone",
        "Time zone",
        Kind("a name such as Europe/Istanbul", _zone),
        "Of what the house plans, and of readers who have chosen none.",
        "UTC",
    ),
)


def club(env: environ.Env) -> Changeable[Any]:
    """CLUB: each of these by its key, as the environment has it."""
    values = {one.key: one.default for one in (*CLUB, *OF_PLACE)}
    for one in (*CLUB, *OF_PLACE):
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
    """The settings above, each limit of an account, each rate of requests, how long is kept."""
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
    kept = (
        Setting(
            f"retention.{name}", title, _number(0, 36_500), "Days; 0: for ever.", usual, variable
        )
        for name, (variable, usual, title) in RETENTION.items()
    )
    return (*CLUB, *OF_PLACE, *limits, *of_requests, *kept)
