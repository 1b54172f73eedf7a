"""`manage.py create_admin NAME`: an administrator, on a service that has none yet or one more."""

import sys
from abc import ABC, abstractmethod
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.services import create_administrator
from config.refusals import Refusal


class AccountCommand(BaseCommand, ABC):
    """A command about one account: its name, a password from the standard input."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--password-stdin",
            action="store_true",
            help="read the password from the standard input instead of making one up",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        from_stdin = options["password_stdin"]
        password = sys.stdin.readline().rstrip("\r\n") if from_stdin else ""
        if from_stdin and not password:
            raise CommandError("The standard input holds no password.")
        try:
            made = self.act(options["username"], password, options)
        except Refusal as refusal:
            raise CommandError(" ".join(map(str, refusal.sentences))) from None
        if not password:
            self.stdout.write(f"Password (shown only this once): {made}")

    @abstractmethod
    def act(self, username: str, password: str, options: dict[str, Any]) -> str:
        """Makes or changes the account; returns its password."""


class Command(AccountCommand):
    help = "Make an administrator's account and print its password."

    def act(self, username: str, password: str, options: dict[str, Any]) -> str:
        return create_administrator(username, password)
