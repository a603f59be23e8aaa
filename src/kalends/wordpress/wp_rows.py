"""Rows that the tables of `wp/v2` share: ids, texts as HTML, dates and links."""

from collections.abc import Callable
from html import escape
from operator import attrgetter
from typing import Any

from kalends.contract.json_schema import EMPTY_LIST, FLAG, OBJECT, TEXT, WHOLE, Key, Representation, Schema, ref
from kalends.languages import N_
from kalends.present.json import local_time
from kalends.wordpress.tables import CONSTANT, CONTEXTS, EDIT, EDITED, MAIN, Json, Row, Value, constant

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


def iso(text: str) -> str:
    return text.replace(" ", "T")


def shown_text(rendered: str, raw: str, context: str) -> Json:
    return {"raw": raw, "rendered": rendered} if context == EDIT else {"rendered": rendered}


def rendered(name: str, meaning: str, value: Callable[[Any], str], *contexts: str) -> Row:
    """A text as HTML, which is what was written."""
    found: Value = lambda source: shown_text(text := value(source), text, source.context)  # noqa: E731
    return Row(name, ref("WpRendered"), meaning, found, contexts or CONTEXTS)


def titled(value: Callable[[Any], str]) -> Row:
    """A plain text, which HTML shows with entities."""
    found: Value = lambda source: shown_text(escape(text := value(source), quote=False), text, source.context)  # noqa: E731
    return Row("title", ref("WpRendered"), N_("The title or the name."), found)


def dated(created: str, changed: str, address: Callable[[Any], str]) -> tuple[Row, ...]:
    """`address` never changes, whatever the slug."""

    def utc(name: str) -> Value:
        return lambda source: iso(getattr(source.record, name))

    def local(name: str) -> Value:
        return lambda source: iso(local_time(getattr(source.record, name), source.render_context.timezone))

    return (
        Row("date", DATE, N_("The publication date, in the site's time zone."), local(created)),
        Row("date_gmt", DATE, N_("The publication date in UTC."), utc(created), MAIN),
        rendered("guid", N_("An address that never changes."), address, *MAIN),
        Row("modified", DATE, N_("When the record last changed, in the site's time zone."), local(changed), MAIN),
        Row("modified_gmt", DATE, N_("When the record last changed, in UTC."), utc(changed), MAIN),
    )


def generated(template: Callable[[Any], str], slug: Callable[[Any], str]) -> tuple[Row, Row]:
    return (
        Row("permalink_template", TEXT, CONSTANT, template, EDITED),
        Row("generated_slug", TEXT, CONSTANT, slug, EDITED),
    )


def with_links(value: Value) -> tuple[Row, Row]:
    return (
        Row("_links", OBJECT, N_("The addresses of linked records."), value, always=False),
        Row("_embedded", OBJECT, N_("The linked records, when they were asked for."), None, always=False),
    )


ID = Row("id", WHOLE, N_("The id of the record."), column("id"))
SLUG = Row("slug", TEXT, N_("The name of the record in its address."), column("slug"))
AUTHOR = Row("author", WHOLE, N_("The id of the author."), column("author"))
TEMPLATE = Row("template", TEXT, CONSTANT, constant(""), MAIN)
NO_META = Row("meta", EMPTY_LIST, CONSTANT, constant([]), MAIN)
