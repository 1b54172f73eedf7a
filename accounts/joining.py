"""Permission to sign up, and what people agree to: links of staff, confirmed addresses, terms.

An invitation is a signed text: the number of a link that staff made, or an address to which it was
sent. Nothing secret is stored.
"""

from datetime import timedelta
from typing import Final
from urllib.parse import urlencode

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from accounts import refusals
from accounts.models import SignUpLink, User
from config import club

LINK: Final = "accounts.joining.link"
ADDRESS: Final = "accounts.joining.address"
ADDRESS_HOLDS: Final = timedelta(days=3)


def page_of(invitation: str) -> str:
    """The whole address of the sign-up by an invitation."""
    query = urlencode({"invitation": invitation})
    return f"{settings.SITE_URL}{reverse('account_signup')}?{query}"


def invitation_by(link: SignUpLink) -> str:
    return signing.dumps(str(link.pk), salt=LINK)


def invitation_to(address: str) -> str:
    return signing.dumps(address, salt=ADDRESS)


def confirmed_address(invitation: str) -> str:
    """The address to which the invitation was sent; empty for any other."""
    if settings.CLUB["registration"] != "confirmed":
        return ""
    return _read(invitation, ADDRESS, ADDRESS_HOLDS)


def _read(invitation: str, salt: str, holds: timedelta | None = None) -> str:
    try:
        return str(signing.loads(invitation, salt=salt, max_age=holds))
    except signing.BadSignature:
        return ""


def check_open(invitation: str) -> None:
    """Raises the refusal of a sign-up with this invitation."""
    mode = settings.CLUB["registration"]
    if mode == "closed":
        raise refusals.RegistrationIsClosed
    if mode == "open" or confirmed_address(invitation):
        return
    number = _read(invitation, LINK)
    if number and not SignUpLink.living().filter(pk=number).exists():
        raise refusals.InvitationIsOver
    if not number:
        raise refusals.InvitationNeeded if mode == "invited" else refusals.AddressNeeded


def use_up(invitation: str) -> None:
    """Counts a sign-up by a link; of two for its last place one is refused."""
    check_open(invitation)
    if number := _read(invitation, LINK):
        taken = SignUpLink.living().filter(pk=number).update(used=F("used") + 1)
        if not taken and settings.CLUB["registration"] != "open":
            raise refusals.InvitationIsOver


def keep_address(user: User, address: str) -> None:
    """The confirmed address of a new account; raises ``AddressTaken``."""
    row = EmailAddress(user=user, email=address.lower(), verified=True, primary=True)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        raise refusals.AddressTaken from None


def must_agree(user: User) -> bool:
    """Whether the terms began to count after the person agreed to earlier ones, or to none."""
    if not settings.CLUB["terms"] or user.is_guest or user.is_bot:
        return False
    agreed, begins = user.terms_agreed_at, club.moment(settings.CLUB["terms_from"])
    if agreed is None and not user.has_usable_password():
        return True  # a provider's sign-in asks nobody
    is_set = bool(settings.CLUB["terms_from"])
    return is_set and begins <= timezone.now() and (agreed is None or agreed < begins)
