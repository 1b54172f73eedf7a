"""Pages of a list in the browser, by keyset: the address names the last row that was shown."""

from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.http import HttpRequest

Row = TypeVar("Row", bound=Model)


def before(request: HttpRequest) -> UUID | None:
    """The id of the last row of the page before; None for the first page and for no id."""
    try:
        return UUID(request.GET.get("before", ""))
    except ValueError:
        return None


def page_of(
    rows: QuerySet[Row], last: UUID | None, size: int, *, by: str = "id"
) -> tuple[Sequence[Row], UUID | None]:
    """The rows of a page, newest first, and what the next one begins after; ``by`` is an id."""
    if last is not None:
        rows = rows.filter(**{f"{by}__lt": last})
    fetched = list(rows.order_by(f"-{by}")[: size + 1])
    shown = fetched[:size]
    return shown, getattr(shown[-1], by) if len(fetched) > size else None
