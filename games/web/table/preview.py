"""What a link to a match says where it is shown elsewhere: a public match that is finished."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import get_language

from games.web.parts.headline import headline
from games.web.parts.table_page import TablePage


@dataclass(frozen=True)
class Preview:
    """``words``: *Ada won, 154 : 120. Ada, Greedy.* ``picture``: the address on this site."""

    words: str
    picture: str


def preview(page: TablePage) -> Preview | None:
    """``None`` where a link says nothing of its match."""
    match = page.match
    if match.status != "finished" or match.visibility != "public" or match.outcome is None:
        return None
    points = " : ".join(map(str, match.outcome.points))
    ending = headline(page) if match.rules.points_are_places else f"{headline(page)}, {points}"
    names = ", ".join(panel.name for panel in page.seat_panels)
    picture = f"{reverse('share_png', args=[match.id])}?lang={get_language()}"
    return Preview(f"{ending}. {names}.", picture)
