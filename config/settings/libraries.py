"""Apps and middleware in their order, and the settings of libraries."""

from datetime import timedelta
from typing import Any, Final

import environ
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy

from config.settings.club import SERVICE
from config.settings.limits import Changeable

BACKENDS: Final = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
HASHERS: Final = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
VALIDATORS: Final = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
FORMS: Final = {
    "login": "accounts.web.SignInForm",
    "signup": "accounts.web.SignUpForm",
    "change_password": "accounts.web.ChangePasswordForm",
    "reset_password_from_key": "accounts.web.ResetPasswordForm",
}


def knox(env: environ.Env) -> dict[str, Any]:
    """REST_KNOX: how keys are sent and how long they last."""
    return {
        "SECURE_HASH_ALGORITHM": "hashlib.sha512",
        "AUTH_HEADER_PREFIX": "Token",
        "TOKEN_TTL": timedelta(days=env.int("KEY_DAYS", default=365)),
        "TOKEN_LIMIT_PER_USER": env.int("KEYS_PER_USER", default=100),
        "AUTO_REFRESH": False,
    }


# Who signs in how: the staff's second factor, and a provider of the club's own.

ROLES: Final = ("viewer", "referee", "administrator")  # as accounts.staff_pages has them
PROVIDER: Final = "club"  # in the addresses that the provider leads back to


def second_factor(env: environ.Env, *, usual: bool) -> bool | tuple[str, ...]:
    """STAFF_SECOND_FACTOR: of everybody on the staff, nobody, or some roles."""
    words = [word.strip() for word in env.list("STAFF_SECOND_FACTOR", default=[]) if word.strip()]
    if words and set(words) <= set(ROLES):
        return tuple(words)
    try:
        return bool(env.bool("STAFF_SECOND_FACTOR", default=usual))
    except ImproperlyConfigured:
        raise ImproperlyConfigured(
            f"STAFF_SECOND_FACTOR={','.join(words)} is not true, false, or roles with commas "
            f"between them ({', '.join(ROLES)})."
        ) from None


def oidc(env: environ.Env, client_secret: str) -> dict[str, Any]:
    """OIDC: the provider, how its groups are called here, and whom it brings."""
    roles = {}
    for pair in filter(None, env.list("OIDC_ROLES", default=[])):
        group, _, role = pair.strip().partition("=")
        if not group or role not in ROLES:
            raise ImproperlyConfigured(
                f"OIDC_ROLES: {pair} is not a group and its role, such as board=administrator "
                f"(roles: {', '.join(ROLES)})."
            )
        roles[group] = role
    server = env.str("OIDC_SERVER", default="").rstrip("/")
    client = env.str("OIDC_CLIENT_ID", default="")
    if server and not (server.startswith(("https://", "http://")) and client and client_secret):
        raise ImproperlyConfigured(
            "OIDC_SERVER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET beside it, and is an address "
            "such as https://id.example.org/realms/club."
        )
    return {
        "server": server,
        "client": client,
        "secret": client_secret,
        "name": env.str("OIDC_NAME", default="") or "OpenID Connect",
        "claim": env.str("OIDC_GROUPS", default="") or "groups",
        "roles": roles,
        "signup": env.bool("OIDC_SIGNUP", default=True),
    }


def providers(one: dict[str, Any]) -> dict[str, Any]:
    """SOCIALACCOUNT_PROVIDERS; none without a server."""
    if not one["server"]:
        return {}
    app = {
        "provider_id": PROVIDER,
        "name": one["name"],
        "client_id": one["client"],
        "secret": one["secret"],
        "settings": {"server_url": one["server"], "oauth_pkce_enabled": True},
    }
    return {"openid_connect": {"APPS": [app]}}


# Settings of REST framework and drf-spectacular: strict JSON, problems, the OpenAPI document.


def rest_framework(env: environ.Env) -> dict[str, Any]:
    """REST_FRAMEWORK; the limits come from the environment."""
    signup = env.str("THROTTLE_SIGNUP", default="120/hour")
    return {
        "DEFAULT_AUTHENTICATION_CLASSES": [
            "accounts.signing_in.KeyAuthentication",
            "rest_framework.authentication.SessionAuthentication",
        ],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
        "DEFAULT_RENDERER_CLASSES": ["config.api.json.MsgspecRenderer"],
        "DEFAULT_PARSER_CLASSES": ["config.api.json.MsgspecParser"],
        "DEFAULT_CONTENT_NEGOTIATION_CLASS": "config.api.json.JsonOrText",
        "DEFAULT_SCHEMA_CLASS": "config.api.document.CardroomSchema",
        "DEFAULT_THROTTLE_CLASSES": ["config.api.throttles.Requests"],
        "DEFAULT_THROTTLE_RATES": Changeable(
            {
                "anon": env.str("THROTTLE_ANON", default="600/min"),
                "user": env.str("THROTTLE_USER", default="6000/min"),
                "moves": env.str("THROTTLE_MOVES", default="18000/min"),
                # Seconds of a processor for checking records.
                "checks": env.str("THROTTLE_CHECKS", default="10/min"),
                # THROTTLE_SIGNUP is the name that both had until they were separate.
                "guests": env.str("THROTTLE_GUESTS", default=signup),
                "registrations": env.str("THROTTLE_REGISTRATIONS", default=signup),
                "loads": env.str("THROTTLE_LOADS", default="120/hour"),
                "pictures": env.str("THROTTLE_PICTURES", default="60/min"),
                "wrong_codes": env.str("THROTTLE_WRONG_CODES", default="40/hour"),
                "wrong_passwords": env.str("THROTTLE_WRONG_PASSWORDS", default="120/hour"),
            }
        ),
        "EXCEPTION_HANDLER": "config.api.errors.problem_handler",
        "TEST_REQUEST_DEFAULT_FORMAT": "json",
    }


