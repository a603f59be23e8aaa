"""Sources that lie, break, hang or are away: each says why in a sentence, removes nothing, and is tried again."""

import gzip
import io
import time
import zlib
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from tests.conftest import World
from tests.features.mail.post_office import certificate
from tests.features.sources.calendars import (
    Elsewhere,
    add,
    calendar_file,
    counts,
    elsewhere,
    entry,
    events,
    read,
    run,
    titles,
)

from kalends.calendar.fetching.guarded import FetchLimits
from kalends.calendar.fetching.reach import Reach
from kalends.features.sources import one_read
from kalends.features.sources.remote import fetching

TWO = entry("1@town", "20270310T190000", "One"), entry("2@town", "20270311T190000", "Two")
Answer = Callable[[BaseHTTPRequestHandler], None]


def sent(body: bytes, status: int = 200, **headers: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def bomb() -> bytes:
    """Some kilobytes that become a hundred megabytes."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as file:
        for _ in range(100):
            file.write(b" " * 1_000_000)
    return packed.getvalue()


def endless(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True
    request.send_response(200)
    request.end_headers()
    try:
        while True:
            request.wfile.write(b"BEGIN:VCALENDAR\r\n" * 4000)
    except OSError:
        pass


def slowly(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True
    request.send_response(200)
    request.end_headers()
    try:
        for _ in range(1000):
            request.wfile.write(b"B")
            request.wfile.flush()
            time.sleep(0.05)
    except OSError:
        pass


def redirecting(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True
    request.send_response(302)
    request.send_header("Location", "/again")
    request.end_headers()


WHOLE = calendar_file(*TWO)
HALF = WHOLE[: len(WHOLE) // 2]
PORTAL = b"<!DOCTYPE html><html><title>Welcome to our network</title><form>Accept</form></html>"
LIES = {
    "an error page": (sent(PORTAL, 500), "status 500"),
    "not allowed": (sent(b"", 401), "wants a log-in"),
    "forbidden": (sent(b"", 403), "wants a log-in"),
    "not there": (sent(PORTAL, 404), "nothing at this address"),
    "gone": (sent(b"", 410), "nothing at this address"),
    "too often": (sent(b"", 429, Retry_After="7200"), "left alone"),
    "a captive portal": (sent(PORTAL), "a web page instead of a calendar file"),
    "a page that says it is a calendar": (sent(PORTAL, Content_Type="text/calendar"), "instead of a calendar file"),
    "half a file": (sent(HALF), "ends in the middle"),
    "half of what was announced": (sent(HALF, Content_Length=str(len(WHOLE))), "could not be fetched"),
    "nothing": (sent(b""), "nothing at all"),
    "an empty calendar": (sent(calendar_file()), "no events at all now"),
    "a gzip bomb": (sent(bomb(), Content_Encoding="gzip"), "too large"),
    "half a gzip": (sent(gzip.compress(WHOLE)[:-20], Content_Encoding="gzip"), "could not be fetched"),
    "no gzip": (sent(WHOLE, Content_Encoding="gzip"), "cannot be unpacked"),
    "an encoding of its own": (sent(WHOLE, Content_Encoding="br"), "encoding that was not asked for"),
    "too much": (sent(b"", Content_Length="50000000"), "too large"),
    "an endless stream": (endless, "too large"),
    "one byte at a time": (slowly, "too long"),
    "redirects": (redirecting, "redirects too often"),
    "another encoding": (sent(WHOLE.decode().encode("utf-16")), "instead of a calendar file"),
    "not HTTP": (sent(b"", 999), "status 999"),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_lies_removes_nothing(
    world: World, remote: Elsewhere, monkeypatch: pytest.MonkeyPatch, lie: str
) -> None:
    monkeypatch.setattr(fetching, "LIMITS", FetchLimits(max_bytes=20_000_000, timeout=2.0, max_redirects=5))
    remote.body = WHOLE
    made = add(world, remote)
    read(world, made)
    before = world.count()
    remote.answer, sentence = LIES[lie]
    found = read(world, made)
    assert sentence in found["error"]
    assert found["failing_since"] == "2026-11-15 12:00:00"
    assert found["next_run"] == ("2026-11-15 14:00:00" if lie == "too often" else "2026-11-15 12:15:00")
    assert world.count() == before
    remote.answer = None
    remote.show(*TWO, entry("3@town", "20270312T190000", "Three"))
    world.clock.move(hours=2)
    run(world)
    found = world.get(f"/sources/{made['id']}", "administrator").json()
    assert (found["error"], found["failing_since"], counts(found)) == ("", None, (1, 0, 2, 0, 0))
    assert titles(world) == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(WHOLE.replace(b"One", "Caf\xe9".encode("latin-1")), id="another character set"),
        pytest.param(b"\xef\xbb\xbf" + WHOLE.replace(b"\r\n", b"\n"), id="other ends of lines"),
        pytest.param(gzip.compress(WHOLE), id="compressed"),
        pytest.param(zlib.compress(WHOLE), id="deflated"),
    ],
)
def test_what_is_odd_is_read(world: World, remote: Elsewhere, body: bytes) -> None:
    encoding = "gzip" if body[:2] == b"\x1f\x8b" else "deflate" if body[:1] == b"\x78" else "identity"
    remote.answer = sent(body, Content_Type="application/octet-stream", Content_Encoding=encoding)
    found = read(world, add(world, remote))
    assert (found["error"], counts(found)) == ("", (2, 0, 0, 0, 0))


def test_the_same_id_twice(world: World, remote: Elsewhere) -> None:
    remote.show(TWO[0], entry("1@town", "20270312T190000", "Again"), TWO[1])
    assert counts(read(world, add(world, remote))) == (2, 0, 0, 0, 0)
    assert titles(world) == ["One", "Two"]


def test_more_events_than_can_be_read(world: World, remote: Elsewhere) -> None:
    remote.show(*(entry(f"{n}@town", f"202703{n % 28 + 1:02}T190000") for n in range(10_001)))
    found = read(world, add(world, remote))
    assert "more than 10000 events" in found["error"]
    assert events(world) == []


def test_a_list_that_has_become_far_shorter_is_believed_after_a_day(world: World, remote: Elsewhere) -> None:
    every = [entry(f"{day}@town", f"202703{day}T190000", f"Day {day}") for day in range(10, 20)]
    remote.show(*every)
    made = add(world, remote)
    read(world, made)
    remote.show(*every[:3])
    assert "3 of 10 events" in read(world, made)["error"]
    assert len(events(world)) == 10
    assert len(events(world)) == 10
    for _ in range(20):
        world.clock.move(hours=2)
        run(world)
    found = world.get(f"/sources/{made['id']}", "administrator").json()
    assert (found["error"], counts(found)[2]) == ("", 3)
    assert len(events(world)) == 3


def test_it_waits_longer_and_longer_and_never_ends(world: World, remote: Elsewhere) -> None:
    remote.status = 503
    made = add(world, remote)
    run(world)
    for count, wait in enumerate((15, 30, 60, 120, 240, 480, 960, 1440, 1440, 1440), 1):
        found = world.get(f"/sources/{made['id']}", "administrator").json()
        assert found["failing_since"] == "2026-11-15 12:00:00"
        for minutes in (wait / 2, wait / 2 - 1):
            world.clock.move(minutes=minutes)
            run(world)
            assert len(remote.asked) == count
        world.clock.move(minutes=1)
        run(world)
        assert len(remote.asked) == count + 1


def test_failures_are_told_once(world: World, remote: Elsewhere, caplog: pytest.LogCaptureFixture) -> None:
    remote.status = 503
    made = add(world, remote)
    for _ in range(40):
        read(world, made)
    with world.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM source_run") == 1
    assert not [one for one in caplog.records if "source" in one.getMessage()]


def test_a_clock_that_was_ahead_costs_no_read(world: World, remote: Elsewhere) -> None:
    remote.show(*TWO)
    add(world, remote, every="15m")
    world.clock.move(days=300)
    run(world)
    world.clock.move(days=-300)
    run(world)
    assert len(remote.asked) == 2
    world.clock.move(minutes=15)
    run(world)
    assert len(remote.asked) == 3


def test_a_redirect_into_the_network_is_refused(
    world: World, remote: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the address itself is outside."""
    made = add(world, remote)
    remote.body = WHOLE
    outside = Reach(allow=lambda address: str(address) == "127.0.0.1", ports=None)
    monkeypatch.setattr(one_read, "reach_of", lambda settings: outside)
    remote.answer = sent(b"", 302, Location=remote.url.replace("127.0.0.1", "127.0.0.2") + "?inside")
    assert "does not lead to a public address" in read(world, made)["error"]
    assert [one["path"] for one in remote.asked] == ["/events"]


def test_a_certificate_that_is_not_trusted(world: World, remote: Elsewhere, tmp_path: Path) -> None:
    _, context = certificate(tmp_path, "127.0.0.1")
    remote.body = WHOLE
    with elsewhere(context) as sealed:
        sealed.body = WHOLE
        found = read(world, add(world, sealed))
        assert "its certificate is not trusted" in found["error"]
        assert sealed.asked == []
    assert events(world) == []


def test_dates_beyond_all_bounds(world: World, remote: Elsewhere) -> None:
    """Nothing is understood of what is outside of the window, and nothing hangs."""
    remote.show(
        entry("1@town", "16010101T000000", "Long ago"),
        entry("2@town", "16010101T000000", "Since ever", RRULE="FREQ=DAILY"),
        entry("3@town", "99991231T235959", "At the end of time"),
        entry("4@town", "20270310T190000", "Until the end", end="99991231T235959"),
        entry("5@town", "20279910T190000", "No day"),
        entry("6@town", "20270311T190000", "Fair"),
    )
    found = read(world, add(world, remote))
    assert found["error"] == ""
    assert "Fair" in titles(world)
    assert not {"Long ago", "At the end of time", "No day"} & set(titles(world))


def test_a_clock_that_goes_back(world: World, remote: Elsewhere) -> None:
    """What is read then is not taken for older, and nothing is removed."""
    remote.show(*TWO)
    made = add(world, remote)
    read(world, made)
    world.clock.move(days=-30)
    remote.show(*TWO, entry("3@town", "20270312T190000", "Three"))
    assert counts(read(world, made)) == (1, 0, 2, 0, 0)
    world.clock.move(hours=2)
    remote.show(*TWO)
    run(world)
    assert titles(world) == ["One", "Two"]
