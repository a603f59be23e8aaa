"""Pages fit whatever fonts a reader's machine has: with letters that run wide, and with narrow ones."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser
from tests.effort import dealt, effort
from tests.product.test_admin_screens import SCREENS, filled
from tests.site.browser_pages import PHONE, enter
from tests.site.validators import PAGES, fill, in_language
from tests.stores import Template

__all__ = ["filled"]  # a fixture

EVERYWHERE = "*, ::before, ::after, ::file-selector-button, ::placeholder"
# A family that is wide or narrow, where the machine has one; and spacing, which stands for fonts that are a sixth
# wider, or narrower, than those which happen to be installed. Every machine has letters of one width: the widest.
FONTS = {
    "a wide family": 'font-family: "DejaVu Sans", Verdana, monospace',
    "letters of one width": "font-family: monospace",
    "a narrow family": 'font-family: "Liberation Sans Narrow", "Arial Narrow", "DejaVu Sans Condensed", sans-serif',
    "wide spacing": "letter-spacing: 0.1em",
    "narrow spacing": "letter-spacing: -0.06em",
}
# With each font, how wide a page is that does not fit, and what sticks out, without what stands in something that
# scrolls by itself.
TOO_WIDE = """([everywhere, fonts]) => {
  const scrolls = (one) => one && one !== document.body
    && (getComputedStyle(one).overflowX !== 'visible' || scrolls(one.parentElement));
  const widest = () => [...document.body.querySelectorAll('*')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && (box.right > innerWidth || box.left < 0) && !scrolls(one.parentElement);
  }).map((one) => `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 30)}`).slice(0, 3);
  const style = document.head.appendChild(document.createElement('style')), found = {};
  for (const [name, font] of Object.entries(fonts)) {
    style.textContent = `${everywhere} { ${font} !important }`;
    const width = document.documentElement.scrollWidth;
    if (width > innerWidth) found[name] = [`${width} pixels wide on a screen of ${innerWidth}`, ...widest()];
  }
  style.remove();
  return found;
}"""

# The API reference is longer than all other pages together, and its entries are laid out alike.
SHORT = effort("for (const one of document.querySelectorAll('.entry ~ .entry')) one.remove()", "")

LANGUAGES = effort(["ar", "de"], ["en", "ar", "de"])  # words of English are shorter than those of German


@pytest.fixture(scope="module")
def full(real_service: str, filled: dict[str, int], template: Template) -> dict[str, int]:
    """The addresses of a running service that has something for every screen, and for every public page too."""
    sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
    with httpx.Client(base_url=f"{real_service}/api/calendar/events/v1", headers=sent) as client:
        fill(client.post)
    return filled


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_a_phone_with_wide_and_narrow_letters(
    browser: Browser, real_service: str, full: dict[str, int], language: str
) -> None:
    context = browser.new_context(viewport=PHONE, locale="en-US", bypass_csp=True)
    enter(context, real_service, "administrator")
    page, problems = context.new_page(), dict[str, Any]()
    for path in dealt([*SCREENS, *PAGES.values()], language, LANGUAGES):
        page.goto(real_service + in_language(path.format_map(full), language))
        page.evaluate(SHORT)
        if found := page.evaluate(TOO_WIDE, [EVERYWHERE, FONTS]):
            problems[path] = found
    context.close()
    assert problems == {}
