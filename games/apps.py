from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Who is blocked has no invitations left."""
        from accounts.social.announcements import subscribers
        from games.matches.services.blocking import decline_between

        subscribers.append(decline_between)
