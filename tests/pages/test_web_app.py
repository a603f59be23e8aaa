"""The site as an app: its manifest follows the appearance that its owner chose."""

import io
from typing import Any

import pytest
from PIL import Image
from tests.admin.admin_client import AdminClient
from tests.pages.calendar_html import World, fetch

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
    # The drawing is as good as the pictures of those sizes, and of equal ones the last counts.
    assert icons(world) == [
        ("image/png", "192x192"),
        ("image/png", "512x512"),
        ("image/svg+xml", "any 192x192 512x512"),
    ]
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
