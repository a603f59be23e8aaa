"""Forms that people fill in: what was typed, and from there to an operation, and an error beside each field."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.parse import parse_qsl

import falcon

from kalends.calendar.accounts.account_rules import BadUser
from kalends.calendar.images.image_helpers import ImagesBusy
from kalends.calendar.images.processing import ImageTooLarge, NotAnImage
from kalends.contract.errors import MISSING_PARAM, TERM_EXISTS, TOO_LARGE, ApiError, FieldError
from kalends.contract.fields import Field, Reading, read_create, read_update
from kalends.http.messages import bodies, multipart, responses
from kalends.http.messages.multipart import SavedFile
from kalends.http.messages.parameters import Sent, from_pairs
from kalends.http.middleware.logs import log
from kalends.languages import N_, translate
from kalends.store.engine.store import StoreUnavailable
from kalends.store.files.media_files import MediaFull
from kalends.values.mail_addresses import NotAnAddress

T = TypeVar("T")

NO_ADDRESS = N_("Enter an address such as anna@example.org.")
FILL_IN = N_("Please fill in this field.")
VERSION = "version"  # the field that says what a form has shown
GENERAL = ""  # the name under which an error stands that belongs to no field
LONGEST_VALUE = 1_000_000
MOST_FIELDS = 2000
LONGEST_NUMBER = 18  # digits
# Sentences of the interface that name its parameters or show how programs write, as a form says them.
IN_FORMS = {
    "cannot be before start_date.": N_("cannot be before the start."),
    "belongs to the whole series: send it with scope=all or scope=following.": N_(
        "belongs to the whole series: choose all dates, or this and all following dates."
    ),
    "is not a date and time: “{value}”. Write it like {first} or {second}.": N_("is not a date and time."),
    "{part} takes whole numbers from {least} to {greatest}.": N_("must be a number from {least} to {greatest}."),
    "{part} is before the start of the event.": N_("cannot be before the start."),
    "{part} cannot have the start of the first event itself.": N_(
        "The first date cannot be skipped: let the event begin on a later day."
    ),
}
# Errors of a whole request that belong to one control of a form.
OF_A_CONTROL = {TERM_EXISTS: ("name", N_("There is one with this name already."))}
# The controls that compose a rule, by the part of it.
CONTROLS_OF_A_RULE = {"INTERVAL": "repeat_interval", "UNTIL": "repeat_until", "COUNT": "repeat_count"}
# Why a picture is not taken.
PICTURE_REASONS: dict[type[Exception], str] = {
    NotAnImage: N_("This file is not an image. Use PNG, JPEG, GIF, WebP, AVIF or HEIC."),
    ImageTooLarge: N_("This image is too large."),
    ImagesBusy: N_("Too many images are being processed. Try again in a minute."),
}
PICTURE_REFUSED = tuple(PICTURE_REASONS)
BUSY = N_("The calendar is busy. What you typed is kept here: send it again in a moment.")
RETRY_AFTER = "2"  # seconds
TIMES_TOO_LARGE = 8  # a form may be so much larger than what is taken of it, and is still answered with itself
AROUND_PICTURE = 1024 * 1024  # how much larger a form with a picture of the largest size may be, of whoever sends it


def number_in(text: str) -> int | None:
    """A whole number that a database can hold, as a browser writes it."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else None


class Upload(NamedTuple):
    """A file of a form."""

    name: str
    content: bytes
    saved: SavedFile | None = None  # in place of `content`, where a screen takes large files
    is_too_large: bool = False  # dropped while it arrived


