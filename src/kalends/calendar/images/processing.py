"""Decodes an uploaded or fetched image, makes its smaller sizes and removes its metadata."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from PIL import ExifTags, Image

from kalends.calendar.images import image_bytes

__all__ = ["ImageTooLarge", "NotAnImage", "Picture", "Rendition", "read_picture"]


NONE = "This is not a whole PNG, JPEG, GIF, WebP, AVIF or HEIC image."


class NotAnImage(ValueError):
    """The bytes are not a whole image of a supported format."""


class ImageTooLarge(ValueError):
    """The image takes more memory or time than allowed."""


@dataclass(frozen=True, slots=True)
class Rendition:
    """One smaller size of a picture."""

    name: str
    width: int
    height: int
    mime_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """An image to be stored, with its sizes in the order of the interface."""

    extension: str
    mime_type: str
    width: int
    height: int
    data: bytes
    renditions: tuple[Rendition, ...]


@dataclass(frozen=True, slots=True)
class _Format:
    extension: str
    mime_type: str
    modes: tuple[str, ...]
    small: dict[str, Any]  # how a rendition is written
    full: dict[str, Any]  # how an original is written when it has to be encoded again


_FORMATS: Final = {
    "PNG": _Format("png", "image/png", ("L", "LA", "RGB", "RGBA"), {}, {}),
    "JPEG": _Format("jpg", "image/jpeg", ("L", "RGB", "CMYK"), {"quality": 82, "progressive": True}, {"quality": 92}),
    "GIF": _Format("gif", "image/gif", ("L", "RGB", "RGBA"), {}, {}),
    "WEBP": _Format("webp", "image/webp", ("RGB", "RGBA"), {"quality": 82, "method": 3}, {"quality": 92}),
    "AVIF": _Format(
        "avif", "image/avif", ("L", "RGB", "RGBA"), {"quality": 65, "speed": 8}, {"quality": 85, "speed": 8}
    ),
}

# Phones append further views to a JPEG, which then goes under another name.
_FOUND: Final = (*_FORMATS, "MPO", "HEIF")

_UPRIGHT: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

_NO_LIMIT: Final = 1 << 31
_SCALED: Final = (("medium", 300, 300), ("large", 1024, 1024), ("medium_large", 768, _NO_LIMIT))
_THUMBNAIL_SIDE: Final = 150
_ORDER: Final = ("medium", "large", "thumbnail", "medium_large")
# A progressive JPEG has about ten; each one costs as much time as the whole picture.
_MOST_SCANS: Final = 50
# The colour profile of a printer can be larger than the small picture.
_LARGEST_SMALL_PROFILE: Final = 65_536


def read_picture(data: bytes, *, max_pixels: int = 50_000_000) -> Picture:
    """The picture in these bytes, decoded once in full so that what we store is known to be an image."""
    opened, found = _open(data, max_pixels)
    kind = _stored_as(opened, found)
    turn = _UPRIGHT.get(_orientation(opened))
    profile = opened.info.get("icc_profile")
    hidden = "exif" in opened.info or "xmp" in opened.info
    image = _plain(opened, _FORMATS[kind])
    if turn is not None:
        image = image.transpose(turn)
    image_format = _FORMATS[kind]
    original = None if turn is not None or found == "HEIF" else image_bytes.without_metadata(kind, data, hidden)
    if original is None:
        original = _encode(image, kind, image_format.full, profile)
    options = image_format.small
    if profile and len(profile) > _LARGEST_SMALL_PROFILE:
        profile = None
    renditions = tuple(
        Rendition(name, small.width, small.height, image_format.mime_type, _encode(small, kind, options, profile))
        for name, small in _sizes(image)
    )
    return Picture(image_format.extension, image_format.mime_type, image.width, image.height, original, renditions)


def _open(data: bytes, max_pixels: int) -> tuple[Image.Image, str]:
    try:
        image = Image.open(io.BytesIO(data), formats=_opened_formats(data))
        # Only the header is read so far: a decompression bomb is refused before it is decoded.
        if image.width * image.height > max_pixels:
            raise ImageTooLarge("The image has too many pixels.")
        if image.format in ("JPEG", "MPO") and image_bytes.count_scans(data) > _MOST_SCANS:
            raise ImageTooLarge("The image has too many scans.")
        image.load()
    except ImageTooLarge:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, MemoryError) as error:
        raise ImageTooLarge("The image has too many pixels.") from error
    except Exception as error:  # broken data makes the decoders raise nearly everything
        raise NotAnImage(NONE) from error
    if image.format not in _FOUND:
        raise NotAnImage(NONE)
    return image, str(image.format)


def _opened_formats(data: bytes) -> tuple[str, ...]:
    """The formats to try. The library for pictures of phones is loaded when one comes: workers import this module
    too, and most of them never decode any."""
    if data[4:8] != b"ftyp" or data[8:12] in (b"avif", b"avis"):
        return tuple(_FORMATS)
    import pillow_heif

    # The small pictures inside of the file are not needed.
    pillow_heif.register_heif_opener(thumbnails=False, depth_images=False, aux_images=False, decode_threads=1)
    return (*_FORMATS, "HEIF")


def _stored_as(image: Image.Image, found: str) -> str:
    """The format in which a picture is stored: few browsers show what phones write."""
    if found == "HEIF":
        return "WEBP" if image.has_transparency_data else "JPEG"
    return "JPEG" if found == "MPO" else found


def _orientation(image: Image.Image) -> int:
    try:
        value = image.getexif().get(ExifTags.Base.Orientation, 1)
    except Exception:  # unreadable EXIF data says nothing; the picture itself is sound
        return 1
    return value if isinstance(value, int) else 1


def _plain(image: Image.Image, image_format: _Format) -> Image.Image:
    """The bare pixels of the first frame, in a mode that scales smoothly and that the format can hold."""
    if image.mode.startswith(("I", "F")):
        # Sixteen bits a pixel would be cut off, not scaled down, by a plain conversion.
        plain = image.convert("I").point(lambda value: value / 256).convert("L")
    elif image.has_transparency_data and image.mode not in image_format.modes[-1:]:
        plain = image.convert("LA" if image.mode in ("1", "L", "LA") and "LA" in image_format.modes else "RGBA")
    elif image.mode in image_format.modes:
        plain = image.copy()
    else:
        plain = image.convert("L" if image.mode == "1" and "L" in image_format.modes else "RGB")
    plain.info = {}
    return plain


def _sizes(image: Image.Image) -> Iterator[tuple[str, Image.Image]]:
    sizes = {name: _scaled(image, *limits) for name, *limits in _SCALED}
    sizes["thumbnail"] = _thumbnail(image)
    for name in _ORDER:
        small = sizes[name]
        if small is not None:
            yield name, small


def _scaled(image: Image.Image, most_width: int, most_height: int) -> Image.Image | None:
    factor = min(most_width / image.width, most_height / image.height)
    if factor >= 1:
        return None
    size = max(1, round(image.width * factor)), max(1, round(image.height * factor))
    return image.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


def _thumbnail(image: Image.Image) -> Image.Image | None:
    """The middle of the picture; a side that is shorter than the thumbnail's stays as long as it is."""
    width, height = min(_THUMBNAIL_SIDE, image.width), min(_THUMBNAIL_SIDE, image.height)
    if (width, height) == image.size:
        return None
    shrink = min(image.width / width, image.height / height)
    # A rounding error must not leave the picture.
    wide, high = min(width * shrink, image.width), min(height * shrink, image.height)
    left, top = (image.width - wide) / 2, (image.height - high) / 2
    box = (left, top, min(left + wide, image.width), min(top + high, image.height))
    return image.resize((width, height), Image.Resampling.LANCZOS, box=box, reducing_gap=3.0)


def _encode(image: Image.Image, kind: str, options: dict[str, Any], profile: bytes | None) -> bytes:
    written = io.BytesIO()
    with_profile = {"icc_profile": profile} if profile and kind != "GIF" else {}
    image.save(written, kind, **options, **with_profile)
    return written.getvalue()
