"""The pages of a WordPress site that no page of ours has the address of.

`/?p=ID` and `/?tribe_events=SLUG` redirect to the page of the record, `/event/{slug}/{date}/` is one date of a
series, and the form for visitors is our own.
"""

import falcon

from kalends import hooks
from kalends.calendar import single_records
from kalends.calendar.access import ANONYMOUS, Caller
from kalends.calendar.lists import choosing
from kalends.calendar.lists.pages import list_events
from kalends.calendar.service import Calendar
from kalends.contract.errors import PASSWORD_PROTECTED, ApiError
from kalends.contract.fields import read_query
from kalends.contract.kinds import EVENT, POSTS, Kind
from kalends.contract.statuses import TRASH
from kalends.features.wordpress.pages.address_parsing import LINKS, POST_TYPE
from kalends.http.messages import responses
from kalends.http.messages.parameters import Sent, from_query
from kalends.http.request_context import context_of
from kalends.http.service import NO_PARAMETERS, Resource
from kalends.site.calendar.calendar_pages import Home
from kalends.site.feeds import OneEvent
from kalends.site.layout.frame import SUBMIT
from kalends.site.pages.html_pages import in_language, send_not_found
from kalends.site.records.event_pages import EventHandler
from kalends.store.rows import posts
from kalends.store.rows.records import Event

LONGEST_ID = 15


def page_of(
    calendar: Calendar, id: int, caller: Caller = ANONYMOUS, kind_name: str | None = None
) -> tuple[str, str] | None:
    """The kind and the slug of the record that has this number here, or that had it where it comes from; None if
    there is none that the caller may read. An event that lists do not show is not found by its old number.
    `kind_name`: only records of this kind."""
    kinds = [kind.name for kind in POSTS if kind_name in (None, kind.name)]
    with calendar.reading(caller) as work:
        old = [found for find in hooks.former_ids for found in find(work, id) if found[0] in kinds]
        for kind, candidate in [*((kind, id) for kind in kinds), *old]:
            post = posts.find(work.session, kind, candidate)
            if post is None or post.status == TRASH or not work.visibility.can_read(post):
                continue
            if candidate == id or not (isinstance(post, Event) and post.hide_from_listings):
                return kind, post.slug
    return None


class PostLinks(Home):
    """The root of the site, which a record may be named to."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        sent = from_query(req.query_string)
        if not any(sent.get(name) for name in LINKS):
            super().on_get(req, resp)
            return
        wanted = named(sent)
        for kind, key in wanted:
            slug = self.public_slug(kind, key)
            if slug is not None:
                self.lead(req, resp, sent, kind, slug)
                return
        kinds = [kind for kind, key in wanted if isinstance(key, int)]
        found = self.imported(kinds, int(wanted[0][1])) if kinds else None
        if found is not None:
            self.lead(req, resp, sent, *found)
            return
        send_not_found(self.service, req, resp)  # the same for what does not exist and for what is not public

    def lead(self, req: falcon.Request, resp: falcon.Response, sent: Sent, kind: Kind, slug: str) -> None:
        """Nothing of the address is what was sent, so that it cannot lead elsewhere."""
        kept = [("ical", "1")] if sent.get("ical") else []
        resp.status = falcon.HTTP_301
        resp.set_header("Location", in_language(context_of(req).addresses.page(kind, slug), req, kept))

    def imported(self, kinds: list[Kind], id: int) -> tuple[Kind, str] | None:
        """The record that had this number on the site that it was imported from, and its slug."""
        for kind in kinds:
            found = page_of(self.service.calendar, id, kind_name=kind.name)
            if found is not None:
                return kind, found[1]
        return None

    def public_slug(self, kind: Kind, key: int | str) -> str | None:
        """The slug of a record that has a public page; that of a protected event asks for the password."""
        try:
            return single_records.read_post(self.service.calendar, ANONYMOUS, kind, key)[0].slug
        except ApiError as api_error:
            if api_error.error_type is not PASSWORD_PROTECTED:
                return None
        if isinstance(key, str):
            return key
        _, shown = self.service.calendar.read(
            ANONYMOUS, list_events, read_query(EVENT.filters, {"include": str(key)})
        )
        return shown[0][0].slug if shown else None


def named(sent: Sent) -> list[tuple[Kind, int | str]]:
    """The kinds, each with the id or slug, under which to look for the record."""
    id, post_type = sent.get("p"), sent.get(POST_TYPE)
    if not id:
        slugs = ((kind, sent.get(kind.wp)) for kind in POSTS)
        return [(kind, slug) for kind, slug in slugs if isinstance(slug, str) and slug]
    if not (isinstance(id, str) and id.isascii() and id.isdigit() and len(id) <= LONGEST_ID):
        return []
    return [(kind, int(id)) for kind in POSTS if not post_type or post_type == kind.wp]


class OccurrencePage(EventHandler):
    """The page of the date. It names its own address, which is another."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str, day: str) -> None:  # type: ignore[override]
        try:
            slug = self.service.calendar.read(ANONYMOUS, choosing.slug_of_occurrence, slug, day)
        except ApiError as api_error:
            self.refuse(req, resp, "", api_error)
            return
        super().on_get(req, resp, slug)

    def on_post(self, req: falcon.Request, resp: falcon.Response, slug: str, day: str) -> None:  # type: ignore[override]
        super().on_post(req, resp, self.service.calendar.read(ANONYMOUS, choosing.slug_of_occurrence, slug, day))


class OccurrenceFeed(OneEvent):
    """The same as iCalendar."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str, day: str) -> None:  # type: ignore[override]
        super().on_get(req, resp, self.service.calendar.read(ANONYMOUS, choosing.slug_of_occurrence, slug, day))


class Community(Resource):
    """The form of the Community plugin is our own, if visitors may send events."""

    query_parameters = NO_PARAMETERS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        if not self.service.settings.submissions:
            send_not_found(self.service, req, resp)
            return
        responses.lead(req, resp, in_language(SUBMIT, req), falcon.HTTP_302)
