from typing import ClassVar

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "games.ratings"
    label = "ratings"
    verbose_name = "Ratings"
    default_auto_field = "django.db.models.BigAutoField"

    duties = (
        "games.ratings.people.rating.RATINGS",
        "games.ratings.services.ROUND_ROBINS",
    )

    # Offered to other rooms (config.offers).
    people_ratings = "games.ratings.people.standing.ratings_by_account"
    rating_curves = "games.ratings.people.curves.curves_of_person"
    titles_of = "games.ratings.people.ladder.titles_of"
    derivations: ClassVar = {"ratings": "games.ratings.people.recount.ratings"}
