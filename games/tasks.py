"""Celery's door for what is sent to be done at once, and the compiled searches of its workers.

Each task calls one service. All that is looked for again and again is a duty
(``config.tasks.duties``). Names of tasks stay, so that workers of two releases take each other's
messages.
"""

from threading import Thread
from time import sleep
from typing import Any, Final

import structlog
from celery import shared_task
from celery.signals import worker_process_init

from cardroom.arena import compiled_code
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from games.coaching import analyses
from games.matches import bot_turns, overdue, records
from games.matches.announcements import TurnClass
from games.matches.bot_turns import quicker_forms
from games.simulations import house_rules, work

__all__ = ["work"]  # it listens for the start of the worker that loads this module


@shared_task(bind=True, name="games.matches.tasks.drain")
def drain(self: Any, turn_class: TurnClass) -> None:
    """Plays due turns. If a process died with this task, all are announced again first."""
    if (self.request.delivery_info or {}).get("redelivered"):
        overdue.resend_all()
    bot_turns.drain(turn_class)


@shared_task(expires=2, name="games.matches.tasks.resend_all")
def resend_all() -> None:
    overdue.resend_all()


@shared_task(name="games.matches.tasks.check_record")
def check_record(name: str) -> None:
    records.work_off(name)


@shared_task(expires=30, name="games.coaching.tasks.advise")
def advise(hint_id: int) -> None:
    analyses.weigh_hint(hint_id)


@shared_task(name="games.simulations.tasks.try_options")
def try_options(game: str, options: str) -> None:
    house_rules.try_options(game, options)


# Workers move the bots that search by their compiled forms, where these are ready.
#
# The first turn of such a bot in a process begins to load the forms of its game, beside the turns
# that the rules play meanwhile: nobody waits for it, and a process in which no such bot plays never
# imports a compiler. What is not compiled yet is loaded once it is. Web processes do none of this.

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
