"""An image named by its URL is fetched within limits, over HTTPS from who it claims to be.

Everything stays on the loopback network; `local` opens it where a fetch is meant to succeed."""

import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from tests.calendar.image_servers import GOOD, IMAGE, LOOPBACK, Names, Server, fetch, local, redirect, refusal_of

from kalends.calendar.fetching.public_networks import Address
from kalends.calendar.fetching.reach import Reach
from kalends.calendar.images.fetching import FetchLimits, fetch_image


def test_an_image_is_fetched_from_the_checked_address_under_its_name(server: Server) -> None:
    assert fetch(server.url()) == IMAGE
    request = server.requests[0]
    assert request.startswith("GET /image.png HTTP/1.1\r\n")
    assert f"\r\nHost: images.test:{server.port}\r\n" in request
    assert "\r\nAccept-Encoding: identity\r\n" in request


@pytest.mark.parametrize("kind", ["image/jpeg; x=y", "IMAGE/PNG", "application/octet-stream", "binary/octet-stream"])
def test_content_types_that_may_be_images(server: Server, kind: str) -> None:
    server.answers["/image.png"] = GOOD.replace(b"image/png", kind.encode())
    assert fetch(server.url()) == IMAGE


@pytest.mark.parametrize(
    "answer",
    [
        GOOD.replace(b"image/png", b"text/html"),
        GOOD.replace(b"image/png", b"application/json"),
        GOOD.replace(b"Content-Type: image/png\r\n", b""),
        GOOD.replace(b"200 OK", b"404 Not Found"),
        GOOD.replace(b"200 OK", b"206 Partial Content"),
        GOOD.replace(b"200 OK", b"500 Oops"),
        GOOD.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n", 1),
        b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200",
    ],
)
def test_anything_but_an_image_is_refused_with_one_sentence(server: Server, answer: bytes) -> None:
    server.answers["/image.png"] = answer
    assert refusal_of(lambda: fetch(server.url())) == "The image URL did not answer with an image."


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-OpenSSH\r\n", GOOD[:-1], b"\0" * 70_000])
def test_incomplete_responses_are_refused_without_details(server: Server, answer: bytes) -> None:
    server.answers["/image.png"] = answer
    assert refusal_of(lambda: fetch(server.url())) == "The image could not be fetched."


def test_chunks_are_put_together(server: Server) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.answers["/image.png"] = head + b"3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n"
    assert fetch(server.url()) == b"abcdefg"


END = b"\r\n0\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"


def endless(connection: socket.socket) -> None:
    while True:
        connection.sendall(b"x" * 65_536)


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        (HEAD + b"Content-Length: 1001\r\n\r\n", b""),
        (HEAD + b"Content-Length: 99999999999999999999\r\n\r\n", b""),
        (HEAD + b"\r\n", b"endless"),
        (HEAD + b"Content-Length: -1\r\n\r\n", b"endless"),
        (HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" + b"x" * 1001 + END, b""),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\n", b"endless"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n", b"endless"),
    ],
    ids=["announced", "absurd", "unannounced", "negative", "lying", "one huge chunk", "negative chunk"],
)
def test_too_many_bytes_are_refused_however_they_come(server: Server, head: bytes, tail: bytes) -> None:
    def answer(connection: socket.socket) -> None:
        connection.sendall(head)
        if tail:
            endless(connection)

    server.answers["/image.png"] = answer
    limits = FetchLimits(max_bytes=1000, timeout=5)
    assert refusal_of(lambda: fetch(server.url(), limits)) == "The image at this URL is too large."


def test_exactly_the_limit_is_taken_and_bytes_after_the_announced_ones_are_not(server: Server) -> None:
    server.answers["/image.png"] = HEAD + b"Content-Length: 1000\r\n\r\n" + b"x" * 5000
    assert fetch(server.url(), FetchLimits(max_bytes=1000)) == b"x" * 1000


