"""Settings of accounts and of the libraries that they use: allauth, axes and knox."""

from datetime import timedelta
from typing import Any

import environ


def passwords() -> dict[str, Any]:
    """Of Django: who judges a password, how it is stored, what it has to be."""
    validators = (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
    return {
        "AUTHENTICATION_BACKENDS": [
            "axes.backends.AxesStandaloneBackend",
            "allauth.account.auth_backends.AuthenticationBackend",
        ],
        "PASSWORD_HASHERS": [
            "django.contrib.auth.hashers.Argon2PasswordHasher",
            "django.contrib.auth.hashers.PBKDF2PasswordHasher",
        ],
        "AUTH_PASSWORD_VALIDATORS": [
            {"NAME": f"django.contrib.auth.password_validation.{name}"} for name in validators
        ],
    }


def sign_in(env: environ.Env, *, https: bool, wrong_codes: str) -> dict[str, Any]:
    """Of allauth: accounts on the pages, and the second factor everywhere."""
    return {
        "ACCOUNT_ADAPTER": "accounts.web.adapter.Adapter",
        "ACCOUNT_FORMS": {
            "change_password": "accounts.web.forms.ChangePasswordForm",
            "reset_password_from_key": "accounts.web.forms.ResetPasswordForm",
        },
        "ACCOUNT_LOGIN_METHODS": {"username"},
        "ACCOUNT_SIGNUP_FIELDS": ["username*", "email", "password1*", "password2*"],
        "ACCOUNT_EMAIL_VERIFICATION": env.str("EMAIL_VERIFICATION", default="none"),
        "ACCOUNT_LOGOUT_ON_GET": False,
        "ACCOUNT_RATE_LIMITS": {
            "login": None,
            "signup": None,
            "login_failed": f"{wrong_codes}/key",
        },
        "ACCOUNT_SESSION_REMEMBER": True,
        # accounts.web.sign_in redirects registered users
        "ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS": False,
        "ACCOUNT_DEFAULT_HTTP_PROTOCOL": "https" if https else "http",
        "MFA_SUPPORTED_TYPES": ["totp", "recovery_codes"],
        "MFA_ALLOW_UNVERIFIED_EMAIL": True,  # nobody signs in by e-mail here
        "MFA_TOTP_ISSUER": "Cardroom",
    }


def lockout(env: environ.Env) -> dict[str, Any]:
    """Of axes: who typed too many wrong passwords waits."""
    return {
        "AXES_FAILURE_LIMIT": env.int("LOGIN_FAILURE_LIMIT", default=8),
        "AXES_COOLOFF_TIME": env.float("LOGIN_COOLOFF_HOURS", default=0.25),
        "AXES_LOCKOUT_PARAMETERS": [["username", "ip_address"]],
        "AXES_RESET_ON_SUCCESS": True,
        "AXES_VERBOSE": False,
        "AXES_LOCKOUT_CALLABLE": "accounts.lockout.lockout_response",
        "AXES_USERNAME_CALLABLE": "accounts.lockout.lower_username",
        "AXES_CLIENT_IP_CALLABLE": "config.counting.client_address.client_address",
    }


def keys(env: environ.Env) -> dict[str, Any]:
    """Of knox: how keys are sent and how long they last."""
    return {
        "KNOX_TOKEN_MODEL": "accounts.Key",
        "MIGRATION_MODULES": {"knox": None},  # its own table is not used
        "REST_KNOX": {
            "SECURE_HASH_ALGORITHM": "hashlib.sha512",
            "AUTH_HEADER_PREFIX": "Token",
            "TOKEN_TTL": timedelta(days=env.int("KEY_DAYS", default=365)),
            "TOKEN_LIMIT_PER_USER": env.int("KEYS_PER_USER", default=100),
            "AUTO_REFRESH": False,
        },
    }
