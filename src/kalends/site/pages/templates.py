"""Renders templates to HTML, in the language of the reader, with autoescaping."""

import re
from collections.abc import Iterable
from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from kalends.languages import LANGUAGES, OWN_NAMES, RIGHT_TO_LEFT, tag, translate
from kalends.site.events import event_html

DATE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9]{2}:[0-9]{2}:[0-9]{2})?)")
CODE = Markup("<code>{}</code>")


def with_dates(sentence: str) -> Markup:
    """Wraps dates in <code>: in right-to-left text date and time would change places."""
    parts = enumerate(DATE.split(sentence))
    return Markup("").join(CODE.format(part) if index % 2 else part for index, part in parts)


def options(choices: Iterable[tuple[object, str]], chosen: object = "") -> Markup:
    """The options of a <select> from pairs of value and label. A loop in a template takes several times as long, and
    a form of a large calendar has a thousand of them."""
    parts = []
    for value, label in choices:
        selected = " selected" if str(value) == str(chosen) else ""
        parts.append(f'<option value="{escape(value)}"{selected}>{escape(label)}</option>')
    return Markup("\n".join(parts))  # noqa: S704 - values and labels are escaped


@cache
def environment() -> Environment:
    jinja = Environment(
        loader=PackageLoader("kalends", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters["with_dates"] = with_dates
    jinja.globals["options"] = options
    jinja.globals.update(event_html.FUNCTIONS)
    return jinja


def render(template: str, language: str, **values: Any) -> str:
    """Templates call `_("…")` to translate a sentence."""
    return (
        environment()
        .get_template(template)
        .render(
            _=partial(translate, language=language),
            lang=tag(language),
            dir="rtl" if language in RIGHT_TO_LEFT else "ltr",
            languages=[(tag(other), OWN_NAMES[other]) for other in LANGUAGES],
            **values,
        )
    )
