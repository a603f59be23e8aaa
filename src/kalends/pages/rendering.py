"""Templates become HTML here, in the reader's language and always escaped."""

import re
from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from kalends.languages import LANGUAGES, RIGHT_TO_LEFT, tag, translate

# Each language by the name that its readers look for.
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
    """A sentence whose dates keep their order from right to left too, where day and hour would change places."""
    parts = enumerate(DATE.split(sentence))
    return Markup("").join(CODE.format(part) if place % 2 else part for place, part in parts)


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("kalends.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["with_dates"] = with_dates
    return made


def render(template: str, language: str, **values: Any) -> str:
    """A page in a language. Templates say `_("…")` where a sentence is to be translated."""
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
