"""Custom fields of other calendars: which field here each of them is; those that are missing are made."""

import itertools
from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec

from kalends.calendar.access import UnitOfWork, may_manage_site, require
from kalends.contract.errors import Problems
from kalends.contract.fields import Reading
from kalends.features.custom_fields.contract import LAST_POSITION
from kalends.features.custom_fields.rules import free_name, store
from kalends.store.rows import journal
from kalends.values import names
from kalends.values.custom_fields import MOST, TEXT, TYPES, WITH_OPTIONS, CustomField, CustomFields, is_key, number_of


class AdoptedField(NamedTuple):
    """A field as another calendar has it."""

    source: str
    key: str
    label: str
    type: str = TEXT
    options: tuple[str, ...] = ()
    public: bool = True
    name: str = ""
    required: bool = False
    position: int = 0
    filter: bool = False
    submit: bool = False

    @property
    def origin(self) -> str:
        return origin_of(self.source, self.key)


def origin_of(source: str, key: str) -> str:
    """What imports know a field by."""
    return f"{source} {key}"


def adopt(work: UnitOfWork, wanted: Sequence[AdoptedField], here: str) -> dict[str, str]:
    """The fields here that those of other calendars are, by their origins. Those that are missing are made, with the
    same key where it was never given. `here`: the id of this calendar."""
    require(may_manage_site(work.caller), work.caller)
    known, found = work.settings.custom_fields, dict[str, str]()
    asked = {number_of(one.key) for one in wanted if is_key(one.key)}
    for one in _in_order(known, wanted):
        field = _equal(known, one, here)
        if field is None and len(known) >= MOST:
            continue
        before = known
        field = _with_origin(field, one, here) if field is not None else _made(known, one, asked)
        found[one.origin], known = field.key, known.with_field(field)
        if known != before:
            action = journal.CREATE if len(known) > len(before) else journal.UPDATE
            store(work, known, field, action, public=field.public)
    return found


def equals(known: CustomFields, wanted: Sequence[AdoptedField], here: str) -> dict[str, str]:
    """As `adopt`, but without those that are missing, and nothing is stored."""
    found = dict[str, str]()
    for one in _in_order(known, wanted):
        if (field := _equal(known, one, here)) is not None:
            known, found[one.origin] = known.with_field(_with_origin(field, one, here)), field.key
    return found


def _in_order(known: CustomFields, wanted: Sequence[AdoptedField]) -> list[AdoptedField]:
    """Those first that are here under their keys and labels: of several with one label each finds its own."""
    here = {(field.key, field.label.casefold()) for field in known}
    return sorted(wanted, key=lambda one: (one.key, one.label.casefold()) not in here)


def _equal(known: CustomFields, wanted: AdoptedField, here: str) -> CustomField | None:
    """The field here that one of another calendar is: known from an earlier import, or defined here and now back,
    perhaps under another label; else of the same label, unless it is another one of that calendar."""
    own = (wanted.key, wanted.name) if wanted.source == here else ("", "")
    earlier = [field for field in known if wanted.origin in field.origins or (field.key, field.name) == own]
    if earlier:
        return earlier[0]
    free = [field for field in known if not any(one.startswith(f"{wanted.source} ") for one in field.origins)]
    same = [field for field in free if field.label.casefold() == wanted.label.casefold()]
    if same:
        return min(same, key=lambda field: (field.key != wanted.key, field.type != wanted.type))
    # A file that has no labels tells the key instead.
    return next((field for field in free if wanted.label == wanted.key in (field.key, field.name)), None)


def _with_origin(field: CustomField, wanted: AdoptedField, here: str) -> CustomField:
    """A field that remembers what it is elsewhere. Its first origin is where it was defined."""
    if wanted.origin in field.origins:
        return field
    own = [] if field.origins or wanted.source == here else [origin_of(here, field.key)]
    first, *others = [*own, *field.origins, wanted.origin]
    return msgspec.structs.replace(field, origins=(first, *others[1 - MOST :]))


def _made(known: CustomFields, wanted: AdoptedField, asked: Collection[int]) -> CustomField:
    """A new field. `asked`: the numbers that others come with."""
    given = {field.number for field in known} | {number_of(key) for key, _ in known.gone}
    number = number_of(wanted.key) if is_key(wanted.key) else 0
    if not number or number in given:
        number = next(one for one in itertools.count(known.last + 1) if one not in asked)
    last = max((field.position for field in known), default=0)
    fits = wanted.type in TYPES and (wanted.options or wanted.type not in WITH_OPTIONS)
    new = CustomField(
        number=number,
        name="",
        label=wanted.label,
        type=wanted.type if fits else TEXT,
        options=wanted.options if wanted.type in WITH_OPTIONS else (),
        public=wanted.public,
        required=wanted.required,
        position=min(max(last + 1, wanted.position), LAST_POSITION),
        filter=wanted.filter,
        submit=wanted.submit,
        origins=(wanted.origin,),
    )
    asked_for, problems = msgspec.structs.replace(new, name=names.slugify(wanted.name)), Problems()
    name = free_name(known, asked_for, Reading({}, problems))
    return msgspec.structs.replace(new, name=free_name(known, new, Reading({}, Problems())) if problems else name)
