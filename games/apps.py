from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Who is blocked has no invitations left; `/readyz` tells whether bots move."""
        from accounts.social.announcements import subscribers
        from config.monitoring.health import parts_of_apps
        from games.matches.selectors.punctuality import bots_move
        from games.matches.services.blocking import decline_between

        subscribers.append(decline_between)
        parts_of_apps["bots"] = bots_move
