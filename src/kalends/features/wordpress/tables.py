"""What the tables of `wp/v2` and `tec/v1` are made of.

Nothing here has a rule of its own. A key of a response is one row: its schema, the contexts that show it, and how its
value is found. A field of a request names the core's field, whose type reads the value; a handler gives the result to
the operation of the calendar that the core uses too. Errors of the core become those of WordPress by a table
(`errors.py`). What `addresses.py` lists is described by the index of `/wp-json/`, by `/wp-json/{namespace}`, by
OPTIONS and by the OpenAPI document `/doc?of=compat`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from operator import attrgetter
from typing import Any, TypeVar

from kalends.contract.fields import ABSENT, Field, Reading, Values
from kalends.contract.json_schema import EMPTY_LIST, FLAG, OBJECT, TEXT, WHOLE, Key, Representation, Schema, ref
from kalends.contract.kinds import Kind
from kalends.contract.operations.model import COMPAT_ROOT, Address
from kalends.features.wordpress.site_data import WP_NAMESPACE
from kalends.languages import N_
from kalends.present.addresses import RenderContext
from kalends.present.json import local_time

Json = dict[str, Any]
T = TypeVar("T")

VIEW, EDIT, EMBED = "view", "edit", "embed"
CONTEXTS = (VIEW, EMBED, EDIT)
MAIN, EDITED = (VIEW, EDIT), (EDIT,)

MEANING = N_("In the form of WordPress.")
CONSTANT = N_("For clients of WordPress only; it has no meaning here.")
PROPERTY = N_("A property of this part of the site.")
SETTING = N_("A setting of the site.")


@dataclass(frozen=True, slots=True, eq=False)
class Namespace:
    """Addresses below `/wp-json/{name}`, with the schemas of their responses. The first is its index."""

    name: str
    addresses: Sequence[Address]
    representations: Sequence[Representation] = ()


@dataclass(slots=True)
class ResponseSource:
    """What the values of a response come from: a record, and what is known around it."""

    record: Any
    render_context: RenderContext
    context: str = VIEW
    editable: bool = False  # the caller may change it
    companion: Any = None  # what it is shown with: the bundle of a post, the number of events of a term
    now: Any = None  # where the response changes with time
    is_alone: bool = False  # not within a list

    @property
    def site(self) -> str:
        return self.render_context.addresses.base_url

    def page(self, kind: Kind) -> str:
        """The public page of the record."""
        return self.render_context.addresses.page(kind, self.record.slug)

    def address(self, *path: object) -> str:
        """An address of `wp/v2`."""
        return "/".join((f"{self.site}{COMPAT_ROOT}/{WP_NAMESPACE}", *map(str, path)))


Value = Callable[[Any], object]  # of a source; ABSENT where the record has no such key


@dataclass(frozen=True, slots=True)
class ResponseKey:
    """A key of a response. Without a value it is added elsewhere."""

    name: str
    schema: Schema
    meaning: str
    value: Value | None
    contexts: Sequence[str] = CONTEXTS
    always: bool = True


class ResponseTable:
    """The keys of one kind of response: its JSON, and its schema."""

    def __init__(self, name: str, *rows: ResponseKey, meaning: str = MEANING) -> None:
        self.name = name
        self.meaning = meaning
        self.rows = rows
        self._values = {
            context: [(row.name, row.value) for row in rows if row.value is not None and context in row.contexts]
            for context in CONTEXTS
        }

    def json(self, source: ResponseSource) -> Json:
        found = ((name, value(source)) for name, value in self._values[source.context])
        return {name: value for name, value in found if value is not ABSENT}

    @property
    def representation(self) -> Representation:
        """The schema of all contexts together: only what is in each of them is always there."""
        keys = [
            Key(row.name, row.schema, row.meaning, row.always and set(row.contexts) == set(CONTEXTS))
            for row in self.rows
        ]
        return Representation(self.name, self.meaning, keys)


def constant(value: T) -> Callable[[Any], T]:
    return lambda source: value


@dataclass(frozen=True, slots=True)
class MappedField:
    """A field of a client of WordPress, and the name of the core's field that it sets."""

    field: Field
    core: str


