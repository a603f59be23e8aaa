"""Every page of a difficult calendar at four widths: what ought to be there is there once, whole, and nothing
lies over anything else."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.effort import crossed, dealt
from tests.site.browser_pages import Open, PageMonitor
from tests.site.difficult_calendar import DAY, HIDDEN, MONTH, WEEK, fill
from tests.stores import Template

WIDTHS = {"wide": 1440, "desk": 1024, "tablet": 768, "phone": 390}
PAGES = (
    "/events/",
    f"/events/list/{DAY}/",
    f"/events/list/{DAY}/?layout=cards",
    f"/events/list/{DAY}/?collapse=series",
    "/events/list/?past=1",
    "/events/list/?search=chamber",
    "/events/list/?search=chamber&layout=cards",
    f"/events/month/{MONTH}/",
    f"/events/month/{MONTH}/?categories=music",
    "/events/month/2037-04/",
    f"/events/week/{WEEK}/",
    f"/events/day/{DAY}/",
    "/events/day/2037-03-20/",
    "/event/crowd-1/",
    "/event/crowd-3/",
    "/event/supper/",
    "/event/market/",
    "/event/choir-2037-03-17/",
    "/series/choir/",
    "/venue/hall/",
    "/organizer/club/",
    "/events/category/music/",
    "/events/tag/outdoors/",
    "/venues/",
    "/categories/",
)
# What is seen of the page, here and in the calendar embedded in it: the titles with their boxes, how many each number
# "+N" stands for, and what is cut or lies over another.
SEEN = r"""() => {
  const root = document.querySelector("kalends-calendar")?.shadowRoot ?? document.querySelector("main");
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }) &&
    !one.closest(".visually-hidden, .hover-card") &&
    [...one.getClientRects()].some((box) => box.width > 1 && box.height > 1);
  const boxOf = (one) => {
    let { left, top, right, bottom } = one.getBoundingClientRect();
    for (let outer = one; outer && outer !== document.body; outer = outer.parentElement) {
      const { overflowX, display } = getComputedStyle(outer);
      if (overflowX === "visible" || display === "inline") continue;
      const around = outer.getBoundingClientRect();
      [left, top] = [Math.max(left, around.left), Math.max(top, around.top)];
      [right, bottom] = [Math.min(right, around.right), Math.min(bottom, around.bottom)];
    }
    return { left, top, right, bottom };
  };
  const dayOf = (one) => {
    const day = one.closest("td, section.day, .hours-grid .day");
    const link = day?.querySelector("a[href*='/events/day/']");
    return link ? link.href.match(/\d{4}-\d\d-\d\d/)[0] : "";
  };
  const links = [...root.querySelectorAll("a[href*='/event/']")].filter((one) =>
    isSeen(one) && one.textContent.trim() && !one.closest("nav, dialog") &&
    !/^\/event\/[^/]+\/.+/.test(new URL(one.href).pathname));
  const titles = links.map((one) => ({
    path: new URL(one.href).pathname, day: dayOf(one), text: (one.querySelector("bdi, .title") ?? one).textContent,
    row: one.closest("tr")?.rowIndex ?? 0, part: one.closest("section")?.id || "",
    box: boxOf(one.querySelector("bdi") ?? one),
  }));
  const numbers = [...root.querySelectorAll(".more > :is(a, button), .more summary")].filter(isSeen)
    .map((one) => ({ day: dayOf(one), count: Number(one.textContent.match(/\+(\d+)/)[1]) }));
  const going = [...root.querySelectorAll("td .gap > .visually-hidden")]
    .filter((one) => one.checkVisibility()).map(dayOf);
  const over = [];
  for (const [place, { box: one, text, path }] of titles.entries())
    for (const { box: other, text: its, path: there } of titles.slice(place + 1)) {
      const [width, height] = [Math.min(one.right, other.right) - Math.max(one.left, other.left),
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)];
      if (width > 2 && height > 3 && path !== there)
        over.push(`${text} / ${its}: ${Math.round(width)} x ${Math.round(height)}`);
    }
  const isSmall = ({ box }) => box.right - box.left < 12 || box.bottom - box.top < 8;
  const cut = titles.filter((one) => isSmall(one) || one.box.left < -1 || one.box.right > innerWidth + 1)
    .map(({ text, box }) => `${text} ${JSON.stringify(box)}`);
  const isCut = (one) => {
    const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(one);
    return overflowX !== "visible" && overflowX !== "auto" && overflowX !== "scroll" && textOverflow !== "ellipsis" &&
      webkitLineClamp === "none" && one.scrollWidth > one.clientWidth + 2;
  };
  for (const one of root.querySelectorAll("*"))
    if (isSeen(one) && isCut(one)) cut.push(`${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 40)}`);
  for (const words of root.querySelectorAll(".block .words")) {
    const edge = words.getBoundingClientRect().bottom, texts = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text && isSeen(words); text = texts.nextNode()) {
      const range = new Range();
      range.selectNodeContents(text);
      const lines = [...range.getClientRects()].map((box) => (box.top + box.bottom) / 2);
      if (lines.some((middle) => Math.abs(middle - edge) < 5))
        cut.push(`a line of ${words.textContent.trim().slice(0, 40)}`);
    }
  }
  return { titles, numbers, going, over, cut, wider: document.documentElement.scrollWidth - innerWidth };
}"""


class Listed(NamedTuple):
    first: date
    last: date


class Seen:
    """What a page shows."""

    def __init__(self, page: Page) -> None:
        found: dict[str, Any] = page.evaluate(SEEN)
        self.titles: list[dict[str, Any]] = found["titles"]
        self.numbers: list[dict[str, Any]] = found["numbers"]
        self.going_on = Counter[str](found["going"])
        self.wrong = [*found["over"], *found["cut"], *(["scrolls sideways"] if found["wider"] > 0 else [])]

    @property
    def paths(self) -> Counter[str]:
        return Counter(title["path"] for title in self.titles)

    @property
    def behind_numbers(self) -> int:
        return sum(one["count"] for one in self.numbers)

    def on(self, day: str) -> int:
        """Events of a day of the month: their titles, what goes on from the day before, and what a number says."""
        titles = sum(one["day"] == day for one in self.titles)
        return titles + self.going_on[day] + sum(one["count"] for one in self.numbers if one["day"] == day)


@pytest.fixture(scope="module")
def base(real_service: str, template: Template) -> str:
    sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
    with httpx.Client(base_url=f"{real_service}/api/calendar/events/v1", headers=sent) as client:
        fill(client)
    return real_service


@pytest.fixture(scope="module")
def listed(base: str) -> dict[str, Listed]:
    """Every event that the interface lists for everybody, by the path of its page."""
    found: dict[str, Listed] = {}
    for number in (1, 2, 3):
        query = {"start_date": "2037-01-01", "end_date": "2037-12-31", "per_page": 50, "page": number}
        answer = httpx.get(f"{base}/api/calendar/events/v1/events", params=query)
        if answer.status_code == 200:
            for event in answer.json()["events"]:
                first, last = (date.fromisoformat(event[name][:10]) for name in ("start_date", "end_date"))
                night = last - first == timedelta(1) and event["end_date"][11:13] < "05"
                found[event["url"].removeprefix(base)] = Listed(first, first if night else last)
    assert len(found) == 40 + 10 + 25, len(found)
    return found


@pytest.fixture
def visit(browser: Browser, base: str) -> Iterator[Open]:
    watched = PageMonitor(browser, expects_http_errors=True)
    yield lambda path, **options: watched.open(base + path, **options)
    watched.close()
    assert watched.console_errors == []


def days_of(month: str) -> list[date]:
    first = date.fromisoformat(f"{month}-01")
    return [day for number in range(31) if (day := first + timedelta(number)).month == first.month]


def there(listed: dict[str, Listed], first: date, last: date) -> set[str]:
    return {path for path, one in listed.items() if one.first <= last and one.last >= first}


@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_is_whole(visit: Open, width: str) -> None:
    page, wrong = None, {}
    for path in dealt(PAGES, width, [*WIDTHS]):
        page = visit(path, page=page, viewport={"width": WIDTHS[width], "height": 900})
        seen = Seen(page)
        assert HIDDEN not in page.locator("main").inner_text(), path
        rows = Counter((one["path"], one["row"], one["part"]) for one in seen.titles)
        wrong[path] = [*seen.wrong, *(f"{one} {count} times" for one, count in rows.items() if count > 1)]
    assert {path: found for path, found in wrong.items() if found} == {}


@pytest.mark.parametrize("width", WIDTHS)
def test_every_event_of_a_month_is_there_once_or_counted(visit: Open, listed: dict[str, Listed], width: str) -> None:
    page = visit(f"/events/month/{MONTH}/", viewport={"width": WIDTHS[width], "height": 900})
    seen = Seen(page)
    assert page.locator(".grid li:visible").count() == 0 or page.locator(".agenda:visible").count() == 0
    repeated = {path for path, count in seen.paths.items() if count > 1}
    assert {path for path in repeated if listed[path].first == listed[path].last} == set()
    if width == "phone":  # a day lists what is new on it, and what goes on where there is room
        expected = {f"{day}": len(there(listed, day, day)) for day in days_of(MONTH)}
        for day in (DAY, "2037-03-20", "2037-03-24"):
            page = visit(f"/events/month/{MONTH}/#d{int(day[-2:])}", page=page)
            assert Seen(page).on(day) == expected[day], day
        return
    on_days = {f"{day}": seen.on(f"{day}") for day in days_of(MONTH)}
    assert on_days == {f"{day}": len(there(listed, day, day)) for day in days_of(MONTH)}


@pytest.mark.parametrize("width", WIDTHS)
def test_every_event_of_a_day_is_there_once_or_counted(visit: Open, listed: dict[str, Listed], width: str) -> None:
    size = {"width": WIDTHS[width], "height": 900}
    page = None
    for day in (DAY, "2037-03-20", "2037-03-24"):
        page = visit(f"/events/day/{day}/", page=page, viewport=size)
        seen = Seen(page)
        assert max(seen.paths.values()) == 1
        expected = there(listed, date.fromisoformat(day), date.fromisoformat(day))
        assert seen.paths.keys() <= expected
        assert len(seen.paths) + seen.behind_numbers == len(expected), day
        page.evaluate("for (const one of document.querySelectorAll('.sheet')) one.open = one.checkVisibility()")
        assert Seen(page).paths.keys() == expected, day


@pytest.mark.parametrize("width", ["wide", "desk", "tablet"])
def test_every_event_of_a_week_is_there_once_or_counted(visit: Open, listed: dict[str, Listed], width: str) -> None:
    seen = Seen(visit(f"/events/week/{WEEK}/", viewport={"width": WIDTHS[width], "height": 900}))
    expected = there(listed, date(2037, 3, 8), date(2037, 3, 14))
    assert seen.paths.keys() <= expected
    assert len(seen.paths) + seen.behind_numbers == len(expected)


def test_paper_has_every_event_of_a_month_once(visit: Open, listed: dict[str, Listed]) -> None:
    page = visit(f"/events/month/{MONTH}/")
    page.emulate_media(media="print")
    for width in (1047, 640):  # A4 turned, and a small sheet
        page.set_viewport_size({"width": width, "height": 718})
        expect(page.locator(".agenda")).to_be_hidden()
        expect(page.locator(".dots:visible")).to_have_count(0)
        seen = Seen(page)
        days = {f"{day}": seen.on(f"{day}") for day in days_of(MONTH)}
        assert days == {f"{day}": len(there(listed, day, day)) for day in days_of(MONTH)}


@pytest.mark.parametrize(("view", "width"), crossed(["month", "list"], WIDTHS))
def test_the_embedded_calendar_is_whole(
    visit: Open, browser: Browser, base: str, publish: Callable[..., str], view: str, width: str
) -> None:
    element = f'<kalends-calendar src="{base}" view="{view}" date="{DAY}"></kalends-calendar>'
    context = browser.new_context(viewport={"width": WIDTHS[width], "height": 900})
    page = context.new_page()
    page.goto(publish(element, base))
    expect(page.locator(".body:not([aria-busy])")).to_have_count(1)
    seen = Seen(page)
    is_grid = page.locator(".grid li:visible").count() > 0
    is_list = page.locator(".agenda:visible").count() > 0
    context.close()
    assert is_grid != is_list
    assert seen.titles
    assert seen.wrong == []
