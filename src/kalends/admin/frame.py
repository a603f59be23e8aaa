"""What the layout of every page of the admin needs: who is signed in, the navigation, the token, the message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import msgspec

from kalends.admin.navigation import NavigationEntry
from kalends.admin.other_address import OtherAddress
from kalends.calendar.access import ANONYMOUS, Caller
from kalends.languages import N_, translate
from kalends.site import times
from kalends.site.layout import frame
from kalends.site.layout.frame import SiteFrame
from kalends.values import dates, zones

NEVER = N_("Never")


class UndoForm(msgspec.Struct, frozen=True):
    """A form that takes an action back: where it is sent, and its fields."""

    path: str
    fields: Mapping[str, Sequence[str]] = {}


class AdminMessage(msgspec.Struct, frozen=True):
    """What was done, in the language of the reader. `kind`: done, or problem."""

    text: str
    kind: str = "done"
    undo: UndoForm | None = None


@dataclass(frozen=True, slots=True)
class AdminFrame(SiteFrame):
    """The values of admin/layout.html."""

    title: str
    entry: str = ""
    groups: Sequence[Sequence[NavigationEntry]] = ()
    caller: Caller = ANONYMOUS
    token: str = ""
    message: AdminMessage | None = None
    timezone: str = "UTC"
    hour_format: str = "auto"
    pending: int = 0  # for review
    max_image: int = 0  # bytes
    elsewhere: OtherAddress | None = None  # where the browser is, when that is another address

    @property
    def largest_picture(self) -> str:
        return frame.file_size(self.max_image)

    @property
    def api(self) -> str:
        """The path of the interface, for scripts."""
        return urlsplit(self.ns).path

    def titled(self, title: str) -> "AdminFrame":
        """The same for a page with a title of its own."""
        return replace(self, title=title)

    def moment(self, utc: str | None) -> str:
        """A moment on the clock of the site."""
        return times.site_moment(utc, self.timezone, self.language) if utc else translate(NEVER, self.language)

    def day_and_time(self, utc: str) -> str:
        """The same with the day of the week."""
        local = zones.to_local(dates.from_text(utc), self.timezone)
        return times.moment(dates.text(local), self.language)
