"""Games by the names that people write: ``module:GAME``."""

from importlib import import_module

from cardroom.rules.game import AnyGame, Game


def find(name: str) -> AnyGame:
    """The game that ``module:NAME`` names; ``LookupError`` says what is wrong."""
    module, _, attribute = name.partition(":")
    try:
        game = getattr(import_module(module), attribute or "GAME")
    except (ImportError, AttributeError, SyntaxError) as fault:
        raise LookupError(f"{name} cannot be imported: {fault}.") from fault
    if not isinstance(game, Game):
        raise LookupError(f"{name} is no game but a {type(game).__name__}.")
    return game
