"""The pictures of docs/admin.md are those that the program takes."""

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser
from tests.effort import EVERYTHING
from tests.pages.pictures import DOCS, SHOTS, take

LARGEST = 120_000  # bytes


def test_every_picture_of_the_guide_is_taken_by_the_program() -> None:
    shown = re.findall(r"\]\((admin-\w+)\.png\)", (DOCS / "admin.md").read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(SHOTS)
    assert all((DOCS / f"{name}.png").stat().st_size <= LARGEST for name in SHOTS)


@pytest.mark.skipif(not EVERYTHING, reason="the pictures take a minute: TEST_ALL=1")
def test_the_pictures_can_be_taken(tmp_path: Path, browser: Browser) -> None:
    browser.version  # noqa: B018 - there is one
    take(tmp_path)
    for name, shot in SHOTS.items():
        with Image.open(tmp_path / f"{name}.png") as image:
            assert image.size == ((390, 844) if shot.phone else (1440, 1000))
