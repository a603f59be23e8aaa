"""Custom fields of imported events: which field here each of them is, and its values as that field takes them."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from kalends.contract.errors import FieldError
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import DRAFT
from kalends.contract.types.custom_values import MOST_OPTIONS, value_type
from kalends.contract.types.texts import Line
from kalends.features.custom_fields.contract import LAST_POSITION, LONGEST_LABEL, LONGEST_OPTION
from kalends.features.importing.records.adopted_fields import AdoptedField
from kalends.features.importing.records.messages import ImportMessage, problem_of
from kalends.features.importing.records.record import Record
from kalends.languages import N_
from kalends.values import markup
from kalends.values.choices import SEPARATOR, CopiedChoices, parts
from kalends.values.custom_fields import (
    CHOICES,
    FIELD,
    TEXT,
    TEXTAREA,
    URL,
    WITH_OPTIONS,
    CustomField,
    CustomFields,
    is_key,
)

OF_SITES = {"custom_fields", "additional_fields", "virtual_url"}  # keys of an event of a site
VIRTUAL_META, VIRTUAL_LABEL = "_tribe_events_virtual_url", "Virtual URL"
PACKED = re.compile(r"[aOs]:[0-9]+:|[\[{]")  # by PHP, or as JSON
LEFT_OUT = N_("left out: {what}")
NO_FIELD = N_("left out: {field}: there is no such custom field here")
MISSING = N_("{field} has no value, and events here need one")


class CustomCell(NamedTuple):
    """A value of a field that is here, from a source that knows the fields of this calendar; an empty one empties
    it."""

    value: str
    brings_choice: bool = False  # one that its field is to get with the import

    def __repr__(self) -> str:  # as a report of conflicts shows it
        return repr(self.value)


def wanted_by(records: Iterable[Record]) -> list[AdoptedField]:
    """The fields that some records have values of, each once."""
    found = {field.origin: field for record in records for field, _ in _described(record)}
    return list(found.values())


def _described(record: Record) -> Iterator[tuple[AdoptedField, object]]:
    """The fields of a record as its source describes them, with their values."""
    given = record.fields.get(FIELD) if record.kind is EVENT else None
    for key, one in given.items() if isinstance(given, Mapping) else ():
        if isinstance(one, CustomCell):
            continue
        told: Mapping[str, Any] = one if isinstance(one, Mapping) else {"value": one}
        value = told.get("value")
        if value is None or value == "" or not str(key).strip():
            continue
        guessed = {"type": TEXTAREA if "\n" in str(value).strip() else TEXT}
        yield record.defined.get(str(key)) or wanted(record.ref.source, str(key), guessed | {**told}), value


def wanted(source: str, key: str, description: Mapping[str, Any]) -> AdoptedField:
    """A field as its source describes it."""
    position = description.get("position")
    return AdoptedField(
        source,
        key,
        label=markup.plain(str(description.get("label") or key))[:LONGEST_LABEL] or key,
        type=str(description.get("type") or TEXT),
        options=tuple(_options(description.get("options"))),
        public=description.get("public") is not False,
        name=str(description.get("name") or ""),
        required=description.get("required") is True,
        position=position if isinstance(position, int) and 0 <= position <= LAST_POSITION else 0,
        filter=description.get("filter") is True,
        submit=description.get("submit") is True,
    )


def _options(value: object) -> Iterator[str]:
    for option in value[:MOST_OPTIONS] if isinstance(value, list) else ():
        text = markup.plain(str(option)).replace(SEPARATOR, " ").strip()[:LONGEST_OPTION]
        if text:
            yield text


def values_for(
    record: Record, defined: CustomFields, keys: Mapping[str, str], *, is_tried: bool = False
) -> dict[str, object]:
    """What is sent of a record: a value for each field here. What the source has no longer is emptied, and what does
    not fit is left out. `keys`: the fields here by their origins."""
    given = record.fields.get(FIELD)
    cells = (
        {key: one for key, one in given.items() if isinstance(one, CustomCell)} if isinstance(given, Mapping) else {}
    )
    sent: dict[str, object] = {}
    if not cells:
        prefix = f"{record.ref.source} "
        told_before = [field for field in defined if any(origin.startswith(prefix) for origin in field.origins)]
        if record.defined:
            told_now = {keys.get(one.origin) for one in record.defined.values()}
            told_before = [field for field in defined if field.key in told_now]
        sent = {field.key: "" for field in told_before if not field.required}
    found: list[tuple[str, AdoptedField, object]] = [
        (
            key,
            AdoptedField("", key, key),
            CopiedChoices(cell.value) if cell.brings_choice and is_tried else cell.value,
        )
        for key, cell in cells.items()
    ]
    found += [(keys.get(told.origin, ""), told, value) for told, value in _described(record)]
    for key, told, value in found:
        field = defined.find(key) if key else None
        if field is None and not is_tried:  # who only tries defines nothing
            _note(record, ImportMessage(NO_FIELD, field=told.label))
        if field is None or (field.required and value == ""):
            continue
        try:
            is_copied = isinstance(value, CopiedChoices)
            read = value if is_copied else _gone_choices(field, told, value) or value_type(field).read(value)
        except FieldError as problem:
            _note(record, ImportMessage(LEFT_OUT, what=problem_of(field.label, problem)))
            continue
        if sent.get(field.key, "") not in ("", read):  # an earlier import took two fields for one
            _note(record, ImportMessage(LEFT_OUT, what=f"{told.label}: {value}"))
            continue
        sent[field.key] = read
    return sent


def _gone_choices(field: CustomField, described: AdoptedField, value: object) -> CopiedChoices | None:
    """A value with choices that the source has taken away since: they stay with the events that have them. None
    without any, and for what is no choice here."""
    given = parts(value)[:MOST_OPTIONS] if described.type == CHOICES else [str(value)]
    are_choices = described.type in WITH_OPTIONS and field.type in (described.type, CHOICES)
    if not are_choices or all(part in described.options for part in given):
        return None
    type_, gone = value_type(field), Line(LONGEST_OPTION)
    found = [str(type_.read(part)) if part in described.options else gone.read(part) for part in given]
    return CopiedChoices(SEPARATOR.join(dict.fromkeys(found)))


def report_missing(record: Record, defined: CustomFields, sent: object) -> None:
    """An event comes without a value that events here need: it is taken all the same, and that is told."""
    values = sent if isinstance(sent, Mapping) else {}
    for field in defined:
        if field.required and record.fields.get("status") != DRAFT and values.get(field.key, "") == "":
            _note(record, ImportMessage(MISSING, field=field.label))


def _note(record: Record, message: ImportMessage) -> None:
    if message not in record.notes:
        record.notes.append(message)


def from_meta(meta: Mapping[str, list[str]], known: Collection[str] = ()) -> dict[str, object]:
    """Those of a file of WordPress, which has no labels: the key is the label until somebody changes it. Beside those
    of the Pro plugin, what WordPress itself calls custom fields: values whose keys do not begin with an underscore,
    and that no program has packed. `known`: what is carried otherwise."""
    found: dict[str, object] = {}
    for key, values in meta.items():
        filled = list(dict.fromkeys(value for value in values if value))
        if not filled or key in known:
            continue
        if is_key(key):
            found[key] = {"label": key, "value": SEPARATOR.join(filled)}
        elif key == VIRTUAL_META:
            found[key] = virtual(filled[0])
        elif not key.startswith("_") and len(key) <= LONGEST_LABEL and not any(map(PACKED.match, filled)):
            found[key] = {"label": key, "value": ", ".join(filled)}
    return found


def follows(meta: Mapping[str, list[str]]) -> Callable[[str], bool]:
    """Whether a value says nothing that another one does not: each choice of a field once more, or which field of a
    plugin a value belongs to."""

    def is_one(key: str) -> bool:
        of_choices = key.startswith("_") and is_key(key[1:]) and key[1:] in meta
        return of_choices or (key[1:] in meta and key.startswith("_") and meta[key][0].startswith("field_"))

    return is_one


def virtual(address: str) -> dict[str, object]:
    """Where an event takes place online: the plugin shows that when it likes, so here it is for those who edit."""
    return {"label": VIRTUAL_LABEL, "value": address, "type": URL, "public": False}


def from_site(json: Mapping[str, Any]) -> tuple[dict[str, object], list[str]]:
    """Those of an event of a site, with their labels; and the names of what cannot be read."""
    found, lost = dict[str, object](), list[str]()
    for name in ("custom_fields", "additional_fields"):
        given = json.get(name)
        if not isinstance(given, Mapping):
            lost += [name] if given else []
            continue
        labels = {str(one.get("label")).casefold() for one in found.values() if isinstance(one, Mapping)}
        for key, one in given.items():
            told = one if isinstance(one, Mapping) else {"label": key, "value": one}
            if str(told.get("label") or key).casefold() in labels:
                continue
            if "value" not in told or isinstance(told["value"], Mapping):
                lost.append(f"{name}.{key}")
            else:
                found[str(key)] = {**told}
    address = json.get("virtual_url")
    if isinstance(address, str) and address:
        found["virtual_url"] = virtual(address)
    return found, lost
