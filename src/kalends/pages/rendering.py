"""Templates become HTML here, in the reader's language and always escaped."""

from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

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


@cache
def environment() -> Environment:
    return Environment(
        loader=PackageLoader("kalends.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


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