@dataclass(slots=True)
class Form:
    """What was typed into a form, with the errors found in it. A template shows both again."""

    language: str
    values: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, list[Upload]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    # Of a conflict: the fields that both people changed; None where that is not known.
    asked: frozenset[str] | None = None

    def text(self, name: str, default: str = "") -> str:
        """The value of a field, without spaces around it; `default` when the form has no such field."""
        return self.values[name][0].strip() if name in self.values else default

    def raw(self, name: str) -> str:
        """The value as it was typed, for passwords."""
        return self.values[name][0] if name in self.values else ""

    def all(self, name: str) -> list[str]:
        """The values of a field that can be there several times."""
        return self.values.get(name, [])

    def file(self, name: str = "picture") -> Upload | None:
        """A picture that was chosen, for browsers without scripts."""
        return next((file for file in self.files.get(name, ()) if file.content), None)

    def has_too_large(self, name: str = "picture") -> bool:
        """Whether a picture was chosen that is larger than any form; the rest of the form is there."""
        return any(file.is_too_large for file in self.files.get(name, ()))

    def close(self) -> None:
        """Removes the files that were saved and not kept."""
        for upload in (one for found in self.files.values() for one in found):
            if upload.saved is not None:
                upload.saved.close()

    def is_checked(self, name: str) -> bool:
        return bool(self.text(name))

    def numbers(self, name: str) -> list[int]:
        """Ids, such as those of the selected rows of a table."""
        return [number for value in self.all(name) if (number := number_in(value)) is not None]

    def has_text(self, *names: str) -> bool:
        """Whether something was typed into one of these fields."""
        return any(self.text(name) for name in names)

    def error(self, name: str) -> str:
        return self.errors.get(name, "")

    def has_error(self, *names: str) -> bool:
        return not self.errors.keys().isdisjoint(names)

    def refuse(self, name: str, sentence: str, /, **arguments: object) -> None:
        """Adds an error; the first one of a field stays. `sentence` is a source of the catalogs."""
        text = _begun(translate(sentence, self.language)).format(**arguments)  # a name keeps its small letter
        self.errors.setdefault(name, _ended(text, self.language))

    def sent(self, *flags: str, empty_is_null: Sequence[str] = ()) -> Sent:
        """The fields as the interface takes them: `venue[city]` nests, `categories[]` is a list. A browser leaves out
        what is not checked, so `flags` are false then. What is in `empty_is_null` clears its field when it is empty.
        """
        pairs = [(name, value) for name, values in self.values.items() for value in values]
        sent = from_pairs(pairs)
        for name in flags:
            sent[name] = self.is_checked(name)
        for name in empty_is_null:
            if sent.get(name) == "":
                sent[name] = None
        return sent

    def submit(
        self,
        fields: Sequence[Field],
        operation: Callable[[Reading], T],
        *,
        create: bool = False,
        sent: Mapping[str, object] | None = None,
    ) -> T | None:
        """Parses the form by a table of the contract and calls the operation. None when one of them refused: then
        `errors` says what, and nothing has changed."""
        values = self.sent() if sent is None else sent
        done = None
        with self.refusals():
            reading = read_create(fields, values) if create else read_update(fields, values)
            reading.problems.raise_any()
            done = operation(reading)
        return done

    def check(self, fields: Sequence[Field], sent: Mapping[str, object], *, create: bool) -> None:
        """Finds what else is wrong with a form that is refused already, so that everything is told at once."""
        self.submit(fields, lambda reading: None, create=create, sent=sent)

    @contextmanager
    def refusals(self, control: str = GENERAL) -> Iterator[None]:
        """Around an operation: what it refuses stands in the form then, beside `control` where it names none."""
        try:
            yield
        except ApiError as error:
            self.add_api_error(error)
        except BadUser as bad:
            self.refuse(bad.field or control, bad.message, **bad.arguments)
        except NotAnAddress:
            self.refuse(control, NO_ADDRESS)

    def refuse_picture(self, problem: Exception, name: str = "image") -> None:
        self.refuse(name, PICTURE_REASONS[type(problem)])

    def add_api_error(self, error: ApiError) -> None:
        """Puts an error of an operation beside its fields. What no form can mend is raised again."""
        if error.error_type.status not in (400, 409, 413, 415, 429):
            raise error
        if error.error_type is MISSING_PARAM:
            for name in error.data["params"]:  # type: ignore[attr-defined]
                self.refuse(str(name), FILL_IN)
        elif problems := error.data.get("problems"):
            for name, invalid in problems.items():  # type: ignore[attr-defined]
                control, shown = _in_form(name, invalid, self.values)
                text = _begun(responses.explained(shown, self.language))
                self.errors.setdefault(control, _ended(text, self.language))
        elif error.error_type in OF_A_CONTROL:
            self.refuse(*OF_A_CONTROL[error.error_type])
        else:
            self.errors.setdefault(GENERAL, responses.message_of(error, self.language))


