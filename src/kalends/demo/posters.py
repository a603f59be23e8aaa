"""The town's posters: one verb each, drawn from plain shapes. What matters is in the middle, for square crops."""

import math
from collections.abc import Callable
from functools import partial
from random import Random

from kalends.demo.canvas import HEIGHT, MIDDLE, WIDTH, Canvas

CREAM, INK = "#f6efe0", "#16263c"
WORD_LINE, TOWN_LINE = 860, 925


def sign(canvas: Canvas, verb: str, colour: str) -> bytes:
    """The same two lines at the foot of every poster make them a series."""
    canvas.word(verb, WORD_LINE, 124, colour)
    canvas.word("MERROWHAVEN", TOWN_LINE, 26, colour, spacing=0.42)
    return canvas.jpeg()


def arrive() -> bytes:
    """The harbour at dusk, with sails."""
    canvas = Canvas("#f7d9a8", "#e88d67")
    canvas.disc(MIDDLE, 430, 190, "#fbf1da")
    canvas.land(470, 34, 330, "#c97b6b", 1.0)
    canvas.land(520, 10, 420, "#4f7484", 0.4)
    for x, size, colour in ((560, 0.75, "#f6efe0"), (800, 1.2, "#ffffff"), (1050, 0.6, "#f3e2c7")):
        keel = 520 + 90 * size
        canvas.polygon([(x, keel - 20), (x, keel - 270 * size), (x + 130 * size, keel - 20)], colour)
        canvas.polygon([(x - 12, keel - 20), (x - 12, keel - 220 * size), (x - 96 * size, keel - 20)], "#f0cfa0")
        canvas.polygon(
            [(x - 110 * size, keel - 8), (x + 140 * size, keel - 8), (x + 90 * size, keel + 26 * size),
             (x - 70 * size, keel + 26 * size)], INK)  # fmt: skip
    canvas.land(690, 9, 190, "#315c70", 2.0)
    canvas.land(745, 8, 240, "#24485c", 0.0)
    return sign(canvas, "Arrive", CREAM)


def listen() -> bytes:
    """A record like a moon over the roofs, for jazz."""
    canvas = Canvas("#101d38", "#2c3f6e")
    for radius in range(330, 120, -22):
        canvas.ring(MIDDLE, 400, radius, "#f2c57c" if radius == 330 else "#5e74ad", 4)
    canvas.disc(MIDDLE, 400, 112, "#e9a553")
    canvas.disc(MIDDLE, 400, 16, "#101d38")
    canvas.slice(MIDDLE, 400, 326, 298, 318, "#f6efe01c")
    canvas.slice(MIDDLE, 400, 326, 118, 138, "#f6efe01c")
    canvas.rectangle(0, 745, WIDTH, HEIGHT, "#0b152a")
    roofs = Random(5)  # noqa: S311
    x = -20
    while x < WIDTH:
        wide, high = roofs.randint(70, 150), roofs.randint(20, 110)
        canvas.rectangle(x, 730 - high, x + wide, HEIGHT, "#0b152a")
        if roofs.random() < 0.5:
            canvas.polygon([(x, 730 - high), (x + wide / 2, 680 - high), (x + wide, 730 - high)], "#0b152a")
        if roofs.random() < 0.45:
            canvas.rectangle(x + wide / 2 - 9, 745 - high, x + wide / 2 + 9, 769 - high, "#e9a553")
        x += wide + roofs.randint(0, 14)
    return sign(canvas, "Listen", CREAM)


def sing() -> bytes:
    """Arches within arches, like voices in a nave."""
    canvas = Canvas("#efe4d2", "#dcc3a1")
    for radius, colour in ((420, "#c8553d"), (350, "#efe4d2"), (290, "#2f5d62"), (220, "#efe4d2"),
                           (160, "#e0a458"), (92, "#3b2c35")):  # fmt: skip
        canvas.slice(MIDDLE, 520, radius, 180, 360, colour)
        canvas.rectangle(MIDDLE - radius, 519, MIDDLE + radius, 700, colour)
    for side in (-1, 1):
        for step in range(4):
            canvas.disc(MIDDLE + side * (520 + 78 * step), 640 - 60 * step, 24, "#c8553d" if step % 2 else "#2f5d62")
    canvas.rectangle(0, 700, WIDTH, HEIGHT, "#3b2c35")
    return sign(canvas, "Sing", CREAM)


