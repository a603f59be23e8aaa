"""The embeddable calendar: one script built from its parts, with the texts of every language."""

import json
from functools import lru_cache

import falcon

from kalends.contract.operations.model import NAMESPACE
from kalends.contract.statuses import SCHEDULED
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.request_context import keep_until
from kalends.http.service import Resource
from kalends.languages import LANGUAGES, N_, tag, translate
from kalends.present import conventions, event_statuses
from kalends.present.conventions import AUTO, WEEKDAYS, Conventions
from kalends.site import times
from kalends.site.calendar import calendar_list, calendar_selection, calendar_views
from kalends.site.calendar.calendar_days import usual_first_weekday
from kalends.site.events import listed_events
from kalends.site.layout import appearance, assets
from kalends.site.pages.page_responses import send_bytes
from kalends.site.static_files import AN_HOUR

PATH = "/embed.js"

# In the order of their dependencies.
PARTS = ("days", "texts", "events", "requests", "grid", "rendering", "element")
SHEETS = (
    *("shared/tokens", "shared/elements", "embed/base", "embed/head"),
    *("shared/bars", "shared/month", "embed/month", "embed/agenda", "embed/opened", "shared/month_narrow"),
)


SENTENCES = {
    "all_day": times.ALL_DAY,
    "city_and_here": times.CITY_AND_HERE,
    "offset_and_here": times.OFFSET_AND_HERE,
    "featured": calendar_selection.FLAGS["featured"],
    "free": calendar_selection.FLAGS["free"],
    **{word: label for word, label in event_statuses.LABELS.items() if word != SCHEDULED},
    "online": listed_events.ONLINE,
    "upcoming": calendar_list.UPCOMING,
    **{f"previous_{view}": words for view, words in calendar_views.BEFORE.items()},
    **{f"next_{view}": words for view, words in calendar_views.AFTER.items()},
    **calendar_views.VIEW_NAMES,
    "views": N_("Views"),
    "all": N_("All"),
    "category": calendar_selection.CHOICES["categories"],
    "event_page": N_("Open the page of this event"),
    "previous_page": N_("Previous page"),
    "next_page": N_("Next page"),
    "page_of": N_("Page {number} of {pages}"),
    "other_dates": N_("Other dates"),
    "today": N_("Today"),
    "earlier": N_("Earlier this month"),
    "more": N_("+{count} more"),
    "continues": N_("continues"),
    "dates": listed_events.DATES,
    "close": N_("Close"),
    "to_calendar": N_("Go to the calendar"),
    "subscribe": N_("Subscribe"),
    "none": N_("Nothing is planned right now."),
    "none_month": N_("Nothing is planned for this month yet."),
    "none_week": N_("Nothing is planned for this week yet."),
    "none_day": N_("Nothing is planned for this day yet."),
    "none_such": N_("There are no such events."),
    "first_only": N_("Only the first {count} of {total} events are shown here."),
    "unreachable": N_("The calendar cannot be reached right now."),
    "again": N_("Try again"),
}

# Options of Intl.DateTimeFormat.
HOUR_CYCLES = {"12": {"hourCycle": "h12"}, "24": {"hourCycle": "h23"}}


class EmbedScript(Resource):
    """The script that embeds the calendar in other sites. Its address has no version, so it is cached briefly."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        settings = self.service.settings
        resp.content_type = assets.TYPES["js"]
        resp.set_header("Cross-Origin-Resource-Policy", "cross-origin")
        keep_until(req, FOREVER)  # no time changes it: only other settings, and another version of the program
        data = script(f"{settings.api_root}/{NAMESPACE}", settings.timezone, settings.accent_color)
        send_bytes(req, resp, data, AN_HOUR)


def script(api: str, timezone: str, accent: str) -> bytes:
    """The whole script. `api` is the path of the API below the address of the site; `accent` the owner's colour."""
    # One script for all readers: their regions are known to their browsers.
    return _script(api, timezone, accent, conventions.current()._replace(find_region=str))


@lru_cache(maxsize=8)
def _script(api: str, timezone: str, accent: str, chosen: Conventions) -> bytes:
    site = {
        "api": api,
        "timezone": timezone,
        "clock": HOUR_CYCLES.get(chosen.hour_format, {}),
        # From 1, Monday: what the site has chosen, and what is usual where the browser does not know it.
        "firstWeekday": None if chosen.week_start == AUTO else WEEKDAYS[chosen.week_start] + 1,
        "firstWeekdays": {tag(language): usual_first_weekday(language) + 1 for language in LANGUAGES},
        "words": {
            tag(language): {name: translate(sentence, language) for name, sentence in SENTENCES.items()}
            for language in LANGUAGES
        },
    }
    style = assets.stylesheet(*SHEETS) + _accent_rule(accent)
    constants = f"const SITE = {_literal(site)};\nconst STYLE = {_literal(style)};\n"
    parts = "\n".join(assets.script(f"embed/{name}") for name in PARTS)
    return f'(() => {{\n"use strict";\n{constants}\n{parts}}})();\n'.encode()


def _accent_rule(accent: str) -> str:
    """The owner's colour, unless the embedding page has chosen another."""
    if not accent:
        return ""
    colour, on_it = appearance.accent_colours(accent)
    return f".calendar{{--accent:var(--kalends-accent,{colour});--on-accent:var(--kalends-on-accent,{on_it})}}"


def _literal(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
