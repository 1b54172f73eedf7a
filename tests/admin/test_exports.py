"""Operators see how far exports and archives are, and no record in them."""

import pytest
from django.urls import reverse

from games.exports.exporting import start_export
from games.exports.models import RecordFile
from tests.admin.test_acts import staff

pytestmark = pytest.mark.django_db


def test_an_export_is_looked_at_and_not_read(ada):
    file = start_export(owner=ada)
    viewer = staff("viewer")
    listed = viewer.get(reverse("admin:exports_recordfile_changelist"), {"q": "ad"})
    assert f"export {file.id}" in listed.content.decode()
    assert "written until" in listed.content.decode()
    nobody = viewer.get(reverse("admin:exports_recordfile_changelist"), {"q": "nobody"})
    assert f"export {file.id}" not in nobody.content.decode()
    page = reverse("admin:exports_recordfile_change", args=[file.id])
    assert str(file.id) in viewer.get(page).content.decode()
    assert staff("referee").post(page, {"size": "1"}).status_code == 403
    assert RecordFile.objects.get().size == 0
