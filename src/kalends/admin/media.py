"""The media library: what there is, what it shows, where it is used."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar, NamedTuple

from kalends.admin import conflicts, pictures
from kalends.admin.conflicts import Control, Edited
from kalends.admin.list_pages import Narrowed, Pages
from kalends.admin.record_names import address
from kalends.admin.request import AdminRequest
from kalends.calendar.images import image_store
from kalends.contract.errors import IMAGE_OF_OTHERS, ApiError
from kalends.languages import N_
from kalends.settings import Settings
from kalends.site.forms.form import PICTURE_REFUSED, Form
from kalends.store.rows.records import Media

PATH = "/admin/media"
PER_PAGE = 24
PER_CHOICE = 12
MOST_UPLOADS = 20
MOST_USES = 100  # records that the page of a picture names

UPLOADED = N_("Pictures added: {count}.")
REFUSED = N_("Not added, because they are not images or are too large: {names}.")


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


def show_media(request: AdminRequest) -> None:
    """All pictures that a person may change."""
    search, unused = narrowed = request.narrowed
    total, found = request.read(image_store.library, search, request.page_number, PER_PAGE, unused=unused)
    tiles = [Tile(image, pictures.address(request, image, "medium")) for image in found]
    request.answer(LibraryPage(tiles, narrowed, request.pages(PATH, total, PER_PAGE, narrowed.query)))


def show_choice(request: AdminRequest) -> None:
    """The same for a form that needs one of them."""
    search, _ = narrowed = request.narrowed
    total, found = request.read(image_store.library, search, request.page_number, PER_CHOICE, unused=False)
    tiles = [
        (Tile(image, pictures.address(request, image, "medium")), pictures.address(request, image, "full"))
        for image in found
    ]
    request.answer(ChoicePart(tiles, request.pages(f"{PATH}/choose", total, PER_CHOICE, narrowed.query)))


def upload_or_delete(request: AdminRequest, form: Form) -> None:
    """Uploads pictures, or deletes the chosen ones."""
    if form.text("action") == "delete":
        count = sum(delete_unused(request, id) for id in form.numbers("image"))
        request.go(PATH, N_("Deleted: {count}. Pictures that are in use stay."), count=count)
        return
    added, refused = 0, [file.name for file in form.files.get("file", ()) if file.is_too_large]
    for file in [file for file in form.files.get("file", ()) if file.content][:MOST_UPLOADS]:
        try:
            pictures.store(request, file)
            added += 1
        except PICTURE_REFUSED:
            refused.append(file.name)
    if refused:
        request.go(PATH, REFUSED, kind="problem", names=", ".join(refused)[:500])
    else:
        request.go(PATH, UPLOADED if added else N_("Choose a file."), count=added)


def several_pictures(settings: Settings) -> int:
    """How large a form is taken."""
    return 2 * settings.max_image + settings.max_body


def delete_unused(request: AdminRequest, id: int) -> bool:
    """Deletes a picture that no record shows, if the person may; whether it was deleted."""
    try:
        return request.write(image_store.delete_unused, id) is not None
    except ApiError:
        return False


def show_picture(request: AdminRequest, id: int) -> None:
    """One picture: what it shows, its focus point, and where it is used."""
    image = request.read(image_store.writable, id)
    total, uses = request.read(image_store.uses, id, MOST_USES)
    controls = [
        Control("alt", request.say(N_("Alternative text"))),
        Control("focus", request.say(N_("Focus point"))),
    ]
    page = PicturePage(
        tile=Tile(image, pictures.address(request, image, "large")),
        uses=[(post.name, address(kind.name, post.id)) for kind, post in uses],
        more=total - len(uses),
        is_logo=image_store.is_logo(request.settings, image),
        edited=conflicts.edited(request.form, controls, form_values(image)),
    )
    request.answer(page)


def form_values(image: Media) -> dict[str, str]:
    """What the form shows of a picture."""
    return {"alt": image.alt, "focus": image.focus}


def save(request: AdminRequest, form: Form, id: int) -> None:
    unchanged = conflicts.unchanged(form, form_values)
    with conflicts.noticed(request, form, "media", id):
        request.write(image_store.describe, id, form.text("alt"), form.text("focus"), unchanged)
        request.go(PATH, N_("The picture was saved."))


def delete(request: AdminRequest, form: Form, id: int) -> None:
    """Deletes a picture; the records that showed it have none any more."""
    try:
        image_store.delete_in_parts(request.calendar, request.caller, id)
    except ApiError as error:
        if error.error_type is not IMAGE_OF_OTHERS:
            raise
        request.go(f"{PATH}/{id}", error.error_type.message, kind="problem")
    else:
        request.go(PATH, N_("The picture was deleted."))
