"""No image is ever fetched from an internal address, however it is spelled."""

import ipaddress
import socket
from collections.abc import Sequence
from functools import partial

import pytest
from tests.calendar.image_servers import (
    IMAGE,
    LOOPBACK,
    NOT_PUBLIC,
    PUBLIC,
    Names,
    Server,
    fetch,
    redirect,
    refusal_of,
)

from kalends.calendar.fetching.public_networks import Address, is_public
from kalends.calendar.fetching.reach import Reach
from kalends.calendar.images.fetching import FetchLimits, fetch_image


def numbers_only(host: str, port: int) -> Sequence[Address]:
    """The system's reading of numbers in unusual notations, without a name server."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    return [ipaddress.ip_address(str(entry[4][0])) for entry in found]


SPELLINGS = [
    *("127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "2130706433", "017700000001", "0x7f000001", "0x7f.1"),
    *("0177.0.0.1", "0177.0.0.01", "127.000.000.001", "0", "0.0.0.0", "127.255.255.254", "[::1]", "[::]"),
    *("[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"),
    *("[0:0:0:0:0:ffff:7f00:0001]", "①②⑦.⓪.⓪.①", "127。0。0。1", "127.0.0.1。", "１２７.0.0.1"),
]


@pytest.mark.parametrize("host", SPELLINGS)
def test_no_spelling_of_an_internal_address_reaches_it(server: Server, host: str) -> None:
    said = refusal_of(
        lambda: fetch_image(server.url(host=host), FetchLimits(timeout=2), Reach(numbers_only, ports=None))
    )
    assert said == NOT_PUBLIC
    assert server.connections == 0


@pytest.mark.parametrize(
    "addresses",
    [[LOOPBACK], [PUBLIC, LOOPBACK], [LOOPBACK, PUBLIC], [ipaddress.ip_address("::ffff:127.0.0.1")], []],
)
def test_no_name_of_an_internal_address_reaches_it(server: Server, addresses: list[Address]) -> None:
    names = Names(internal_test=[addresses])
    url = server.url(host="internal.test")
    assert refusal_of(lambda: fetch_image(url, FetchLimits(timeout=2), Reach(names, ports=None))) == NOT_PUBLIC
    assert server.connections == 0
    assert names.asked == ["internal.test"]


def test_the_message_does_not_reveal_whether_something_listens(server: Server) -> None:
    names = Names(internal_test=[[LOOPBACK]])
    with socket.create_server(("127.0.0.1", 0)) as free:
        closed_port = free.getsockname()[1]
    urls = [server.url(host="internal.test"), f"http://127.0.0.1:{closed_port}/", "http://no.such.name.test/"]
    for url in urls:
        assert refusal_of(partial(fetch_image, url, FetchLimits(), Reach(names, ports=None))) == NOT_PUBLIC


@pytest.mark.parametrize("host", ["127.0.0.2", "internal.test", "[::1]", "2130706434", "169.254.169.254"])
def test_no_redirect_reaches_an_internal_address(server: Server, host: str) -> None:
    internal = Server()
    try:
        server.answers["/a"] = redirect(internal.url(host=host))
        names = Names(images_test=[[LOOPBACK]], internal_test=[[ipaddress.ip_address("127.0.0.2")]])

        def resolve(name: str, port: int) -> Sequence[Address]:
            return numbers_only(name, port) if name.isdigit() else names(name, port)

        def only_the_first(address: Address) -> bool:
            return address == LOOPBACK or is_public(address)

        said = refusal_of(
            lambda: fetch_image(server.url("/a"), FetchLimits(timeout=2), Reach(resolve, only_the_first, ports=None))
        )
        assert said == NOT_PUBLIC
        assert (server.connections, internal.connections) == (1, 0)
    finally:
        internal.close()


def test_a_rebinding_name_is_resolved_once_a_hop_and_checked_each_time(server: Server) -> None:
    allowed, internal = LOOPBACK, ipaddress.ip_address("127.0.0.2")
    names = Names(rebinding_test=[[allowed], [internal]])

    def only_the_first(address: Address) -> bool:
        return address == allowed

    def again() -> bytes:
        url = server.url(host="rebinding.test")
        return fetch_image(url, FetchLimits(timeout=2), Reach(names, only_the_first, ports=None))

    assert again() == IMAGE
    assert names.asked == ["rebinding.test"]
    assert refusal_of(again) == NOT_PUBLIC
    assert len(names.asked) == 2
    assert server.connections == 1


def test_the_connection_goes_to_the_checked_address_without_resolving_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolved: list[str] = []
    really = socket.getaddrinfo

    def recorded(host: str, *rest: int) -> object:
        resolved.append(host)
        return really(host, *rest)

    monkeypatch.setattr(socket, "getaddrinfo", recorded)
    assert fetch(server.url()) == IMAGE
    assert set(resolved) <= {"127.0.0.1"}


def test_the_next_address_is_tried_when_one_is_dead(server: Server) -> None:
    names = Names(images_test=[[ipaddress.ip_address("127.0.0.9"), LOOPBACK]])
    assert fetch(server.url(), names=names) == IMAGE


@pytest.mark.parametrize(
    "text",
    [
        *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.8.8.8"),
        *("169.254.169.254", "169.254.0.1", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.9"),
        *("192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255"),
        *("198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
        *("100.100.100.200", "168.63.129.16"),
        *("::", "::1", "::7f00:1", "::8.8.8.8", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1"),
        *("64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b:1::8.8.8.8", "100::1", "2001::1"),
        *("2001:0:5ef5:79fd::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "3fff::1"),
        *("2002:7f00:1::1", "2002:a9fe:a9fe::1", "2002:c0a8:101::1", "4000::1", "5f00::1", "fc00::1"),
        *("fd00:ec2::254", "fe80::1", "fe80::1%eth0", "2606:4700::1%1", "fec0::1", "ff02::1", "ff0e::1"),
    ],
)
def test_internal_addresses_are_not_public(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "1.1.1.1",
            "93.184.216.34",
            "100.128.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "223.255.255.1",
        ),
        *("2606:4700::1111", "2a00:1450:4001:80e::200e", "2001:4860:4860::8888", "64:ff9b::1.1.1.1"),
        "2002:101:101::1",
    ],
)
def test_addresses_of_the_internet_are_public(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))
