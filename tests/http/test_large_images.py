"""Large images: sent in pieces from their file, which is closed afterwards, so clients that never read hold little of
it; with the headers that small ones have. Who finds no place waits for a while."""

import gc
import io
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from falcon.testing import create_environ
from PIL import Image
from tests.admin.test_preview_links import link_of
from tests.conftest import BASE_URL, World
from tests.pictures import png
from tests.waiting import until

from kalends.bootstrap import media_files
from kalends.calendar.admission import PICTURE, RETRY_AFTER, SLOW, WORKER
from kalends.contract.errors import UNAVAILABLE, ApiError
from kalends.http.api.media import LARGEST_AT_ONCE
from kalends.http.messages import streams
from kalends.http.messages.client_connections import Ends
from kalends.http.messages.responses import PIECE, FileBody
from kalends.http.messages.streams import PICTURES, Streams
from kalends.settings import load
from kalends.store.files.media_files import MediaUnavailable, MissingFile, OpenFile

SIDE = 600  # pixels of noise: a megabyte, and its smaller sizes
ENDS = Ends("192.0.2.1", "80")
POLICY = "default-src 'none'; sandbox"
NAME = "2026/11/probe.png"


@pytest.fixture(scope="module")
def noise() -> bytes:
    out = io.BytesIO()
    Image.frombytes("RGB", (SIDE, SIDE), os.urandom(3 * SIDE * SIDE)).save(out, "PNG")
    return out.getvalue()


