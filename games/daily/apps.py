from typing import ClassVar

from django.apps import AppConfig


class DailyConfig(AppConfig):
    name = "games.daily"
    label = "daily"
    verbose_name = "Deals of the day"
    default_auto_field = "django.db.models.BigAutoField"

    duties = (
        "games.daily.turning.DEALS",
        "games.daily.turning.PUBLISHED",
        "games.daily.computers.COMPUTERS",
    )
    duty_values = "games.daily.computers.duty_values"

    # Offered to other rooms (config.offers).
    derivations: ClassVar = {"deals of the day": "games.daily.recount.entries"}
    titles_of = "games.daily.titles.titles_of"
