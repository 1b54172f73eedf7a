"""The documentation is built strictly: no link leads nowhere, nothing comes from elsewhere."""

import re

import pytest

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
    """What an image is not sent cannot be linked to."""
    left_out = (ROOT / ".dockerignore").read_text().split()
    for page in pages():
        for target in re.findall(r"\]\((\.\./[^)#\s]*|[a-z][\w./-]*)", source(page).read_text()):
            file = (source(page).parent / target).resolve()
            top = file.relative_to(ROOT).parts[0] if file.is_relative_to(ROOT) else ""
            assert top not in left_out, f"{page} links to {target}"
