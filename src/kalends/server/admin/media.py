"""The media library: what there is, what it shows, where it is used."""

from typing import Any, NamedTuple

from kalends.calendar.access import may_upload
from kalends.calendar.images import image_store
from kalends.contract.errors import IMAGE_OF_OTHERS, ApiError
from kalends.languages import N_
from kalends.pages.admin.conflict import Control, of_controls
from kalends.pages.admin.history_page import address
from kalends.present import json as representation
from kalends.server.admin import conflicts, pictures
from kalends.server.admin.legacy import AdminRequest, FormScreen
from kalends.server.forms import PICTURE_REFUSED, Form
from kalends.store.rows.records import Media

PATH = "/admin/media"
PER_PAGE = 24
MOST_UPLOADS = 20

UPLOADED = N_("Pictures added: {count}.")
REFUSED = N_("Not added, because they are no images or too large: {names}.")


class Tile(NamedTuple):
    """A picture of the library."""

    id: int
    src: str
    name: str
    alt: str
    size: str


class Library(FormScreen):
    """All pictures that a person may change."""

    entry = "media"
    title = N_("Media")
    right = staticmethod(may_upload)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        number, search, unused = visit.page_number, visit.param("search")[:200], bool(visit.param("unused"))
        total, found = visit.calendar.read(visit.caller, image_store.library, search, number, PER_PAGE, unused=unused)
        pairs = [(name, value) for name, value in (("search", search), ("unused", "1" if unused else "")) if value]
        visit.render(
            "admin/media.html",
            tiles=[tile(visit, image) for image in found],
            total=total,
            search=search,
            unused=unused,
            number=number,
            count=max(1, -(-total // PER_PAGE)),
            page_at=lambda other: visit.frame.at(PATH, [*pairs, ("page", str(other))]),
        )

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        """Uploads pictures, or deletes the chosen ones."""
        if form.text("action") == "delete":
            count = sum(delete_unused(visit, id) for id in form.numbers("image"))
            visit.go(PATH, N_("Deleted: {count}. Pictures that are in use stay."), count=count)
            return
        added, refused = 0, []
        for file in [file for file in form.files.get("file", ()) if file.content][:MOST_UPLOADS]:
            try:
                pictures.store(visit, file)
                added += 1
            except PICTURE_REFUSED:
                refused.append(file.name)
        if refused:
            visit.go(PATH, REFUSED, kind="problem", names=", ".join(refused)[:500])
        else:
            visit.go(PATH, UPLOADED if added else N_("Choose a file."), count=added)

    def largest_form(self, visit: AdminRequest) -> int:
        return MOST_UPLOADS * visit.settings.max_image // 4 + visit.settings.max_body


class Picture(FormScreen):
    """One picture: what it shows, its focus point, and where it is used."""

    entry = "media"
    title = N_("Picture")
    right = staticmethod(may_upload)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        self.render(visit, params["id"], None)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        id: int = params["id"]
        with conflicts.noticed(visit, form, "media", id):
            unchanged = conflicts.unchanged(form, version_of)
            visit.calendar.write(
                visit.caller, image_store.describe, id, form.text("alt"), form.text("focus"), unchanged
            )
        if form.errors:
            self.render(visit, id, form)
        else:
            visit.go(PATH, N_("The picture was saved."))

    def render(self, visit: AdminRequest, id: int, form: Form | None) -> None:
        image = visit.calendar.read(visit.caller, image_store.writable, id)
        uses = visit.calendar.read(visit.caller, image_store.uses, id)
        controls = [
            Control("alt", visit.say(N_("Alternative text"))),
            Control("focus", visit.say(N_("Focus point"))),
        ]
        visit.render(
            "admin/picture.html",
            status=conflicts.status_of(form),
            form=form,
            labels={control.name: control.label for control in controls},
            version=version_of(image),
            conflict=of_controls(controls, described(image), form.values, visit.language)
            if form and conflicts.is_in(form)
            else None,
            image=image,
            tile=tile(visit, image, "large"),
            is_logo=image_store.is_logo(visit.settings, image),
            uses=[(post.name, address(kind.name, post.id)) for kind, post in uses],
        )


class DeletePicture(FormScreen):
    """Deletes a picture; the records that showed it have none any more."""

    entry = "media"
    right = staticmethod(may_upload)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        try:
            visit.calendar.delete_image(visit.caller, params["id"])
        except ApiError as error:
            if error.error_type is not IMAGE_OF_OTHERS:
                raise
            visit.go(f"{PATH}/{params['id']}", error.error_type.message, kind="problem")
            return
        visit.go(PATH, N_("The picture was deleted."))


def described(image: Media) -> dict[str, str]:
    """What the form shows of a picture."""
    return {"alt": image.alt, "focus": image.focus}


def version_of(image: Media) -> str:
    """The same as one word."""
    return conflicts.version_of(described(image))


def delete_unused(visit: AdminRequest, id: int) -> bool:
    """Deletes a picture that no record shows, if the person may; whether it was deleted."""
    try:
        return visit.calendar.delete_unused_image(visit.caller, id)
    except ApiError:
        return False


def tile(visit: AdminRequest, image: Media, size: str = "medium") -> Tile:
    json = representation.image(image, visit.service.render_context(visit.req))
    return Tile(
        id=image.id,
        src=str(representation.image_in_size(json, size)["url"]),
        name=image.file.rpartition("/")[2],
        alt=image.alt,
        size=f"{image.width} × {image.height}",
    )
