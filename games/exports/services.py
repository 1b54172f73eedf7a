"""Starting a file of records, and deleting one."""

from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from accounts.models import User
from accounts.services.locking import locked_accounts
from accounts.services.neighbours import counted_with
from cardroom.rules import catalog
from cardroom.rules.text import say
from config.tasks import after_commit, duties
from games.exports import selectors
from games.exports.models import RecordFile
from games.exports.refusals import TooManyExports
from games.matches.refusals import UnknownGame
from games.matches.selectors.newest import Sought, newest_of


def start_export(*, owner: User, game: str = "", since: datetime | None = None) -> RecordFile:
    """Starts a file of the owner's matches that are over by now.

    Raises UnknownGame, TooManyExports.
    """
    if game and game not in catalog.slugs() and not _has_matches_of(owner, game):
        raise UnknownGame(say("There is no game {slug}.", slug=repr(game)))
    with locked_accounts(owner.pk):
        owners = counted_with(owner.pk)
        most = owners.most(settings.LIMITS["exports"])
        if selectors.exports_of(*owners.ids).count() >= most:
            raise TooManyExports(limit=most)
        file = RecordFile.objects.create(
            owner=owner, game=game, since=since, created_at=timezone.now()
        )
        after_commit.when_committed(lambda: duties.announce("exports"))
    file.refresh_from_db()
    return file


def _has_matches_of(owner: User, game: str) -> bool:
    """Also of a game that is no longer installed."""
    return newest_of(owner.pk, Sought(game=game), most=1).exists()


def delete_export(*, owner: User, export_id: UUID) -> None:
    """Raises NoSuchExport."""
    selectors.export(owner.pk, export_id).delete()
