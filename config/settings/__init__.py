"""Every setting, from the environment. The defaults are those of production.

One machine (`manage.py serve`, or no DATABASE_URL at all) finds Postgres, Valkey and the secret
key in the state folder; everywhere else they have to be named. Every name is assigned here, in
plain sight; long values stand beside this file, a file a library.
"""

from pathlib import Path

import django_stubs_ext
from corsheaders.defaults import default_headers
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse_lazy
from whitenoise.compress import Compressor

from config.counting import caches
from config.environment import Environment
from config.host import crew, embedded
from config.settings.addresses import (
    ENTRIES,
    POLICY,
    POSTGRES,
    VALKEY,
    check_database_url,
    check_valkey_url,
    database,
    redis_url,
    secret,
    with_password,
)
from config.settings.club import LANGUAGES as LANGUAGE_NAMES
from config.settings.club import club
from config.settings.libraries import (
    APPS,
    BACKENDS,
    DOCUMENT,
    FORMS,
    HASHERS,
    MIDDLEWARE_IN_ORDER,
    THEME,
    VALIDATORS,
    knox,
    oidc,
    providers,
    rest_framework,
    second_factor,
)
from config.settings.limits import (
    backups,
    limits,
    mail,
    outward,
    retention,
    site_url,
    wait_seconds,
)
from config.telemetry.logs import logging_config

django_stubs_ext.monkeypatch()  # `UserAdmin[User]` is a type; let Python read it too

BASE_DIR = Path(__file__).resolve().parent.parent.parent

env = Environment()
Environment.read_env(BASE_DIR / ".env")

STATE = Path(env.str("CARDROOM_STATE", default="") or BASE_DIR / "var").resolve()
ONE_MACHINE = env.bool("CARDROOM_ONE_MACHINE", default="DATABASE_URL" not in env)
DEBUG = env.bool("DEBUG", default=False)


def secret_key() -> str:
    named = secret(env, "SECRET_KEY")
    if named:
        return named
    if ONE_MACHINE:
        return embedded.secret_key(STATE)
    raise ImproperlyConfigured(
        "SECRET_KEY (or SECRET_KEY_FILE) is not set. Give every process of this installation the "
        "same long random value, for example from: "
        "python -c 'import secrets; print(secrets.token_urlsafe(50))'"
    )


def named(name: str, example: str) -> str:
    """A variable that only one machine, which has servers of its own, can do without."""
    value: str = env.str(name, default="")
    if not value and not (ONE_MACHINE or DEBUG):
        raise ImproperlyConfigured(f"{name} is not set, for example {name}={example}")
    return value


# --- hosts, HTTPS and cookies

SECRET_KEY = secret_key()
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
named("ALLOWED_HOSTS", "cards.example.org")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=LOCAL_HOSTS)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
HTTPS = env.bool("HTTPS", default=not (ONE_MACHINE or DEBUG))
SECURE_SSL_REDIRECT = HTTPS and env.bool("SSL_REDIRECT", default=True)
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=3600 if HTTPS else 0)
# Only the operator knows whether every other host of the domain speaks HTTPS too.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", default=False)
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_PROXY", default=False) else None
)
# How many proxies stand in front, and the header that each appends its caller's address to
# (config.counting). 0: nobody's word is taken for where a request comes from.
PROXIES = env.int("PROXIES", default=0)
PROXY_HEADER = env.str("PROXY_HEADER", default="X-Forwarded-For")
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 180 * 24 * 3600  # without it a guest cannot come back
SESSION_ENGINE = "django.contrib.sessions.backends.db"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = env.int("BODY_LIMIT", default=64 * 1024)
METRICS_TOKEN = secret(env, "METRICS_TOKEN")
METRICS_ADDRESSES = env.list("METRICS_ADDRESSES", default=["127.0.0.1", "::1"])

CONTENT_SECURITY_POLICY = POLICY

# --- apps and middleware

INSTALLED_APPS = APPS
MIDDLEWARE = MIDDLEWARE_IN_ORDER
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "django.template.loaders.app_directories.Loader",
                        "games.outside.OutsideTemplates",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.club.of_pages",
            ],
        },
    },
]

# --- Postgres

WEB_PROCESSES = env.int("WEB_PROCESSES", default=crew.usual_web_processes(one_machine=ONE_MACHINE))
WEB_THREADS = env.int("WEB_THREADS", default=8)
DATABASE_URL = named("DATABASE_URL", POSTGRES)
OWN_DATABASE = not DATABASE_URL  # on the disk of the state folder
if DATABASE_URL:
    check_database_url(DATABASE_URL)