def gather() -> bytes:
    """An awning and what lies under it."""
    canvas = Canvas("#fbf3e1", "#f3dfb8")
    stripes, width = 14, WIDTH / 14
    for stripe in range(stripes):
        colour = "#b8402f" if stripe % 2 else "#fffaf0"
        canvas.rectangle(stripe * width, 0, (stripe + 1) * width, 170, colour)
        canvas.disc((stripe + 0.5) * width, 170, width / 2, colour)
    fruit = ("#d9562b", "#e8a33d", "#6c8f3f", "#8a2f3f", "#f0c24b")
    for row, y in enumerate((400, 508, 616)):
        for place in range(-8 + row, 9 - row, 2):
            x = MIDDLE + place * 58
            canvas.disc(x, y, 50, fruit[(place + 2 * row) % len(fruit)])
            canvas.slice(x, y, 50, 300, 60, "#ffffff22")
            canvas.line([(x, y - 44), (x + 10, y - 64)], "#5a4632", 7)
    canvas.rectangle(0, 680, WIDTH, HEIGHT, "#40543a")
    canvas.rectangle(0, 680, WIDTH, 700, "#5c7350")
    return sign(canvas, "Gather", CREAM)


def watch() -> bytes:
    """The beam of a projector."""
    canvas = Canvas("#1a1423", "#352640")
    canvas.glow([(800, 90), (1330, 720), (270, 720)], "#ffe6ad", 225)
    canvas.disc(MIDDLE, 100, 62, "#0d0a13")
    canvas.ring(MIDDLE, 100, 62, "#e6b35a", 8)
    canvas.disc(MIDDLE, 100, 24, "#fff4d6")
    for row, (level, step, radius) in enumerate(((640, 118, 40), (716, 132, 50))):
        colour = "#241a2f" if row else "#2b2038"
        for seat in range(-8, 9):
            x = MIDDLE + (seat + 0.5 * row) * step
            canvas.disc(x, level, radius, colour)
            canvas.rectangle(x - radius * 1.25, level + radius * 0.7, x + radius * 1.25, HEIGHT, colour, 26)
    canvas.rectangle(0, 770, WIDTH, HEIGHT, "#150f1d")
    return sign(canvas, "Watch", "#f4dca6")


def read() -> bytes:
    """A row of books, one of them leaning."""
    canvas = Canvas("#e7ece6", "#cfd9cf")
    colours = ("#2b4c4f", "#c66b3d", "#e2b04a", "#7a2e39", "#4f7a6b", "#243447", "#d98e73", "#8b9d5a")
    sizes = Random(23)  # noqa: S311
    x, number = 60.0, 0
    while x < WIDTH - 110:
        if 900 < x < 1040 and number % 8 != 7:
            canvas.polygon([(x + 90, 690), (x + 156, 690), (x + 54, 262), (x - 10, 278)], "#c66b3d")
            canvas.polygon([(x + 68, 596), (x + 132, 588), (x + 126, 560), (x + 61, 568)], CREAM)
            x, number = x + 172, 7
        wide, high = sizes.randint(44, 92), sizes.randint(300, 470)
        canvas.rectangle(x, 690 - high, x + wide, 690, colours[number % len(colours)], 6)
        canvas.rectangle(x, 690 - high + 46, x + wide, 690 - high + 58, "#ffffff55")
        canvas.rectangle(x, 690 - 70, x + wide, 690 - 62, "#ffffff40")
        x, number = x + wide + 5, number + 1
    canvas.rectangle(0, 690, WIDTH, HEIGHT, "#5b4636")
    canvas.rectangle(0, 690, WIDTH, 708, "#7a604b")
    return sign(canvas, "Read", CREAM)


def run() -> bytes:
    """The cliff path at first light."""
    canvas = Canvas("#bfe0e2", "#fdf0d5")
    canvas.disc(1040, 270, 96, "#f6b860")
    for level, swell, length, colour, shift in (
        (430, 46, 260, "#8fb9a8", 0.2), (530, 52, 310, "#5f9a84", 2.1), (640, 44, 350, "#3d7767", 4.0),
    ):  # fmt: skip
        canvas.land(level, swell, length, colour, shift)
    bends = [(step / 60, 800 + 210 * math.sin(step / 60 * 6.6) * (0.15 + step / 60)) for step in range(61)]
    left = [(x - 2 - 44 * near**1.6, 604 + 190 * near) for near, x in bends]
    right = [(x + 2 + 44 * near**1.6, 604 + 190 * near) for near, x in bends]
    canvas.polygon([*left, *reversed(right)], "#f7e3b5")
    canvas.land(760, 14, 300, "#21483f", 1.0)
    return sign(canvas, "Run", CREAM)


