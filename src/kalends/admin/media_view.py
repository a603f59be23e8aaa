"""Pictures as the admin shows them: the library, one of them, and the one that a form has chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar, NamedTuple

from kalends.admin.conflicts import Edited
from kalends.admin.list_pages import Narrowed, Pages
from kalends.store.rows.records import Media


class Tile(NamedTuple):
    """A picture of the library, and its address in a size that fits."""

    image: Media
    src: str

    @property
    def name(self) -> str:
        return self.image.name or PurePosixPath(self.image.file).name

    @property
    def size(self) -> str:
        return f"{self.image.width} × {self.image.height}"


@dataclass(frozen=True, slots=True)
class LibraryPage:
    template: ClassVar[str] = "admin/media.html"

    tiles: Sequence[Tile]
    narrowed: Narrowed
    pages: Pages


@dataclass(frozen=True, slots=True)
class ChoicePart:
    """Pictures to choose from: a part of a page that a script shows."""

    template: ClassVar[str] = "admin/media_choice.html"

    tiles: Sequence[tuple[Tile, str]]  # each with the address of the whole picture
    pages: Pages


@dataclass(frozen=True, slots=True)
class PicturePage:
    template: ClassVar[str] = "admin/picture.html"

    tile: Tile
    uses: Sequence[tuple[str, str]]  # the records that show it: name and address
    more: int  # of them than those
    is_logo: bool
    edited: Edited


@dataclass(frozen=True, slots=True)
class ChosenPicture:
    """The picture that a form shows."""

    url: str = ""
    alt: str = ""
    focus: str = ""
    is_own: bool = True  # the person may say what it shows
    version: str = ""  # what the form begins with
