from typing import ClassVar

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "games.people"
    label = "people"
    verbose_name = "People and their results"
    default_auto_field = "django.db.models.BigAutoField"

    duties = ("games.people.counting.RESULTS",)

    # Offered to rooms below (config.offers); in the order in which one follows from the other.
    derivations: ClassVar = {
        "results": "games.people.recount.results",
        "tallies": "games.people.recount.tallies",
        "meetings": "games.people.recount.meetings",
    }
    titles_of = "games.people.deck_titles.titles_of"
