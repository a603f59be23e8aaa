"""The admin in Chromium: the first minutes of an administrator, and every screen by axe-core."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.admin.admin_client import ADMIN_PAGES
from tests.conftest import PASSWORD
from tests.effort import effort
from tests.site.browser_pages import DESK, PHONE, PageMonitor, until_painted
from tests.site.test_accessibility import APPEARANCES, axe, violations
from tests.site.validators import in_language

__all__ = ["axe"]  # a fixture

# Hundreds of time zones would take most of the time.
FEWER_OPTIONS = "() => { for (const one of document.querySelectorAll('option ~ option ~ option')) one.remove(); }"


@pytest.fixture
def monitor(browser: Browser, real_service: str) -> Iterator[PageMonitor]:
    found = PageMonitor(browser, expects_http_errors=True)
    yield found
    found.close()
    assert found.console_errors == []
    assert found.requests_outside(real_service) == set()


def sign_in(page: Page, name: str = "administrator") -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("[name=password]")).to_have_count(0)  # it is the next page, not the form
    page.wait_for_load_state()  # and its scripts have run


@pytest.mark.parametrize(("viewport", "script"), effort([(PHONE, False)], [(PHONE, False), (DESK, True)]))
def test_an_administrator_sets_up_and_invites_somebody(
    monitor: PageMonitor, real_service: str, viewport: dict[str, int], script: bool
) -> None:
    page = monitor.open(
        f"{real_service}/admin/set-up", viewport=viewport, java_script_enabled=script, timezone_id="Europe/Berlin"
    )
    sign_in(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Set up your calendar")
    if script:
        assert page.get_by_label("Country").input_value() in ("US", "DE")
    page.get_by_label("Name").fill("")
    page.get_by_role("button", name="Save and begin").click()
    expect(page.get_by_role("alert")).to_contain_text("Write a name")
    page.get_by_label("Name").fill("Town hall")
    page.get_by_label("Currency").select_option("EUR")
    page.get_by_role("button", name="Save and begin").click()
    expect(page.get_by_role("status")).to_have_text("Your calendar is ready.")
    if viewport is PHONE:
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("navigation", name="Admin").get_by_role("link", name="People").click()
    page.get_by_role("link", name="Invite somebody").click()
    page.get_by_label("For whom").fill("Ada")
    page.get_by_label("Editor").check()
    page.get_by_role("button", name="Create a link").click()
    link = page.locator("#secret").text_content() or ""
    guest = monitor.open(link, viewport=viewport, java_script_enabled=script)
    guest.get_by_label("Name").fill(f"ada {viewport['width']} {script}")
    guest.get_by_label("Password").fill("a long sentence")
    guest.get_by_role("button", name="Save and sign in").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Overview")
    expect(guest.get_by_role("navigation", name="Admin").get_by_role("link", name="People")).to_have_count(0)
    widths = guest.evaluate("[document.documentElement.scrollWidth, innerWidth]") if script else [0, 0]
    assert widths[0] <= widths[1]


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_phone_shows_which_of_the_settings_is_open(monitor: PageMonitor, real_service: str, script: bool) -> None:
    page = monitor.open(
        f"{real_service}/admin/settings/about", who="administrator", viewport=PHONE, java_script_enabled=script
    )
    tab = page.get_by_role("navigation", name="Settings").get_by_role("link", name="About")
    expect(tab).to_have_attribute("aria-current", "page")
    expect(tab).to_be_in_viewport(ratio=1)


def test_the_keyboard_alone_signs_in_and_out(monitor: PageMonitor, real_service: str) -> None:
    page = monitor.open(f"{real_service}/admin")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("editor")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    until_painted(page)
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.get_by_role("button", name="Sign out").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/admin/sign-in$"))


# Those that have something on them are tried so, in the other appearances too (test_admin_screens.py).
FILLED = {"/admin", *(f"/admin/{name}" for name in ("events", "events/month", "review", "venues", "media", "trash")),
          "/admin/people"}  # fmt: skip


@pytest.mark.parametrize("appearance", effort(["arabic"], [*APPEARANCES]))
def test_the_admin_has_no_axe_violations(browser: Browser, real_service: str, axe: str, appearance: str) -> None:
    lang, options = APPEARANCES[appearance]
    context = browser.new_context(**options, locale="en-US")
    context.add_init_script(axe)
    page, problems = context.new_page(), {}
    page.goto(f"{real_service}/admin/sign-in")
    problems["sign in"] = violations(page, appearance)
    sign_in(page)
    for path in effort([path for path in ADMIN_PAGES if path not in FILLED], [*ADMIN_PAGES]):
        page.goto(real_service + in_language(path, lang))
        page.evaluate(FEWER_OPTIONS)
        problems[path] = violations(page, appearance)
    context.close()
    assert {path: found for path, found in problems.items() if found} == {}
