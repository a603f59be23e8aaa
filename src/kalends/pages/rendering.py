"""Renders templates to HTML, in the language of the reader, with autoescaping."""

import re
from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from kalends.languages import LANGUAGES, RIGHT_TO_LEFT, tag, translate

# Each language by its own name, for the language menu.
OWN_NAMES = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "it": "Italiano",
    "nl": "Nederlands",
    "pt_BR": "Português (Brasil)",
    "ja": "日本語",
    "ar": "العربية",
}


DATE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9]{2}:[0-9]{2}:[0-9]{2})?)")
CODE = Markup("<code>{}</code>")


def with_dates(sentence: str) -> Markup:
    """Wraps dates in <code>: in right-to-left text date and time would change places."""
    parts = enumerate(DATE.split(sentence))
    return Markup("").join(CODE.format(part) if index % 2 else part for index, part in parts)


@cache
def environment() -> Environment:
    jinja = Environment(
        loader=PackageLoader("kalends.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters["with_dates"] = with_dates
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
