"""What every handler works with: the calendar, the settings, and the representation of records."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any, ClassVar

import falcon

from kalends.calendar.accounts.credentials import Authenticator
from kalends.calendar.service import Calendar
from kalends.calendar.storing.rendering import renderer_of
from kalends.contract.interfaces import Interface
from kalends.feature import features
from kalends.http.messages.long_responses import FeedCache
from kalends.http.request_context import Environ, prefixes
from kalends.present import ical, syndication
from kalends.present.rendering_code import digest_of
from kalends.settings import Settings
from kalends.values import dates, zones


@dataclass(frozen=True, slots=True)
class Extension:
    """Addresses around the API that whoever composes the application adds to it. The server knows no more of them."""

    name: str  # `/doc?of=NAME` describes them
    interface: Interface
    root: str  # the path that the addresses of the interface are below
    prefixes: Sequence[str]  # the paths of its data, which is the same in every language and never shown as a page
    add_routes: Callable[[falcon.App[Any, Any], "Service"], None]  # a route that there is already is replaced
    rewrites: Callable[[Calendar], Sequence[Callable[[Environ], None]]]  # give a request another address


@dataclass(frozen=True)
class Service:
    """One running service."""

    calendar: Calendar
    extensions: Sequence[Extension] = ()
    authenticator: Authenticator = field(default_factory=Authenticator)
    feed_cache: FeedCache = field(default_factory=FeedCache)
    find_route: Callable[[str], Any] = lambda path: None  # what the router finds at a path, as the framework does

    @property
    def data_prefixes(self) -> tuple[str, ...]:
        """The paths of everything that is for clients of an API and not for people."""
        added = (path for extension in self.extensions for path in extension.prefixes)
        return (*prefixes(self.settings), *protocols(), *added)

    @property
    def settings(self) -> Settings:
        """The settings at the revision of this request."""
        return self.calendar.settings

    @property
    def feed_version(self) -> str:
        """What feeds depend on besides their records: the code that writes them and the settings that show."""
        settings = self.settings
        shown = (
            settings.site_name,
            settings.site_description,
            settings.base_url,
            settings.api_root,
            settings.language,
        )
        return f"{renderer_of(settings).version} {_code_of_feeds()} {shown!r}"

    def now(self) -> datetime:
        """The present on the site's clock."""
        return zones.to_local(self.calendar.clock(), self.settings.timezone)

    def today(self) -> date:
        return self.now().date()

    def until_midnight(self) -> str:
        """When, in UTC, the next day of the site begins."""
        return dates.text(dates.read("tomorrow").utc(self.settings.timezone, self.calendar.clock()))


@cache
def protocols() -> dict[str, str]:
    """The paths of protocols that features add, and what each is for."""
    return {path: about for feature in features() for path, about in feature.protocols.items()}


NO_PARAMETERS: frozenset[str] | None = frozenset()


class Resource:
    """The handler of an address. One that answers GET answers HEAD as well."""

    on_head: ClassVar[Any]
    # The parameters of the query that pages and feeds read, besides `lang`: the response cache drops all others.
    query_parameters: ClassVar[frozenset[str] | None] = None

    def __init__(self, service: Service) -> None:
        self.service = service
        self.calendar = service.calendar

    def __init_subclass__(cls) -> None:
        if on_get := vars(cls).get("on_get"):
            cls.on_head = on_get


@cache
def _code_of_feeds() -> str:
    return " ".join(digest_of(module.__name__) for module in (ical, syndication))
