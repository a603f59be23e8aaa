"""The pictures of the docs have few colours, and those that mean something are exact."""

from PIL import Image, ImageDraw
from tests.site.pictures import with_palette

CATEGORIES = [(200, 30 + 8 * n, 250 - 9 * n) for n in range(24)]


def test_the_colours_of_categories_are_kept_beside_photographs_and_letters() -> None:
    image = Image.effect_mandelbrot((400, 300), (-2, -1, 1, 1), 90).convert("RGB")
    image = Image.merge(
        "RGB", (image.getchannel(0), Image.linear_gradient("L").resize(image.size), image.getchannel(2))
    )
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 400, 100), fill="white")
    draw.text((10, 70), "Every category has a colour of its own", fill="black")
    for n, colour in enumerate(CATEGORIES):
        draw.rectangle((10 + 14 * n, 10, 13 + 14 * n, 30), fill=colour)
    found = with_palette(image)
    assert found.mode == "P"
    shown = found.convert("RGB")
    assert [shown.getpixel((12 + 14 * n, 20)) for n in range(len(CATEGORIES))] == CATEGORIES
