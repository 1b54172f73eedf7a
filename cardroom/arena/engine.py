"""Which engine plays a request: a compiled kernel where there is one for all of it, else the rules.

Both give the same figures for the same seed, so the choice is one of speed alone.
"""

from typing import TYPE_CHECKING, Final

from cardroom.arena import compiled_code
from cardroom.arena.series import Series

if TYPE_CHECKING:
    from cardroom.fast.kernel import Kernel

KERNELS: Final = "kernels"
RULES: Final = "rules"


def why_rules(matches: Series) -> str:
    """Why the rules play these matches; empty when a kernel can."""
    if not compiled_code.installed():
        return "the extra fast (Numba) is not installed or is switched off"
    kernel = compiled_code.kernel_of_game(matches.game.slug)
    if kernel is None:
        return f"{matches.game.name} has no kernel"
    return uncovered(matches, kernel)


def uncovered(matches: Series, kernel: "Kernel") -> str:
    """What of these matches the kernel cannot play, in words."""
    if matches.game.rules_version != kernel.rules_version:
        return f"the kernel plays version {kernel.rules_version} of the rules"
    bots = [bot for bot in matches.bots if bot.slug not in kernel.policies]
    bots += [bot for bot in matches.bots if bot not in matches.game.bots]
    if bots:
        return f"no kernel plays the bot {bots[0].slug!r}"
    return kernel.uncovered(matches.options)


def kernel_for(matches: Series) -> "Kernel | None":
    """The kernel that plays these matches, if one does."""
    return None if why_rules(matches) else compiled_code.kernel_of_game(matches.game.slug)
