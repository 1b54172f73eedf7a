from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Nobody is called like a bot; a blocked person's invitations are declined; `/readyz` shows
        whether bots move; matches by rules without an end are not rated; a web process counts its
        open streams; workers play compiled searches.
        """
        from accounts.names import shown_names
        from accounts.social.announcements import subscribers
        from config.monitoring.health import parts_of_apps
        from config.monitoring.sampling import count_listeners
        from games import compiled_turns  # noqa: F401  # by its signal
        from games.house_names import house_names
        from games.matches.seating import rating
        from games.matches.seating.blocking import decline_between
        from games.operations.watching.punctuality import bots_move
        from games.simulations import house_rules

        shown_names.house_names.append(house_names)
        subscribers.append(decline_between)
        parts_of_apps["bots"] = bots_move
        rating.judges.append(house_rules.may_be_rated)
        house_rules.unfit.append(rating.end_rating)
        count_listeners.append(_count_listeners)


def _count_listeners() -> int:
    from games.live.hub import hub  # only a web process has one

    return len(hub())
