"""What the search box suggests while somebody types: events, venues and categories. Without scripts nobody asks."""

import falcon
import msgspec

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists import page_views
from kalends.contract.kinds import CATEGORY, EVENT, VENUE, Kind
from kalends.http.messages import responses
from kalends.http.request_context import context_of, keep_until
from kalends.http.service import Resource, Service
from kalends.languages import translate
from kalends.site.events.listed_events import on_day
from kalends.site.layout.appearance import appearance_of
from kalends.site.layout.frame import SUGGESTIONS
from kalends.site.pages.html_pages import frame_of
from kalends.site.pages.page_responses import send_bytes

LONGEST = 60  # letters: what is longer is nobody's beginning of a word


class Suggestion(msgspec.Struct):
    """A page that somebody may look for."""

    kind: str
    name: str
    about: str
    href: str


class Suggestions(Resource):
    """As everybody finds them, so an answer is kept until the calendar changes."""

    query_parameters = frozenset({"search"})

    def __init__(self, service: Service) -> None:
        self.service = service

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        typed = (req.get_param("search") or "").strip()[:LONGEST]
        found = self.service.calendar.read(ANONYMOUS, page_views.of_suggestions, typed)
        frame = frame_of(self.service, req, SUGGESTIONS, appearance=appearance_of(self.service.settings, ()))
        currency, language = self.service.settings.currency, context_of(req).language
        lines = [on_day(pair, frame, currency, 1) for pair in found.events]

        def suggestion(kind: Kind, name: str, about: str, href: str) -> Suggestion:
            return Suggestion(translate(kind.plural_label, language), name, about, href)

        suggested = [
            *(suggestion(EVENT, line.title, line.long_date, line.href) for line in lines),
            *(suggestion(VENUE, one.name, one.city, frame.page_of(VENUE, one.slug)) for one in found.venues),
            *(suggestion(CATEGORY, one.name, "", frame.page_of(CATEGORY, one.slug)) for one in found.categories),
        ]
        keep_until(req, self.service.until_midnight())
        resp.content_type = responses.JSON_TYPE
        resp.set_header("X-Robots-Tag", "noindex")
        responses.in_language(resp, language)
        cache_control = responses.cache_control(self.service.settings.cache_age)
        send_bytes(req, resp, msgspec.json.encode({"suggestions": suggested}), cache_control)
