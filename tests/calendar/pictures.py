"""Pictures to process, and what is in the result."""

import io
from typing import Any

from PIL import Image

from kalends.calendar.images.processing import Picture

FORMATS = {"PNG": "png", "JPEG": "jpg", "GIF": "gif", "WEBP": "webp", "AVIF": "avif"}
SECRET = b"52.5163N"


def drawn(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """Left half red, right half blue, top row of quarters brighter."""
    image = Image.new("RGB", (width, height), (120, 0, 0))
    image.paste((0, 0, 120), (width // 2, 0, width, height))
    image.paste((255, 0, 0), (0, 0, width // 2, height // 2))
    return image if mode == "RGB" else image.convert(mode)


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    written = io.BytesIO()
    image.save(written, kind, **options)
    return written.getvalue()


def decoded(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def camera_exif(orientation: int = 1) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010E] = SECRET.decode()
    return exif.tobytes()


def sizes(picture: Picture) -> list[tuple[str, int, int]]:
    return [(small.name, small.width, small.height) for small in picture.renditions]
