"""Variables of the environment, read strictly: one that cannot be read is refused by name."""

from typing import Any, Final

import environ
from django.core.exceptions import ImproperlyConfigured

ALLOWED: Final = {int: "a whole number", float: "a number", bool: "true or false"}
FALSE: Final = frozenset({"0", "false", "no", "n", "off"})


class Environment(environ.Env):  # type: ignore[misc]  # it has no types
    """An empty number or switch counts as not set: compose files pass on unset ones so."""

    def get_value(self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET) -> Any:
        """Raises ``ImproperlyConfigured`` for a value that its type does not have."""
        value = self.ENVIRON.get(var)
        if cast in ALLOWED and value is not None:
            if not value.strip() and default is not self.NOTSET:
                return default
            if cast is bool and value.strip().lower() not in {*self.BOOLEAN_TRUE_STRINGS, *FALSE}:
                raise ImproperlyConfigured(f"{var}={value} is not {ALLOWED[bool]}.")
        try:
            return super().get_value(var, cast, default)
        except ValueError:
            raise ImproperlyConfigured(f"{var}={value} is not {ALLOWED[cast]}.") from None