DOCUMENT = {
    "TITLE": SERVICE,
    "DESCRIPTION": "Persistent matches of turn-based card games.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "CONTACT": {"name": "The operator of this service"},
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "SERVERS": [{"url": "/", "description": "This service"}],
    "TAGS": [
        {"name": "catalogue", "description": "For everybody: the games and their bots."},
        {"name": "accounts", "description": "For people and programs: accounts and their keys."},
        {"name": "playing", "description": "For players and bots: open, join and play matches."},
        {"name": "watching", "description": "For players, bots and spectators: what happens."},
        {"name": "records", "description": "For collectors and sceptics: records of matches."},
        {"name": "decks", "description": "Side decks: craft, share, choose."},
        {"name": "tournaments", "description": "For players: tournaments, and leagues."},
        {"name": "exercises", "description": "For learners: positions with one best move."},
        {"name": "simulations", "description": "For authors of strategies: many matches at once."},
        {"name": "webhooks", "description": "What a program of yours is called with."},
    ],
    "POSTPROCESSING_HOOKS": [
        "games.api.document.describe_webhooks",
        "games.api.document.describe_games",
        "games.api.docs.show_examples",
        "games.api.docs.show_links",
        "config.api.document.finish",
    ],
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": False,
    "COMPONENT_SPLIT_PATCH": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    # No links inside the buttons that open an operation.
    "SWAGGER_UI_SETTINGS": {"deepLinking": False},
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# How django-unfold shows the admin: its name, and the way to each page by the work.


def _name(_request: HttpRequest) -> str:
    return str(settings.CLUB["name"])


def _icon(_request: HttpRequest) -> str:
    return static("games/img/favicon.svg")


def _zone(_request: HttpRequest) -> list[str]:
    """On every page, since lists name no zone with each time."""
    return [settings.TIME_ZONE, "info"]


def _accent(_request: HttpRequest) -> str:
    return static("games/css/admin_theme.css")


def _page(title: str, icon: str, model: str, right: str = "") -> dict[str, Any]:
    app, name = model.split(".")

    def allowed(request: HttpRequest) -> bool:
        return bool(request.user.has_perm(right or f"{app}.view_{name}"))

    link = reverse_lazy(f"admin:{app}_{name}_changelist")
    return {"title": title, "icon": icon, "link": link, "permission": allowed}


def _group(title: str, *pages: dict[str, Any]) -> dict[str, Any]:
    return {"title": title, "separator": True, "items": list(pages)}


NAVIGATION = [
    {
        "items": [
            {"title": "Dashboard", "icon": "monitoring", "link": reverse_lazy("admin:index")},
            {
                "title": "What is wrong",
                "icon": "health_and_safety",
                "link": reverse_lazy("admin:health"),
                "permission": lambda request: bool(request.user.has_perm("games.view_match")),
            },
            {
                "title": "How is it going",
                "icon": "trending_up",
                "link": reverse_lazy("admin:numbers"),
                "permission": lambda request: bool(request.user.has_perm("games.view_match")),
            },
        ]
    },
    _group(
        "Matches",
        _page("Matches", "playing_cards", "games.match"),
        _page("Reports", "flag", "operations.playerreport"),
        _page("Undo", "undo", "operations.undoable"),
        _page("Bulk runs", "checklist", "operations.bulkrun"),
        _page("Plies", "format_list_numbered", "games.ply"),
        _page("Rounds", "bookmark", "games.round"),
        _page("Seats", "event_seat", "games.seat"),
        _page("Seeks", "person_search", "lobby.seek"),
        _page("Challenges", "swords", "lobby.challenge"),
        _page("Deals of the day", "today", "daily.dailydeal"),
        _page("Mirrored sets", "compare_arrows", "mirrored.mirroredset"),
        _page("Tournaments", "trophy", "competitions.tournament"),
        _page("Weeks of leagues", "stairs", "leagues.week"),
        _page("Lines of leagues", "format_list_numbered", "leagues.line"),
        _page("Members of leagues", "groups", "leagues.membership"),
        _page("Exercises", "extension", "exercises.exercise"),
        _page("Answers to exercises", "quiz", "exercises.attempt"),
    ),
    _group(
        "People",
        _page("People", "group", "operations.person"),
        _page("Accounts and rights", "manage_accounts", "accounts.user"),
        _page("Blocks of registration", "block", "accounts.registrationblock"),
        _page("Bot accounts", "smart_toy", "bot_accounts.program"),
        _page("Keys", "key", "accounts.key"),
        _page("Roles", "badge", "auth.group"),
    ),
    _group(
        "Ratings",
        _page("Ratings of people", "leaderboard", "ratings.personrating"),
        _page("Rated matches", "balance", "ratings.ratedmatch"),
        {
            "title": "Farms, pairs, doubles",
            "icon": "handshake",
            "link": reverse_lazy("admin:ratings_personrating_pairs"),
            "permission": lambda request: bool(request.user.has_perm("ratings.view_personrating")),
        },
    ),
    _group(
        "Decks",
        _page("Side decks", "style", "decks.deck"),
        _page("Measurements", "straighten", "decks.measurement"),
    ),
    _group(
        "Simulations",
        _page("Simulations", "experiment", "games.simulation"),
        _page("Parts", "splitscreen", "games.simulationpart"),
    ),
    _group(
        "Club",
        _page("Announcements", "campaign", "config.announcement"),
        _page("Settings", "tune", "config.settingchange"),
        _page("Sign-up links", "link", "accounts.signuplink"),
        _page("Jobs", "work_history", "config.trouble"),
    ),
    _group(
        "System",
        _page("Audit log", "policy", "audit.entry"),
        _page("Replay audits", "replay", "operations.replayaudit"),
        _page("Exports and archives", "inventory_2", "exports.recordfile"),
        _page("Deliveries", "outgoing_mail", "notifications.delivery"),
        _page("What people are told", "notifications", "notifications.cause"),
        _page("Webhooks", "webhook", "notifications.endpoint"),
        _page("Holidays", "beach_access", "hours.holiday"),
        _page("Analyses", "school", "coaching.analysis"),
        _page("Matches looked through", "search_insights", "exercises.scan"),
        _page("Clean-ups", "cleaning_services", "operations.cleanup"),
        _page("Backups", "backup", "operations.backup"),
        {
            "title": "Games",
            "icon": "casino",
            "link": reverse_lazy("admin:games_match_games"),
            "permission": lambda request: bool(request.user.has_perm("games.view_match")),
        },
        _page("Failed sign-ins", "lock_person", "axes.accessattempt"),
    ),
]

THEME = {
    "SITE_TITLE": _name,
    "SITE_HEADER": _name,
    "ENVIRONMENT": _zone,
    "SITE_ICON": _icon,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _icon}],
    "STYLES": [_accent],
    "DASHBOARD_CALLBACK": "games.admin.club.context",
    "SIDEBAR": {"show_search": False, "show_all_applications": False, "navigation": NAVIGATION},
}

