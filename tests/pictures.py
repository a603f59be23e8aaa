"""Small pictures to upload."""

import io
from functools import lru_cache

from PIL import Image


@lru_cache
def png(width: int = 20, height: int = 10, shade: int = 0, colour: str = "", mode: str = "RGB") -> bytes:
    """The bytes of a picture; another shade or colour is another picture."""
    out = io.BytesIO()
    Image.new(mode, (width, height), colour or (shade, 90, 160)).save(out, "PNG")
    return out.getvalue()
