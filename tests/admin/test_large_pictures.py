"""Pictures as phones make them, at the public form and in the editor: taken, or refused without a loss."""

import io
from html import unescape
from typing import Any

import pytest
from PIL import Image
from tests.admin.admin_client import AdminClient, error_beside
from tests.admin.test_review import SUBMIT, event_of, send
from tests.conftest import World, client_of

from kalends.calendar.images.processing import ImageTooLarge, NotAnImage, read_picture

pillow_heif = pytest.importorskip("pillow_heif")  # an older environment does not have it
HTML = {"Accept": "text/html,*/*;q=0.8"}


def heic(width: int = 64, height: int = 48, mode: str = "RGB", **options: Any) -> bytes:
    """Left half red, right half blue."""
    pillow_heif.register_heif_opener()
    image = Image.new(mode, (width, height), (200, 30, 30, 128)[: len(mode)])
    image.paste((30, 30, 200, 255)[: len(mode)], (width // 2, 0, width, height))
    out = io.BytesIO()
    image.save(out, "HEIF", **options)
    return out.getvalue()


def test_a_picture_of_a_phone_is_stored_as_one_that_browsers_show() -> None:
    exif = Image.Exif()
    exif[0x010E] = "52.5163N"
    exif[0x0112] = 6  # the camera was held upright
    picture = read_picture(heic(400, 320, exif=exif.tobytes()))
    assert (picture.extension, picture.mime_type, picture.width, picture.height) == ("jpg", "image/jpeg", 320, 400)
    assert [small.name for small in picture.renditions] == ["medium", "thumbnail"]
    for data in (picture.data, *(small.data for small in picture.renditions)):
        assert b"52.5163N" not in data
        image = Image.open(io.BytesIO(data)).convert("RGB")
        assert not Image.open(io.BytesIO(data)).getexif()
        top, bottom = (image.getpixel((image.width // 2, int(image.height * y))) for y in (0.1, 0.9))
        assert isinstance(top, tuple)
        assert isinstance(bottom, tuple)
        assert top[0] > 150 > bottom[0]  # red above blue
    assert read_picture(heic(mode="RGBA")).mime_type == "image/webp"  # what is transparent stays so


def test_a_picture_of_a_phone_has_the_limits_of_all_pictures() -> None:
    with pytest.raises(ImageTooLarge):
        read_picture(heic(), max_pixels=64 * 48 - 1)
    with pytest.raises(NotAnImage):
        read_picture(heic()[:-400])
    with pytest.raises(NotAnImage):
        read_picture(heic()[:40])


@pytest.fixture
def small_world(make_world: Any) -> World:
    world: World = make_world(submissions="true", max_image="100KB", max_body="100KB")
    return world


def test_the_public_form_takes_a_picture_of_a_phone(small_world: World) -> None:
    assert "at most 100 KB" in client_of(small_world.front).get(f"{SUBMIT}?lang=en").text  # told before
    answer = send(small_world, files={"picture": ("IMG_0001.HEIC", heic(), "image/heic")}, headers=HTML)
    assert answer.status_code == 200, answer.text
    assert event_of(small_world, "Street party")["image"]["url"].endswith(".jpg")


# Within what a form may have, and far beyond: its contents are dropped while they arrive.
@pytest.mark.parametrize("size", [110_000, 1_300_000])
def test_a_picture_that_is_too_large_leaves_what_was_typed(small_world: World, size: int) -> None:
    files = {"picture": ("huge.jpg", b"x" * size, "image/jpeg")}
    answer = send(small_world, {"description": "Cake & music"}, files=files, headers=HTML)
    assert answer.status_code == 400
    assert "text/html" in answer.headers["Content-Type"]
    assert "too large" in error_beside(answer.text, "image")
    shown = unescape(answer.text)
    for typed in ("Street party", "Cake & music", "Mill Lane", "jo@example.org"):
        assert typed in shown
    found = small_world.get("/events?status=pending", who="administrator").json()["events"]
    assert not found
    editor = AdminClient(small_world, "editor")
    page = editor.post("/admin/events/new", {"title": "Mill & pond", "start_day": "2026-12-12"}, 400, files=files)
    assert "too large" in error_beside(page.text, "image")
    assert "Mill & pond" in unescape(page.text)
    page = editor.post("/admin/media", {}, 303, files={"file": files["picture"]})
    assert "huge.jpg" in editor.get("/admin/media").text


def test_every_error_of_a_page_is_a_page(small_world: World) -> None:
    client = client_of(small_world.front)
    files = {"picture": ("huge.jpg", b"x" * 12_000_000, "image/jpeg")}
    refused = client.post(SUBMIT, data={"title": "Fair"}, files=files, headers=HTML)
    assert refused.status_code == 413
    assert "What you sent is too large" in refused.text
    broken = client.post(SUBMIT, content=b"--x", headers=HTML | {"Content-Type": "multipart/form-data; boundary=x"})
    assert broken.status_code == 400
    for answer in (refused, broken, client.put(SUBMIT, headers=HTML)):
        assert answer.headers["Content-Type"].startswith("text/html")
        assert "<h1" in answer.text
    # Programs, and all addresses of the interface, are answered as before.
    assert client.put(SUBMIT).headers["Content-Type"].startswith("application/json")
    interface = small_world.client.post("/wp-json/tribe/events/v1/events", headers=HTML)
    assert interface.headers["Content-Type"].startswith("application/json")


def test_the_limit_is_told_before_a_picture_is_chosen(make_world: Any) -> None:
    admin = AdminClient(make_world(max_image="3145728"), "administrator")
    for path in ("/admin/events/new", "/admin/venues/new", "/admin/organizers/new", "/admin/media"):
        assert "PNG, JPEG, GIF, WebP, AVIF or HEIC, at most 3 MB" in admin.get(path).text, path
