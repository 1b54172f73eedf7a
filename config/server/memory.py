"""The garbage collector of a web process: it never looks at what is loaded at the start.

A full collection of all objects of Django stops every request for tens of milliseconds. So objects
that are loaded before the first request are frozen, and full collections are rare.
"""

import gc
from typing import Final

from django.conf import settings
from django.urls import get_resolver
from django.utils.module_loading import import_string

NEW_OBJECTS: Final = 20_000  # before the youngest are looked through
YOUNG_COLLECTIONS: Final = 20  # for one of the middle generation
MIDDLE_COLLECTIONS: Final = 50  # for a full one


_loaded = False


def load() -> None:
    """Everything that answers requests; once a process, or in the one that forks it."""
    global _loaded  # noqa: PLW0603 - one fact a process
    if not _loaded:
        get_resolver().check()  # which loads every view
        for name in settings.MIDDLEWARE:
            import_string(name)
        _loaded = True


def settle() -> None:
    """To be called once, before the first request."""
    load()
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, YOUNG_COLLECTIONS, MIDDLE_COLLECTIONS)
