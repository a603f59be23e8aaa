"""Colours as `#rrggbb`: contrast by WCAG 2, and the shade of a colour that can be read on a background."""

import colorsys
import re

TEXT_CONTRAST = 4.5  # WCAG AA for text
MARK_CONTRAST = 3.0  # and for what is no text

# The pages' own backgrounds: the paper and the raised surface of site/static/shared/tokens.css.
LIGHT_PAPER, DARK_PAPER = ("#fbf9f4", "#f3efe6"), ("#171511", "#211e18")
NEARLY_WHITE, NEARLY_BLACK = "#fffaf4", "#1b0f09"

DEFAULT_ACCENT = "#a5281b"

# Of categories that nobody gave a colour. Neighbours differ in hue, and all can be told from the paper.
PALETTE = (
    *("#a33b2a", "#1f6f8b", "#8a6d00", "#6a4c93", "#2e7d4f", "#b5486f"),
    *("#3b5bab", "#a0591b", "#00796b", "#8e3a9d", "#5b7a1e", "#6b5b4b"),
)

_WRITTEN = re.compile(r"#?([0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)


def parse(written: str) -> str:
    """`#rrggbb` in small letters; three digits are doubled. Raises ValueError for what is no colour."""
    match = _WRITTEN.fullmatch(written.strip())
    if match is None:
        raise ValueError(f"this is no colour: {written!r}")
    digits = match[1].lower()
    return "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))


def of_number(number: int) -> str:
    """The colour of something that has none of its own."""
    return PALETTE[number % len(PALETTE)]


def contrast(one: str, other: str) -> float:
    """From 1, the same, to 21, black and white."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def readable(colour: str, papers: tuple[str, ...], wanted: float = TEXT_CONTRAST) -> str:
    """The nearest shade of the colour that has this contrast to every paper."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*_channels(colour))
    step = -0.01 if _luminance(papers[0]) > 0.5 else 0.01
    shade = colour
    while min(contrast(shade, paper) for paper in papers) < wanted and 0 <= lightness <= 1:
        lightness += step
        shade = _written(colorsys.hls_to_rgb(hue, min(1, max(0, lightness)), saturation))
    return shade


def on(colour: str) -> str:
    """The colour of text on a filled area."""
    return max(NEARLY_WHITE, NEARLY_BLACK, key=lambda text: contrast(text, colour))


def both(colour: str, wanted: float = TEXT_CONTRAST) -> tuple[str, str]:
    """The shades for light and for dark pages."""
    return readable(colour, LIGHT_PAPER, wanted), readable(colour, DARK_PAPER, wanted)


def _luminance(colour: str) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def _written(channels: tuple[float, float, float]) -> str:
    return "#" + bytes(round(255 * channel) for channel in channels).hex()
