"""The site as an app: its manifest follows the appearance that its owner chose."""

import io
import re
from typing import Any

import pytest
from PIL import Image
from tests.admin.admin_client import AdminClient
from tests.site.calendar_html import World, fetch

LOOK = "/admin/settings/look"
MANIFEST = "/manifest.webmanifest"
PAPER = "#fbf9f4"


@pytest.fixture
def owner(world: World) -> AdminClient:
    return AdminClient(world, "administrator")


def icons(world: World) -> list[tuple[str, str]]:
    """Type and sizes of every icon; each is there."""
    listed = fetch(world, MANIFEST).json()["icons"]
    assert [fetch(world, one["src"]).headers["Content-Type"] for one in listed] == [one["type"] for one in listed]
    return [(one["type"], one["sizes"]) for one in listed]


def upload(owner: AdminClient, width: int, height: int, form: str = "PNG") -> None:
    drawn = io.BytesIO()
    Image.new("RGB", (width, height), "teal").save(drawn, form)
    owner.post(LOOK, {}, files={"logo": (f"logo.{form.lower()}", drawn.getvalue(), f"image/{form.lower()}")})


def test_the_app_has_the_owner_s_colour(world: World, owner: AdminClient) -> None:
    neighbour = world.neighbour()

    def colours() -> tuple[str, str]:
        manifest: dict[str, Any] = neighbour.get(MANIFEST).json()
        return manifest["theme_color"], manifest["background_color"]

    def drawn() -> Any:
        return neighbour.get(neighbour.get(MANIFEST).json()["icons"][-1]["src"])

    assert colours() == (PAPER, PAPER)
    assert 'fill="#a5281b"' in drawn().text
    owner.post(LOOK, {"accent_color": "#ffcc00"})
    # The paper stays, as it does on the pages.
    assert colours() == ("#ffcc00", PAPER)
    assert drawn().headers["Content-Type"] == "image/svg+xml"
    assert "immutable" in drawn().headers["Cache-Control"]
    assert 'fill="#ffcc00"' in drawn().text
    assert "#a5281b" not in drawn().text
    assert PAPER not in drawn().text, "the letter can be told from a light colour"
    assert icons(world) == [("image/png", "192x192"), ("image/png", "512x512"), ("image/svg+xml", "any")]
    assert neighbour.get(MANIFEST).json()["icons"][-1]["src"] in neighbour.get("/events/").text, (
        "the icon of pages too"
    )


def test_a_logo_that_can_be_an_icon_is_the_icon(world: World, owner: AdminClient) -> None:
    drawn = icons(world)
    upload(owner, 600, 600)
    assert icons(world) == [("image/png", "300x300")]
    upload(owner, 192, 192, "WEBP")
    assert icons(world) == [("image/webp", "192x192")]
    # Browsers that want a square, or another format, have the drawn one.
    upload(owner, 300, 290)
    assert icons(world) == [*drawn, ("image/png", "300x290")]
    upload(owner, 400, 400, "JPEG")
    assert icons(world) == [*drawn, ("image/jpeg", "300x300")]
    for width, height in ((500, 400), (191, 191)):
        upload(owner, width, height)
        assert icons(world) == drawn
    upload(owner, 600, 600)
    owner.post(LOOK, {"logo_remove": "1"})
    assert icons(world) == drawn


def test_phones_and_social_cards_show_the_owner_s_icon(world: World, owner: AdminClient) -> None:
    neighbour = world.neighbour()

    def touch_icon() -> Any:
        assert '<link rel="apple-touch-icon" href="/apple-touch-icon.png">' in neighbour.get("/events/").text
        answer = neighbour.get("/apple-touch-icon.png")
        assert answer.status_code == 302
        return neighbour.get(answer.headers["Location"])

    def painted(answer: Any) -> tuple[set[tuple[int, ...]], tuple[int, int]]:
        picture = Image.open(io.BytesIO(answer.content)).convert("RGB")
        return {picture.getpixel((96, 4)), picture.getpixel((picture.width // 2, picture.height - 4))}, picture.size

    assert painted(touch_icon()) == ({(0xA5, 0x28, 0x1B)}, (192, 192))
    owner.post(LOOK, {"accent_color": "#ffcc00"})
    assert painted(touch_icon()) == ({(0xFF, 0xCC, 0x00)}, (192, 192))
    card = re.search('property="og:image" content="([^"]*)"', neighbour.get("/events/list/").text)
    assert card is not None
    assert painted(neighbour.get(card[1])) == ({(0xFF, 0xCC, 0x00)}, (512, 512))
    upload(owner, 300, 100)  # a banner is no icon
    assert painted(touch_icon()) == ({(0xFF, 0xCC, 0x00)}, (192, 192))
    upload(owner, 256, 256)
    assert painted(touch_icon()) == ({(0, 0x80, 0x80)}, (256, 256))


def test_the_reference_of_the_interface_looks_like_the_site(world: World, owner: AdminClient) -> None:
    owner.post(LOOK, {"accent_color": "#1f6f8b"})
    upload(owner, 256, 256)
    neighbour = world.neighbour()
    docs, page = neighbour.get("/docs").text, neighbour.get("/events/").text
    for pattern in ('<img class="logo" src="([^"]*)"', '<link rel="icon" href="([^"]*)"', '"(/look/[^"]*/site.css)"'):
        own, shown = re.search(pattern, page), re.search(pattern, docs)
        assert own is not None, pattern
        assert shown is not None, pattern
        assert neighbour.get(shown[1]).status_code == 200
    assert "--accent:" in neighbour.get(re.findall('"(/look/[^"]*/site.css)"', docs)[0]).text
