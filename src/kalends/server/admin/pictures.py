"""The picture of a form: the file that comes with it, what it shows, and what is said when it cannot be taken."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from kalends.calendar.access import may_upload
from kalends.calendar.images import image_store
from kalends.calendar.images.processing import ImageTooLarge
from kalends.contract.errors import ApiError
from kalends.present import json as representation
from kalends.server.admin import conflicts
from kalends.server.admin.legacy import AdminRequest
from kalends.server.forms import PICTURE_REFUSED, Form, Upload, number_in
from kalends.store.rows.records import Media


@dataclass(frozen=True, slots=True)
class Chosen:
    """The picture that a form shows."""

    url: str = ""
    alt: str = ""
    focus: str = ""
    is_own: bool = True  # the person may say what it shows
    version: str = ""  # what the form begins with


def read(visit: AdminRequest, id: str) -> Chosen:
    """The chosen picture, in a size for the form."""
    stored = find(visit, id)
    if stored is None:
        return Chosen(is_own=may_upload(visit.caller))
    image = representation.image(stored, visit.service.render_context(visit.req))
    return Chosen(
        url=str(representation.image_in_size(image, "medium")["url"]),
        alt=stored.alt,
        focus=stored.focus,
        is_own=image_store.may_change(visit.caller, stored),
        version=version_of(stored.id, stored.alt, stored.focus),
    )


def version_of(id: int, alt: str, focus: str) -> str:
    """A picture and what is said of it, as one word."""
    return conflicts.version_of({"id": str(id), "alt": alt, "focus": focus})


def find(visit: AdminRequest, id: str) -> Media | None:
    """The picture that a form names, if the person can see it."""
    if (number := number_in(id)) is None:
        return None
    try:
        return visit.calendar.read_image(visit.caller, id=number)
    except ApiError:
        return None


def names(visit: AdminRequest, ids: Iterable[str]) -> dict[str, str]:
    """What pictures show, or the names of their files where that is not said or is said of several."""
    found = {id: image for id in set(ids) if (image := find(visit, id)) is not None}
    said = Counter(image.alt for image in found.values())
    return {
        id: image.alt if image.alt and said[image.alt] == 1 else PurePosixPath(image.file).name
        for id, image in found.items()
    }


def store(visit: AdminRequest, file: Upload) -> Media:
    """Stores a file that came with a form. Raises one of PICTURE_REFUSED."""
    if len(file.content) > visit.settings.max_image:
        raise ImageTooLarge
    return visit.calendar.store_image(visit.caller, file.content, file.name)


def uploaded(visit: AdminRequest, form: Form) -> int | None:
    """The id of a picture that came with the form, for browsers without scripts."""
    file = form.file()
    if file is None or form.errors:
        return None
    try:
        return store(visit, file).id
    except PICTURE_REFUSED as problem:
        form.refuse_picture(problem)
        return None


def check_description(form: Form) -> None:
    """Refuses what cannot be said of a picture, before anything is saved."""
    try:
        image_store.check_description(form.text("image_alt"), form.text("image_focus"))
    except ApiError as error:
        described = Form(form.language)
        described.take(error)
        form.errors |= {f"image_{name}": sentence for name, sentence in described.errors.items()}


def describe(visit: AdminRequest, form: Form, id: int | None) -> None:
    """Stores what the form says of the picture of a record that was saved, unless the form only repeats what it began
    with: somebody else may have said something since."""
    if id is None or "image_alt" not in form.values:
        return
    image, said = visit.calendar.read_image(visit.caller, id=id), (form.text("image_alt"), form.text("image_focus"))
    if version_of(id, *said) == form.text("image_version"):
        return
    if said != (image.alt, image.focus) and image_store.may_change(visit.caller, image):
        visit.calendar.write(visit.caller, image_store.describe, id, *said)
