"""Pages fit whatever fonts a reader's machine has: with letters that run wide, and with narrow ones."""

from typing import Any

import pytest
from playwright.sync_api import Browser
from tests.pages.browser_pages import PHONE
from tests.pages.test_accessibility import PAGES
from tests.pages.test_admin_in_browser import sign_in
from tests.pages.test_admin_screens import SCREENS, filled, too_wide
from tests.pages.validators import in_language

__all__ = ["filled"]  # a fixture

# Spacing stands for fonts that are a sixth wider, or narrower, than those which happen to be installed.
SPACING = {"wide": "0.1em", "narrow": "-0.06em"}
STYLE = "*, ::before, ::after, ::file-selector-button, ::placeholder {{ letter-spacing: {} !important }}"
# What sticks out, without what stands in something that scrolls by itself.
WIDEST = """() => {
  const scrolls = (one) => one && one !== document.body
    && (getComputedStyle(one).overflowX !== 'visible' || scrolls(one.parentElement));
  return [...document.body.querySelectorAll('*')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && (box.right > innerWidth || box.left < 0) && !scrolls(one.parentElement);
  }).map((one) => `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 30)}`).slice(0, 3);
}"""


@pytest.mark.parametrize("language", ["en", "ar", "de"])
def test_every_page_fits_a_phone_with_wide_and_narrow_letters(
    browser: Browser, real_service: str, filled: dict[str, int], language: str
) -> None:
    context = browser.new_context(viewport=PHONE, locale="en-US", bypass_csp=True)
    page, problems = context.new_page(), dict[str, Any]()
    page.goto(f"{real_service}/admin/sign-in")
    sign_in(page)
    for path in [*SCREENS, *PAGES.values()]:
        page.goto(real_service + in_language(path.format_map(filled), language))
        for name, spacing in SPACING.items():
            style = page.add_style_tag(content=STYLE.format(spacing))
            if found := too_wide(page):
                problems[f"{name} {path}"] = found, page.evaluate(WIDEST)
            style.evaluate("one => one.remove()")
    context.close()
    assert problems == {}
