"""Which addresses of strangers are called: attacks on the network of the service (SSRF)."""

import re
import socket
import threading
import time
from ipaddress import ip_network

import pytest
from django.core.exceptions import ImproperlyConfigured

from accounts.notifications import delivering, endpoints
from accounts.notifications import outward as calling
from accounts.notifications.models import Attempt
from accounts.notifications.outbox import owe
from accounts.notifications.outward import number_of, target_of
from accounts.notifications.refusals import ForbiddenAddress
from config.environment import Environment
from config.settings.limits import outward
from tests.notifications.receiver import Receiver

PRIVATE = "The address belongs to a private network."
INSIDE = "The address carries another one inside."

REFUSED = {
    "http://example.org/": "The address has to begin with https://.",
    "ftp://example.org/": "The address has to begin with https://.",
    "file:///etc/passwd": "The address has to begin with https://.",
    "gopher://example.org/": "The address has to begin with https://.",
    "//example.org/": "The address has to begin with https://.",
    "https:///hook": "The address names no host.",
    "https://ada:secret@example.org/": "The address must not hold a name or a password.",
    "https://example.org@127.0.0.1/": "The address must not hold a name or a password.",
    "https://example.org:22/": "The port of the address is not allowed.",
    "https://example.org:6379/": "The port of the address is not allowed.",
    "https://example.org:99999/": "This is no address.",
    "https://exa mple.org/": "The address holds spaces or control characters.",
    "https://example.org/\r\nHost: inside": "The address holds spaces or control characters.",
    "https://example.org\\@127.0.0.1/": "This is no address.",
    "https://[fe80::1%25eth0]/": "The address must not name a zone.",
    "https://127.0.0.1/": PRIVATE,
    "https://10.0.0.8/": PRIVATE,
    "https://192.168.1.1/": PRIVATE,
    "https://172.16.0.1/": PRIVATE,
    "https://100.64.0.1/": PRIVATE,
    "https://169.254.169.254/latest/meta-data/": PRIVATE,
    "https://0.0.0.0/": PRIVATE,
    "https://224.0.0.1/": PRIVATE,
    "https://255.255.255.255/": PRIVATE,
    "https://192.0.2.1/": PRIVATE,
    "https://240.0.0.1/": PRIVATE,
    "https://168.63.129.16/metadata/": PRIVATE,
    "https://192.0.0.9/": PRIVATE,  # Python has it for a public one
    "https://192.0.0.192/opc/v2/": PRIVATE,
    "https://192.88.99.1/": PRIVATE,
    "https://[::1]/": INSIDE,
    "https://[::]/": INSIDE,
    "https://[fe80::1]/": PRIVATE,
    "https://[fc00::1]/": PRIVATE,
    "https://[fec0::1]/": PRIVATE,
    "https://[ff02::1]/": PRIVATE,
    "https://[::ffff:127.0.0.1]/": INSIDE,
    "https://[::ffff:8.8.8.8]/": INSIDE,
    "https://[::127.0.0.1]/": INSIDE,
    "https://[::ffff:0:127.0.0.1]/": INSIDE,
    "https://[2002:7f00:1::]/": INSIDE,
    "https://[2002:a00:8::1]/": INSIDE,
    "https://[64:ff9b::7f00:1]/": INSIDE,
    "https://[64:ff9b:1::a00:8]/": INSIDE,
    "https://[2001:0:7f00:1::]/": INSIDE,
}
# Names of this machine, and old notations that a resolver reads as an IPv4 address.
NAMES = ["localhost", "api.localhost", "localhost."]
NUMBERS = ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "3232235777"]


@pytest.mark.parametrize("url", REFUSED)
def test_is_refused_in_words(url):
    with pytest.raises(ForbiddenAddress) as refused:
        target_of(url)
    assert str(refused.value) == REFUSED[url]


@pytest.mark.parametrize("name", [*NAMES, *NUMBERS])
def test_a_name_of_this_machine_is_refused_when_it_is_saved_and_when_it_is_called(name):
    with pytest.raises(ForbiddenAddress) as refused:
        target_of(f"https://{name}/")
    assert str(refused.value) == PRIVATE
    assert calling.post(f"https://{name}/", b"", {}).why == "forbidden_address"


def test_an_operator_may_allow_a_name_of_this_machine(inside):
    assert target_of("https://localhost/").host == "localhost"


def resolver(monkeypatch, *answers):
    """A name server of an attacker: each question has the next answer, the last one for ever.

    It knows this one name only: other threads of the process look names up too.
    """
    left, real = list(answers), socket.getaddrinfo

    def answer(host, port, *rest, **others):
        if host != "example.org":
            return real(host, port, *rest, **others)
        numbers = left.pop(0) if len(left) > 1 else left[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in numbers]

    monkeypatch.setattr(socket, "getaddrinfo", answer)


def test_of_several_addresses_none_may_be_private(monkeypatch):
    resolver(monkeypatch, ["93.184.215.14", "10.0.0.8"])
    with pytest.raises(ForbiddenAddress):
        number_of(target_of("https://example.org/"), 5)


