"""Who sits down in tests."""

from games.rules.golden.names import NAMES

__all__ = ["NAMES"]
