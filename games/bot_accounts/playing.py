"""What a bot account plays, how much at once, and what becomes of its seat when it is gone.

Its silence has an end in every match: by the clock, or after ``PATIENCE`` where there is none. In a
match that is not rated the house's stand-in plays on, and the program may take the seat back; in a
rated one the program loses, as a person does whose time is up.
"""

from datetime import timedelta
from typing import Final
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from cardroom.rules.text import Words, say
from config.refusals import Refusal
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.absent import of_installed_games
from games.bot_accounts.models import Program
from games.bot_accounts.selectors import plays_game, running_of
from games.lobby.paces import DAY
from games.matches.leaving import handing_over, resigning
from games.matches.models import Match, Seat
from games.matches.selectors.access import snapshot_of
from games.matches.time_bank import terms_of

PATIENCE: Final = timedelta(minutes=5)
AT_ONCE: Final = 200
NAME: Final = "silent bot accounts"
BLITZ_SECONDS: Final = 30
BLITZ_BANK: Final = 300

log = structlog.get_logger(__name__)


def refuses_seat(account: User, row: Match, *, by_pairing: bool = False) -> Words | None:
    """Why a bot account takes no seat in this match; none where it may."""
    rows = Program.objects.filter(account=account, confirmed_at__isnull=False)
    program = rows.select_related("owner").first()
    if program is None:
        return None
    if not program.owner.is_active:
        return say("Nobody answers for {name} any more.", name=account.display_name)
    if by_pairing and not program.seeks:
        return say("Its owner does not want this bot account to be paired.")
    if not _plays(program, row):
        return say("{name} does not play this.", name=account.display_name)
    if running_of([account.pk]).get(account.pk, 0) >= program.at_once:
        return say("{name} plays as many matches as it can.", name=account.display_name)
    return None


def _plays(program: Program, row: Match) -> bool:
    if not plays_game(program, row.game):
        return False
    if program.paces and pace_of(row) not in program.paces:
        return False
    presets = [one["presets"] for one in program.plays if one["game"] == row.game]
    wanted = [preset for some in presets for preset in some]
    return not wanted or any(not some for some in presets) or _preset_among(row, wanted)


def _preset_among(row: Match, presets: list[str]) -> bool:
    options = row.rules.decode_options(bytes(row.options))
    return any(row.rules.presets.get(preset) == options for preset in presets)


def pace_of(row: Match) -> str:
    """As ratings name it: a match without any limit is slow."""
    if clock := terms_of(row.clock):
        return "blitz" if clock.bank <= BLITZ_BANK else "normal"
    if row.turn_seconds is None or row.turn_seconds >= DAY:
        return "slow"
    return "blitz" if row.turn_seconds <= BLITZ_SECONDS else "normal"


def replace_silent() -> int:
    """Ends the waiting for bot accounts in matches without a clock; how many seats."""
    silent = Seat.objects.filter(
        of_installed_games("match__"),
        user__is_bot=True,
        stand_in="",
        resigned_at=None,
        match__status=Match.Status.ACTIVE,
        match__deadline_at=None,
        match__updated_at__lt=timezone.now() - PATIENCE,
        match__to_act__contains=[F("index")],
    )
    seats = list(silent.order_by("match_id").values_list("match_id", "index")[:AT_ONCE])
    return sum(
        each(NAME, seats, lambda seat: _replace(*seat), key=lambda seat: f"{seat[0]} {seat[1]}")
    )


def _replace(match_id: UUID, index: int) -> bool:
    try:
        with transaction.atomic():
            row = Match.objects.select_for_update().get(id=match_id)
            seats = list(row.seats.order_by("index"))
            if row.updated_at >= timezone.now() - PATIENCE or seats[index].stand_in:
                return False  # it has moved at the last moment
            if row.status != Match.Status.ACTIVE or index not in row.to_act:
                return False
            if not row.rated:
                stand_in = snapshot_of(row, seats).rules.stand_in
                handing_over.hand_over(row, seats, index, stand_in, by_clock=True)
                return True
        resigning.resign_silent(match_id=match_id, seat=index, version=row.version)
    except Refusal:
        return False
    log.info("program_silent", match=str(match_id), seat=index)
    return True


SILENT: Final = Duty(name=NAME, piece=replace_silent, every=15, idle=60)
