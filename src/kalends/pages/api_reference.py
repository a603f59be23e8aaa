"""The API reference: one page to read, search and try the API, generated from the tables of the contract."""

from functools import lru_cache
from string import ascii_uppercase
from urllib.parse import urlsplit

from kalends.contract.representations import REPRESENTATIONS
from kalends.languages import OWN_NAMES
from kalends.pages import reference, schemas
from kalends.pages.assets import folder
from kalends.pages.layout import DOCS
from kalends.pages.rendering import render

# One letter for each group of operations.
LETTERS = ascii_uppercase[: len(reference.GROUPS)]


@lru_cache(maxsize=64)
def page(
    site_name: str,
    base_url: str,
    ns: str,
    radius: float,
    language: str,
    sheets: tuple[str, ...] = (),
    logo: str = "",
    icon: str = "",
) -> bytes:
    """The page in a language, with the style sheets, logo and icon of the owner. It depends only on its arguments, so
    it is cached."""
    root = urlsplit(base_url).path
    computed = {name: {**defaults, "geoloc_radius": f"{radius:g}"} for name, defaults in reference.COMPUTED.items()}
    html = render(
        "api_reference/page.html",
        language,
        site_name=site_name,
        language_name=OWN_NAMES[language],
        here=root + DOCS,
        ns=ns,
        # Requests go to the host of the page, whatever base URL is configured.
        ns_path=urlsplit(ns).path,
        static=root + folder(),
        sheets=[root + sheet for sheet in sheets],
        logo=root + logo if logo else "",
        icon=root + icon if icon else "",
        groups=list(zip(LETTERS, reference.GROUPS.items(), reference.groups(computed).values(), strict=True)),
        general=reference.general(),
        error_headers=reference.error_headers(),
        shapes=REPRESENTATIONS,
        errors=reference.errors(),
        types=schemas,
    )
    return html.encode()
