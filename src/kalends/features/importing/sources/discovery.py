"""Finds the interface of a site from the address of its home page, or of any page."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode, urljoin, urlsplit

from kalends.contract.operations.model import COMPAT_NAMESPACE, COMPAT_ROOT, NAMESPACE
from kalends.contract.types.scalars import is_web_address
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.web_addresses import without_secrets
from kalends.features.importing.sources.web_client import (
    BadRequest,
    Forbidden,
    NotFound,
    Unusable,
    WebClient,
    WebError,
)
from kalends.languages import N_

_LINK = re.compile(r"<link[^<>]*>", re.IGNORECASE)
_HREF = re.compile(r"href=[\"']([^\"']+)[\"']", re.IGNORECASE)
_API_HEADER = re.compile(r"<([^<>]+)>\s*;\s*rel=\"?https://api\.w\.org/\"?")
BAD_CREDENTIALS = N_(
    "{site} does not take these credentials; a WordPress site wants the user name and an"
    " application password (Users > Profile), not the password of the log-in"
)
CLOSED = N_("{site} shows its events only to those who log in; import with credentials (--user NAME)")
_INTERFACE = re.compile(rf"(?:index\.php/?)?(?:[^/?]+/(?:{COMPAT_NAMESPACE}|{NAMESPACE})/|\?rest_route=.*)$")
_RECORD = re.compile(r"/events/(?:[0-9]+|\?.*)$")


@dataclass(frozen=True, slots=True)
class ApiRoot:
    """The address of an interface. Where permalinks are off, its paths are in a parameter."""

    url: str

    def address(self, path: str, **parameters: object) -> str:
        query = urlencode({name: str(value) for name, value in parameters.items()})
        if "rest_route=" in self.url:
            return f"{self.url}{path}&{query}" if query else f"{self.url}{path}"
        return f"{self.url}{path}?{query}" if query else f"{self.url}{path}"

    def sibling(self, namespace: str) -> "ApiRoot":
        """Another namespace of the same site. Kalends may be set to go without those of WordPress."""
        if self.is_kalends:
            return ApiRoot(urljoin(self.url, f"{COMPAT_ROOT}/{namespace}/"))
        return ApiRoot(self.url.replace(COMPAT_NAMESPACE, namespace))

    @property
    def home(self) -> str:
        """The address of the site itself. It stays the same wherever its home page leads."""
        return _INTERFACE.sub("", self.url)

    @property
    def is_kalends(self) -> bool:
        return COMPAT_NAMESPACE not in self.url


class FoundApi(NamedTuple):
    """The interface of a site, and whether everybody may read its events."""

    root: ApiRoot
    is_open: bool


def find_api(client: WebClient, address: str) -> FoundApi:
    """Finds the interface of a site. Raises SourceError."""
    url = address if re.match(r"https?://", address, re.IGNORECASE) else f"https://{address}"
    if not is_web_address(url):
        sentence = N_("{address} is not an address of a site; it is like https://example.org")
        raise SourceError(sentence, address=without_secrets(address))
    try:
        final, headers, text = client.page(url)
    except NotFound:
        sentence = N_("there is nothing at {address}; give the address of the home page")
        raise SourceError(sentence, address=without_secrets(url)) from None
    except Forbidden:
        final, headers, text = url, {}, ""  # the home may be closed and the interface open
    except WebError as failed:
        sentence = N_("{file} cannot be read: {reason}")
        raise SourceError(sentence, file=without_secrets(url), reason=failed.message) from None
    client.trust(url, final)
    is_closed = False
    for candidate in dict.fromkeys(_candidates(url, final, headers, text)):
        root = ApiRoot(client.trusted(candidate))
        try:
            is_open = _is_open(client, root) if root.url else None
        except Forbidden:
            is_closed, is_open = True, None
        except Unusable:
            is_open = None
        if is_open is not None:
            return FoundApi(root, is_open)
    if is_closed:
        raise SourceError(BAD_CREDENTIALS if client.has_credentials else CLOSED, site=without_secrets(address))
    raise SourceError(
        N_(
            "no calendar interface was found at {address}: neither The Events Calendar nor Kalends answers there."
            " Is the plugin active, and is its REST interface reachable without a log-in page or a firewall?"
        ),
        address=without_secrets(address),
    )


def _candidates(url: str, final: str, headers: Mapping[str, str], text: str) -> list[str]:
    found: list[str] = []
    named = {name.lower(): value for name, value in headers.items()}
    if root := named.get("x-tec-api-root", ""):
        found.append(_slashed(_RECORD.sub("/", _joined(final, root))))
    for namespace in (COMPAT_NAMESPACE, NAMESPACE):
        if f"/{namespace}" in url:  # the address of the interface itself
            found.append(url[: url.index(namespace)] + namespace + "/")
    api = [match[1] for match in _API_HEADER.finditer(named.get("link", ""))]
    links = [link for link in _LINK.findall(text) if "https://api.w.org/" in link]
    api += [href[1] for link in links if (href := _HREF.search(link))]
    for root in api:
        base = _joined(final, root.replace("&amp;", "&"))
        found.append(f"{_slashed(base)}{COMPAT_NAMESPACE}/")
    for home in (final, url):
        base = _slashed(home.partition("?")[0].partition("#")[0])
        top = f"{urlsplit(home).scheme}://{urlsplit(home).netloc}/"
        for start in dict.fromkeys((base, top)):
            found += [
                f"{start}wp-json/{COMPAT_NAMESPACE}/",
                f"{start}?rest_route=/{COMPAT_NAMESPACE}/",
                f"{start}api/{NAMESPACE}/",
            ]
    return found


def _joined(base: str, named: str) -> str:
    try:
        return urljoin(base, named)
    except ValueError:  # it is no address
        return ""


def _is_open(client: WebClient, root: ApiRoot) -> bool | None:
    """Whether everybody may read the events of an interface; None if there is none. Raises Forbidden. Without
    credentials first: wrong ones are to be told as such."""
    try:
        return True if _answers(client, root, anonymous=True) else None
    except (Forbidden, Unusable):  # refused, or a log-in page
        if not client.has_credentials:
            raise
    return False if _answers(client, root, anonymous=False) else None


def _answers(client: WebClient, root: ApiRoot, *, anonymous: bool) -> bool:
    try:
        found = client.json(root.address("events", per_page=1), anonymous=anonymous, patient=False)
    except (NotFound, BadRequest):
        return False
    return isinstance(found, dict) and isinstance(found.get("events"), list)


def _slashed(url: str) -> str:
    return url if url.endswith("/") or "rest_route=" in url else f"{url}/"
