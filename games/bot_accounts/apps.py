from django.apps import AppConfig


class BotAccountsConfig(AppConfig):
    name = "games.bot_accounts"
    label = "bot_accounts"
    verbose_name = "Bot accounts"
    default_auto_field = "django.db.models.BigAutoField"

    duties = ("games.bot_accounts.playing.SILENT",)

    # Offered to other rooms (config.offers).
    refuses_seat = "games.bot_accounts.playing.refuses_seat"
