from typing import ClassVar

from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    name = "games.leagues"
    label = "leagues"
    verbose_name = "Leagues"
    default_auto_field = "django.db.models.BigAutoField"

    duties = ("games.leagues.turning.LEAGUES",)

    # Offered to other rooms (config.offers).
    derivations: ClassVar = {"leagues": "games.leagues.recount.leagues"}
    titles_of = "games.leagues.titles.titles_of"
