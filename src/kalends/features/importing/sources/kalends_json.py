"""Reads an export of Kalends: a JSON document, or an archive of one with its images."""

import codecs
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from kalends.calendar.admission import WORKER
from kalends.contract.kinds import EVENT, KIND_OF, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.features.exporting import archive
from kalends.features.exporting.fields import identity_parts
from kalends.features.exporting.json_export import CUSTOM_FIELD, FORMAT, REDIRECT, VERSION
from kalends.features.importing.records import custom_values
from kalends.features.importing.records.adopted_fields import AdoptedField
from kalends.features.importing.records.messages import ImportMessage, at_line
from kalends.features.importing.records.record import (
    ImageRef,
    Item,
    Member,
    Record,
    Redirection,
    Ref,
    SourceDefinition,
    SourceError,
    Unreadable,
    ref_of,
)
from kalends.features.importing.sources.files import FileSource
from kalends.languages import N_
from kalends.values import dates, foreign_json
from kalends.values.foreign_json import NotJson
from kalends.values.recurrence import Recurrence, RecurrenceError, parse

# Files in an archive of an export, read however the archive is damaged.

LARGEST_RATIO = 300  # of a file to its compressed form
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1  # a flag of an entry
NOT_PLAIN = N_("{file}: {name} in it is encrypted, or packed in a way that is not read; pack it as a plain zip")
MISSING = N_("{file} has no {name}")
# What zipfile raises: besides its own error, those of its parts for positions and lengths that cannot be.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError, OverflowError)


def is_archive(source: FileSource) -> bool:
    with source.opened() as file:
        return file.read(2) == b"PK"


@contextmanager
def opened(source: FileSource, name: str, missing: str = MISSING) -> Iterator[IO[bytes]]:
    """A file in an archive. Raises SourceError, also while it is read; with the sentence `missing` if there is none
    of this name."""
    if not is_archive(source):
        raise source.refused(missing, name=name)
    try:
        with zipfile.ZipFile(source.path) as archive, archive.open(_entry(source, archive, name, missing)) as file:
            yield file
    except DAMAGED as error:
        sentence = N_("{file}: the archive is damaged ({reason}); export it again")
        raise source.refused(sentence, reason=str(error)) from None


def _entry(source: FileSource, archive: zipfile.ZipFile, name: str, missing: str) -> zipfile.ZipInfo:
    try:
        entry = archive.getinfo(name)
    except KeyError:
        raise source.refused(missing, name=name) from None
    if entry.flag_bits & ENCRYPTED or entry.compress_type not in PACKED:
        raise source.refused(NOT_PLAIN, name=name)
    if entry.file_size > LARGEST_RATIO * max(entry.compress_size, 1000):
        raise source.refused(N_("{file}: {name} in it is far larger than it should be"), name=name)
    return entry


LONGEST_LINE = 16_000_000
LARGEST_WHOLE = 64_000_000  # a document that some other program wrote on one line, or on too many
LARGEST_IMAGE = 100_000_000
NO_DOCUMENT = N_("{file}: there is no {name} in it; is it an export of Kalends?")
NOT_FIELDS = frozenset({"kind", "id", "author", "image", "parent", "post_parent", "password"})
NOT_FIELDS |= {"occurrence_of", "original_start", "series_of", "waiting"}

Json = dict[str, Any]


