"""An import in Chromium: a table is previewed, imported, and published from its report."""

from secrets import token_hex

from playwright.sync_api import expect
from tests.product.test_organizer_journeys import ROWS, fits, in_ways
from tests.site.browser_pages import PageMonitor


@in_ways("desk")
def test_a_table_is_previewed_imported_and_published_from_its_report(
    monitor: PageMonitor, real_service: str, viewport: dict[str, int], script: bool
) -> None:
    page = monitor.open(
        f"{real_service}/admin/import", who="administrator", viewport=viewport, java_script_enabled=script
    )
    name = f"Fest{token_hex(3)}"  # a second attempt imports other events
    file = {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": ROWS.format(name).encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Show a preview").click()
    expect(page.get_by_text("With a problem: 1")).to_be_visible()
    expect(page.get_by_text("Datum “32.12.2027”: there is no such day")).to_be_visible()
    assert fits(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the rows with a problem").click()
    assert f"{name} drei;32.12.2027;Halle;" in download.value.path().read_text("utf-8-sig")
    page.get_by_label("Import new events as drafts").check()
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_role("button", name="Publish these 2").click()
    expect(page.get_by_role("status").first).to_contain_text("2")
    expect(page.get_by_text(f"Events of “{name}.csv”")).to_be_visible()
    page.goto(f"{real_service}/events/list/?tribe-bar-date=2028-05-01")
    expect(page.get_by_text(f"{name} eins").first).to_be_visible()
