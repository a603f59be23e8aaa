"""What reads the content of an address: recognised by its beginning, read by the readers of imports."""

from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from kalends.calendar.service import Calendar
from kalends.features.importing.records.record import ImportSource, SourceError
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.site import RemoteSite
from kalends.features.importing.sources.web_client import WebClient
from kalends.features.sources.login import SourceLogin
from kalends.features.sources.remote.fetching import plain_address
from kalends.features.sources.remote.linked_pages import LinkedPages
from kalends.features.sources.remote.web_sources import FeedSource, PageSource
from kalends.features.sources.remote.window import WindowedIcs
from kalends.features.sources.rows import Source
from kalends.languages import N_
from kalends.values import dates

Window = tuple[datetime, datetime]
ICS, CSV, SITE, PAGE, FEED = "ics", "csv", "site", "page", "feed"
KINDS = {
    ICS: N_("calendar file"),
    CSV: N_("table"),
    SITE: N_("site with an interface"),
    PAGE: N_("web page"),
    FEED: N_("feed"),
}
PAUSES = (1.0, 3.0)  # seconds before each further attempt at a page of a site
SECONDS = 300.0  # for all pages of a site
HURRIED_SECONDS = 30.0  # while a person waits
OTHER = N_("{site} answers with something else than before: a {found} instead of a {kind}; does it need a log-in?")


def kind_of(head: bytes) -> str:
    """What something is, by its beginning."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    lower = start[:2000].lower()
    if lower[:15] == b"begin:vcalendar":
        return ICS
    if b"<html" in lower or lower[:14] == b"<!doctype html":
        return PAGE
    if lower[:5] in (b"<?xml", b"<rss ", b"<feed", b"<rdf:"):
        return FEED
    if lower[:1] in (b"{", b"["):
        return SITE if b'"rest_url"' in lower or b'"events"' in lower[:100] else PAGE
    return PAGE if lower[:1] == b"<" else CSV


def check_kind(found: str, before: str, site: str) -> None:
    """Raises SourceError where an address has something else than it had."""
    if before and found != before:
        raise SourceError(OTHER, site=site, found=KINDS[found], kind=KINDS[before])


def reader_of(
    calendar: Calendar,
    source: Source,
    kind: str,
    path: Path,
    window: Window,
    known: Collection[str],
    pages: LinkedPages,
) -> ImportSource:
    """The reader of a file that was fetched, prepared. `pages`: the way to the pages that it links to."""
    zone, label = calendar.settings.timezone, source.name
    inner: ImportSource
    if kind == ICS:
        inner = WindowedIcs(path, zone, window, source.origin, label, known)
    elif kind == CSV:
        inner = CsvTable(path, zone, name=source.origin, label=label, defined=calendar.settings.custom_fields)
    else:
        reader = PageSource if kind == PAGE else FeedSource
        inner = reader(path, zone, plain_address(source.address), source.origin, label, pages)
    inner.prepare()
    return inner


def site_of(calendar: Calendar, source: Source, login: SourceLogin, window: Window, seconds: float) -> RemoteSite:
    """A site with an interface, prepared."""
    client = WebClient(
        login.user,
        login.password,
        allow_private=calendar.settings.fetch_private,
        pauses=PAUSES,
        seconds=seconds,
    )
    first, last = map(dates.text, window)
    zone = calendar.settings.timezone
    site = RemoteSite(plain_address(source.address), client, zone, source.origin, (first, last))
    site.prepare()
    return site
