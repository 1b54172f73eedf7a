"""Where mail goes: one address, such as smtp+tls://name:password@mail.example.org:587."""

from typing import Any, Final

import environ

CONSOLE: Final = "consolemail://"


def mail(env: environ.Env, url: str) -> dict[str, Any]:
    """Django's EMAIL_… settings by name; those that the address leaves out have their defaults."""
    defaults = {"EMAIL_USE_TLS": False, "EMAIL_USE_SSL": False}
    return {**defaults, **env.email_url_config(url or CONSOLE)}
