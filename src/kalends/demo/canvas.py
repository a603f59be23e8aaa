"""Where the posters are drawn: plain shapes on a large canvas that is brought down to size at the end."""

import io
import math
from collections.abc import Sequence

from PIL import Image, ImageColor, ImageDraw, ImageFont

WIDTH, HEIGHT = 1600, 1000
MIDDLE = WIDTH / 2
_FINER = 2  # drawn so many times as large, for smooth edges

Point = tuple[float, float]


class Canvas:
    """A picture in the making. Places are in pixels of the finished one, colours as `#rrggbb` or `#rrggbbaa`."""

    def __init__(self, top: str, bottom: str, width: int = WIDTH, height: int = HEIGHT) -> None:
        self.width, self.height = width, height
        size = width * _FINER, height * _FINER
        self._image = Image.new("RGB", size, top)
        ramp = Image.linear_gradient("L").resize(size, Image.Resampling.BILINEAR)
        self._image.paste(Image.new("RGB", size, bottom), mask=ramp)
        self._draw = ImageDraw.Draw(self._image, "RGBA")

    def rectangle(self, left: float, top: float, right: float, bottom: float, fill: str, radius: float = 0) -> None:
        box = _scaled([(left, top), (right, bottom)])
        self._draw.rounded_rectangle(box, radius * _FINER, fill)

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        self._draw.polygon(_scaled(points), fill)

    def disc(self, x: float, y: float, radius: float, fill: str) -> None:
        self._draw.ellipse(_scaled([(x - radius, y - radius), (x + radius, y + radius)]), fill)

    def ring(self, x: float, y: float, radius: float, colour: str, thick: float) -> None:
        box = _scaled([(x - radius, y - radius), (x + radius, y + radius)])
        self._draw.ellipse(box, outline=colour, width=round(thick * _FINER))

    def slice(self, x: float, y: float, radius: float, start: float, end: float, fill: str) -> None:
        """A piece of a disc, from one angle to another: 0 is to the right, 90 is down."""
        box = _scaled([(x - radius, y - radius), (x + radius, y + radius)])
        self._draw.pieslice(box, start, end, fill)

    def line(self, points: Sequence[Point], colour: str, thick: float) -> None:
        self._draw.line(_scaled(points), colour, round(thick * _FINER), joint="curve")

    def land(self, level: float, swell: float, length: float, fill: str, shift: float = 0.0) -> None:
        """Everything below a wavy line: hills when the swell is high, water when it is low."""
        crest = [
            (x, level - swell * (math.sin(x / length + shift) + 0.4 * math.sin(2.3 * x / length + 2 * shift)))
            for x in range(0, self.width + 8, 8)
        ]
        self.polygon([*crest, (self.width, self.height), (0, self.height)], fill)

    def glow(self, points: Sequence[Point], colour: str, strength: int) -> None:
        """A shape of light that fades towards its lower end."""
        size = self._image.size
        shape = Image.new("L", size)
        ImageDraw.Draw(shape).polygon(_scaled(points), strength)
        fading = Image.linear_gradient("L").transpose(Image.Transpose.FLIP_TOP_BOTTOM).resize(size)
        shape = Image.composite(shape, Image.new("L", size), fading)
        self._image.paste(Image.new("RGB", size, ImageColor.getrgb(colour)), mask=shape)

    def word(self, text: str, y: float, size: float, colour: str, spacing: float = 0.0) -> None:
        """A word in the middle of a line, its letters apart by a share of their size."""
        font = ImageFont.load_default(size * _FINER)
        gap = spacing * size * _FINER
        widths = [font.getlength(letter) for letter in text]
        x = (self.width * _FINER - sum(widths) - gap * (len(text) - 1)) / 2
        for letter, width in zip(text, widths, strict=True):
            self._draw.text((x, y * _FINER), letter, fill=colour, font=font, anchor="ls")
            x += width + gap

    def jpeg(self) -> bytes:
        written = io.BytesIO()
        self._image.reduce(_FINER).save(written, "JPEG", quality=88)
        return written.getvalue()

    def round_png(self) -> bytes:
        """The largest disc of it, and nothing around."""
        shape = Image.new("L", self._image.size)
        ImageDraw.Draw(shape).ellipse((0, 0, *self._image.size), 255)
        image = self._image.copy()
        image.putalpha(shape)
        written = io.BytesIO()
        image.reduce(_FINER).save(written, "PNG")
        return written.getvalue()


def _scaled(points: Sequence[Point]) -> list[Point]:
    return [(x * _FINER, y * _FINER) for x, y in points]
