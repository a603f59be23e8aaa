"""Subscribing and sharing: the links of calendar programs, QR codes, the web app, and errors as pages."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.site.calendar_html import BASE_URL, Visit, World, fetch

from kalends.site import subscribing

# Of QR codes, as ISO/IEC 18004 has them for level M.
# By version: all codewords, those for error correction of each block, blocks, centres of the alignment patterns.
VERSIONS = (
    (26, 10, 1, ()),
    (44, 16, 1, (6, 18)),
    (70, 26, 1, (6, 22)),
    (100, 18, 2, (6, 26)),
    (134, 24, 2, (6, 30)),
    (172, 16, 4, (6, 34)),
    (196, 18, 4, (6, 22, 38)),
    (242, 22, 4, (6, 24, 42)),
    (292, 22, 5, (6, 26, 46)),
    (346, 26, 5, (6, 28, 50)),
)
MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, column: row % 2 == 0,
    lambda row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def test_the_whole_calendar_and_the_filters_can_be_subscribed_to(visit: Visit, chosen: dict[str, Any]) -> None:
    page = visit("/subscribe?categories=music")
    assert [h2.text for h2 in page.one("main").all("h2")] == [
        "With your filters",
        "The whole calendar",
        "Only copy once",
    ]
    assert page.one("p", "chosen").text == "Category Music"
    fields = [field.attributes["value"] for field in page.one("main").all("input")]
    assert fields == [f"{BASE_URL}/events.ics?categories=music", f"{BASE_URL}/events.ics"]
    links = {a.text: a.attributes["href"] for a in page.all("section", "choice")[0].all("a")}
    webcal = "webcal://calendar.test/events.ics?categories=music"
    assert links["Apple"] == webcal
    assert parse_qs(urlsplit(links["Google"]).query)["cid"] == [webcal]
    assert parse_qs(urlsplit(links["Outlook.com"]).query)["url"] == fields[:1]
    assert len(visit("/subscribe").all("section", "choice")) == 1


def test_pages_lead_to_their_subscription(visit: Visit, chosen: dict[str, Any]) -> None:
    for path, query in (
        ("/events/month/2027-03/?categories=music", "?categories=music"),
        ("/events/category/music/", "?categories=music"),
        (f"/venue/{chosen['barn']['slug']}/", f"?venue={chosen['barn']['id']}"),
        ("/event/fiddles/", ""),
    ):
        footer = visit(path).one("footer")
        assert footer.all("a")[0].attributes["href"] == f"/subscribe{query}"


def test_a_page_shares_its_address_and_a_qr_code_of_it(world: World, visit: Visit) -> None:
    page = visit("/events/month/2027-03/?lang=de&search=a").one("div", "share")
    assert page.one("input").attributes["value"] == f"{BASE_URL}/events/month/2027-03/?search=a"
    code = fetch(world, page.one("img").attributes["src"])
    assert code.headers["Content-Type"] == "image/svg+xml"
    assert code.content == subscribing.qr_svg(f"{BASE_URL}/events/month/2027-03/?search=a")
    for path in (
        "/qr.svg",
        "/qr.svg?path=//far.example",
        "/qr.svg?path=https://far.example",
        f"/qr.svg?path=/{'a' * 250}",
    ):
        assert fetch(world, path).status_code == 404


@pytest.mark.parametrize("length", [1, 14, 40, 106, 180, 213])
def test_a_qr_code_reads_back(length: int) -> None:
    text = ("/" if length < 2 else "ä") + ("https://calendar.example/event/" + "abc" * 100)[: max(0, length - 2)]
    assert len(text.encode()) == length
    modules = subscribing.qr_modules(text)
    assert read_qr(modules) == text
    with pytest.raises(subscribing.TooLong):
        subscribing.qr_modules("a" * 214)


def read_qr(modules: list[list[bool]]) -> str:
    """A reader of its own for undamaged codes of level M."""
    size = len(modules)
    version = (size - 17) // 4
    total, correction, count, centres = VERSIONS[version - 1]
    written = sum(modules[row][8] << place for place, row in enumerate((0, 1, 2, 3, 4, 5, 7, 8)))
    written |= sum(modules[8][column] << place for place, column in enumerate((7, 5, 4, 3, 2, 1, 0), 8))
    assert (written ^ 0x5412) >> 13 == 0, "level M"
    mask = MASKS[(written ^ 0x5412) >> 10 & 7]

    def is_fixed(row: int, column: int) -> bool:
        corner = (row < 9 and (column < 9 or column >= size - 8)) or (row >= size - 8 and column < 9)
        near = [one for one in centres if abs(row - one) <= 2], [one for one in centres if abs(column - one) <= 2]
        last = size - 7
        aligned = all(near) and (near[0][0], near[1][0]) not in ((6, 6), (6, last), (last, 6))
        versions = version >= 7 and (
            (row < 6 and size - 11 <= column < size - 8) or (column < 6 and size - 11 <= row < size - 8)
        )
        return corner or row == 6 or column == 6 or aligned or versions

    bits, upwards = "", True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        for row in range(size - 1, -1, -1) if upwards else range(size):
            for column in (right, right - 1):
                if not is_fixed(row, column):
                    bits += "01"[modules[row][column] ^ mask(row, column)]
        upwards = not upwards
    words = [int(bits[at : at + 8], 2) for at in range(0, total * 8, 8)]
    room = total - correction * count
    sizes = [room // count + (number >= count - room % count) for number in range(count)]
    blocks: list[list[int]] = [[] for _ in sizes]
    source = iter(words)
    for place in range(max(sizes)):
        for block, length in zip(blocks, sizes, strict=True):
            if place < length:
                block.append(next(source))
    data = "".join(f"{word:08b}" for block in blocks for word in block)
    width = 8 if version < 10 else 16
    assert data[:4] == "0100"
    length = int(data[4 : 4 + width], 2)
    start = 4 + width
    return bytes(int(data[start + 8 * n : start + 8 * n + 8], 2) for n in range(length)).decode()


def test_the_site_is_an_app_that_can_be_installed(world: World, visit: Visit) -> None:
    page = visit("/events/")
    (href,) = [one.attributes["href"] for one in page.all("link") if one.attributes["rel"] == "manifest"]
    manifest = json.loads(fetch(world, href).text)
    assert (manifest["name"], manifest["start_url"]) == ("Test calendar", "/events/")
    for icon in manifest["icons"]:
        assert fetch(world, icon["src"]).headers["Content-Type"] == icon["type"]
    worker = fetch(world, "/service-worker.js")
    assert worker.headers["Content-Type"].startswith("text/javascript")
    assert worker.headers["Cache-Control"] == "no-cache"
    assert visit("/offline").one("h1").text == "You are offline"
    assert "worker-src 'self'" in fetch(world, "/events/").headers["Content-Security-Policy"]


def test_browsers_get_errors_as_pages_and_programs_as_json(world: World, visit: Visit) -> None:
    for path in ("/login", "/nothing/here", "/events/day/2037-02-30/", "/event/none/", "/static/x/none.css"):
        page = visit(path, 404, **BROWSER)
        assert page.one("h1").text == "Page not found"
        assert page.one("form", "find").attributes["action"] == "/events/list/"
    assert fetch(world, "/login").json()["code"] == "rest_no_route"
    assert fetch(world, "/api/none", **BROWSER).json()["code"] == "rest_no_route"
    assert "Accept" in fetch(world, "/login").headers["Vary"].split(", ")
