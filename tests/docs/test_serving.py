"""The service shows the built documentation at /docs/."""

import pytest
from django.test import Client

pytestmark = pytest.mark.xdist_group("documentation")  # it is built once
DOCS = "/docs/"


@pytest.fixture
def reader(settings, site):
    settings.DOCS_ROOT = site
    return Client()


def test_a_page_has_the_address_of_its_folder(reader):
    answer = reader.get(DOCS)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/html"
    assert "Cardroom" in answer.content.decode()
    assert answer["Cache-Control"] == "public, max-age=300"
    assert reader.get("/docs/api/streams/").status_code == 200


@pytest.mark.parametrize("path", ["/docs", "/docs/api", "/docs/cardroom/rules/pisti/RULES"])
def test_an_address_without_its_slash_leads_to_the_page(reader, path):
    answer = reader.get(path)
    assert answer.status_code in (301, 302, 308)
    assert answer["Location"] == f"{path}/"


def test_a_page_that_was_read_is_not_sent_again(reader):
    read = reader.get(DOCS)["Last-Modified"]
    assert reader.get(DOCS, headers={"If-Modified-Since": read}).status_code == 304


def test_pages_are_compressed(reader):
    answer = reader.get(DOCS, headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"


@pytest.mark.parametrize(
    "path",
    [
        "nowhere/",
        "../manage.py",
        "..%2f..%2fmanage.py",
        "%00",
        "x" * 300,
        "assets/",
        "//etc/passwd",
    ],
)
def test_nothing_else_is_there(reader, db, path):
    assert reader.get(DOCS + path).status_code == 404


def test_where_nothing_was_built_a_page_says_how(settings, tmp_path, db):
    settings.DOCS_ROOT = tmp_path
    answer = Client().get(DOCS)
    assert answer.status_code == 404
    assert "make docs" in answer.content.decode()


def test_the_policy_of_the_service_lets_all_of_it_load(reader, site):
    """No script and no style inside a page (`test_building`), and all of it from here; what the
    search makes is known by its content (`make e2e` opens it)."""
    policy = set(reader.get(DOCS)["Content-Security-Policy"].split("; "))
    assert "script-src 'self'" in policy
    (styles,) = [each for each in policy if each.startswith("style-src")]
    assert styles.startswith("style-src 'self' 'sha256-")
    assert "unsafe" not in str(policy)
    assert "sha256" not in reader.get("/robots.txt")["Content-Security-Policy"]
