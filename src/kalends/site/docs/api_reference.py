"""The API reference: one page to read, search and try the API, generated from the tables of the contract."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase
from types import ModuleType
from typing import ClassVar
from urllib.parse import urlsplit

import falcon

from kalends.contract.errors import ErrorType
from kalends.contract.headers import Header
from kalends.contract.json_schema import Representation
from kalends.contract.representations import representations
from kalends.http.request_context import context_of
from kalends.http.service import Resource
from kalends.languages import OWN_NAMES
from kalends.site.docs import reference, schema_words
from kalends.site.docs.reference import Parameter, ReferenceEntry
from kalends.site.layout.appearance import appearance_of
from kalends.site.layout.frame import DOCS, SiteFrame
from kalends.site.pages import page_responses
from kalends.site.pages.page_responses import send_bytes
from kalends.site.pages.templates import render

# One letter for each group of operations.
LETTERS = ascii_uppercase[: len(reference.GROUPS)]


@dataclass(frozen=True, slots=True)
class ReferencePage:
    """The page in a language, with the style sheets, logo and icon of the owner."""

    template: ClassVar[str] = "site/docs/page.html"
    shapes: ClassVar[Sequence[Representation]] = representations()
    types: ClassVar[ModuleType] = schema_words

    frame: SiteFrame
    radius: float  # the default of filters by distance
    site_sheets: tuple[str, ...] = ()
    site_logo: str = ""
    site_icon: str = ""

    @property
    def here(self) -> str:
        return self.frame.root + DOCS

    @property
    def ns_path(self) -> str:
        """Requests go to the host of the page, whatever base URL is configured."""
        return urlsplit(self.frame.ns).path

    @property
    def language_name(self) -> str:
        return OWN_NAMES[self.frame.language]

    @property
    def sheets(self) -> list[str]:
        return [self.frame.root + sheet for sheet in self.site_sheets]

    @property
    def logo(self) -> str:
        return self.frame.root + self.site_logo if self.site_logo else ""

    @property
    def icon(self) -> str:
        return self.frame.root + self.site_icon if self.site_icon else f"{self.frame.static}/icon.svg"

    @property
    def groups(self) -> list[tuple[str, tuple[str, str], Sequence[ReferenceEntry]]]:
        """Of each group its letter, its name and title, and its operations."""
        found = reference.groups(self._defaults).values()
        return list(zip(LETTERS, reference.GROUPS.items(), found, strict=True))

    @property
    def general(self) -> list[Parameter]:
        return reference.general()

    @property
    def errors(self) -> list[ErrorType]:
        return reference.errors()

    @property
    def error_headers(self) -> list[Header]:
        return reference.error_headers()

    @property
    def _defaults(self) -> Mapping[str, Mapping[str, str]]:
        radius = {"geoloc_radius": f"{self.radius:g}"}
        return {name: {**defaults, **radius} for name, defaults in reference.COMPUTED.items()}


@lru_cache(maxsize=16)
def html_of(page: ReferencePage) -> bytes:
    """It depends only on the page, so it is cached."""
    return render(page.template, page.frame.language, frame=page.frame, page=page).encode()


class ApiReference(Resource):
    """The whole interface to read, search and try."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        settings, found, language = self.service.settings, context_of(req).addresses, context_of(req).language
        page_responses.set_headers(resp, language)
        look = appearance_of(self.service.settings, ())
        frame = SiteFrame(settings.site_name, found.base_url, found.ns, language)
        page = ReferencePage(frame, settings.geoloc_radius, look.sheets, look.logo, look.icon)
        # The same for every reader, so it is public even with credentials.
        send_bytes(req, resp, html_of(page), f"public, max-age={settings.cache_age}")
