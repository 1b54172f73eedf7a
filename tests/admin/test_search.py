"""The search of unfold, which nobody links to and everybody on the staff may call."""

import pytest

from tests.admin.test_acts import staff

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", ["viewer", "referee", "administrator"])
@pytest.mark.parametrize("asked", ["a", "auth", "roles", "m&extended=1", "a&page=x", "%00", ""])
def test_it_answers_everybody(role, asked):
    browser = staff(role)
    for _ in range(2):  # the second answer came from a cache
        assert browser.get(f"/admin/search/?s={asked}").status_code in (200, 400)


def test_it_names_what_the_role_may_open():
    found = [
        staff(role).get("/admin/search/?s=group").content.decode()
        for role in ("viewer", "administrator")
    ]
    assert ["/admin/auth/group/" in text for text in found] == [False, True]
