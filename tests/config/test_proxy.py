"""The proxy and Prometheus of docker/: their files are for what they say, and leave nobody out."""

import importlib.machinery
import importlib.util
import re

import pytest
import yaml

from tests.config.compose import ROOT


@pytest.fixture(scope="module")
def steps():
    """``docker/try_dockerfile`` as a module."""
    loader = importlib.machinery.SourceFileLoader("steps", str(ROOT / "docker/try_dockerfile"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("steps", loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def caddy(tmp_path, monkeypatch):
    """A Caddy of some version, which notes what it is called with."""

    def choose(version, status=0):
        script = tmp_path / "caddy"
        script.write_text(
            f'#!/bin/sh\n[ "$1" = version ] && echo "{version}" && exit\n'
            f'echo "$@ $SITE" > {tmp_path}/called\nexit {status}\n'
        )
        script.chmod(0o755)
        monkeypatch.setenv("CADDY", str(script))
        return tmp_path / "called"

    return choose


def test_the_caddyfile_says_which_caddy_it_needs(steps):
    least = ".".join(map(str, steps.CADDY))
    for name in ("Caddyfile", "SCALING.md"):
        assert f"Caddy {least} or newer" in (ROOT / "docker" / name).read_text()
    image = re.search(r"caddy:(\d+)\.(\d+)", (ROOT / "docker/compose.yml").read_text())
    assert tuple(map(int, image.groups())) >= steps.CADDY


def test_a_caddy_that_can_validates_it(steps, caddy, capfd):
    called = caddy("v2.10.2 h1:x")
    steps.try_proxy()
    assert called.read_text().split()[0] == "validate"
    assert str(ROOT / "docker/Caddyfile") in called.read_text()
    assert "cards.example.org" in called.read_text()
    assert "is valid for Caddy v2.10" in capfd.readouterr().out


def test_a_fault_of_it_ends_the_target(steps, caddy):
    caddy("v2.8.4", status=1)
    with pytest.raises(steps.subprocess.CalledProcessError):
        steps.try_proxy()


@pytest.mark.parametrize("version", ["2.6.2", None])
def test_an_older_one_or_none_is_named(steps, caddy, monkeypatch, capfd, version):
    called = caddy(version)
    if version is None:
        monkeypatch.setenv("CADDY", "no-such-caddy")
    steps.try_proxy()
    said = capfd.readouterr().out
    assert "needs Caddy 2.8 or newer" in said
    assert (version or "there is none") in said
    assert not called.exists()


def test_prometheus_scrapes_every_container_that_counts():
    services = yaml.safe_load((ROOT / "docker/compose.yml").read_text())["services"]
    counting = {name for name, one in services.items() if one.get("command") == [name]}
    scraped = yaml.safe_load((ROOT / "docker/prometheus/prometheus.yml").read_text())
    named = {
        name
        for job in scraped["scrape_configs"]
        for one in job["dns_sd_configs"]
        for name in one["names"]
    }
    assert named == counting - {"init"}