class Watch:
    """Counts what is read of the files of a calendar, and which of them are open."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened = self.closed = 0
        self.reads: list[int] = []
        self._open = world.calendar.files.open
        monkeypatch.setattr(world.calendar.files, "open", self.open)

    def open(self, name: str) -> OpenFile:
        file = self._open(name)
        self.opened += 1

        def read(size: int) -> bytes:
            piece = file.read(size)
            self.reads.append(len(piece))
            return piece

        def close() -> None:
            self.closed += 1
            file.close()

        return OpenFile(file.size, read, close)


@pytest.fixture
def image(world: World, noise: bytes) -> dict[str, Any]:
    """A large one, shown by a published event."""
    found = world.upload(noise)
    world.make("events", image=found["id"])
    return found


@pytest.fixture
def watch(world: World, monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(world, monkeypatch)


def asked(world: World, url: str, method: str = "GET") -> Any:
    """The body of a response as the server gets it, not read yet."""
    environ = create_environ(path=url.removeprefix(BASE_URL), host="calendar.test", method=method)
    return world.front(environ, lambda *_: None)


@pytest.mark.parametrize("who", ["anonymous", "editor"])
def test_it_is_sent_whole_with_the_headers_of_every_image(
    make_world: Any, media: dict[str, str], noise: bytes, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    """From a folder and from a bucket."""
    world = make_world(**media)
    watch = Watch(world, monkeypatch)
    small, large = world.upload(png()), world.upload(noise)
    for one in (small, large):
        world.make("events", image=one["id"])
    assert large["filesize"] > LARGEST_AT_ONCE
    sent, like = world.get(large["url"], who), world.get(small["url"], who)
    assert sent.status_code == 200
    assert sent.content == world.calendar.files.read(large["url"].partition("/media/")[2])
    assert sent.headers["Content-Length"] == str(large["filesize"])
    assert sent.headers["Content-Security-Policy"] == POLICY
    different = {"content-length", "etag"}
    assert {name: value for name, value in sent.headers.items() if name not in different} == {
        name: value for name, value in like.headers.items() if name not in different
    }
    assert sent.headers["ETag"] != like.headers["ETag"]
    assert sent.headers["ETag"].startswith('"')
    assert len(sent.headers["ETag"]) == len(like.headers["ETag"])
    assert (watch.opened, watch.closed) == (1, 1)
    assert sum(watch.reads) == large["filesize"]
    assert max(watch.reads) < 2 * PIECE


def test_each_of_its_sizes_has_an_etag_of_its_own(world: World, image: dict[str, Any]) -> None:
    urls = {image["url"], *(size["url"] for size in image["sizes"].values())}
    assert len({world.get(url).headers["ETag"] for url in urls}) == len(urls)


@pytest.mark.parametrize("who", ["anonymous", "editor"])
def test_who_has_it_is_told_so_without_opening_it(
    world: World, image: dict[str, Any], watch: Watch, who: str
) -> None:
    etag = world.get(image["url"], who).headers["ETag"]
    assert world.get(image["url"], who).headers["ETag"] == etag
    watch.opened = 0
    for known in (etag, f'"other", {etag}', f"W/{etag}"):
        unchanged = world.get(image["url"], who, headers={"If-None-Match": known})
        assert (unchanged.status_code, unchanged.content, unchanged.headers["ETag"]) == (304, b"", etag)
    assert watch.opened == 0
    assert world.get(image["url"], who, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("who", ["anonymous", "editor"])
def test_head_reads_nothing_and_needs_no_place(
    world: World, image: dict[str, Any], watch: Watch, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    whole = world.get(image["url"], who)
    watch.reads.clear()
    monkeypatch.setattr(PICTURES, "_at_once", 0)
    head = world.ask("HEAD", image["url"], who)
    assert (head.status_code, head.content, head.headers) == (200, b"", whole.headers)
    assert watch.reads == []
    assert watch.opened == watch.closed


def test_who_does_not_read_holds_one_piece(world: World, image: dict[str, Any], watch: Watch) -> None:
    body = asked(world, image["url"])
    assert watch.reads == []
    pieces = iter(body)
    first = next(pieces)
    assert watch.reads == [len(first)] == [PIECE]
    assert PICTURES.running() == 1
    assert watch.closed == 0
    body.close()  # the client went away
    assert (watch.closed, watch.reads, PICTURES.running()) == (1, [PIECE], 0)


def test_a_response_that_is_dropped_closes_the_file(world: World, image: dict[str, Any], watch: Watch) -> None:
    body = asked(world, image["url"])
    assert (watch.opened, watch.closed) == (1, 0)
    del body
    world.get("/events")  # a thread remembers its last request,
    gc.collect()  # which is held by its environment
    assert (watch.closed, PICTURES.running()) == (1, 0)


def test_pieces_wait_for_nobody_and_nobody_waits_for_them(world: World, image: dict[str, Any]) -> None:
    """Slow work of the same client, and of others, goes on beside."""
    body = asked(world, image["url"])
    turns = [WORKER.enter(SLOW, client) for client in ("127.0.0.1", "192.0.2.7")]
    try:
        assert sum(map(len, body)) == image["filesize"]
    finally:
        for turn in turns:
            WORKER.leave(turn)
        body.close()


def test_nothing_of_it_is_kept_in_the_cache(world: World, image: dict[str, Any]) -> None:
    before = world.cache.size
    for _ in range(2):
        assert len(world.get(image["url"]).content) == image["filesize"]
        assert world.get(image["sizes"]["thumbnail"]["url"]).status_code == 200
    assert world.cache.size == before


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_one_whose_file_is_lost_is_not_found(world: World, image: dict[str, Any], method: str) -> None:
    world.calendar.files.remove(image["url"].partition("/media/")[2])
    assert world.ask(method, image["url"]).status_code == 404
    assert PICTURES.running() == 0


def test_on_the_preview_of_an_event(world: World, noise: bytes, watch: Watch) -> None:
    image = world.upload(noise)
    event = world.make("events", image=image["id"], status="draft")
    url = f"{link_of(world, event['id'])}media/{image['url'].partition('/media/')[2]}"
    assert world.get(image["url"]).status_code == 404
    sent = world.get(url)
    assert len(sent.content) == image["filesize"]
    assert (sent.headers["Cache-Control"], sent.headers["Content-Security-Policy"]) == ("private, no-store", POLICY)
    assert world.get(url, headers={"If-None-Match": sent.headers["ETag"]}).status_code == 304
    assert (watch.opened, watch.closed) == (1, 1)


def test_without_a_place_it_is_503_and_kept_by_nobody(
    world: World, image: dict[str, Any], watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PICTURES, "_at_once", 0)
    monkeypatch.setattr(PICTURES, "_patience", 0.05)
    refused = world.get(image["url"], headers={"Accept": "application/json"})
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, RETRY_AFTER)
    assert "ETag" not in refused.headers
    assert "public" not in refused.headers["Cache-Control"]
    assert int(refused.headers["Content-Length"]) == len(refused.content)
    assert (watch.opened, watch.closed) == (1, 1)
    assert world.get(image["sizes"]["thumbnail"]["url"]).status_code == 200
    assert world.get("/events").status_code == 200


# The pieces of a file


@pytest.mark.parametrize("size", [1, PIECE, 2 * PIECE - 1, 2 * PIECE, 5 * PIECE + 1])
def test_the_last_piece_is_never_a_short_one(tmp_path: Path, media: dict[str, str], size: int) -> None:
    """A response that is broken off is filled with a few kilobytes before its connection is closed. They must not
    make it as long as its Content-Length says."""
    files, data = media_files(load(tmp_path, media, {})), os.urandom(size)
    files.save(NAME, data)
    file = files.open(NAME)
    assert file.size == size
    pieces = list(FileBody(file))
    assert b"".join(pieces) == data
    assert min(map(len, pieces)) >= min(size, PIECE)


def test_what_is_not_there_cannot_be_opened(tmp_path: Path, media: dict[str, str]) -> None:
    files = media_files(load(tmp_path, media, {}))
    with pytest.raises(MissingFile):
        files.open(NAME)


def test_a_file_that_ends_too_early_is_an_outage() -> None:
    """And so the response is broken off, not ended."""
    read = iter([b"x" * PIECE, b""])
    body = FileBody(OpenFile(10 * PIECE, lambda _: next(read), lambda: None))
    with pytest.raises(MediaUnavailable):
        list(body)


# Places


def pieces() -> Iterator[bytes]:
    while True:
        yield b"x"


class Waiting:
    """A thread that wants a place."""

    def __init__(self, pictures: Streams, client: str = "") -> None:
        self.refused: ApiError | None = None
        self.stream: streams.Stream | None = None
        self._pictures, self._client = pictures, client
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.stream = self._pictures.open(ENDS, self._client)
        except ApiError as refused:
            self.refused = refused


def patient(seconds: float = 60.0, places: int = 1, of_one: int = 1) -> Streams:
    found = Streams(places, of_one, PICTURE)
    found._patience = seconds
    return found


def test_who_finds_no_place_waits_until_one_is_free() -> None:
    pictures = patient()
    first = pictures.open(ENDS)
    second = Waiting(pictures)
    until(lambda: pictures.queued() == 1)
    first.close()
    second.thread.join(30)
    assert second.stream is not None
    assert (pictures.queued(), pictures.running()) == (0, 1)


def test_who_waits_holds_no_turn() -> None:
    pictures = patient()
    first = pictures.open(ENDS)

    def ask() -> None:
        turn = WORKER.enter(SLOW, "somebody")
        pictures.open(ENDS)
        WORKER.leave(turn)

    thread = threading.Thread(target=ask)
    thread.start()
    until(lambda: pictures.queued() == 1)
    WORKER.leave(WORKER.enter(SLOW, "somebody"))  # of whom one at a time is slow
    first.close()
    thread.join(30)
    assert not thread.is_alive()


def test_who_waited_for_long_is_refused() -> None:
    pictures = patient(0.05)
    first = pictures.open(ENDS)
    with pytest.raises(ApiError) as refused:
        pictures.open(ENDS)
    assert refused.value.error_type is UNAVAILABLE
    assert pictures.queued() == 0
    first.close()


def test_beyond_so_many_who_wait_one_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_WAITING", 3)
    monkeypatch.setattr(streams, "MOST_WAITING_OF_ONE", 2)
    pictures = patient()
    first = pictures.open(ENDS, "office")
    waiting = [Waiting(pictures, "office") for _ in range(2)]
    until(lambda: pictures.queued() == 2)
    with pytest.raises(ApiError):
        pictures.open(ENDS, "office")
    waiting.append(Waiting(pictures, "another"))
    until(lambda: pictures.queued() == 3)
    with pytest.raises(ApiError):
        pictures.open(ENDS, "third")
    first.close()
    until(lambda: any(one.stream for one in waiting))
    for _ in waiting:
        done = next(one for one in waiting if one.stream is not None)
        waiting.remove(done)
        assert done.stream is not None
        done.stream.close()
        until(lambda: not waiting or any(one.stream for one in waiting))


def test_one_client_leaves_places_for_others() -> None:
    pictures = patient(0.05, places=3, of_one=2)
    held = [pictures.open(ENDS, "office") for _ in range(2)]
    with pytest.raises(ApiError):
        pictures.open(ENDS, "office")
    held.append(pictures.open(ENDS, "another"))
    for stream in held:
        stream.close()


def test_one_that_stalls_gives_way_at_once_and_one_that_goes_on_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "YOUNG", -1.0)
    pictures = patient(0.05)
    going_on = pictures.open(ENDS)
    going_on.respond(pieces())
    next(going_on)
    stalled = pictures.open(ENDS)
    stalled.respond(pieces())
    next(stalled)
    assert going_on.is_abandoned
    monkeypatch.setattr(streams, "STALLED", -1.0)
    monkeypatch.setattr(pictures, "_patience", 3600.0)
    last = pictures.open(ENDS)
    assert stalled.is_abandoned
    for one in (going_on, stalled, last):
        one.close()


def test_who_waits_is_in_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PICTURES, "_at_once", 1)
    first = PICTURES.open(ENDS)
    second = Waiting(PICTURES)
    until(lambda: next(rest for name, *rest in WORKER.figures() if name == PICTURE.name)[:2] == [1, 1])
    first.close()
    second.thread.join(30)
    assert second.stream is not None
    second.stream.close()
