"""The pictures of the README and of docs/ are those that the program takes."""

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser
from tests.effort import EVERYTHING
from tests.site.pictures import DOCS, SHOTS, take

LARGEST = 150_000  # bytes; photos in their own colours take the most


def test_every_picture_is_taken_by_the_program() -> None:
    pages = [DOCS.parent / "README.md", *DOCS.glob("*.md")]
    shown = {name for page in pages for name in re.findall(r"\]\(\S*?([\w-]+)\.png\)", page.read_text("utf-8"))}
    assert shown == set(SHOTS)
    assert all((DOCS / f"{name}.png").stat().st_size <= LARGEST for name in SHOTS)


@pytest.mark.skipif(not EVERYTHING, reason="the pictures take a minute: TEST_ALL=1")
def test_the_pictures_can_be_taken(tmp_path: Path, browser: Browser) -> None:
    browser.version  # noqa: B018 - there is one
    take(tmp_path)
    for name, shot in SHOTS.items():
        with Image.open(tmp_path / f"{name}.png") as image:
            assert image.size == ((390, 844) if shot.phone else (1440, 1000))
