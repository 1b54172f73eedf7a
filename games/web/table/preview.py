"""What a link to a match says where it is shown elsewhere: a public match that is finished."""

from games.web.parts.headline import headline
from games.web.parts.table_page import TablePage


def preview(page: TablePage) -> str:
    """*Ada won, 154 : 120. Ada, Greedy.* Empty where a link says nothing of its match."""
    match = page.match
    if match.status != "finished" or match.visibility != "public" or match.outcome is None:
        return ""
    points = " : ".join(map(str, match.outcome.points))
    ending = headline(page) if match.rules.points_are_places else f"{headline(page)}, {points}"
    return f"{ending}. {', '.join(panel.name for panel in page.seat_panels)}."
