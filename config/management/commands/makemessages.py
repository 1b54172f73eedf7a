"""`manage.py makemessages` that also finds the phrases of the rules (`games.rules.text`)."""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [  # noqa: RUF012 - as in the base class
        *makemessages.Command.xgettext_options,
        "--keyword=say:1",
        "--keyword=say_n:1,2",
    ]
