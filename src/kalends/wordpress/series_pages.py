"""One date of a series by its day, as `/event/{slug}/{date}/`; and the addresses of the form for visitors."""

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.contract.errors import ApiError
from kalends.pages.layout import SUBMIT
from kalends.server.request_context import context_of
from kalends.server.service import NO_PARAMETERS, Resource
from kalends.server.web.event_pages import EventHandler
from kalends.server.web.feeds import OneEvent
from kalends.server.web.html_pages import in_language, send_not_found


class OccurrencePage(EventHandler):
    """The page of the date. It names its own address, which is another."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str, day: str) -> None:  # type: ignore[override]
        try:
            slug = self.service.calendar.slug_of_occurrence(ANONYMOUS, slug, day)
        except ApiError as api_error:
            self.refuse(req, resp, "", api_error)
            return
        super().on_get(req, resp, slug)

    def on_post(self, req: falcon.Request, resp: falcon.Response, slug: str, day: str) -> None:  # type: ignore[override]
        super().on_post(req, resp, self.service.calendar.slug_of_occurrence(ANONYMOUS, slug, day))


class OccurrenceFeed(OneEvent):
    """The same as iCalendar."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str, day: str) -> None:  # type: ignore[override]
        super().on_get(req, resp, self.service.calendar.slug_of_occurrence(ANONYMOUS, slug, day))


class Community(Resource):
    """The form of the Community plugin is our own, if visitors may send events."""

    query_parameters = NO_PARAMETERS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        if not self.service.settings.submissions:
            send_not_found(self.service, req, resp)
            return
        resp.status = falcon.HTTP_302
        resp.set_header("Location", context_of(req).addresses.base_url + in_language(SUBMIT, req))
