"""Large images: sent in pieces from their file, which is closed afterwards, so clients that never read hold little of
it; with the headers that small ones have. Who finds no place waits for a while."""

import gc
import io
import os
from pathlib import Path
from typing import Any

import pytest
from falcon.testing import create_environ
from PIL import Image
from tests.admin.test_preview_links import link_of
from tests.conftest import BASE_URL, World
from tests.pictures import png

from kalends.bootstrap import media_files
from kalends.calendar.admission import RETRY_AFTER, SLOW, STREAM, WORKER, Work
from kalends.http.api.media import LARGEST_AT_ONCE
from kalends.http.messages.long_responses import PIECE, LongResponse, nothing
from kalends.settings import load
from kalends.store.files.media_files import MediaUnavailable, MissingFile, OpenFile

SIDE = 600  # pixels of noise: a megabyte, and its smaller sizes
POLICY = "default-src 'none'; sandbox"
NAME = "2026/11/probe.png"


@pytest.fixture(scope="module")
def noise() -> bytes:
    out = io.BytesIO()
    Image.frombytes("RGB", (SIDE, SIDE), os.urandom(3 * SIDE * SIDE)).save(out, "PNG")
    return out.getvalue()


def streams() -> int:
    """How many long responses are being sent."""
    return next(running for name, running, _, _ in WORKER.figures() if name == STREAM.name)


def no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nobody waits for one."""

    def refuse(work: Work) -> None:
        raise WORKER.refuse(work)

    monkeypatch.setattr(WORKER, "hold", refuse)


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
    no_place(monkeypatch)
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
    assert streams() == 1
    assert watch.closed == 0
    body.close()  # the client went away
    assert (watch.closed, watch.reads, streams()) == (1, [PIECE], 0)


def test_a_response_that_is_dropped_closes_the_file(world: World, image: dict[str, Any], watch: Watch) -> None:
    body = asked(world, image["url"])
    assert (watch.opened, watch.closed) == (1, 0)
    del body
    world.get("/events")  # a thread remembers its last request,
    gc.collect()  # which is held by its environment
    assert (watch.closed, streams()) == (1, 0)


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
    assert streams() == 0


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
    no_place(monkeypatch)
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
def test_it_is_sent_in_pieces(tmp_path: Path, media: dict[str, str], size: int) -> None:
    files, data = media_files(load(tmp_path, media, {})), os.urandom(size)
    files.save(NAME, data)
    file = files.open(NAME)
    assert file.size == size
    pieces = list(LongResponse(file, nothing, nothing))
    assert b"".join(pieces) == data
    assert max(map(len, pieces)) <= PIECE


def test_what_is_not_there_cannot_be_opened(tmp_path: Path, media: dict[str, str]) -> None:
    files = media_files(load(tmp_path, media, {}))
    with pytest.raises(MissingFile):
        files.open(NAME)


def test_a_file_that_ends_too_early_is_an_outage() -> None:
    """And so the response is broken off, not ended."""
    read = iter([b"x" * PIECE, b""])
    body = LongResponse(OpenFile(10 * PIECE, lambda _: next(read), nothing), nothing, nothing)
    with pytest.raises(MediaUnavailable):
        list(body)