def test_endless_headers_are_refused(server: Server) -> None:
    def answer(connection: socket.socket) -> None:
        while True:
            connection.sendall(b"HTTP/1.1 100 Continue\r\nX-Padding: " + b"x" * 60_000 + b"\r\n\r\n")

    server.answers["/image.png"] = answer
    limits = FetchLimits(max_bytes=1000, timeout=5)
    assert refusal_of(lambda: fetch(server.url(), limits)) == "The image at this URL is too large."


def dripping(head: bytes) -> Callable[[socket.socket], None]:
    def drip(connection: socket.socket) -> None:
        connection.sendall(head)
        for _ in range(100):
            connection.sendall(b"x")
            time.sleep(0.05)

    return drip


@pytest.mark.parametrize("head", [HEAD + b"Content-Length: 900\r\n\r\n", HEAD + b"X-Slow: ", b""])
def test_a_slow_response_ends_at_the_deadline(server: Server, head: bytes) -> None:
    server.answers["/image.png"] = dripping(head)
    began = time.monotonic()
    assert refusal_of(lambda: fetch(server.url(), FetchLimits(timeout=0.3))) == "The image took too long to fetch."
    assert time.monotonic() - began < 1


def test_redirects_share_one_deadline(server: Server) -> None:
    def slow(connection: socket.socket) -> None:
        time.sleep(0.15)
        connection.sendall(redirect("/image.png"))

    server.answers["/image.png"] = slow
    limits = FetchLimits(timeout=0.4, max_redirects=100)
    assert refusal_of(lambda: fetch(server.url(), limits)) == "The image took too long to fetch."
    assert len(server.requests) <= 3


def test_a_slow_resolver_ends_at_the_deadline() -> None:
    release = threading.Event()

    def stuck(_host: str, _port: int) -> Sequence[Address]:
        release.wait(5)
        return [LOOPBACK]

    began = time.monotonic()
    limits = FetchLimits(timeout=0.2)
    said = refusal_of(lambda: fetch_image("http://images.test/", limits, Reach(stuck, local)))
    release.set()
    assert said == "The image took too long to fetch."
    assert time.monotonic() - began < 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(server: Server, status: int) -> None:
    server.answers["/a"] = redirect(server.url("/b/c"), status)
    server.answers["/b/c"] = redirect("../image.png", status)
    names = Names(images_test=[[LOOPBACK]])
    assert fetch(server.url("/a"), names=names) == IMAGE
    assert names.asked == ["images.test"] * 3


def test_a_redirect_loop_ends_after_the_allowed_number(server: Server) -> None:
    server.answers["/loop"] = redirect("/loop")
    limits = FetchLimits(max_redirects=3, timeout=5)
    assert refusal_of(lambda: fetch(server.url("/loop"), limits)) == "The image URL redirects too often."
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    "location",
    [
        "ftp://images.test/x",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:image/png;base64,AAAA",
        "http://user:pass@images.test/x",
        "http://@images.test/x",
        "http://[::1/x",
        "http://images.test/\tx",
        "/" + "x" * 2048,
    ],
)
def test_a_redirect_is_held_to_the_rules_of_urls(server: Server, location: str) -> None:
    server.answers["/a"] = redirect(location)
    assert refusal_of(lambda: fetch(server.url("/a"))) == "The image URL is not a plain http or https URL."
    assert len(server.requests) == 1


def test_a_line_break_in_a_redirect_injects_nothing(server: Server) -> None:
    server.answers["/a"] = redirect("/image.png\rX-Injected: 1")
    assert fetch(server.url("/a")) == IMAGE
    assert not any("Injected" in request for request in server.requests)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "images.test/x.png",
        "//images.test/x.png",
        "ftp://images.test/x.png",
        "gopher://images.test/x",
        "file:///etc/passwd",
        "http://",
        "http:///x.png",
        "http://user@images.test/",
        "http://user:secret@images.test/",
        "http://images.test\\@127.0.0.1/",
        "http://images.test/a b",
        " http://images.test/",
        "http://images.test/\r\nX: y",
        "http://images.test/\0",
        "http://images.test/\x85",
        "http://ima\nges.test/",
        "http://images.test:port/",
        "http://images.test:99999/",
        "http://images.test:-1/",
        "http://[::1",
        "http://[fe80::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        "http://images%2etest/",
        "http://images..test/",
        "http://.images.test/",
        "http://imag,es.test/",
        "http://" + "a" * 64 + ".test/",
        "http://" + "a." * 150 + "test/",
        "http://images.test/" + "x" * 2048,
    ],
)
def test_odd_urls_are_refused_before_resolving(url: str) -> None:
    names = Names(images_test=[[LOOPBACK]])
    assert refusal_of(lambda: fetch(url, names=names)) == "The image URL is not a plain http or https URL."
    assert names.asked == []


