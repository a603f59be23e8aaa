"""Draws the town's pictures from plain shapes, as `posters.toml` lists them, twice as large as they will be."""

import io
import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from PIL import Image, ImageColor, ImageDraw, ImageFont

from kalends.features.demo.town import read_data

PICTURES: dict[str, dict[str, Any]] = read_data("posters.toml")
LOGO = PICTURES.pop("logo")

SIZE = 1600, 1000
CREAM = "#f6efe0"
_FINER = 2  # drawn so many times as large, for smooth edges

Point = tuple[float, float]


def draw(picture: dict[str, Any]) -> bytes:
    top, bottom = picture["ground"]
    canvas = Canvas(top, bottom, picture.get("size", SIZE))
    for shape, place in _shapes(picture.get("shapes", ())):
        canvas.shape(shape, place)
    if "word" in picture:  # the same two lines at the foot of every poster make them a series
        word, ink = picture["word"]
        canvas.word(word, 860, 124, ink)
        canvas.word("MERROWHAVEN", 925, 26, ink, spacing=0.42)
    elif "initials" in picture:
        canvas.shape(f"ring 400,400 300 10 {CREAM}")
        canvas.word(picture["initials"], 472, 200, CREAM, spacing=0.06)
    else:
        canvas.cut_out_a_disc()
    return canvas.encoded()


def _shapes(listed: Sequence[str | dict[str, Any]]) -> Iterator[tuple[str, Point]]:
    """Every shape with the place to which it is moved."""
    for item in listed:
        if isinstance(item, str):
            yield item, (0, 0)
            continue
        (columns, right), (rows, down) = item.get("across", (1, 0)), item.get("down", (1, 0))
        for x, y in item.get("at", [(0, 0)]):
            for row in range(rows):
                for column in range(columns):
                    yield from ((shape, (x + column * right, y + row * down)) for shape in item["draw"])


class Canvas:
    """A picture in the making. Places are in pixels of the finished one, colours as `#rrggbb` or `#rrggbbaa`."""

    def __init__(self, top: str, bottom: str, size: Sequence[int]) -> None:
        self.width, self.height = size
        finer = self.width * _FINER, self.height * _FINER
        column = Image.new("RGB", (1, finer[1]), top)
        ramp = Image.linear_gradient("L").resize(column.size, Image.Resampling.BILINEAR)
        column.paste(Image.new("RGB", column.size, bottom), mask=ramp)
        self._image = column.resize(finer, Image.Resampling.NEAREST)
        self._draw = ImageDraw.Draw(self._image, "RGBA")

    def shape(self, written: str, offset: Point = (0, 0)) -> None:
        """A shape as it is written: its name, its points, its sizes or angles, its colour."""
        name, *words, colour = written.split()
        points = [tuple(map(float, word.split(","))) for word in words if "," in word]
        numbers = [float(word) for word in words if "," not in word]
        at = [(x + offset[0], y + offset[1]) for x, y in points]
        scaled, (x, y) = _scaled(at), at[0]
        match name, numbers:
            case "rectangle", _:
                self._draw.rounded_rectangle(scaled, sum(numbers) * _FINER, colour)
            case "polygon", _:
                self._draw.polygon(scaled, colour)
            case "line", [thick]:
                self._draw.line(scaled, colour, round(thick * _FINER), joint="curve")
            case "disc", [radius]:
                self._draw.ellipse(_around(x, y, radius), colour)
            case "ring", [radius, thick]:
                self._draw.ellipse(_around(x, y, radius), outline=colour, width=round(thick * _FINER))
            case "slice", [radius, start, end]:  # from one angle to another: 0 is to the right, 90 is down
                self._draw.pieslice(_around(x, y, radius), start, end, colour)
            case "land", [swell, length, shift]:  # all below a wavy line: hills where the swell is high, or water
                crest = self._wave(y, swell, length, shift, 0.4)
                self._draw.polygon(_scaled([*crest, (self.width, self.height), (0, self.height)]), colour)
            case "wave", [swell, length, shift, thick]:
                self._draw.line(_scaled(self._wave(y, swell, length, shift)), colour, round(thick * _FINER))
            case "loop", [wide, high, thick]:
                turns = [step * math.tau / 240 for step in range(241)]
                loop = [(x + wide * math.sin(turn), y + high * math.sin(2 * turn)) for turn in turns]
                self._draw.line(_scaled(loop), colour, round(thick * _FINER), joint="curve")
            case "scatter", [count, smallest, largest, seed]:
                chance = Random(int(seed))  # noqa: S311
                for _ in range(int(count)):
                    spot = chance.uniform(0, x), chance.uniform(0, y)
                    self._draw.ellipse(_around(*spot, chance.uniform(smallest, largest)), colour)
            case "glow", [strength]:
                self._glow(scaled, colour, round(strength))
            case _:
                raise ValueError(written)

    def _wave(self, level: float, swell: float, length: float, shift: float, second: float = 0.0) -> list[Point]:
        return [
            (x, level - swell * (math.sin(x / length + shift) + second * math.sin(2.3 * x / length + 2 * shift)))
            for x in range(0, self.width + 8, 8)
        ]

    def _glow(self, points: list[Point], colour: str, strength: int) -> None:
        """A shape of light that fades towards its lower end."""
        size = self._image.size
        shape = Image.new("L", size)
        ImageDraw.Draw(shape).polygon(points, strength)
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

    def cut_out_a_disc(self) -> None:
        """Leaves the largest disc of it, and nothing around."""
        shape = Image.new("L", self._image.size)
        ImageDraw.Draw(shape).ellipse((0, 0, *self._image.size), 255)
        self._image.putalpha(shape)

    def encoded(self) -> bytes:
        written = io.BytesIO()
        self._image.reduce(_FINER).save(written, "PNG" if self._image.mode == "RGBA" else "JPEG", quality=88)
        return written.getvalue()


def _scaled(points: Sequence[Point]) -> list[Point]:
    return [(x * _FINER, y * _FINER) for x, y in points]


def _around(x: float, y: float, radius: float) -> list[Point]:
    return _scaled([(x - radius, y - radius), (x + radius, y + radius)])
