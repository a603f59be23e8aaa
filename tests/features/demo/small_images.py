"""A demo with small images: drawing them takes longest."""

from typing import Any

from tests.pictures import png

from kalends.features.demo import filling


def little(picture: Any) -> bytes:
    return png(16, 10, colour="navy")


def draw_little() -> None:
    """In this process, from now on."""
    setattr(filling, "draw", little)  # noqa: B010
