"""A calendar opened at another address than its `base_url`, in Chromium."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.clusters import free_port
from tests.conftest import PASSWORD
from tests.pictures import png
from tests.site.browser_pages import PageMonitor
from tests.site.serving import served
from tests.stores import Template


@pytest.fixture(scope="module")
def real_service(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A calendar at an address that tests call by another name."""
    port = free_port()
    with served(
        template, tmp_path_factory.mktemp("service"), port=port, base_url=f"http://127.0.0.1:{port}"
    ) as address:
        yield address


def sign_in_and_save(page: Page, other: str, own: str, name: str) -> None:
    page.goto(f"{other}/admin/venues/new")
    expect(page.locator("[data-elsewhere]")).to_contain_text(own)
    page.get_by_label("Name or e-mail address").fill("editor")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New venue")
    page.get_by_label("Name", exact=True).first.fill(name)
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator(".message")).to_be_visible()
    assert page.url.startswith(f"{other}/admin/venues")
    page.goto(f"{other}/admin/events/new")
    page.get_by_label("Title").first.fill(f"Fair at {name}")
    for day in ("start_day", "end_day"):  # without scripts the end does not follow
        page.locator(f"[name={day}]").fill("2027-03-10")
    page.get_by_role("button", name="Publish").first.click()
    expect(page.locator(".message")).to_be_visible()
    assert page.url.startswith(f"{other}/admin/events")
    page.get_by_role("button", name="Sign out").first.click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.url.startswith(other)


def titles(address: str) -> list[str]:
    found = httpx.get(f"{address}/api/calendar/events/v1/events").json()["events"]
    return [event["title"] for event in found]


def test_signing_in_and_saving_with_scripts(monitor: PageMonitor, real_service: str) -> None:
    other = real_service.replace("127.0.0.1", "localhost")
    page = monitor.open(f"{other}/events/")
    sign_in_and_save(page, other, real_service, "Barn")
    assert "Fair at Barn" in titles(real_service)
    page.goto(f"{other}/events/month/")
    page.goto(f"{other}/events/month/?date=2027-03-10")
    expect(page.get_by_role("link", name="Fair at Barn").first).to_be_visible()
    assert page.url == f"{other}/events/month/2027-03/"
    page.goto(f"{real_service}/admin/sign-in")
    expect(page.locator("[data-elsewhere]")).to_have_count(0)


def test_signing_in_and_saving_without_scripts(browser: Browser, real_service: str) -> None:
    other = real_service.replace("127.0.0.1", "localhost")
    with browser.new_context(java_script_enabled=False) as context:
        sign_in_and_save(context.new_page(), other, real_service, "Hall")
    assert "Fair at Hall" in titles(real_service)


def test_what_scripts_fetch_and_show_is_at_the_address_of_the_page(monitor: PageMonitor, real_service: str) -> None:
    other = real_service.replace("127.0.0.1", "localhost")
    page = monitor.open(f"{other}/admin/events/new", who="editor")
    token = page.locator("meta[name=kalends-token]").get_attribute("content")
    made = page.request.post(f"{other}/admin/venues/new", form={"token": token or "", "venue": "Mill"})
    assert made.ok
    page.locator("#field-venue").fill("Mil")
    expect(page.get_by_role("option", name="Mill").first).to_be_visible()
    file = {"name": "a.png", "mimeType": "image/png", "buffer": png(400, 300)}
    page.locator("input[type=file][name=picture]").set_input_files(files=[file])
    picture = page.locator("img[src*='/media/']").first
    expect(picture).to_be_visible()
    expect(picture).not_to_have_js_property("naturalWidth", 0)
    assert monitor.console_errors == []