def test_a_name_is_looked_up_within_the_time_of_the_call(monkeypatch):
    """A stranger's name server may answer as late as it likes, and with the address of a friend."""
    asleep = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: asleep.wait(20) and [])
    begun = time.monotonic()
    answer = calling.post("https://example.org/hook", b"{}", {}, seconds=0.2)
    asleep.set()
    assert (answer.status, answer.why) == (None, "timeout")
    assert time.monotonic() - begun < 5


def test_an_unknown_name_is_no_error_of_ours(monkeypatch):
    def unknown(*_, **__):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert calling.post("https://example.org/hook", b"{}", {}).why == "unknown_host"


def test_a_zone_in_an_answer_is_refused(monkeypatch):
    resolver(monkeypatch, ["fe80::1%eth0"])
    with pytest.raises(ForbiddenAddress):
        number_of(target_of("https://example.org/"), 5)


def test_the_connection_goes_to_the_number_that_was_checked(monkeypatch):
    """Rebinding: the second answer would be this machine. It is never asked for."""
    connected = []

    def refuse(address, timeout=None):
        connected.append(address)
        raise ConnectionRefusedError

    resolver(monkeypatch, ["93.184.215.14"], ["127.0.0.1"])
    monkeypatch.setattr(socket, "create_connection", refuse)
    answer = calling.post("https://example.org/hook", b"{}", {})
    assert connected == [("93.184.215.14", 443)]
    assert (answer.status, answer.why) == (None, "no_connection")


def test_a_name_that_points_inside_is_never_connected_to(monkeypatch):
    """A name that was allowed when it was saved may point inside when it is called."""
    receiver = Receiver()
    resolver(monkeypatch, ["127.0.0.1"])
    answer = calling.post("https://example.org/hook", b"{}", {})
    assert (answer.status, answer.why) == (None, "forbidden_address")
    assert receiver.calls == []
    receiver.close()


def test_the_certificate_is_that_of_the_name(inside):
    """A server of this machine that speaks no TLS is no answer, and no error of ours."""
    receiver = Receiver()
    answer = calling.post(f"https://127.0.0.1:{receiver.port}/", b"{}", {}, seconds=2)
    assert answer.status is None
    assert answer.why in ("no_connection", "timeout")
    receiver.close()


def test_an_operator_may_allow_the_own_network(inside):
    receiver = Receiver(status=204)
    assert calling.post(receiver.url, b"{}", {"x": "y"}).status == 204
    ((headers, _),) = receiver.calls
    assert headers["Host"] == f"127.0.0.1:{receiver.port}"
    receiver.close()


@pytest.mark.parametrize("private", [False, True])
def test_operators_name_networks_that_nobody_reaches(monkeypatch, settings, private):
    networks = [ip_network("93.184.215.0/24"), ip_network("2606:2800::/32")]
    settings.OUTWARD = {**settings.OUTWARD, "refused": networks, "private": private}
    for number in ("93.184.215.14", "[2606:2800::1]"):
        with pytest.raises(ForbiddenAddress):
            target_of(f"https://{number}/")
    resolver(monkeypatch, ["93.184.215.14"])
    assert calling.post("https://example.org/", b"", {}).why == "forbidden_address"


def test_the_list_of_the_settings_is_read_strictly(monkeypatch):
    monkeypatch.setenv("WEBHOOK_REFUSED_NETWORKS", "203.0.113.0/24,2001:db8::/32")
    assert outward(Environment())["refused"] == [
        ip_network("203.0.113.0/24"),
        ip_network("2001:db8::/32"),
    ]
    monkeypatch.setenv("WEBHOOK_REFUSED_NETWORKS", "203.0.113.1/24")
    with pytest.raises(ImproperlyConfigured, match="WEBHOOK_REFUSED_NETWORKS"):
        outward(Environment())


@pytest.mark.django_db(transaction=True)
def test_the_owner_does_not_learn_which_names_lead_inside(monkeypatch, ada, client, keyed):
    """Two names, one that nobody knows and one of the own network: both read alike."""

    def known(host, *rest, **others):
        if host != "inside.example.org":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        time.sleep(0.01)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.8", 443))]

    client.force_login(ada)
    told, stored = [], []
    for name in ("inside", "nowhere"):
        hook = endpoints.create(user=ada, url=f"https://{name}.example.org/", kinds=["result"])
        owe(ada.pk, "result", f"result:{name}", {"game": "pisti", "url": "/matches/1"})
        with monkeypatch.context() as patch:
            patch.setattr(socket, "getaddrinfo", known)
            delivering.deliver()
        stored.append(Attempt.objects.get(delivery__endpoint=hook).why)
        path = f"/api/v1/accounts/me/webhooks/{hook.pk}/deliveries"
        (delivery,) = keyed(ada).get(path).json()["results"]
        (tried,) = delivery["tries"]
        page = client.get(f"/accounts/notifications/webhooks/{hook.pk}/").content.decode()
        shown = re.search(r": (\w+), (\d+) ms", page).groups()
        told.append((delivery["why"], tried["why"], tried["milliseconds"], tried["status"], shown))
        endpoints.delete(account=ada.pk, endpoint_id=hook.pk)
    assert stored == ["forbidden_address", "unknown_host"]
    assert told[0] == told[1] == ("unknown_host", "unknown_host", 0, None, ("unknown_host", "0"))
