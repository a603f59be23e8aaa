"""What every handler works with: the calendar, the settings, and the representation of records."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any, ClassVar

import falcon

from kalends.calendar.accounts.credentials import Authenticator
from kalends.calendar.posts.posts import BundledPost
from kalends.calendar.service import Calendar
from kalends.calendar.storing.rendering import renderer_of
from kalends.contract.interfaces import Interface
from kalends.feature import features
from kalends.http.messages import responses
from kalends.http.messages.long_responses import FeedCache
from kalends.http.request_context import Environ, context_of, prefixes
from kalends.present import ical, syndication
from kalends.present import json as representation
from kalends.present.addresses import RenderContext
from kalends.present.rendering_code import digest_of
from kalends.settings import Settings
from kalends.store.rows.journal import LastChange
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

    def render_context(self, req: falcon.Request) -> RenderContext:
        return RenderContext(context_of(req).addresses, self.settings.timezone, self.settings.currency)

    def represent(self, req: falcon.Request, bundled: BundledPost, *, single: bool = False) -> representation.Json:
        return representation.post(*bundled, self.render_context(req), single=single)

    def send_read(
        self,
        req: falcon.Request,
        resp: falcon.Response,
        json: responses.Sendable,
        *,
        changed: LastChange | None = None,
        by_clock: bool = False,
        secret: bool = False,
        version: str = "",
    ) -> None:
        responses.send_read(
            req,
            resp,
            json,
            max_age=context_of(req).settings.cache_age,
            clock=self.calendar.clock,
            changed=changed,
            by_clock=by_clock,
            secret=secret,
            version=version,
        )


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
