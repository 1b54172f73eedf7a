"""Workers move the bots that search by their compiled forms, where these are ready.

The first turn of such a bot in a process begins to load the forms of its game, beside the turns
that the rules play meanwhile: nobody waits for it, and a process in which no such bot plays never
imports a compiler. What is not compiled yet is loaded once it is. Web processes do none of this.
"""

from threading import Thread
from time import sleep
from typing import Any, Final

import structlog
from celery.signals import worker_process_init

from cardroom.arena import compiled_code
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from games.matches.bot_turns import quicker_forms

PAUSE: Final = 15.0  # between two looks at what is still being compiled

log = structlog.get_logger(__name__)
_loading: set[str] = set()
_ready: set[str] = set()


@worker_process_init.connect
def use_compiled_searches(**_: Any) -> None:
    if quick_if_loaded not in quicker_forms:
        quicker_forms.append(quick_if_loaded)


def quick_if_loaded(game: AnyGame, bot: Bot[Any]) -> Bot[Any]:
    """The compiled form of the bot, if that is here; else the bot, and the form is loaded."""
    if not compiled_code.searches(bot) or not compiled_code.installed():
        return bot
    if game.slug in _ready:
        return compiled_code.quick(game, bot)
    if game.slug not in _loading:
        _loading.add(game.slug)
        Thread(target=load, args=(game.slug,), name="load-kernels", daemon=True).start()
    return bot


def load(slug: str) -> None:
    """Until the searches of this game are loaded."""
    try:
        while not compiled_code.load_searches(slug):
            sleep(PAUSE)
    except Exception:
        log.exception("kernels_not_loaded", game=slug)
    else:
        _ready.add(slug)