def core_reading(mapped: Sequence[MappedField], reading: Reading) -> Reading:
    """What was read, under the core's names. A value of several fields (`meta`) has their names already."""
    values: Values = {}
    by_name = {one.field.name: one.core for one in mapped}
    for name, value in reading.values.items():
        core = by_name.get(name, name)  # a custom field has the same name everywhere
        if core:
            values[core] = value
        elif isinstance(value, Mapping):
            values |= value
    return Reading(values, reading.problems)


# Rows that several tables share

DATE: Schema = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$"}
RENDERED = Representation(
    "WpRendered",
    N_("The text as HTML."),
    (
        Key("rendered", TEXT, N_("The text as HTML.")),
        Key("raw", TEXT, N_("The text as it was written; only with context=edit."), False),
        Key("protected", FLAG, N_("Whether a password protects the text."), False),
        Key("block_version", WHOLE, CONSTANT, False),
    ),
)


def column(name: str) -> Value:
    return attrgetter(f"record.{name}")


def fixed(contexts: Sequence[str] = CONTEXTS, /, **values: object) -> list[ResponseKey]:
    """Keys that always have the same value, and no meaning here."""
    schemas: dict[type, Schema] = {bool: FLAG, int: WHOLE, str: TEXT, list: EMPTY_LIST, type(None): {"type": "null"}}
    return [
        ResponseKey(name, schemas[type(value)], CONSTANT, constant(value), contexts) for name, value in values.items()
    ]


def iso(text: str) -> str:
    return text.replace(" ", "T")


def text_json(rendered: str, raw: str, context: str) -> Json:
    return {"raw": raw, "rendered": rendered} if context == EDIT else {"rendered": rendered}


def rendered(name: str, meaning: str, value: Callable[[Any], str], *contexts: str) -> ResponseKey:
    """A text as HTML, which is what was written."""
    found: Value = lambda source: text_json(text := value(source), text, source.context)  # noqa: E731
    return ResponseKey(name, ref("WpRendered"), meaning, found, contexts or CONTEXTS)


def titled(value: Callable[[Any], str]) -> ResponseKey:
    """A plain text, which HTML shows with entities."""
    found: Value = lambda source: text_json(escape(text := value(source), quote=False), text, source.context)  # noqa: E731
    return ResponseKey("title", ref("WpRendered"), N_("The title or the name."), found)


def dated(created: str, changed: str, address: Callable[[Any], str]) -> tuple[ResponseKey, ...]:
    """`address` never changes, whatever the slug."""

    def utc(name: str) -> Value:
        return lambda source: iso(getattr(source.record, name))

    def local(name: str) -> Value:
        return lambda source: iso(local_time(getattr(source.record, name), source.render_context.timezone))

    return (
        ResponseKey("date", DATE, N_("The publication date, in the site's time zone."), local(created)),
        ResponseKey("date_gmt", DATE, N_("The publication date in UTC."), utc(created), MAIN),
        rendered("guid", N_("An address that never changes."), address, *MAIN),
        ResponseKey(
            "modified", DATE, N_("When the record last changed, in the site's time zone."), local(changed), MAIN
        ),
        ResponseKey("modified_gmt", DATE, N_("When the record last changed, in UTC."), utc(changed), MAIN),
    )


def generated(template: Callable[[Any], str], slug: Callable[[Any], str]) -> tuple[ResponseKey, ResponseKey]:
    return (
        ResponseKey("permalink_template", TEXT, CONSTANT, template, EDITED),
        ResponseKey("generated_slug", TEXT, CONSTANT, slug, EDITED),
    )


def with_links(value: Value) -> tuple[ResponseKey, ResponseKey]:
    return (
        ResponseKey("_links", OBJECT, N_("The addresses of linked records."), value, always=False),
        ResponseKey("_embedded", OBJECT, N_("The linked records, when they were asked for."), None, always=False),
    )


ID = ResponseKey("id", WHOLE, N_("The id of the record."), column("id"))
PAGE = N_("The public page of the record.")
SLUG = ResponseKey("slug", TEXT, N_("The name of the record in its address."), column("slug"))
AUTHOR = ResponseKey("author", WHOLE, N_("The id of the author."), column("author"))
[TEMPLATE] = fixed(MAIN, template="")
[NO_META] = fixed(MAIN, meta=[])
