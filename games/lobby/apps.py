from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "games.lobby"
    label = "lobby"
    verbose_name = "Lobby"
    default_auto_field = "django.db.models.BigAutoField"

    # Offered to other rooms (config.offers).
    series_of = "games.lobby.rematches.of_people.series_of_person"
