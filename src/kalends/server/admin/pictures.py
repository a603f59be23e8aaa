"""Pictures that come with a form, and what is said about those that cannot be taken."""

from kalends.calendar.images.image_process import ImagesBusy
from kalends.calendar.images.processing import ImageTooLarge, NotAnImage
from kalends.languages import N_
from kalends.server.admin.forms import Form, Upload

REFUSED = (NotAnImage, ImageTooLarge, ImagesBusy)
REASONS: dict[type[Exception], str] = {
    NotAnImage: N_("This file is not an image. PNG, JPEG, GIF, WebP and AVIF are."),
    ImageTooLarge: N_("This image is too large."),
    ImagesBusy: N_("Too many images are being processed. Try again in a minute."),
}


def chosen(form: Form, name: str = "picture") -> Upload | None:
    """The file of a field, for browsers without scripts."""
    return next((file for file in form.files.get(name, ()) if file.content), None)


def refuse(form: Form, problem: Exception, name: str = "image") -> None:
    form.refuse(name, REASONS[type(problem)])
