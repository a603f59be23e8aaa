"""Images are read in a process with limits: what is too much for it ends there, and the next image is read."""

import io
import os
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image
from tests.pictures import png

from kalends.calendar.admission import IMAGE, WORKER, WRITE
from kalends.calendar.images import image_helpers
from kalends.calendar.images.image_bytes import count_scans
from kalends.calendar.images.image_helpers import Helpers
from kalends.calendar.images.image_process import ImageProcess, ImagesBusy
from kalends.calendar.images.processing import ImageTooLarge, NotAnImage, read_picture

WAIT = 60
SECRET = b"the owner's address"


@pytest.fixture
def helper() -> Iterator[ImageProcess]:
    made = ImageProcess(seconds=20, wait=5)
    yield made
    made.close()


def jpeg(**options: Any) -> bytes:
    out = io.BytesIO()
    Image.effect_noise((64, 48), 80).save(out, "JPEG", **options)
    return out.getvalue()


def with_scans(count: int) -> bytes:
    """A progressive JPEG whose last scan comes again and again."""
    data = jpeg(progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:-2] + data[last:-2] * count + data[-2:]


def test_the_picture_is_the_same_as_without_the_process(helper: ImageProcess) -> None:
    assert helper.read(png(400, 300)) == read_picture(png(400, 300))
    photo = jpeg()
    assert helper.read(photo) == read_picture(photo)


def test_the_helper_stays_for_the_next_image(helper: ImageProcess) -> None:
    helper.read(png())
    first = helper.process_id
    with pytest.raises(NotAnImage):
        helper.read(b"nothing of the kind")
    helper.read(png())
    assert helper.process_id == first != os.getpid()


def test_a_helper_that_died_is_replaced(helper: ImageProcess) -> None:
    helper.read(png())
    first = helper.process_id
    assert first is not None
    os.kill(first, 9)
    assert helper.read(png(30, 20)).width == 30
    assert helper.process_id != first


def test_processing_has_a_time_limit() -> None:
    helper = ImageProcess(seconds=0.0)
    with pytest.raises(ImageTooLarge):
        helper.read(png())
    assert helper.process_id is None
    helper._seconds = 20.0
    assert helper.read(png()).width == 20
    helper.close()


def test_memory_has_a_limit(helper: ImageProcess) -> None:
    """A decoder that wants more than the helper may have is no end of the worker."""
    out = io.BytesIO()
    Image.new("RGB", (7000, 7000)).save(out, "PNG")
    picture = helper.read(out.getvalue())
    assert picture.width == 7000
    # It has grown, so it ended and gave the memory back; the next image has a new one.
    grown = helper.process_id
    assert helper.read(png()).width == 20
    assert helper.process_id != grown
    too_many = struct.pack(">II", 8000, 8000)
    bomb = bytearray(out.getvalue())
    bomb[16:24] = too_many
    with pytest.raises((ImageTooLarge, NotAnImage)):
        helper.read(bytes(bomb))


def test_images_are_processed_one_at_a_time() -> None:
    helper = ImageProcess(wait=0.01)
    with helper._lock, pytest.raises(ImagesBusy):
        helper.read(png())
    found: list[int] = []
    helper._wait = 60
    threads = [threading.Thread(target=lambda: found.append(helper.read(png()).width)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [20] * 4
    helper.close()


def test_the_helper_ends_with_its_worker(helper: ImageProcess) -> None:
    helper.read(png())
    process = helper._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()  # as the system does when a process dies
    assert process.wait(timeout=30) == 0


def test_scans_are_counted_before_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    assert count_scans(jpeg()) == 1
    assert count_scans(jpeg(progressive=True)) < 20
    assert read_picture(with_scans(10)).width == 64
    costly = with_scans(2000)
    loaded: list[object] = []
    monkeypatch.setattr(Image.Image, "load", lambda self: loaded.append(self))
    for data in (costly, costly.replace(b"\xff\xda", b"\0\0\xff\xda", 1)):
        with pytest.raises(ImageTooLarge):
            read_picture(data)
    assert loaded == []


def hidden_gif() -> bytes:
    out = io.BytesIO()
    frames = [Image.new("RGB", (40, 30), (shade, 0, 0)) for shade in (0, 100, 200)]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], loop=0, comment=SECRET)
    return out.getvalue()


def hidden_webp() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), (9, 8, 7)).save(out, "WEBP", lossless=True)
    data = out.getvalue() + b"note" + struct.pack("<I", len(SECRET) + 1) + SECRET + b"\0"
    return data[:4] + struct.pack("<I", len(data) - 8) + data[8:]


def hidden_avif() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), (9, 8, 7)).save(out, "AVIF")
    return out.getvalue() + struct.pack(">I4s", 8 + len(SECRET), b"uuid") + SECRET


@pytest.mark.parametrize("make", [hidden_gif, hidden_webp, hidden_avif])
@pytest.mark.parametrize("behind", [b"", b"film of " + SECRET])
def test_comments_and_what_follows_the_end_are_removed(make: Any, behind: bytes) -> None:
    data = make() + behind
    assert SECRET in data
    picture = read_picture(data)
    assert SECRET not in picture.data
    kept = Image.open(io.BytesIO(picture.data))
    assert kept.size == (40, 30)
    assert getattr(kept, "n_frames", 1) == getattr(Image.open(io.BytesIO(data)), "n_frames", 1)


def test_an_upload_that_waits_too_long_gets_retry_after(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(_: bytes) -> Any:
        raise ImagesBusy

    monkeypatch.setattr(image_helpers.shared, "read", busy)
    answer = world.post("/media", content=png(), headers={"Content-Type": "image/png"})
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0


def test_an_upload_that_is_too_costly_is_refused(world: Any) -> None:
    answer = world.post("/media", content=with_scans(2000), headers={"Content-Type": "image/jpeg"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_two_clients_are_read_side_by_side_and_those_of_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[str] = []
    most: Counter[str] = Counter()
    beside, go = threading.Event(), threading.Event()

    def read(_: ImageProcess, data: bytes) -> str:
        client = WORKER.client
        running.append(client)
        most[client] = max(most[client], running.count(client))
        if client == "light":
            beside.set()
        assert go.wait(WAIT)
        running.remove(client)
        return client

    monkeypatch.setattr(ImageProcess, "read", read)
    helpers, read_ones = Helpers(), list[str]()

    def upload(client: str) -> None:
        turn = WORKER.enter(WRITE, client)
        read_ones.append(str(helpers.read(b"")))
        WORKER.leave(turn)

    threads = [threading.Thread(target=upload, args=(client,)) for client in ("heavy", "heavy", "heavy", "light")]
    for thread in threads:
        thread.start()
    assert beside.wait(WAIT)
    assert running.count("heavy") <= 1
    go.set()
    for thread in threads:
        thread.join(WAIT)
    assert most == {"heavy": 1, "light": 1}
    assert sorted(read_ones) == ["heavy"] * 3 + ["light"]


def test_who_waits_too_long_for_a_helper_is_told_that_they_are_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise WORKER.refuse(IMAGE)

    monkeypatch.setattr(WORKER, "_acquire", refuse)
    with pytest.raises(ImagesBusy):
        Helpers().read(b"")