def grow() -> bytes:
    """Leaves in a grid, as on a tiled floor."""
    canvas = Canvas("#f2efdf", "#f2efdf")
    side = 160
    colours = ("#2f6b4f", "#7fa650", "#d98b4a", "#1f4a3c", "#c9d7a4")
    order = Random(11)  # noqa: S311
    for row in range(5):
        for column in range(WIDTH // side):
            x, y = column * side, row * side - 80
            canvas.rectangle(x, y, x + side, y + side, "#e8e4cd" if (row + column) % 2 else "#f2efdf")
            colour = colours[order.randrange(len(colours))]
            if order.random() < 0.5:
                canvas.slice(x, y + side, side, 270, 360, colour)
                canvas.slice(x, y + side, side * 0.55, 270, 360, "#ffffff30")
            else:
                canvas.slice(x + side, y, side, 90, 180, colour)
                canvas.slice(x + side, y, side * 0.55, 90, 180, "#ffffff30")
    canvas.rectangle(0, 720, WIDTH, HEIGHT, "#1f4a3c")
    return sign(canvas, "Grow", CREAM)


def skate() -> bytes:
    """Curves on the ice."""
    canvas = Canvas("#dcecf5", "#a9cbe0")
    for scale, colour, thick in ((1.0, "#ffffff", 16), (0.78, "#f7fbfd", 11), (0.56, "#7ea9c6", 8)):
        loop = [
            (MIDDLE + 560 * scale * math.sin(turn), 380 + 250 * scale * math.sin(2 * turn))
            for turn in (step * math.tau / 240 for step in range(241))
        ]
        canvas.line(loop, colour, thick)
    canvas.disc(MIDDLE, 380, 26, "#d1495b")
    flakes = Random(3)  # noqa: S311
    for _ in range(110):
        canvas.disc(flakes.uniform(0, WIDTH), flakes.uniform(0, 730), flakes.uniform(2, 7), "#ffffffcc")
    canvas.land(760, 6, 300, "#2f5573", 0.5)
    return sign(canvas, "Skate", "#f3f9fc")


def meet() -> bytes:
    """The front of the old town hall."""
    canvas = Canvas("#c9d6df", "#eef2f3")
    stone, shade = "#e0c9a6", "#b99a6f"
    canvas.rectangle(0, 690, WIDTH, HEIGHT, "#3a4a5c")
    canvas.rectangle(420, 380, 1180, 690, stone)
    canvas.polygon([(390, 380), (800, 240), (1210, 380)], shade)
    canvas.rectangle(715, 120, 885, 330, stone)
    canvas.polygon([(695, 120), (800, 30), (905, 120)], "#8c3b2e")
    canvas.disc(MIDDLE, 210, 62, CREAM)
    canvas.ring(MIDDLE, 210, 62, shade, 8)
    canvas.line([(800, 210), (800, 166)], INK, 7)
    canvas.line([(800, 210), (832, 226)], INK, 7)
    for column in range(6):
        x = 470 + column * 118
        canvas.rectangle(x, 410, x + 70, 690, "#f3e6cd")
        canvas.rectangle(x - 8, 400, x + 78, 420, shade)
        canvas.rectangle(x - 8, 672, x + 78, 690, shade)
    canvas.slice(MIDDLE, 560, 46, 180, 360, "#5a3a2c")
    canvas.rectangle(754, 559, 846, 690, "#5a3a2c")
    return sign(canvas, "Meet", CREAM)


def shine() -> bytes:
    """The lighthouse on a clear night."""
    canvas = Canvas("#0d1b3d", "#35518a")
    stars = Random(7)  # noqa: S311
    for _ in range(150):
        canvas.disc(stars.uniform(0, WIDTH), stars.uniform(0, 620), stars.uniform(1, 3.4), "#fdf6dfcc")
    canvas.polygon([(800, 236), (0, 60), (0, 300)], "#ffe9a830")
    canvas.polygon([(800, 236), (1600, 90), (1600, 390)], "#ffe9a848")
    canvas.polygon([(742, 720), (766, 300), (834, 300), (858, 720)], "#f4efe6")
    for top, bottom in ((380, 460), (560, 640)):
        left, right = 766 - 24 * (top - 300) / 420, 766 - 24 * (bottom - 300) / 420
        canvas.polygon([(left, top), (right, bottom), (1600 - right, bottom), (1600 - left, top)], "#c1443c")
    canvas.rectangle(750, 288, 850, 304, "#20304f")
    canvas.rectangle(772, 196, 828, 288, "#ffe9a8")
    canvas.line([(800, 196), (800, 288)], "#20304f", 5)
    canvas.slice(MIDDLE, 198, 40, 180, 360, "#c1443c")
    canvas.land(726, 30, 300, "#0a142c", 1.3)
    return sign(canvas, "Shine", CREAM)


def row() -> bytes:
    """An eight from above."""
    canvas = Canvas("#2e7f93", "#1d5468")
    for level in range(60, 720, 66):
        canvas.line([(x, level + 9 * math.sin(x / 90 + level)) for x in range(-10, WIDTH + 20, 10)], "#ffffff1c", 5)
    canvas.polygon([(170, 400), (330, 366), (1270, 366), (1430, 400), (1270, 434), (330, 434)], "#f1e3c6")
    canvas.polygon([(250, 400), (350, 384), (1250, 384), (1350, 400), (1250, 416), (350, 416)], "#b98a54")
    for seat in range(8):
        x, side = 430 + seat * 105, -1 if seat % 2 else 1
        canvas.line([(x, 400 + side * 20), (x - 56, 400 + side * 250)], "#f6efe0", 9)
        canvas.polygon(
            [(x - 44, 400 + side * 226), (x - 70, 400 + side * 300), (x - 40, 400 + side * 306),
             (x - 22, 400 + side * 232)], "#e2574c")  # fmt: skip
        canvas.disc(x, 400, 25, INK)
        canvas.disc(x, 400, 15, "#f0c9a0")
    return sign(canvas, "Row", CREAM)


def play() -> bytes:
    """Kites over the beach."""
    canvas = Canvas("#8ecae6", "#e9f5f2")
    for x, y, size, first, second in (
        (800, 300, 170, "#e63946", "#f4a261"), (470, 230, 96, "#2a9d8f", "#e9c46a"),
        (1150, 260, 110, "#5e548e", "#f2a9b8"),
    ):  # fmt: skip
        up, down, left, right = (x, y - size), (x, y + size * 1.25), (x - size * 0.72, y), (x + size * 0.72, y)
        tail = [(x + 30 * math.sin(t / 22), y + size * 1.25 + t * size / 100) for t in range(0, 150, 3)]
        canvas.line(tail, "#5b6b75", 4)
        canvas.polygon([up, right, (x, y)], first)
        canvas.polygon([up, left, (x, y)], second)
        canvas.polygon([down, left, (x, y)], first)
        canvas.polygon([down, right, (x, y)], second)
    canvas.land(670, 8, 260, "#4a9fb8", 0.0)
    canvas.land(730, 16, 420, "#e3bd7f", 1.2)
    return sign(canvas, "Play", INK)


def remember() -> bytes:
    """Tiles in blue and white, as on the walls of southern ports."""
    canvas = Canvas("#f5f3ec", "#f5f3ec")
    side = 180
    for line in range(4):
        for column in range(-1, 10):
            x, y = column * side + 70, line * side
            middle = x + side / 2, y + side / 2
            canvas.rectangle(x + 2, y + 2, x + side - 2, y + side - 2, "#fdfcf7")
            for start in range(0, 360, 90):
                corner = x + side * (start in (90, 180)), y + side * (start in (180, 270))
                canvas.slice(*corner, 66, start, start + 90, "#1f4e8c")
                canvas.slice(*corner, 40, start, start + 90, "#fdfcf7")
                canvas.slice(*corner, 20, start, start + 90, "#e0a93b")
            canvas.polygon(
                [(middle[0], y + 30), (x + side - 30, middle[1]), (middle[0], y + side - 30), (x + 30, middle[1])],
                "#3d74b5")  # fmt: skip
            canvas.disc(*middle, 34, "#fdfcf7")
            canvas.disc(*middle, 18, "#e0a93b")
    canvas.rectangle(0, 720, WIDTH, HEIGHT, "#173a68")
    return sign(canvas, "Remember", CREAM)


def monogram(letters: str, top: str, bottom: str) -> bytes:
    """The mark of an organizer: its initials in a ring."""
    canvas = Canvas(top, bottom, 800, 800)
    canvas.ring(400, 400, 300, CREAM, 10)
    canvas.word(letters, 472, 200, CREAM, spacing=0.06)
    return canvas.jpeg()


def logo_of_the_town() -> bytes:
    """A sail above two waves, round, for light and dark pages."""
    canvas = Canvas("#17808f", "#0c5562", 600, 600)
    canvas.polygon([(310, 90), (310, 380), (480, 380)], CREAM)
    canvas.polygon([(285, 170), (285, 380), (160, 380)], "#f4d58d")
    canvas.rectangle(150, 405, 460, 425, CREAM, 10)
    canvas.land(470, 16, 150, "#0a3f4a")
    canvas.land(520, 14, 130, "#082f38", 40)
    return canvas.round_png()


POSTERS: dict[str, Callable[[], bytes]] = {
    drawing.__name__: drawing
    for drawing in (arrive, listen, sing, gather, watch, read, run, grow, skate, meet, shine, row, play, remember)
}
MARKS: dict[str, Callable[[], bytes]] = {
    "town-mark": partial(monogram, "TM", "#24485c", "#16263c"),
    "library-mark": partial(monogram, "ML", "#4f7a6b", "#2b4c4f"),
    "stage-mark": partial(monogram, "HS", "#e08a5b", "#a8483a"),
    "rowing-mark": partial(monogram, "RC", "#2e7f93", "#1d5468"),
    "choir-mark": partial(monogram, "AC", "#8a3b44", "#3b2c35"),
    "garden-mark": partial(monogram, "BG", "#5c8f5a", "#1f4a3c"),
}
