"""Offers of installed apps to the rooms below them.

An app declares it on its ``AppConfig`` as the dotted name of a function, so the rooms below import
no app and nothing is filled in at start-up:

* ``health``: names of parts of ``/readyz``, each with a check that returns ``up`` or what is wrong;
* ``open_streams``: how many streams are open in this process;
* ``game_slugs``, ``preset_slugs``, ``bot_slugs``, ``phrase_slugs``: what operators may switch off;
* ``clocks_stand_still``: gives all who are to act as much more time, while nobody can write;
* ``house_names``: the names that no person may go by;
* ``start_lines``: what is printed when a service starts;
* ``derivations``: numbers that are derived from others by name, each with a function that, given
  ``mend``, yields a sentence for each that differs from a recount (``manage.py recount``);
* ``cause_holds``: by kind of a cause, whether it still holds, given its account and its payload;
* ``cause_facts``: by kind of a cause, what a webhook is sent beside its payload, given the same;
* ``cause_text``: by kind of a cause, its text where an app above knows it, given the same;
* ``topic_place``: how far a match has come, for a webhook of it alone, given an account and the
  match: none where the account may not see it, empty where it is over;
* ``friends_of``: the ids of an account's friends, given its id;
* ``hidden_from``: accounts that a person may not learn of, given its id and those in question;
* ``appeal``: stores what a suspended person answers, given the suspension and the text;
* ``keeps_deleted``: keeps rows that staff are about to delete, given the person and the rows;
* ``appeal_of``: that text and the operators' answer, given the suspension; none before;
* ``people_ratings``: the ratings of people by account, given a game and the accounts;
* ``rating_curves``: how an account's ratings went, given its id (``games.people.profiles``);
* ``titles_of``: what an account has achieved, given its id (``games.people.profiles``);
* ``refuses_seat``: why a bot account takes no seat in a match, given the account and the match;
* ``series_of``: the series of an account over rematches, given its id and its reader's.
"""

from collections.abc import Callable, Iterator
from typing import Any

from django.apps import apps
from django.utils.module_loading import import_string


def offered(name: str) -> Iterator[Callable[..., Any]]:
    """The functions that apps declare under this name."""
    for app in apps.get_app_configs():
        if function := getattr(app, name, None):
            yield import_string(function)


def offered_by_name(name: str) -> dict[str, Callable[..., Any]]:
    """The same where apps declare several functions by name."""
    return {
        part: import_string(function)
        for app in apps.get_app_configs()
        for part, function in getattr(app, name, {}).items()
    }
