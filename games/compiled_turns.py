"""Workers move the bots that search by their compiled forms, where these are ready.

Web processes do not: they never import kernels. What is not compiled yet is played by the rules.
"""

from typing import Any

from celery.signals import worker_process_init

from games.arena import compiled_code
from games.matches.services.thinking import quicker_forms


@worker_process_init.connect
def use_compiled_searches(**_: Any) -> None:
    if compiled_code.quick not in quicker_forms:
        quicker_forms.append(compiled_code.quick)