DATABASE_DISK_GB = env.float("DATABASE_DISK_GB", default=0)  # elsewhere; 0: nobody knows
DATABASE_URL = DATABASE_URL or embedded.database_url(STATE)
DATABASES = {"default": database(env, DATABASE_URL, threads=WEB_THREADS)}
# The same past a pooler, for what keeps locks or settings of a session: migrations, backups.
DIRECT_DATABASE = {}
if DATABASE_DIRECT_URL := env.str("DATABASE_DIRECT_URL", default=""):
    check_database_url(DATABASE_DIRECT_URL, "DATABASE_DIRECT_URL")
    there = database(env, DATABASE_DIRECT_URL, threads=WEB_THREADS)
    DIRECT_DATABASE = {entry: there[entry] for entry in (*ENTRIES, "OPTIONS")}
# Lists that may be a second old are read from these (config.postgres.replicas); spaces between.
for number, url in enumerate(env.str("REPLICA_URL", default="").split(), start=1):
    check_database_url(url, "REPLICA_URL")
    DATABASES[f"replica{number}"] = database(env, url, threads=WEB_THREADS, is_primary=False)
DATABASE_ROUTERS = ["config.postgres.replicas.Router"] if len(DATABASES) > 1 else []
if DATABASE_PASSWORD := secret(env, "DATABASE_PASSWORD"):
    for one in (*DATABASES.values(), *filter(None, [DIRECT_DATABASE])):
        one["PASSWORD"] = DATABASE_PASSWORD
# Whether code starts on a schema that is newer than it: after `docker/upgrade back`.
NEWER_SCHEMA = env.bool("NEWER_SCHEMA", default=(STATE / "newer-schema").exists())
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Valkey: tasks, live tables, counts of requests

if VALKEY_URL := named("VALKEY_URL", VALKEY):
    check_valkey_url(VALKEY_URL)
VALKEY_URL = with_password(
    redis_url(VALKEY_URL or embedded.valkey_url(STATE)), secret(env, "VALKEY_PASSWORD")
)
CACHES = caches(VALKEY_URL)

# --- accounts

AUTH_USER_MODEL = "accounts.User"
SILENCED_SYSTEM_CHECKS = [
    "auth.W004",  # usernames are unique, by a constraint on their upper case
    *("security.W005", "security.W021"),  # HSTS_SUBDOMAINS, HSTS_PRELOAD: the operator's choice
]
AUTHENTICATION_BACKENDS = BACKENDS
PASSWORD_HASHERS = HASHERS
AUTH_PASSWORD_VALIDATORS = VALIDATORS
LOGIN_URL = reverse_lazy("account_login")
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

# Sign-ins and sign-ups are limited by accounts.signing_in and config.api.throttles. This
# counts wrong codes of a second factor, by account.
WRONG_CODES = env.str("WRONG_CODES", default="8/15m")
# Whether the admin lets staff in only with a second factor.
STAFF_SECOND_FACTOR = second_factor(env, usual=not (ONE_MACHINE or DEBUG))

# Of allauth: accounts on the pages, and the second factor everywhere.
ACCOUNT_ADAPTER = "accounts.visitors.Adapter"
ACCOUNT_FORMS = FORMS
ACCOUNT_SIGNUP_REDIRECT_URL = reverse_lazy("welcome")
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = env.str("EMAIL_VERIFICATION", default="none")
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_RATE_LIMITS = {"login": None, "signup": None, "login_failed": f"{WRONG_CODES}/key"}
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # accounts.web redirects registered users
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # browsers have passkeys on localhost then
MFA_ALLOW_UNVERIFIED_EMAIL = True  # nobody signs in by e-mail here
MFA_ADAPTER = "accounts.visitors.SecondFactor"

# A provider of the club's own (accounts.single_sign_on). The way to it is a link: a form may lead
# to this site only, by the policy of its pages.
OIDC = oidc(env, secret(env, "OIDC_CLIENT_SECRET"))
SOCIALACCOUNT_PROVIDERS = providers(OIDC)
SOCIALACCOUNT_ADAPTER = "accounts.single_sign_on.Adapter"
SOCIALACCOUNT_LOGIN_ON_GET = True
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
# A sign-in elsewhere is connected after the password: a link of another site does not.
SOCIALACCOUNT_REAUTHENTICATION_REQUIRED = True

# Of axes: a person who typed too many wrong passwords waits.
AXES_FAILURE_LIMIT = env.int("LOGIN_FAILURE_LIMIT", default=8)
AXES_COOLOFF_TIME = env.float("LOGIN_COOLOFF_HOURS", default=0.25)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_LOCKOUT_CALLABLE = "accounts.signing_in.lockout_response"
AXES_USERNAME_CALLABLE = "accounts.signing_in.lower_username"
AXES_CLIENT_IP_CALLABLE = "config.counting.client_address"

# Of knox: keys.
KNOX_TOKEN_MODEL = "accounts.Key"  # noqa: S105 (a model)
MIGRATION_MODULES = {"knox": None}  # its own table is not used
REST_KNOX = knox(env)

# --- the way of a move: what answers before Django, how many matches a web process keeps decoded

