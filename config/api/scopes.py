"""The scopes of keys. A view names the scope that its reads and its writes need.

``read_scope`` and ``write_scope`` of a view; without them ``read`` and ``play``. ``None`` is for a
call that is open to everybody. ``own_key_only`` of a view names the methods whose effect would
outlive the connection of somebody else's program, whatever its scopes.
"""

from typing import Any, Final, Literal, get_args

from django.utils.translation import gettext
from rest_framework.permissions import SAFE_METHODS

from config.refusals import NotAllowed

Scope = Literal["play", "decks", "read", "account"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
USUAL: Final[tuple[Scope, ...]] = ("play", "decks", "read")
MEANING: Final[dict[Scope, str]] = {
    "play": "open, join and play matches, run simulations",
    "decks": "save, change and delete side decks",
    "read": "see everything that the account may see",
    "account": "change the account, list and revoke its keys",
}


def required_scope(view: Any, method: str) -> Scope | None:
    """The scope that a key needs to call this view with this method."""
    if method in SAFE_METHODS:
        needed: Scope | None = getattr(view, "read_scope", "read")
    else:
        needed = getattr(view, "write_scope", "play")
    return needed


def needs_own_key(view: Any, method: str) -> bool:
    """Whether the token of a connected program is refused."""
    return method in getattr(view, "own_key_only", ())


class MissingScope(NotAllowed):
    """The key has not this scope; ``bearer``: it came as RFC 6750 has it, and is answered so."""

    def __init__(self, scope: Scope, *, bearer: bool = False) -> None:
        sentence = gettext("This key has not the scope '{scope}', to {meaning}.").format(
            scope=scope, meaning=gettext(MEANING[scope])
        )
        super().__init__(sentence, scope=scope)
        challenge = f'Bearer error="insufficient_scope", scope="{scope}"'
        self.headers = {"WWW-Authenticate": challenge} if bearer else {}