@pytest.mark.parametrize("port", [22, 25, 81, 6379, 9200, 0])
def test_only_ports_of_the_web_by_default(port: int) -> None:
    names = Names(images_test=[[LOOPBACK]])
    url = f"http://images.test:{port}/x.png"
    said = refusal_of(lambda: fetch_image(url, FetchLimits(), Reach(names, local)))
    assert said == "The image URL has a port that is not allowed."
    assert names.asked == []


def test_a_redirect_to_another_port_is_refused(server: Server) -> None:
    server.answers["/a"] = redirect("http://images.test:22/")
    names = Names(images_test=[[LOOPBACK]])
    said = refusal_of(lambda: fetch_image(server.url("/a"), FetchLimits(), Reach(names, local, ports={server.port})))
    assert said == "The image URL has a port that is not allowed."


def test_letters_beyond_ascii_go_out_encoded(server: Server) -> None:
    server.answers["/b%C3%BChne.png?q=%C3%A4%20b"] = GOOD
    name = "xn--bhne-0ra.test"
    names = Names(**{name.replace(".", "_"): [[LOOPBACK]]})
    assert fetch(server.url("/bühne.png?q=ä%20b#part", host="BÜHNE.test."), names=names) == IMAGE
    assert f"\r\nHost: {name}:{server.port}\r\n" in server.requests[0]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for images.test, made for this run."""
    both = tmp_path_factory.mktemp("tls") / "both.pem"
    alone = both.with_name("certificate.pem")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    command += " -subj /CN=images.test -addext subjectAltName=DNS:images.test"
    try:
        subprocess.run([*command.split(), "-keyout", both, "-out", alone], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("openssl is not there to make a certificate")
    both.write_bytes(both.read_bytes() + alone.read_bytes())
    return both


@pytest.fixture
def secure_server(certificate: Path) -> Iterator[Server]:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    running = Server(tls)
    yield running
    running.close()


def secure_fetch(url: str, certificate: Path | None) -> bytes:
    names = Names(images_test=[[LOOPBACK]], other_test=[[LOOPBACK]])
    tls = ssl.create_default_context(cafile=certificate) if certificate else None
    return fetch_image(url, FetchLimits(timeout=5), Reach(names, local, ports=None, tls=tls))


def test_https_is_checked_for_the_name_though_the_connection_goes_to_the_address(
    secure_server: Server, certificate: Path
) -> None:
    assert secure_fetch(secure_server.url(scheme="https"), certificate) == IMAGE
    other = secure_server.url(scheme="https", host="other.test")
    assert refusal_of(lambda: secure_fetch(other, certificate)) == "The image could not be fetched."
    unknown = secure_server.url(scheme="https")
    assert refusal_of(lambda: secure_fetch(unknown, None)) == "The image could not be fetched."
    assert len(secure_server.requests) == 1


def test_a_redirect_may_go_from_http_to_https_but_not_back(
    server: Server, secure_server: Server, certificate: Path
) -> None:
    server.answers["/up"] = redirect(secure_server.url(scheme="https"))
    assert secure_fetch(server.url("/up"), certificate) == IMAGE
    secure_server.answers["/down"] = redirect(server.url())
    down = secure_server.url("/down", scheme="https")
    assert refusal_of(lambda: secure_fetch(down, certificate)) == "The image URL redirects from https to http."
    assert len(server.requests) == 1
