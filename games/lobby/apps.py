from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "games.lobby"
    label = "lobby"
    verbose_name = "Lobby"
    default_auto_field = "django.db.models.BigAutoField"

    duties = (
        "games.lobby.pairing.SEEKS",
        "games.lobby.pairing.FORGOTTEN",
        "games.lobby.challenges.expiring.CHALLENGES",
        "games.lobby.challenges.expiring.FORGOTTEN",
    )

    # Offered to other rooms (config.offers).
    series_of = "games.lobby.rematches.of_people.series_of_person"
