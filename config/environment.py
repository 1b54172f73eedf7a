"""The environment's variables, read strictly: what cannot be read is refused by its name."""

from typing import Any, Final

import environ
from django.core.exceptions import ImproperlyConfigured

ALLOWED: Final = {int: "a whole number", float: "a number", bool: "true or false"}
FALSE: Final = frozenset({"0", "false", "no", "n", "off"})


class Environment(environ.Env):  # type: ignore[misc]  # it has no types
    """An empty number or switch is one that is not set, as compose files pass it on."""

    def get_value(self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET) -> Any:
        """Raises ``ImproperlyConfigured`` for a value that its type does not have."""
        said = self.ENVIRON.get(var)
        if cast in ALLOWED and said is not None:
            if not said.strip() and default is not self.NOTSET:
                return default
            if cast is bool and said.strip().lower() not in {*self.BOOLEAN_TRUE_STRINGS, *FALSE}:
                raise ImproperlyConfigured(f"{var}={said} is not {ALLOWED[bool]}.")
        try:
            return super().get_value(var, cast, default)
        except ValueError:
            raise ImproperlyConfigured(f"{var}={said} is not {ALLOWED[cast]}.") from None
