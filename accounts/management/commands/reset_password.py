"""`manage.py reset_password NAME`: for people who cannot sign in any more."""

from typing import Any

from django.core.management.base import CommandParser

from accounts.management.commands.create_admin import AccountCommand
from accounts.services import reset_password


class Command(AccountCommand):
    help = "Give an account a new password, end its sessions, keys and programs, and its lock-out."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--second-factor", action="store_true", help="also remove its second factor"
        )
        parser.add_argument(
            "--keep-keys", action="store_true", help="its keys and connected programs go on"
        )

    def act(self, username: str, password: str, options: dict[str, Any]) -> str:
        also = {name: options[name] for name in ("second_factor", "keep_keys")}
        return reset_password(username, password, **also)
