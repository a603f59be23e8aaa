"""Readers of one feed share its rendering; long feeds are kept in files, bounded in number and bytes."""

import gc
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.waiting import until

from kalends.calendar.admission import SLOW, WORKER
from kalends.http.messages import feed_cache
from kalends.http.messages.feed_cache import MOST_KEPT, FeedCache
from kalends.http.middleware.admitting import BodyInParts

PIECE = 4
LONG = [b"aaaa", b"bbbb", b"cccc", b"dddd"]


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_cache, "PIECE", PIECE)


class Rendering:
    """Pieces of a feed, and how many of them were rendered."""

    def __init__(self, pieces: list[bytes], before: Callable[[int], None] = lambda number: None) -> None:
        self.pieces, self.before = pieces, before
        self.rendered = 0

    def __call__(self) -> Iterator[bytes]:
        for number, piece in enumerate(self.pieces):
            self.before(number)
            self.rendered += 1
            yield piece


def test_readers_at_the_same_time_share_one_rendering_and_none_waits_for_a_slow_one() -> None:
    feeds, rendering = FeedCache(), Rendering(LONG)
    slow = iter(feeds.open("mark", rendering))
    assert next(slow) == LONG[0]  # and takes no more for now
    quick = iter(feeds.open("mark", rendering))
    assert next(quick) == LONG[0]
    assert next(quick) == LONG[1]
    assert [next(slow), next(slow)] == LONG[1:3]
    assert b"".join(quick) == b"".join(LONG[2:])
    assert b"".join(slow) == LONG[3]
    assert b"".join(feeds.open("mark", rendering)) == b"".join(LONG)
    assert rendering.rendered == len(LONG)


def test_threads_of_few_clients_who_read_the_same_feed_are_all_answered() -> None:
    """Each part is a turn, of which a client has one: who waits for another's rendering has to give it up."""
    feeds, rendering, read = FeedCache(), Rendering(LONG * 5), list[bytes]()

    def take(client: str) -> None:
        read.append(b"".join(BodyInParts(feeds.open("mark", rendering), client, WORKER)))

    threads = [threading.Thread(target=take, args=(f"office {one % 3}",), daemon=True) for one in range(12)]
    for thread in threads:
        thread.start()
    until(lambda: len(read) == len(threads))
    assert set(read) == {b"".join(LONG * 5)}
    assert rendering.rendered == len(rendering.pieces)


class Noted:
    """Admission, noting who gives a turn up."""

    def __init__(self, asides: list[object]) -> None:
        self.asides = asides

    def released(self, **named: Any) -> Any:
        self.asides.append(named)
        return WORKER.released(**named)


def test_who_waits_for_the_rendering_of_another_gives_its_turn_up(monkeypatch: pytest.MonkeyPatch) -> None:
    go, began = threading.Event(), threading.Event()

    def wait(number: int) -> None:
        began.set()
        go.wait(60)

    feeds, rendering, read = FeedCache(), Rendering(LONG, wait), list[bytes]()
    first = threading.Thread(target=lambda: read.append(next(iter(feeds.open("mark", rendering)))))
    first.start()
    began.wait(60)
    body = BodyInParts(feeds.open("mark", rendering), "another", WORKER)
    second = threading.Thread(target=lambda: read.append(next(body)))
    asides = list[object]()
    monkeypatch.setattr(feed_cache, "WORKER", Noted(asides))
    second.start()
    until(lambda: asides and "another" not in WORKER._queues[SLOW].running)
    go.set()
    first.join()
    second.join()
    assert read == [LONG[0]] * 2
    assert rendering.rendered == 1


def test_what_nobody_reads_to_its_end_is_forgotten_with_its_last_reader() -> None:
    """A rendering that has begun holds the events that come next, which may be large."""
    feeds, alive = FeedCache(), weakref.WeakSet[Any]()

    def watched() -> Iterator[bytes]:
        rendering = Rendering(LONG)()
        alive.add(rendering)
        return rendering

    one, other = iter(feeds.open("mark", watched)), iter(feeds.open("mark", watched))
    late = feeds.open("mark", watched)
    assert [next(one), next(one), next(other)] == [LONG[0], LONG[1], LONG[0]]
    one.close()  # type: ignore[attr-defined]
    assert next(other) == LONG[1]
    other.close()  # type: ignore[attr-defined]
    gc.collect()
    assert not alive
    assert b"".join(late) == b"".join(LONG)
    gc.collect()
    assert not alive  # the file has it all
    assert b"".join(feeds.open("mark", watched)) == b"".join(LONG)
    assert not alive


def test_a_short_feed_is_not_kept_and_needs_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_cache, "TemporaryFile", None)
    feeds, rendering = FeedCache(), Rendering([b"one"])
    for _ in range(2):
        assert b"".join(feeds.open("mark", rendering)) == b"one"
    assert rendering.rendered == 2


