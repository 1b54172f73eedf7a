"""Long settings of accounts and of the libraries that they use: Django's own, allauth and knox."""

from datetime import timedelta
from typing import Any, Final

import environ

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
    "login": "accounts.web.forms.SignInForm",
    "signup": "accounts.web.forms.SignUpForm",
    "change_password": "accounts.web.forms.ChangePasswordForm",
    "reset_password_from_key": "accounts.web.forms.ResetPasswordForm",
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
