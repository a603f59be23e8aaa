"""Tools beside the settings: addresses to share, checks of the server, and a backup as a download."""

import platform
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import falcon
from markupsafe import Markup

from kalends import __version__
from kalends.calendar.access import ANONYMOUS, may_manage_users
from kalends.contract.errors import STORAGE_FULL, UNAVAILABLE, ApiError
from kalends.languages import N_
from kalends.pages import embedding
from kalends.pages.admin import about as view
from kalends.pages.admin.about import Facts
from kalends.pages.calendar_views import VIEW_NAMES
from kalends.pages.layout import CALENDAR, QR_CODE, with_query
from kalends.server.admin.legacy import AdminRequest, FormScreen, LegacyScreen
from kalends.server.admin.settings import ABOUT, SHARE, tabs
from kalends.server.forms import Form
from kalends.server.http.streams import STREAMS
from kalends.server.middleware.logs import log
from kalends.store.copies import archive, copying
from kalends.store.engine.migrating import applied_numbers

BLOCK = 1 << 18
LONGEST_SLUG = 200
_one_at_a_time = threading.Lock()


@dataclass(frozen=True, slots=True)
class EmbedChoices:
    """What the embedded calendar should show, as the form of this page asks."""

    view: str
    category: str
    filters: bool
    pictures: bool

    @classmethod
    def read(cls, req: falcon.Request) -> "EmbedChoices":
        view = req.get_param("view") or ""
        return cls(
            view if view in VIEW_NAMES else "month",
            (req.get_param("category") or "")[:LONGEST_SLUG],
            req.get_param("filters") == "1",
            req.get_param("pictures") == "1",
        )

    def element(self, base: str) -> str:
        """The calendar. An attribute that says what is usual is left out."""
        attributes = [f'src="{escape(base)}"']
        attributes += [f'view="{self.view}"'] * (self.view != "month")
        attributes += [f'category="{escape(self.category)}"'] * bool(self.category)
        attributes += ["filters"] * self.filters + ["pictures"] * self.pictures
        return f"<kalends-calendar {' '.join(attributes)}></kalends-calendar>"

    def code(self, base: str) -> str:
        """What to paste."""
        return f'<script src="{escape(base)}{embedding.PATH}" async></script>\n{self.element(base)}'


class Share(LegacyScreen):
    """Feeds to subscribe to, and the code that embeds the calendar in another site."""

    entry = "settings"
    title = N_("Settings")
    right = staticmethod(may_manage_users)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        base = visit.base_url
        feeds = {
            N_("Calendar programs (iCalendar)"): f"{base}/events.ics",
            N_("News readers (RSS)"): f"{base}/events.rss",
            N_("News readers (JSON Feed)"): f"{base}/events.json",
            N_("Programs (API)"): f"{visit.context.addresses.ns}/",
        }
        chosen = EmbedChoices.read(visit.req)
        visit.render(
            "admin/share.html",
            tabs=tabs(visit, SHARE),
            address=base + CALENDAR,
            qr=with_query(QR_CODE, [("path", CALENDAR)]),
            feeds=[(visit.say(label), address) for label, address in feeds.items()],
            chosen=chosen,
            code=chosen.code(base),
            preview=Markup(chosen.element(base)),  # noqa: S704  (its values are escaped)
            script=embedding.PATH,
            views=[(view, visit.say(name)) for view, name in VIEW_NAMES.items()],
            categories=visit.calendar.choices(ANONYMOUS)["categories"],
        )


class About(LegacyScreen):
    """The version, and whether the server is well."""

    entry = "settings"
    title = N_("Settings")
    right = staticmethod(may_manage_users)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        settings = visit.settings
        with visit.calendar.store.read() as session:
            schema = max(applied_numbers(session))
            last_backup = archive.last_backup(session)
            events = copying.rows(session, "event")
        disk = shutil.disk_usage(settings.data)
        facts = Facts(
            version=__version__,
            python=platform.python_version(),
            database="SQLite" if settings.is_embedded else "PostgreSQL",
            size=settings.database_path.stat().st_size if settings.is_embedded else None,
            schema=schema,
            events=events,
            timezone=settings.timezone,
            free=disk.free,
            free_share=disk.free / disk.total,
            last_backup=last_backup,
            base_url=settings.base_url,
        )
        checks = view.checks(facts, visit.calendar.clock(), visit.language)
        visit.render("admin/about.html", tabs=tabs(visit, ABOUT), checks=checks, version=__version__)


class Backup(FormScreen):
    """The whole calendar with its images as one file, which `kalends restore` reads."""

    right = staticmethod(may_manage_users)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        visit.go(f"/admin/settings/{ABOUT}")

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        if not _one_at_a_time.acquire(blocking=False):
            raise ApiError(UNAVAILABLE, headers={"Retry-After": "60"})
        try:
            folder = tempfile.TemporaryDirectory(prefix="kalends-")
            file = Path(folder.name) / "backup.tar.gz"
            try:
                taken = archive.take_snapshot(visit.calendar.store, Path(folder.name) / archive.DATABASE)
                _, missing = archive.write_archive(file, taken, visit.calendar.files)
            except BaseException:
                folder.cleanup()
                raise
        except OSError as error:
            log.warning("a backup cannot be written: %s", error)
            raise ApiError(STORAGE_FULL) from None
        finally:
            _one_at_a_time.release()
        if missing:
            log.warning("%d files of images are missing, and the backup is without them", len(missing))
        self._send(visit, folder, file, f"kalends-{visit.calendar.clock():%Y-%m-%d}.tar.gz")

    def _send(self, visit: AdminRequest, folder: "tempfile.TemporaryDirectory[str]", file: Path, name: str) -> None:
        resp = visit.resp
        resp.content_type = "application/gzip"
        resp.set_header("Content-Disposition", f'attachment; filename="{name}"')
        resp.content_length = file.stat().st_size
        download = Download(file, folder, partial(archive.note, visit.calendar.store, visit.calendar.clock))
        try:
            STREAMS.send(visit.req, resp, download)
        except ApiError:
            download.close()
            raise


class Download:
    """The blocks of a file, which goes with its folder when the response has been sent or given up. `when_sent` is
    called once all of them were taken."""

    def __init__(self, file: Path, folder: "tempfile.TemporaryDirectory[str]", when_sent: Callable[[], None]) -> None:
        self._file = file.open("rb")
        self._folder = folder
        self._when_sent = when_sent

    def __iter__(self) -> Iterator[bytes]:
        while block := self._file.read(BLOCK):
            yield block
        self._when_sent()

    def close(self) -> None:
        self._file.close()
        self._folder.cleanup()