def test_feeds_are_bounded_in_number_and_bytes() -> None:
    """Each has an open file, of which a process can have so many."""
    feeds, long = FeedCache(), [b"x" * PIECE, b"y"]
    for number in range(3 * MOST_KEPT):
        assert b"".join(feeds.open(f"{number}", Rendering(long))) == b"".join(long)
    assert len(feeds._feeds) <= MOST_KEPT
    newest = Rendering(long)
    assert b"".join(feeds.open(f"{3 * MOST_KEPT - 1}", newest)) == b"".join(long)
    assert newest.rendered == 0
    small = FeedCache(capacity=3 * PIECE)
    for name in ("one", "two", "three"):
        assert b"".join(small.open(name, Rendering(long))) == b"".join(long)
    again = Rendering(long)
    assert b"".join(small.open("three", again)) == b"".join(long)
    assert again.rendered == 0
    assert sum(feed.size for feed in small._feeds.values()) <= 3 * PIECE


def test_a_feed_that_is_too_long_to_be_kept_drops_no_other_and_fills_no_disk() -> None:
    feeds, other = FeedCache(capacity=2 * PIECE), Rendering([b"x" * PIECE, b"y"])
    assert b"".join(feeds.open("other", other)) == b"".join(other.pieces)
    huge = feeds.open("huge", Rendering(LONG * 5))
    assert b"".join(huge) == b"".join(LONG * 5)
    assert huge.size <= 3 * PIECE
    one, two = (iter(feeds.open("huge", Rendering(LONG * 5))) for _ in range(2))
    assert next(one) == next(two) == LONG[0]  # they share it
    assert b"".join(one) == b"".join(two) == b"".join((LONG * 5)[1:])
    assert b"".join(feeds.open("other", other)) == b"".join(other.pieces)
    assert other.rendered == len(other.pieces)


def test_a_response_that_is_not_sent_opens_no_feed() -> None:
    feeds = FeedCache()
    feeds.stream("mark", Rendering(LONG))
    assert not feeds._feeds
    assert b"".join(feeds.stream("mark", Rendering(LONG))) == b"".join(LONG)


def test_a_body_that_is_closed_ends_its_reading() -> None:
    feeds = FeedCache()
    body = BodyInParts(feeds.stream("mark", Rendering(LONG)), "one", WORKER)
    assert next(body) == LONG[0]
    body.close()
    assert feeds._feeds["mark"]._readers == 0


def test_a_rendering_that_fails_is_whole_for_nobody_and_begun_anew() -> None:
    def fail(number: int) -> None:
        if number == 2:
            raise ConnectionError("the database is away")

    feeds, failing = FeedCache(), Rendering(LONG, fail)
    readers = [iter(feeds.open("mark", failing)) for _ in range(2)]
    for reader in readers:
        assert [next(reader), next(reader)] == LONG[:2]
        with pytest.raises(ConnectionError):
            next(reader)
    assert b"".join(feeds.open("mark", Rendering(LONG))) == b"".join(LONG)


@pytest.mark.parametrize("refused", ["file", "write"])
def test_a_disk_that_refuses_a_feed_costs_its_reader_nothing(monkeypatch: pytest.MonkeyPatch, refused: str) -> None:
    class Full:
        def __init__(self, **options: Any) -> None:
            if refused == "file":
                raise OSError("too many open files")
            self.file = tempfile.TemporaryFile(**options)  # noqa: SIM115
            self.fileno, self.close = self.file.fileno, self.file.close

        def write(self, piece: bytes) -> int:
            if piece[:1] == b"b":
                return self.file.write(piece)
            raise OSError("no space left on device")

    monkeypatch.setattr(feed_cache, "TemporaryFile", Full)
    feeds, rendering = FeedCache(), Rendering(LONG)
    behind = iter(feeds.open("mark", rendering))
    assert next(behind) == LONG[0]
    assert b"".join(feeds.open("mark", rendering)) == b"".join(LONG)
    with pytest.raises(OSError, match="refused"):  # what it has not read is nowhere: its connection is closed
        b"".join(behind)
    again = Rendering(LONG)
    assert b"".join(feeds.open("mark", again)) == b"".join(LONG)
    assert again.rendered == len(LONG)


def test_many_feeds_of_single_events_leave_no_file_open(world: Any) -> None:
    opened: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feed_cache, "PIECE", 64 * 1024)
        patch.setattr(feed_cache, "TemporaryFile", lambda **options: opened.append(options))
        for number in range(3):
            sent = {
                "title": f"One {number}",
                "start_date": "2027-01-01",
                "end_date": "2027-01-01",
                "status": "publish",
            }
            slug = world.post("/events", json=sent).json()["slug"]
            response = world.client.get(f"/event/{slug}.ics")
            assert response.status_code == 200
            assert b"END:VCALENDAR" in response.content
    assert opened == []
