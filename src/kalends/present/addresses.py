"""The addresses in a response. They begin with the prefix of the request."""

from urllib.parse import quote, urlsplit

import msgspec

from kalends.contract.kinds import EVENT, Kind
from kalends.values.cost import Currency


class Addresses(msgspec.Struct, frozen=True):
    """`base_url` of the site, `api_url` of the interface's root, and `ns` of the namespace, without last slash."""

    base_url: str
    api_url: str
    ns: str

    @property
    def root(self) -> str:
        """The path of the site, which every path begins with."""
        return urlsplit(self.base_url).path

    def page(self, kind: Kind, slug: str) -> str:
        # Nearly all slugs are letters, digits and hyphens, and a sitemap has thousands.
        is_plain = slug.isascii() and slug.replace("-", "").isalnum()
        return f"{self.base_url}/{kind.page}/{slug if is_plain else quote(slug, safe='')}/"

    def record(self, kind: Kind, id: int) -> str:
        return f"{self.ns}/{kind.plural}/{id}"

    def collection(self, kind: Kind) -> str:
        return f"{self.ns}/{kind.plural}"

    def events_of_term(self, kind: Kind, slug: str) -> str:
        return f"{self.collection(EVENT)}/?{kind.plural}={quote(slug, safe='')}"

    def media(self, file: str) -> str:
        return f"{self.base_url}/media/{quote(file)}"

    def media_record(self, id: int) -> str:
        return f"{self.ns}/media/{id}"

    def global_id(self, id: int) -> str:
        parts = urlsplit(self.base_url)
        return f"{parts.netloc}{parts.path}?id={id}"


class RenderContext(msgspec.Struct, frozen=True):
    """The addresses of a request, and the time zone and currency of the site."""

    addresses: Addresses
    timezone: str
    currency: Currency
