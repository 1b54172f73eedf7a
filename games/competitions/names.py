"""What entrants are called, and the name of a tournament."""

from django.core.exceptions import ValidationError

from accounts.audit.forgetting import ERASED_NAME
from accounts.names.shown_names import check_not_reserved, shown_name
from cardroom.rules.game import AnyGame
from games.competitions.models import Entrant, Tournament
from games.competitions.refusals import BadTournament


def checked_name(name: str) -> str:
    """By the rules of every name that others see; raises BadTournament."""
    try:
        shown = shown_name(name)
        check_not_reserved(shown)
    except ValidationError as error:
        raise BadTournament(" ".join(error.messages), faults=list(error.messages)) from None
    return shown


def plain_name(tournament: Tournament, entrant: Entrant) -> str:
    """As files and programs read it: of several computers of a kind each has a number."""
    if entrant.account is not None:
        return entrant.account.display_name
    if not entrant.bot:
        return ERASED_NAME
    number = f" {entrant.bot_number}" if entrant.bot_number > 1 else ""
    return f"{bot_name(tournament.rules, entrant.bot)}{number}"


def bot_name(game: AnyGame, slug: str) -> str:
    """The computer's own name, or its slug where this version of the game does not have it."""
    try:
        return game.bot(slug).name
    except KeyError:
        return slug
