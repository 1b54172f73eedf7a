"""Games from outside this tree: Python packages that are installed beside it.

A package names its game in an entry point, by the slug of the game::

    [project]
    dependencies = ["cardroom~=1.0"]

    [project.entry-points."cardroom.games"]
    durak = "durak_cardroom:GAME"

The package holds the modules of the game, and beside them, each only if there is one: ``RULES.md``,
``golden`` (playthroughs), ``locale`` (its own catalogues), ``table.py`` (or a package ``table``:
what ``games.web.tables`` reads), ``templates`` and ``static`` with what is below
``games/tables/<slug>/``.

``installed_entries`` lists what is installed, ``admitted`` imports it and tries it out. A package
that cannot be served is refused by its name, and the others are served without it.
"""

from cardroom.rules.outside.admission import Admitted, Refused, admit
from cardroom.rules.outside.entries import GROUP, SWITCH, Entry, installed_entries

__all__ = ["GROUP", "SWITCH", "Admitted", "Entry", "Refused", "admit", "installed_entries"]
