"""Settings of REST framework and drf-spectacular: strict JSON, problems, the OpenAPI document."""

from typing import Any

import environ

from config.settings.limits import Changeable


def rest_framework(env: environ.Env) -> dict[str, Any]:
    """REST_FRAMEWORK; the limits come from the environment."""
    signup = env.str("THROTTLE_SIGNUP", default="120/hour")
    return {
        "DEFAULT_AUTHENTICATION_CLASSES": [
            "accounts.authentication.KeyAuthentication",
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
    "TITLE": "Cardroom",
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
