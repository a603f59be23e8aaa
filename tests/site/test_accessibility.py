"""Accessibility of every kind of page by axe-core: desktop and phone, light and dark, right to left."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.effort import dealt, effort
from tests.site.browser_pages import DESK, PHONE
from tests.site.validators import PAGES, fill, in_language, installed
from tests.stores import Template

APPEARANCES: dict[str, tuple[str, dict[str, Any]]] = {
    "desk": ("en", {"viewport": DESK, "color_scheme": "light"}),
    "arabic": ("ar", {"viewport": PHONE, "color_scheme": "dark"}),
    **effort(
        {},
        {
            "dark": ("en", {"viewport": DESK, "color_scheme": "dark"}),
            "phone": ("en", {"viewport": PHONE, "color_scheme": "light"}),
        },
    ),
}
# Closed details are checked too. Of the API reference, the entries of a group and their rows look alike.
SHORT_AND_OPEN = """() => {
  for (const one of document.querySelectorAll('REPEATED')) one.remove();
  for (const one of document.querySelectorAll('.filters, .entry details')) one.open = true;
}""".replace("REPEATED", effort(".entry ~ .entry, .row ~ .row ~ .row ~ .row", ".group > .entry ~ .entry ~ .entry"))
COLOURS_ONLY = ("dark",)  # which changes nothing else
# Only what is wrong leaves the browser: of a page that is not, everything that was looked at is longer than the page.
# Nothing is loaded first: that is for films, and for style sheets that turn the page of a turned screen.
VIOLATIONS = """async (rules) => {
  const { violations } = await axe.run({ ...rules, preload: false, resultTypes: ['violations'] });
  return violations.map(({ impact, id, nodes }) =>
    `${impact} ${id} ${nodes.slice(0, 3).map(({ target, html }) => `${target} ${html}`).join('; ')}`);
}"""
# The calendar on pages of other sites.
ELEMENTS = {
    "month element": '<kalends-calendar src="{base}" date="2037-03-10"></kalends-calendar>',
    "list element": '<kalends-calendar src="{base}" view="list" date="2037-03-10"></kalends-calendar>',
    "empty element": '<kalends-calendar src="{base}" date="2041-03-10"></kalends-calendar>',
}


@pytest.fixture(scope="module")
def axe() -> str:
    return (installed("axe-core") / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def base(axe: str, browser: Browser, real_service: str, template: Template) -> str:
    sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
    with httpx.Client(base_url=f"{real_service}/api/calendar/events/v1", headers=sent) as client:
        fill(client.post)
    return real_service


def violations(page: Page, appearance: str = "") -> list[str]:
    """What axe-core has against a page of a context that it was added to, and where."""
    rules = {"runOnly": ["color-contrast", "link-in-text-block"]} if appearance in COLOURS_ONLY else {}
    found: list[str] = page.evaluate(VIOLATIONS, rules)
    return found


@pytest.mark.parametrize("appearance", APPEARANCES)
def test_pages_have_no_axe_violations(browser: Browser, base: str, axe: str, appearance: str) -> None:
    lang, options = APPEARANCES[appearance]
    context = browser.new_context(**options)
    context.add_init_script(axe)
    page, problems = context.new_page(), {}
    for name, path in dealt(PAGES.items(), appearance, [*APPEARANCES]):
        page.goto(base + in_language(path, lang))
        page.evaluate(SHORT_AND_OPEN)
        problems[name] = violations(page, appearance)
    context.close()
    assert {name: found for name, found in problems.items() if found} == {}


def test_what_is_touched_is_large_enough(browser: Browser, base: str, template: Template, axe: str) -> None:
    """In a full month on a phone too, where the days below the screen are not laid out yet."""
    sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
    for hour, (title, every) in enumerate((("Choir", 1), ("The long way round the harbour", 2), ("Chess", 3))):
        times = {"start_date": f"2038-05-01 {10 + hour}:00", "end_date": f"2038-05-01 {11 + hour}:00"}
        rule = {"recurrence": f"FREQ=DAILY;INTERVAL={every};UNTIL=20380531T230000Z"}
        made = httpx.post(f"{base}/api/calendar/events/v1/events", headers=sent, json={"title": title} | times | rule)
        assert made.status_code == 201, made.text
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    page = context.new_page()
    page.goto(f"{base}/events/month/2038-05/")
    page.evaluate(axe)
    found = page.evaluate("axe.run({ runOnly: ['target-size'], resultTypes: ['violations'] })")
    context.close()
    assert [node["html"] for problem in found["violations"] for node in problem["nodes"]] == []


@pytest.mark.parametrize("appearance", APPEARANCES)
def test_the_embedded_calendar_has_no_axe_violations(
    browser: Browser, base: str, publish: Callable[..., str], axe: str, appearance: str
) -> None:
    lang, options = APPEARANCES[appearance]
    context = browser.new_context(**options)
    context.add_init_script(axe)
    page, problems = context.new_page(), {}
    for name, content in dealt(ELEMENTS.items(), appearance, [*APPEARANCES]):
        page.goto(publish(content.format(base=base), base, lang=lang))
        expect(page.locator(".body:not([aria-busy])")).to_have_count(1)
        problems[name] = violations(page, appearance)
        day = page.locator("button.number")
        if day.count():
            day.first.click()
            expect(page.get_by_role("dialog")).to_be_visible()
            problems[f"{name}, a day"] = violations(page, appearance)
    context.close()
    assert {name: found for name, found in problems.items() if found} == {}