EXPRESS_DOOR = "games.api.express.ExpressDoor"
IDEMPOTENT_ANSWERS = "accounts.answers.answered_once"  # keeps what config.api.operations repeats
KEPT_MATCHES = env.int("KEPT_MATCHES", default=4096)

# --- finished matches of an account that may play the deal of the day: a second one costs as many

DAILY_FINISHED_MATCHES = env.int("DAILY_FINISHED_MATCHES", default=5)
# Public matches that are looked through for exercises in a night; 0: none.
EXERCISE_MATCHES_A_NIGHT = env.int("EXERCISE_MATCHES_A_NIGHT", default=40)

# --- how much one account may have at a time

LIMITS = limits(env)
CLUB = club(env)  # what operators change without a restart (config.club)
WAIT_SECONDS = wait_seconds(env)
RETENTION = retention(env)
BACKUPS = backups(env, STATE)
STREAMS_PER_PROCESS = env.int("STREAMS_PER_PROCESS", default=2000)

# --- checking anybody's records: which ones a request judges itself, how long it waits for a worker

RECORD_BYTES_IN_PLACE = env.int("RECORD_BYTES_IN_PLACE", default=4096)
RECORD_SECONDS = env.int("RECORD_SECONDS", default=20)

# --- files of records: whether public matches are published every night

PUBLIC_ARCHIVE = env.bool("PUBLIC_ARCHIVE", default=True)

# --- the API

REST_FRAMEWORK = rest_framework(env)
SPECTACULAR_SETTINGS = DOCUMENT
# Which other sites may call the API from their pages: addresses, * for all, nothing for none. With
# keys and tokens only: a cookie of this site is never sent along, and never taken.
CORS_ORIGINS = env.list("CORS_ORIGINS", default=["*"])
CORS_ALLOW_ALL_ORIGINS = "*" in CORS_ORIGINS
CORS_ALLOWED_ORIGINS = [origin for origin in CORS_ORIGINS if origin != "*"]
CORS_ALLOW_CREDENTIALS = False
CORS_URLS_REGEX = r"^/(api/|clients/|oauth/(token|revoke)$|\.well-known/oauth-)"
CORS_PREFLIGHT_MAX_AGE = 24 * 3600  # seconds in which a browser does not ask again
CORS_ALLOW_HEADERS = [*default_headers, "idempotency-key", "if-none-match", "last-event-id"]
CORS_EXPOSE_HEADERS = [
    *("ETag", "Location", "Retry-After", "WWW-Authenticate", "X-Request-Id"),
    *("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Deprecation", "Sunset"),
]

# --- pages and the admin

UNFOLD = THEME

LANGUAGE_CODE = "en"
LANGUAGES = [*LANGUAGE_NAMES.items()]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
LANGUAGE_COOKIE_AGE = SESSION_COOKIE_AGE
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "games.outside.OutsideFiles",
]
STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default="") or STATE / "static")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.pages.static_files.NamedByContent"
        if env.bool("COMPRESS_STATIC", default=not ONE_MACHINE)
        else "config.pages.static_files.QuicklyCompressed",
    },
}
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no page of another site needs our files
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")
MEDIA_ROOT = STATE / "media"
DOCS_ROOT = Path(env.str("DOCS_ROOT", default="") or BASE_DIR / "site")  # from make docs

# --- mail

outgoing = mail(env, secret(env, "EMAIL_URL"))
EMAIL_BACKEND = outgoing["EMAIL_BACKEND"]
EMAIL_FILE_PATH = outgoing["EMAIL_FILE_PATH"]
EMAIL_HOST = outgoing["EMAIL_HOST"]
EMAIL_PORT = outgoing["EMAIL_PORT"]
EMAIL_HOST_USER = outgoing["EMAIL_HOST_USER"]
EMAIL_HOST_PASSWORD = outgoing["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS = outgoing["EMAIL_USE_TLS"]
EMAIL_USE_SSL = outgoing["EMAIL_USE_SSL"]
EMAIL_TIMEOUT = 10
MAIL_IS_SET_UP = bool(secret(env, "EMAIL_URL"))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="cardroom@localhost")

# --- what people are told elsewhere: webhooks, messages to browsers

SITE_URL = site_url(env, ALLOWED_HOSTS, https=HTTPS)
OUTWARD = outward(env)
VAPID_PRIVATE_KEY = secret(env, "VAPID_PRIVATE_KEY")
VAPID_CONTACT = env.str("VAPID_CONTACT", default="") or f"mailto:{DEFAULT_FROM_EMAIL}"

# --- logs: one line an event, to the console, never a body, a key or a hand of cards

LOG_LEVEL = env.str("LOG_LEVEL", default="WARNING" if ONE_MACHINE else "INFO")
LOG_FORMAT = env.str("LOG_FORMAT", default="text" if ONE_MACHINE else "json")
LOGGING = logging_config(LOG_LEVEL, LOG_FORMAT)
