"""Proves the scores and feats of revealed deals from the matches (``manage.py recount``)."""

from collections.abc import Iterator

from games.daily.models import DailyDeal, Entry
from games.daily.turning import batched, judged

WRITTEN = ("score", "has_feat")


def entries(*, mend: bool) -> Iterator[str]:
    revealed = DailyDeal.objects.filter(deal__revealed_at__isnull=False)
    for daily in revealed.order_by("day", "id").iterator():
        for several in batched(daily.entries.order_by("id")):
            stored = {one.pk: (one.score, one.has_feat) for one in several}
            right = judged(several)
            wrong = [one for one in right if stored[one.pk] != (one.score, one.has_feat)]
            if wrong and mend:
                Entry.objects.bulk_update(wrong, WRITTEN)
            for one in wrong:
                yield f"{daily} entry {one.pk}: {stored[one.pk]} is stored"