class KalendsJson(FileSource):
    """An export of a Kalends calendar. Its records say themselves which source they have."""

    def __init__(self, path: Path, name: str = "", label: str = "") -> None:
        super().__init__(path, name, label)
        self._rules: dict[Ref, Recurrence] = {}  # of series, by their first events
        self._fields: dict[str, AdoptedField] = {}  # custom fields by their keys in the file
        self._courses: dict[Ref, Ref | None] = {}  # the first event of the course, in the same way

    def prepare(self) -> int:
        count = 0
        for _ in self._records():
            count += 1
            WORKER.pause()
        return count

    def read(self) -> Iterator[Item]:
        return (self._item(*found) for found in self._records())

    def _records(self) -> Iterator[tuple[str, Json]]:
        with self._document() as file:
            first = file.readline(LONGEST_LINE).removeprefix(codecs.BOM_UTF8)
            if not first.startswith(b'{"format":"kalends","version":') or not first.rstrip().endswith(b"["):
                yield from self._whole(first + file.read(LARGEST_WHOLE))
                return
            self._check_version(first)
            number, count, ended = 1, 0, False
            while line := file.readline(LONGEST_LINE):
                number += 1
                if line.startswith(b"]"):
                    ended = self._end(line, count)
                    break
                if not line.strip():  # where a calendar without records has them
                    continue
                yield at_line(number), self._decode(line.rstrip().removesuffix(b","), number)
                count += 1
            if not ended:
                sentence = N_("{file}: the file ends after line {line}, in the middle; export it again")
                raise self.refused(sentence, line=number)

    def _whole(self, text: bytes) -> Iterator[tuple[str, Json]]:
        """A document that another program has formatted."""
        if text[:1].isspace() or text.lstrip()[:1] in (b"<",):
            text = text.lstrip()
        if text.startswith(b"<"):
            raise self.refused(N_("{file}: this is a web page or XML, not an export of Kalends"))
        if len(text) >= LARGEST_WHOLE:
            raise self.refused(N_("{file}: the file is too large for one that is not written line by line"))
        try:
            document = foreign_json.read(text)
        except NotJson as error:
            sentence = N_("{file}: this is not JSON ({reason}); is the file complete?")
            raise self.refused(sentence, reason=str(error)) from None
        records = document.get("records") if isinstance(document, dict) else None
        if not isinstance(records, list) or document.get("format") != FORMAT:
            raise self.refused(N_("{file}: this JSON is no export of Kalends (`kalends export json` writes one)"))
        if document.get("version") != VERSION:
            raise self.refused(N_("{file}: the export is of another version; update Kalends"))
        for number, record in enumerate(records, 1):
            yield ImportMessage(N_("record {number}"), number=number), record if isinstance(record, dict) else {}

    def _check_version(self, first: bytes) -> None:
        if not first.startswith(b'{"format":"kalends","version":%d,' % VERSION):
            raise self.refused(N_("{file}: the export is of another version; update Kalends"))

    def _end(self, line: bytes, count: int) -> bool:
        try:
            said = foreign_json.read(b'{"records":[' + line)["count"]
        except (NotJson, KeyError):
            return False
        if said != count:
            sentence = N_("{file}: {count} records, but the end of the file says {said}; export it again")
            raise self.refused(sentence, count=count, said=said)
        return True

    def _decode(self, line: bytes, number: int) -> Json:
        try:
            record = foreign_json.read(line)
        except NotJson as error:
            sentence = N_("{file}: line {line} is not JSON: {reason}")
            raise self.refused(sentence, line=number, reason=str(error)) from None
        return record if isinstance(record, dict) else {}

    def _item(self, where: str, json: Json) -> Item:
        if json.get("kind") == REDIRECT and (redirection := _redirection(json)) is not None:
            return redirection
        if json.get("kind") == CUSTOM_FIELD and (definition := self._definition(json)) is not None:
            return definition
        kind = KIND_OF.get(str(json.get("kind")))
        if kind is None or not _ref(str(json.get("id"))).external_id:
            title = str(json.get("title") or json.get("name") or "")
            return Unreadable(EVENT, where, title, ImportMessage(N_("it has no kind or no id")))
        name = str(json.get(kind.name_field) or "")
        for field in LINKED_KINDS if kind is EVENT else ():
            if not isinstance(json.get(field, []), list):
                return Unreadable(kind, where, name, ImportMessage(N_("{name} is not a list"), name=field))
        return self._record(kind, where, json)

    def _definition(self, json: Json) -> SourceDefinition | None:
        """A custom field, which the events that follow know by its key."""
        ref, key = _ref(str(json.get("id"))), str(json.get("key") or "")
        if not ref.external_id or not key:
            return None
        self._fields[key] = custom_values.wanted(ref.source, ref.external_id, json)
        return SourceDefinition(self._fields[key])

    def _record(self, kind: Kind, where: str, json: Json) -> Record:
        ref = _ref(str(json["id"]))
        image, password = json.get("image"), json.get("password")
        parent = json.get("parent") or json.get("post_parent")
        has_password = isinstance(password, dict) and password.keys() >= {"salt", "digest"}
        # Venues and organizers have their names in fields that are links of an event.
        links = {name: json[name] for name in LINKED_KINDS if kind is EVENT and name in json}
        record = Record(
            kind=kind,
            ref=ref,
            fields={name: value for name, value in json.items() if name not in NOT_FIELDS and name not in links},
            where=where,
            links={name: [_ref(str(one)) for one in refs] for name, refs in links.items()},
            parent=_ref(str(parent)) if parent else None,
            image=self._image(image) if isinstance(image, str) and image else None,
            covers_image="image" in json,
            author=str(json.get("author") or ""),
            old_id=ref.number,
            password=(str(password["salt"]), str(password["digest"])) if has_password and password else None,
            defined=self._fields,
        )
        if kind is EVENT:
            self._add_series(record, json)
        elif json.get("waiting") is True and not kind.is_term:
            record.comes_with_event = True
            record.fields.pop("status", None)
        return record

    def _add_series(self, record: Record, json: Json) -> None:
        """The first event of a series has its rule, and the others come after it. If it does not say which date it
        is, it stands for all dates of the rule: a file of an earlier version, or one that was written by hand."""
        first = _ref(str(json["occurrence_of"])) if json.get("occurrence_of") else record.ref
        try:
            start = datetime.fromisoformat(str(json.get("original_start")))
        except ValueError:
            record.covers_recurrence = bool(json.get("recurrence"))
            record.covers_series = not record.covers_recurrence
            return
        with suppress(RecurrenceError):
            if first == record.ref:
                self._rules[first] = parse(record.fields.pop("recurrence", None))
                self._courses[first] = _ref(str(json["series_of"])) if json.get("series_of") else None
        if first in self._rules:
            member = Member(first, dates.text(start), self._rules[first], self._courses[first])
            record.covers_series, record.member = True, member
        else:
            record.occurrence = first, start

    def _image(self, name: str) -> ImageRef:
        if not name.startswith(archive.IMAGES):
            return ImageRef(url=name)
        return ImageRef(file=name.removeprefix(archive.IMAGES), read=lambda: self._image_bytes(name))

    def _image_bytes(self, name: str) -> bytes:
        with opened(self, name) as file:
            data = file.read(LARGEST_IMAGE + 1)
        if len(data) > LARGEST_IMAGE:
            raise SourceError(N_("{name} is too large"), name=name)
        return data

    def _document(self) -> AbstractContextManager[IO[bytes]]:
        if is_archive(self):
            return opened(self, archive.DOCUMENT, NO_DOCUMENT)
        return self.opened()


def _redirection(json: Json) -> Redirection | None:
    kind, target = KIND_OF.get(str(json.get("of"))), _ref(str(json.get("to")))
    slug, merged = str(json.get("slug") or ""), _ref(str(json.get("merged") or ""))
    if kind is None or not target.external_id or not (slug or merged.external_id):
        return None
    return Redirection(kind, target, slug, merged if merged.external_id else None)


def _ref(text: str) -> Ref:
    return ref_of(*identity_parts(text))