# Which apps and middleware there are, in their order.

APPS = [
    "unfold.apps.BasicAppConfig",  # the site is accounts.admin_site
    "unfold.contrib.filters",
    "accounts.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "config.apps.StaticFilesConfig",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "accounts.apps.AccountsConfig",  # before allauth: its templates come first
    "accounts.apps.SocialConfig",
    "accounts.apps.ProgramsConfig",
    "accounts.apps.AuditConfig",
    "accounts.apps.NotificationsConfig",
    "accounts.apps.HoursConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.idp.oidc",
    "knox",
    "axes",
    "config.apps.ConfigConfig",
    "decks",
    "games.apps.GamesConfig",
    "games.apps.ExportsConfig",
    "games.apps.CalendarsConfig",
    "games.apps.CoachingConfig",
    "games.apps.DailyConfig",
    "games.apps.ExercisesConfig",
    "games.apps.IdleConfig",
    "games.apps.CompetitionsConfig",
    "games.apps.LobbyConfig",
    "games.apps.MirroredConfig",
    "games.apps.PeopleConfig",
    "games.apps.PhrasesConfig",
    "games.apps.BotAccountsConfig",
    "games.apps.OperationsConfig",
    "games.apps.RatingsConfig",
    "games.apps.LeaguesConfig",
]

MIDDLEWARE_IN_ORDER = [
    "config.telemetry.requests.monitor_requests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.pages.middleware.OtherSites",
    "config.pages.middleware.Compression",
    "config.pages.middleware.problems_as_text",
    "config.pages.middleware.way_back",
    "config.pages.middleware.keep_private",
    "config.pages.middleware.Policy",
    "config.pages.middleware.SessionCookie",
    "config.pages.middleware.Language",
    "games.web.parts.visitor.Letters",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.pages.middleware.keep_form_cookie",  # looks at what the one above notes on the request,
    "accounts.visitors.name_visitors",  # and so does this one, before
    "config.pages.middleware.StorableText",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.visitors.show_local_times",
    "accounts.visitors.ask_consent",
    "accounts.visitors.record_sessions",
    "accounts.visitors.SuspendedPeople",
    "accounts.visitors.KeepChoice",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.club.ReadsOnly",
    "config.pages.middleware.RefusedPage",
    "accounts.visitors.GuestsSignUpFirst",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",  # django-axes wants to be last
]
