"""Readers of one feed share it; long feeds are kept in files, bounded in number and bytes."""

import gc
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.waiting import until

from kalends.calendar.admission import SLOW, WORKER
from kalends.http.messages import long_responses
from kalends.http.messages.long_responses import MOST_KEPT, FeedCache, Pieces
from kalends.store.files.media_files import MediaUnavailable

PIECE = 4
LONG = [b"aaaa", b"bbbb", b"cccc", b"dddd"]


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_responses, "PIECE", PIECE)


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


def read(feeds: FeedCache, mark: str, pieces: Pieces) -> bytes:
    file = feeds.open(mark, pieces)
    found = b"".join(iter(lambda: file.read(PIECE), b""))
    assert len(found) == file.size
    return found


def test_readers_of_one_feed_share_it_and_none_waits_for_a_slow_one() -> None:
    feeds, rendering = FeedCache(), Rendering(LONG)
    slow, quick = feeds.open("mark", rendering), feeds.open("mark", rendering)
    assert slow.read(PIECE) == quick.read(PIECE) == LONG[0]
    assert quick.read(100) == b"".join(LONG[1:])
    assert slow.read(PIECE) == LONG[1]
    assert read(feeds, "mark", rendering) == b"".join(LONG)
    assert rendering.rendered == len(LONG)


def test_who_asks_while_it_is_written_waits_without_a_slot() -> None:
    """One of a client's threads writes it, and needs the slots of others for its own parts."""
    feeds, rendering, found = FeedCache(), Rendering(LONG * 5, lambda _: WORKER.pause()), list[bytes]()

    def ask(client: str) -> None:
        slot = WORKER.enter(SLOW, client)
        found.append(read(feeds, "mark", rendering))
        WORKER.leave(slot)

    threads = [threading.Thread(target=ask, args=(f"office {one % 3}",), daemon=True) for one in range(12)]
    for thread in threads:
        thread.start()
    until(lambda: len(found) == len(threads))
    assert set(found) == {b"".join(LONG * 5)}
    assert rendering.rendered == len(rendering.pieces)


def test_a_short_feed_is_not_kept_and_needs_no_file() -> None:
    feeds, rendering = FeedCache(), Rendering([b"one"])
    for number in range(2):
        assert read(feeds, "mark", rendering) == b"one"
        gc.collect()
        assert rendering.rendered == number + 1


def test_feeds_are_bounded_in_number_and_bytes() -> None:
    """Each has an open file, of which a process can have so many."""
    feeds, long = FeedCache(), [b"x" * PIECE, b"y"]
    for number in range(3 * MOST_KEPT):
        assert read(feeds, f"{number}", Rendering(long)) == b"".join(long)
    assert len(feeds._kept) <= MOST_KEPT
    newest = Rendering(long)
    assert read(feeds, f"{3 * MOST_KEPT - 1}", newest) == b"".join(long)
    assert newest.rendered == 0
    small = FeedCache(capacity=3 * PIECE)
    for name in ("one", "two", "three"):
        assert read(small, name, Rendering(long)) == b"".join(long)
    again = Rendering(long)
    assert read(small, "three", again) == b"".join(long)
    assert again.rendered == 0
    assert sum(feed.size for feed in small._kept.values()) <= 3 * PIECE


def test_a_feed_that_is_too_long_to_be_kept_drops_no_other_and_is_shared_while_it_is_read() -> None:
    feeds, other = FeedCache(capacity=2 * PIECE), Rendering([b"x" * PIECE, b"y"])
    assert read(feeds, "other", other) == b"".join(other.pieces)
    huge = Rendering(LONG * 5)
    one, two = feeds.open("huge", huge), feeds.open("huge", huge)
    assert one.read(100) == two.read(100) == b"".join(LONG * 5)
    assert huge.rendered == len(huge.pieces)
    del one, two
    gc.collect()
    assert [*feeds._read] == ["other"]
    assert read(feeds, "other", other) == b"".join(other.pieces)
    assert other.rendered == len(other.pieces)


def test_a_rendering_that_fails_is_sent_to_nobody_and_begun_anew() -> None:
    def fail(number: int) -> None:
        if number == 2:
            raise ConnectionError("the database is away")

    feeds, failing = FeedCache(), Rendering(LONG, fail)
    for _ in range(2):
        with pytest.raises(MediaUnavailable):
            feeds.open("mark", failing)
    assert read(feeds, "mark", Rendering(LONG)) == b"".join(LONG)


def test_a_disk_that_refuses_a_long_feed_is_told_and_a_short_one_needs_none(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **options: Any) -> Any:
        raise OSError(28, "No space left on device")

    world.make("events", title="Jazz", start_date="2027-01-01", end_date="2027-01-01")
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "TemporaryFile", full)
        refused = world.get("http://calendar.test/events.ics")
        assert (refused.status_code, refused.json()["code"]) == (507, "insufficient_storage")
        assert not {"etag", "content-disposition"} & {name.lower() for name in refused.headers}
        patch.setattr(long_responses, "PIECE", 64 * 1024)
        assert "Jazz" in world.get("http://calendar.test/events.ics").text
    assert "Jazz" in world.get("http://calendar.test/events.ics").text
