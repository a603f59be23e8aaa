"""Removes metadata from the bytes of image files without decoding them."""

import re
import struct
from collections.abc import Iterator
from typing import Final


def without_metadata(kind: str, data: bytes, hidden: bool) -> bytes | None:
    """The original without metadata, comments and whatever follows its end, or None when only a new encoding takes
    them out. `hidden`: the decoder found EXIF or XMP data."""
    try:
        match kind:
            case "JPEG":
                return b"".join(_jpeg_parts(data))
            case "PNG":
                return b"".join(_png_parts(data))
            case "GIF":
                return b"".join(_gif_parts(data))
            case "WEBP":
                return _webp_without_metadata(data)
            case "AVIF":
                return None if hidden else _plain_avif(data)
            case _:
                return None
    except (ValueError, IndexError, struct.error):
        return None  # the decoder was more forgiving than we are


def count_scans(data: bytes) -> int:
    """How often a JPEG goes over its picture, known without decoding it."""
    try:
        return sum(part[1] == _SOS for part in _jpeg_segments(data))
    except (ValueError, IndexError, struct.error):
        # The decoder skips what it does not understand, so every marker may count.
        return data.count(bytes((0xFF, _SOS)))


_JFIF, _APP2, _ADOBE, _APP15, _COMMENT = 0xE0, 0xE2, 0xEE, 0xEF, 0xFE
_EOI, _SOS = 0xD9, 0xDA
# Within a scan, 0xFF is followed by a stuffed zero or is a restart; anything else ends the scan.
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7]")


def _jpeg_parts(data: bytes) -> Iterator[bytes]:
    """The segments that make the picture, up to its end: cameras hide previews and films behind it."""
    yield data[:2]
    for part in _jpeg_segments(data):
        if _belongs_to_picture(part[1], part[4:]):
            yield part


def _jpeg_segments(data: bytes) -> Iterator[bytes]:
    at = 2
    while True:
        if data[at] != 0xFF:
            raise ValueError("A marker was expected.")
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        if marker == _EOI:
            yield data[at : at + 2]
            return
        end = at + 2 + struct.unpack_from(">H", data, at + 2)[0]
        if marker == _SOS:
            end = _end_of_scan(data, end)
        yield data[at:end]
        at = end


def _belongs_to_picture(marker: int, content: bytes) -> bool:
    if marker == _APP2:
        return content.startswith(b"ICC_PROFILE\0")
    if marker == _JFIF:
        return content.startswith(b"JFIF\0")
    return marker == _ADOBE or not (_JFIF <= marker <= _APP15 or marker == _COMMENT)


def _end_of_scan(data: bytes, at: int) -> int:
    found = _MARKER.search(data, at)
    if found is None:
        raise ValueError("The last scan is cut off.")
    return found.start()


# Those that decide how the picture looks, and those of animations.
_PNG_CHUNKS: Final = frozenset(
    b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs hIST sPLT cICP mDCv cLLi acTL fcTL fdAT".split()
)


def _png_parts(data: bytes) -> Iterator[bytes]:
    yield data[:8]
    at = 8
    while True:
        length, name = struct.unpack_from(">I4s", data, at)
        end = at + 12 + length
        if end > len(data):
            raise ValueError("The last chunk is cut off.")
        if name in _PNG_CHUNKS:
            yield data[at:end]
        if name == b"IEND":
            return
        at = end


_GIF_CONTROL, _GIF_APPLICATION = 0xF9, 0xFF
_GIF_LOOPS: Final = (b"NETSCAPE2.0", b"ANIMEXTS1.0")


def _gif_parts(data: bytes) -> Iterator[bytes]:
    """The frames, how they follow one another and how often; no comments, no texts, and nothing after the end."""
    at = 13 + _color_table(data[10])
    yield data[:at]
    while True:
        match data[at]:
            case 0x3B:  # the end
                yield data[at : at + 1]
                return
            case 0x21:  # an extension
                end = _after_blocks(data, at + 2)
                is_loop = data[at + 1] == _GIF_APPLICATION and data[at + 3 : at + 14] in _GIF_LOOPS
                if data[at + 1] == _GIF_CONTROL or is_loop:
                    yield data[at:end]
            case 0x2C:  # a frame
                end = _after_blocks(data, at + 11 + _color_table(data[at + 9]))
                yield data[at:end]
            case _:
                raise ValueError("A block was expected.")
        at = end


def _color_table(flags: int) -> int:
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _after_blocks(data: bytes, at: int) -> int:
    while data[at]:
        at += 1 + data[at]
    return at + 1


_WEBP_CHUNKS: Final = (b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ICCP", b"ANIM", b"ANMF")


def _webp_without_metadata(data: bytes) -> bytes:
    stop = 8 + struct.unpack_from("<I", data, 4)[0]
    chunks, at = [b"WEBP"], 12
    while at + 8 <= min(stop, len(data)):
        name, length = struct.unpack_from("<4sI", data, at)
        end = at + 8 + length + length % 2
        chunk = bytearray(data[at:end])
        if name == b"VP8X":
            chunk[8] &= ~0x0C & 0xFF  # the flags that announce EXIF and XMP
        if name in _WEBP_CHUNKS:
            chunks.append(bytes(chunk))
        at = end
    body = b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


_AVIF_BOXES: Final = (b"ftyp", b"meta", b"moov", b"mdat")


def _plain_avif(data: bytes) -> bytes | None:
    """The file if it has nothing but the picture. Its parts are found by their place in the file, so that taking one
    out needs a new encoding."""
    at = 0
    while at < len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        if name not in _AVIF_BOXES or length < 8 or at + length > len(data):
            return None
        at += length
    return data
