"""The documentation is built strictly: no link leads nowhere, nothing comes from elsewhere."""

import re

import pytest
from django.test import Client

from docs import building
from docs.building import DOCS, ROOT, Fault, Links, faults, pages, source

pytestmark = pytest.mark.xdist_group("documentation")  # it is built once
SCRIPTED = "<script>let x</script>"


def test_every_page_of_the_folder_is_in_the_site(site):
    written = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
    assert written <= set(pages())
    for page in pages():
        folder = site / page.removesuffix("index.md").removesuffix(".md")
        assert (folder / "index.html").is_file(), page


def test_rules_and_formats_are_read_where_they_stand():
    beside_the_code = {page for page in pages() if not (DOCS / page).is_file()}
    specified = {str(file.relative_to(ROOT)) for file in ROOT.glob("cardroom/rules/*/*.md")}
    assert specified <= beside_the_code
    assert {"docker/RUNBOOK.md", "docker/SCALING.md", "CONTRIBUTING.md"} <= beside_the_code


def test_no_page_asks_another_host_and_none_has_a_script_inside(site):
    assert list(faults(site)) == []
    for page in site.rglob("*.html"):
        assert "googleapis" not in page.read_text("utf-8")


@pytest.mark.parametrize(
    "page",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="//cdn.example/x.css">',
        '<img src="https://cdn.example/x.png">',
        '<p onclick="x()">',
        '<p style="color: red">',
        SCRIPTED,
    ],
)
def test_a_page_that_asks_another_host_is_not_built(tmp_path, page):
    (tmp_path / "index.html").write_text(page)
    assert len(list(faults(tmp_path))) == 1


def test_a_style_sheet_that_asks_another_host_is_not_built(tmp_path):
    (tmp_path / "own.css").write_text("a { background: url(x.png), url(https://cdn.example/y) }")
    assert list(faults(tmp_path)) == ["own.css loads https://cdn.example/y"]


def led(text, tmp_path, page="docker/RUNBOOK.md"):
    return Links(page, {source(each): each for each in pages()}, tmp_path).lead(text)


def test_links_lead_to_the_same_thing_as_in_the_tree(tmp_path):
    assert led("[a](SCALING.md#one)", tmp_path) == "[a](SCALING.md#one)"
    assert led("[a](../docs/play.md)", tmp_path) == "[a](../play.md)"
    assert led("[Caddyfile](Caddyfile)", tmp_path) == "`docker/Caddyfile`"
    assert led("[the proxy](Caddyfile)", tmp_path) == "the proxy (`docker/Caddyfile`)"
    assert led("[a](http://127.0.0.1:8000/new)", tmp_path) == "[a](/new)"
    assert led("[a](#b) [c](https://example.org)", tmp_path) == "[a](#b) [c](https://example.org)"
    assert led("```\n[a](nowhere)\n```", tmp_path) == "```\n[a](nowhere)\n```"


def test_a_picture_is_taken_along(tmp_path):
    picture = "screenshots/table-pisti-4.jpg"
    assert led(f"![a](../docs/{picture})", tmp_path) == f"![a](../{picture})"
    assert (tmp_path / picture).is_file()


def test_a_link_that_leads_nowhere_is_a_fault(tmp_path):
    with pytest.raises(Fault, match=r"docker/RUNBOOK\.md links to nowhere\.md"):
        led("[a](nowhere.md)", tmp_path)


def test_a_page_that_is_not_there_is_a_fault(monkeypatch):
    monkeypatch.setattr(building, "DOCS", ROOT / "docker")
    with pytest.raises(Fault, match=r"nowhere\.md, which zensical.toml names, does not exist"):
        source("nowhere.md")


def test_the_image_has_all_that_the_site_is_built_from():
    """A file that is not in the image cannot be linked to."""
    left_out = (ROOT / ".dockerignore").read_text().split()
    for page in pages():
        for target in re.findall(r"\]\((\.\./[^)#\s]*|[a-z][\w./-]*)", source(page).read_text()):
            file = (source(page).parent / target).resolve()
            top = file.relative_to(ROOT).parts[0] if file.is_relative_to(ROOT) else ""
            assert top not in left_out, f"{page} links to {target}"


# The service shows the built documentation at /docs/.

SERVED_AT = "/docs/"


@pytest.fixture
def reader(settings, site):
    settings.DOCS_ROOT = site
    return Client()


def test_a_page_has_the_address_of_its_folder(reader):
    answer = reader.get(SERVED_AT)
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
    read = reader.get(SERVED_AT)["Last-Modified"]
    assert reader.get(SERVED_AT, headers={"If-Modified-Since": read}).status_code == 304


def test_pages_are_compressed(reader):
    answer = reader.get(SERVED_AT, headers={"Accept-Encoding": "gzip"})
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
    assert reader.get(SERVED_AT + path).status_code == 404


def test_where_nothing_was_built_a_page_says_how(settings, tmp_path, db):
    settings.DOCS_ROOT = tmp_path
    answer = Client().get(SERVED_AT)
    assert answer.status_code == 404
    assert "make docs" in answer.content.decode()


def test_the_policy_of_the_service_lets_all_of_it_load(reader, site):
    """No script and no style inside a page (`test_building`), and all of it from here; what the
    search makes is known by its content (`make e2e` opens it)."""
    policy = set(reader.get(SERVED_AT)["Content-Security-Policy"].split("; "))
    assert "script-src 'self'" in policy
    (styles,) = [each for each in policy if each.startswith("style-src")]
    assert styles.startswith("style-src 'self' 'sha256-")
    assert "unsafe" not in str(policy)
    assert "sha256" not in reader.get("/robots.txt")["Content-Security-Policy"]