def read_form(req: falcon.Request, limit: int, language: str) -> Form:
    """The form of a request, sent with files or without."""
    data = bodies.raw(req, limit)
    if _has_files(req):
        return _with_files(req, data, language)
    if len(data) > bodies.LARGEST_FORM:
        raise ApiError(TOO_LARGE, limit=bodies.LARGEST_FORM)
    try:
        pairs = parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise ApiError(TOO_LARGE, limit=limit) from None
    form = Form(language)
    for name, value in pairs:
        form.values.setdefault(name, []).append(_lines(value))
    return form


def read_texts(req: falcon.Request, limit: int, most: int, language: str) -> Form:
    """The form of a request, with empty files. `limit`: how large it may be; `most`: how much of it is kept."""
    if not _has_files(req):
        return read_form(req, min(limit, most), language)
    return _with_files(req, bodies.without_files(req, limit, most), language)


def read_with_pictures(req: falcon.Request, limit: int, language: str) -> Form:
    """The form of a request, of which at most so much is in memory: of a larger one the contents of the files are
    dropped while they arrive, so that only they are refused, and not what was typed."""
    length = req.content_length
    if length is None or length <= limit or not _has_files(req):
        return read_form(req, limit, language)
    form = read_texts(req, TIMES_TOO_LARGE * limit, bodies.LARGEST_FORM, language)
    for name, files in form.files.items():
        form.files[name] = [file._replace(is_too_large=True) for file in files]
    return form


def read_large(req: falcon.Request, limit: int, folder: Path, language: str) -> Form:
    """The form of a request whose files are as large as `limit`: they are written to a folder while they arrive."""
    if not _has_files(req):
        return read_form(req, min(limit, bodies.LARGEST_FORM), language)
    data, files = bodies.with_saved_files(req, limit, bodies.LARGEST_FORM, folder)
    try:
        return _with_files(req, data, language, files)
    except ApiError:
        for file in files:
            file.close()
        raise


def _has_files(req: falcon.Request) -> bool:
    return (req.content_type or "").partition(";")[0].strip().lower() == bodies.MULTIPART


def _with_files(req: falcon.Request, data: bytes, language: str, saved: Sequence[SavedFile] = ()) -> Form:
    form, contents = Form(language), iter(saved)
    req.context.files = form.files  # which are forgotten with the body
    for part in multipart.read_parts(req.content_type or "", data):
        if part.file_name:
            form.files.setdefault(part.name, []).append(Upload(part.file_name, part.content, next(contents, None)))
        elif len(part.content) <= LONGEST_VALUE:
            text = part.content.decode("utf-8", "replace")
            form.values.setdefault(part.name, []).append(_lines(text))
    return form


def _lines(text: str) -> str:
    """Browsers send every line break as two characters."""
    return text.replace("\r\n", "\n")


def _in_form(name: str, invalid: FieldError, controls: Collection[str]) -> tuple[str, FieldError]:
    """The control of a form that has these ones, and what is said beside it."""
    reason, field, part = (invalid.arguments.get(key) for key in ("reason", "field", "part"))
    if isinstance(reason, FieldError) and field is not None:  # within a record that the form makes
        return _in_form(control if (control := f"{name}_{field}") in controls else name, reason, controls)
    control = CONTROLS_OF_A_RULE.get(str(part), "")
    return control if control in controls else name, in_words(invalid)


def in_words(invalid: FieldError) -> FieldError:
    return FieldError(invalid.code, IN_FORMS.get(invalid.message, invalid.message), **invalid.arguments)


def busy(error: StoreUnavailable) -> str:
    """What a form says that met another writer for too long. An error that waiting does not mend is raised again."""
    if isinstance(error, MediaFull):
        raise error
    log.log(error.level, "a form could not be saved: %s", error)
    return BUSY


# The interface writes "title must be …", and commands write parts of a line; a form has whole sentences.


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ended(text: str, language: str) -> str:
    end = "" if text[-1:] in ".。!?؟…" else "。" if language == "ja" else "."
    return text + end
