"""Answers of requests that made something: the same idempotency key again gets the same answer.

Key, what was made and the answer are written in one transaction. So a request that was refused or
lost has left nothing behind, and of two at once the second one waits for the first, then reads its
answer. They are kept for `RETENTION["answers"]` days, of an account the last ``ANSWERS_KEPT``.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import datetime
from typing import Final
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import transaction
from django.db.models import Subquery

from accounts.models import AnsweredRequest
from config.api.errors import KeyReused

ANSWERS_KEPT: Final = 500


@transaction.atomic
def answered_once(account: UUID, key: str, digest: bytes, make: Callable[[], bytes]) -> bytes:
    """The answer of ``make``, or the one of before; ``KeyReused``, if it was another request.

    ``digest`` is that of the request.
    """
    row, is_new = AnsweredRequest.objects.get_or_create(
        account_id=account, key=key, defaults={"digest": digest}
    )
    if is_new:
        _forget_more_than(ANSWERS_KEPT, account)
        answer = make()
        row.answer = _cipher().encrypt(answer)
        row.save(update_fields=["answer"])
        return answer
    if bytes(row.digest) != digest:
        raise KeyReused
    try:
        return _cipher().decrypt(bytes(row.answer))
    except InvalidToken:  # the service has another secret key since
        raise KeyReused from None


def _forget_more_than(most: int, account: UUID) -> None:
    own = AnsweredRequest.objects.filter(account_id=account)
    own.filter(pk__lte=Subquery(own.order_by("-pk").values("pk")[most : most + 1])).delete()


def forget_answers(before: datetime) -> int:
    return AnsweredRequest.objects.filter(at__lt=before).delete()[0]


def _cipher() -> MultiFernet:
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    keys = [hmac.digest(secret.encode(), b"answers", "sha256") for secret in secrets]
    return MultiFernet([Fernet(urlsafe_b64encode(key)) for key in keys])
