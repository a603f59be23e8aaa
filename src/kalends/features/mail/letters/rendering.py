"""A letter as plain text and as quiet HTML, with the owner's name, logo and colour."""

import textwrap
from pathlib import PurePosixPath

from kalends.calendar import letters
from kalends.calendar.letters import Facts
from kalends.features.mail.messages import Letter, one_line
from kalends.languages import tag
from kalends.present import conventions
from kalends.settings import Settings
from kalends.site.letters import Draft, LetterReader
from kalends.site.pages.templates import render
from kalends.store.engine.store import StoreUnavailable
from kalends.store.files.media_files import BadFileName, MediaFiles, MissingFile
from kalends.values import colours

WIDTH = 76
LARGEST_LOGO = 100_000  # bytes; a larger one would make every message heavy
# What mail programs show. WebP and AVIF many do not.
LOGOS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif"}


def write(kind: str, facts: Facts, language: str, settings: Settings, files: MediaFiles | None = None) -> Letter:
    """The letter of a message. `files`: where the logo is."""
    conventions.use(settings.week_start, settings.hour_format)
    draft: Draft = letters.kinds()[kind].write(facts, LetterReader(settings, language))
    logo = _logo(settings, files)
    light, dark = colours.both(settings.accent_color or colours.DEFAULT_ACCENT)
    html = render(
        "features/mail/letters/letter.html",
        language,
        draft=draft,
        site=settings.site_name,
        home=f"{settings.base_url}/",
        has_logo=logo is not None,
        accent=light,
        on_accent=colours.on(light),
        dark_accent=dark,
        on_dark_accent=colours.on(dark),
    )
    return Letter(
        subject=one_line(draft.subject),
        text=_text(draft, settings),
        html=html,
        language=tag(language),
        logo=logo,
        unsubscribe=draft.end.href if draft.end else "",
    )


def _text(draft: Draft, settings: Settings) -> str:
    parts = [_wrapped(paragraph) for paragraph in draft.paragraphs]
    if draft.quote:
        parts.append("\n".join(_wrapped(line, "> ") for line in draft.quote))
    for item in draft.items:
        lines = [_wrapped(item.title, "* ", "  "), *(_wrapped(line, "  ") for line in item.lines)]
        parts.append("\n".join([*lines, *([f"  {item.href}"] if item.href else [])]))
    if draft.button:
        parts.append(f"{draft.button.label}:\n{draft.button.href}")
    parts += [_wrapped(paragraph) for paragraph in draft.more]
    # Mail programs fold away what follows this line.
    foot = ["-- ", settings.site_name]
    if settings.base_url:
        foot.append(f"{settings.base_url}/")
    if draft.reason:
        foot += ["", _wrapped(draft.reason)]
    if draft.end:
        foot += ["", f"{draft.end.label}:", draft.end.href]
    return "\n\n".join([*parts, "\n".join(foot)]) + "\n"


def _wrapped(text: str, first: str = "", further: str | None = None) -> str:
    """Lines that fit, without breaking a long word such as an address."""
    indent = first if further is None else further
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines) or first.rstrip()


def _logo(settings: Settings, files: MediaFiles | None) -> tuple[bytes, str] | None:
    subtype = LOGOS.get(PurePosixPath(settings.logo).suffix.lower())
    if files is None or not settings.logo or subtype is None:
        return None
    try:
        data = files.read(settings.logo)
    except (MissingFile, BadFileName, StoreUnavailable, OSError):
        return None
    return (data, subtype) if len(data) <= LARGEST_LOGO else None
