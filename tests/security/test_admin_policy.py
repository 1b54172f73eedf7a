"""The policy of the admin allows no script and no style that is not known. `make e2e` walks it."""

import base64
import re
from hashlib import sha256

import pytest
from django.test import Client

from accounts.models import User

STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
PAGES = ("/admin/", "/admin/games/match/", "/admin/accounts/user/", "/admin/accounts/user/add/")


@pytest.mark.django_db
@pytest.mark.parametrize("page", PAGES)
def test_what_stands_in_a_page_is_known_to_its_policy(page):
    browser, root = Client(), User.objects.create_superuser("root")
    browser.force_login(root, backend="allauth.account.auth_backends.AuthenticationBackend")
    answer = browser.get(page)
    policy, text = answer["Content-Security-Policy"], answer.content.decode()
    for style in STYLE.findall(text):
        digest = base64.b64encode(sha256(style.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert not re.search(r"<script(?![^>]*(src=|application/json))", text)
    assert not re.search(r"<\w[^>]*\son\w+=", text)
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert scripts == "script-src 'self' 'unsafe-eval'"
