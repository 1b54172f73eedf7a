"""`manage.py create_admin NAME`: an administrator, on a service that has none yet or one more."""

from typing import Any

from accounts.management.account_command import AccountCommand
from accounts.services import create_administrator


class Command(AccountCommand):
    help = "Make an administrator's account and print its password."

    def act(self, username: str, password: str, options: dict[str, Any]) -> str:
        return create_administrator(username, password)
