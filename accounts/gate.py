"""Sources of accounts: blocks of registration, and accounts that look like one person's.

No address is kept. An address and a kind of browser are kept for 30 days as digests whose key is
another one each month, so that they can be compared and not read.
"""

from datetime import datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import refusals
from accounts.models import RegistrationBlock, Trace
from config.counting import present_address

DOMAIN: Final = RegistrationBlock.Kind.DOMAIN
NARROWEST: Final = {4: 28, 6: 64}  # a longer prefix would be somebody's address
A_DAY: Final = 24 * 3600  # seconds


def check_may_register(email: str = "") -> None:
    """Refuses an account from a blocked range or mail domain, but for so many a day."""
    now, address, domain = timezone.now(), present_address(), email.rpartition("@")[2].lower()
    for block in RegistrationBlock.objects.filter(Q(until=None) | Q(until__gt=now)):
        if block.kind == DOMAIN:
            applies = f".{domain}".endswith(f".{block.value}")
        else:
            applies = bool(address) and _is_within(ip_network(address), ip_network(block.value))
        if applies and not _is_one_of_few(block):
            raise refusals.RegistrationIsBlocked


def _is_within(one: Any, other: Any) -> bool:
    return bool(one.version == other.version and one.subnet_of(other))


def _is_one_of_few(block: RegistrationBlock) -> bool:
    key = f"accounts:registered:{block.pk}:{timezone.now():%Y-%m-%d}"
    cache.add(key, 0, A_DAY)
    return block.per_day > 0 and cache.incr(key) <= block.per_day


def checked_value(kind: str, value: str) -> str:
    """A range or a domain as it is stored; raises ``ValidationError`` with what is allowed."""
    text = value.strip().lower().removeprefix("@")
    if kind == DOMAIN:
        if "." not in text or not text.replace(".", "").replace("-", "").isalnum():
            raise ValidationError("Write a domain, such as mail.example.")
        return text
    try:
        network: IPv4Network | IPv6Network = ip_network(text, strict=False)
    except ValueError:
        raise ValidationError("Write a range, such as 203.0.113.0/24 or 2001:db8::/48.") from None
    if network.prefixlen > (least := NARROWEST[network.version]):
        raise ValidationError(f"At least /{least}: a narrower range is one person's address.")
    return str(network)


# Accounts that look like one person's: seen from one address, perhaps with one kind of browser.
# More than ``most`` accounts of an address are a school's or a provider's.

KEPT: Final = timedelta(days=30)
MOST_TOGETHER: Final = 12
_DOUBLES: Final = """
WITH few AS (
    SELECT kind, digest FROM accounts_trace WHERE at > %(since)s GROUP BY 1, 2
    HAVING count(*) BETWEEN 2 AND %(most)s
), seen AS (SELECT t.* FROM accounts_trace t JOIN few USING (kind, digest))
SELECT one.account_id, other.account_id, max(least(one.at, other.at)),
    array_remove(ARRAY[
        CASE WHEN bool_or(one.kind = 'browser') THEN 'one address and one kind of browser'
            ELSE 'one address' END,
        CASE WHEN NOT (a.is_active AND b.is_active) THEN 'one of them is suspended or closed' END,
        CASE WHEN abs(extract(epoch FROM a.date_joined - b.date_joined)) < 86400
            THEN 'made within a day' END], NULL)
FROM seen one JOIN seen other ON other.kind = one.kind AND other.digest = one.digest
    AND other.account_id > one.account_id
JOIN accounts_user a ON a.id = one.account_id JOIN accounts_user b ON b.id = other.account_id
GROUP BY 1, 2, a.id, b.id
ORDER BY NOT (a.is_active AND b.is_active) DESC, bool_or(one.kind = 'browser') DESC, 3 DESC
LIMIT 100
"""


class Double(NamedTuple):
    one: UUID
    other: UUID
    last: datetime
    reasons: list[str]


def record_trace(account: UUID, agent: str) -> None:
    """Note the address of an account's use: once an hour, with the use of its session."""
    now, address = timezone.now(), present_address()
    marks = (("address", address), ("browser", f"{address} {agent}")) if address else ()
    Trace.objects.bulk_create(
        [Trace(account_id=account, kind=k, digest=_digest(k, v, now), at=now) for k, v in marks],
        update_conflicts=True,
        unique_fields=["account", "kind", "digest"],
        update_fields=["at"],
    )


def _digest(kind: str, value: str, at: datetime) -> str:
    return salted_hmac(f"accounts.trace.{kind}.{at:%Y-%m}", value).hexdigest()[:20]


def doubles() -> list[Double]:
    """Pairs of accounts, those of which one is closed or suspended first. It proves nothing."""
    with connection.cursor() as cursor:
        cursor.execute(_DOUBLES, {"since": timezone.now() - KEPT, "most": MOST_TOGETHER})
        return [Double(*row) for row in cursor.fetchall()]


def forget_traces() -> int:
    return Trace.objects.filter(at__lt=timezone.now() - KEPT).delete()[0]
