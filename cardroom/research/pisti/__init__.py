"""Pişti for programs that learn: batches of compiled matches, one seat, a worked training."""

from typing import Final

TRAINED: Final = ("train", "ppo")  # the modules that play what their training wrote
