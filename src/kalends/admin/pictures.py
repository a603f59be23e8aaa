"""The picture of a form: the file that comes with it, what it shows, and what is said when it cannot be taken."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath

from kalends.admin import conflicts
from kalends.admin.request import AdminRequest
from kalends.calendar.access import may_upload
from kalends.calendar.images import image_store, uploading
from kalends.calendar.images.processing import ImageTooLarge
from kalends.contract.errors import ApiError
from kalends.present import json as representation
from kalends.site.forms.form import PICTURE_REFUSED, Form, Upload, number_in
from kalends.store.rows.records import Media


@dataclass(frozen=True, slots=True)
class ChosenPicture:
    """The picture that a form shows."""

    url: str = ""
    alt: str = ""
    focus: str = ""
    is_editable: bool = True  # the person may say what it shows
    version: str = ""  # what the form begins with


def chosen(request: AdminRequest, stored_id: str) -> ChosenPicture:
    """The picture that the form names, or else that of the record, in a size for the form."""
    stored = find(request, request.form.text("image", stored_id))
    if stored is None:
        return ChosenPicture(is_editable=may_upload(request.caller))
    return ChosenPicture(
        url=address(request, stored, "medium"),
        alt=stored.alt,
        focus=stored.focus,
        is_editable=image_store.may_change(request.caller, stored),
        version=version_of(stored.id, stored.alt, stored.focus),
    )


def address(request: AdminRequest, image: Media, size: str) -> str:
    shown = representation.image(image, request.context.render_context)
    return str(representation.image_in_size(shown, size)["url"])


def version_of(id: int, alt: str, focus: str) -> str:
    """A picture and what is said of it, as one word."""
    return conflicts.version_of({"id": str(id), "alt": alt, "focus": focus})


def find(request: AdminRequest, id: str) -> Media | None:
    """The picture that a form names, if the person can see it."""
    if (number := number_in(id)) is None:
        return None
    try:
        return request.calendar.read(request.caller, image_store.read, id=number)
    except ApiError:
        return None


def names(request: AdminRequest, ids: Iterable[str]) -> dict[str, str]:
    """What pictures show, or the names of their files where that is not said or is said of several."""
    found = {id: image for id in set(ids) if (image := find(request, id)) is not None}
    said = Counter(image.alt for image in found.values())
    return {
        id: image.alt if image.alt and said[image.alt] == 1 else PurePosixPath(image.file).name
        for id, image in found.items()
    }


def store(request: AdminRequest, file: Upload) -> Media:
    """Stores a file that came with a form. Raises one of PICTURE_REFUSED."""
    if len(file.content) > request.settings.max_image:
        raise ImageTooLarge
    return uploading.store_image(request.calendar, request.caller, file.content, file.name)


@contextmanager
def one_transaction(request: AdminRequest, form: Form) -> Iterator[None]:
    """Around the save of a record: its picture, and what is said of it, are stored with it. A form that is refused
    keeps its picture, which stays chosen; of a save that fails nothing is left."""
    chosen = form.values.get("image")
    try:
        with request.calendar.together():
            yield
    except BaseException:
        form.values.pop("image", None)
        form.values |= {} if chosen is None else {"image": chosen}
        raise


def sent_with(request: AdminRequest, form: Form) -> dict[str, object]:
    """The field `image` where a form has more of it than an id: a file that came with it, or that there is none. What
    cannot be said of a picture is refused before anything is saved."""
    check_description(form)
    sent: dict[str, object] = {}
    if (image := uploaded(request, form)) is not None:
        sent["image"] = image
        form.values["image"] = [str(image)]  # it stays chosen when something else is refused
    if form.text("do") == "remove_picture":
        sent["image"] = ""
    return sent


def uploaded(request: AdminRequest, form: Form) -> int | None:
    """The id of a picture that came with the form, for browsers without scripts."""
    file = form.file()
    if form.has_too_large():
        form.refuse_picture(ImageTooLarge())
    if file is None or form.errors:
        return None
    try:
        image = store(request, file)
    except PICTURE_REFUSED as problem:
        form.refuse_picture(problem)
        return None
    if (joint := request.calendar.joint) is not None:
        joint.end_item()  # so that it stays where the record is refused
    return image.id


def check_description(form: Form) -> None:
    try:
        image_store.check_description(form.text("image_alt"), form.text("image_focus"))
    except ApiError as error:
        described = Form(form.language)
        described.add_api_error(error)
        form.errors |= {f"image_{name}": sentence for name, sentence in described.errors.items()}


def describe(request: AdminRequest, form: Form, id: int | None) -> None:
    """Stores what the form says of the picture of a record that was saved, unless the form only repeats what it began
    with: somebody else may have said something since."""
    if id is None or "image_alt" not in form.values:
        return
    image, said = (
        request.calendar.read(request.caller, image_store.read, id=id),
        (form.text("image_alt"), form.text("image_focus")),
    )
    if version_of(id, *said) == form.text("image_version"):
        return
    if said != (image.alt, image.focus) and image_store.may_change(request.caller, image):
        request.write(image_store.describe, id, *said)
