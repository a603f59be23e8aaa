"""Tools beside the settings: addresses to share, checks of the server, and a backup as a download."""

import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from kalends.admin import about, setting_fields, share
from kalends.admin.request import AdminRequest
from kalends.admin.setting_fields import ABOUT, SHARE
from kalends.calendar.access import ANONYMOUS
from kalends.calendar.editing.store_state import store_state
from kalends.calendar.lists import filter_choices
from kalends.contract.errors import STORAGE_FULL, UNAVAILABLE, ApiError
from kalends.http.messages.streams import STREAMS
from kalends.http.middleware.logs import log
from kalends.site.calendar.calendar_views import VIEW_NAMES
from kalends.site.forms.form import Form
from kalends.store.copies import archive

BLOCK = 1 << 18
LONGEST_SLUG = 200
_one_at_a_time = threading.Lock()


def show_share(request: AdminRequest) -> None:
    """Feeds to subscribe to, and the code that embeds the calendar in another site."""
    wanted = request.param("view")
    chosen = share.EmbedChoices(
        view=wanted if wanted in VIEW_NAMES else "month",
        category=request.param("category")[:LONGEST_SLUG],
        filters=request.param("filters") == "1",
        pictures=request.param("pictures") == "1",
    )
    page = share.SharePage(
        tabs=setting_fields.tabs(SHARE, request.root_path, request.language),
        base_url=request.base_url,
        api=f"{request.context.addresses.ns}/",
        chosen=chosen,
        categories=request.calendar.read(ANONYMOUS, filter_choices.choices)["categories"],
    )
    request.answer(page)


def show_about(request: AdminRequest) -> None:
    """The version, and whether the server is well."""
    settings, usage = request.settings, shutil.disk_usage(request.settings.data)
    size = settings.database_path.stat().st_size if settings.is_embedded else None
    state, now = request.read(store_state), request.calendar.clock()
    checks = about.checks(state, settings, about.Disk(usage.free, usage.total, size), now, request.language)
    request.answer(about.AboutPage(setting_fields.tabs(ABOUT, request.root_path, request.language), checks))


def show_no_backup(request: AdminRequest) -> None:
    request.go(f"/admin/settings/{ABOUT}")


def send_backup(request: AdminRequest, form: Form) -> None:
    """The whole calendar with its images as one file, which `kalends restore` reads."""
    if not _one_at_a_time.acquire(blocking=False):
        raise ApiError(UNAVAILABLE, headers={"Retry-After": "60"})
    try:
        folder = tempfile.TemporaryDirectory(prefix="kalends-")
        file = Path(folder.name) / "backup.tar.gz"
        try:
            calendar = request.calendar
            _, missing = archive.write_archive(file, calendar.store, calendar.files, Path(folder.name))
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
    download = Download(file, folder, partial(archive.note, request.calendar.store, request.calendar.clock))
    resp = request.resp
    resp.content_type = "application/gzip"
    resp.set_header(
        "Content-Disposition", f'attachment; filename="kalends-{request.calendar.clock():%Y-%m-%d}.tar.gz"'
    )
    resp.content_length = file.stat().st_size
    try:
        STREAMS.send(request.req, resp, download)
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
