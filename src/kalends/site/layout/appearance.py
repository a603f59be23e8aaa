"""The appearance of the site: what its owner chose, as values of the layout and as files of its own.

The address of a file has a hash of its content, as those of the static files have: no page needs inline styles, and
a change shows at once.
"""

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kalends import hooks
from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists import page_views
from kalends.http.service import Service
from kalends.settings import Settings
from kalends.site.layout import assets
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows.records import Term
from kalends.values import colours
from kalends.values.appearance_texts import WrittenLink, links

PATH = "/look"
SITE, CUSTOM, LOGO, ICON = "site.css", "custom.css", "logo", "icon.svg"
ICON_SIZES = (192, 512)
PICTURES = {f"icon-{size}.png": size for size in ICON_SIZES}  # the icon for what takes no drawing

SANS = (
    'Seravek, "Gill Sans Nova", "Source Sans 3", "Open Sans", Ubuntu, Calibri, "Segoe UI", Roboto, "Noto Sans",'
    ' "DejaVu Sans", sans-serif'
)
# What titles and texts are set in; tokens.css has the serif ones, and the interface itself is always in a sans.
TYPEFACES = {"sans": f"--text-font:{SANS};--interface-font:{SANS}", "system": "--text-font:var(--interface-font)"}


@dataclass(frozen=True, slots=True)
class Appearance:
    """What the layout shows of the owner's choices. Addresses are below the root of the site."""

    sheets: tuple[str, ...] = ()
    logo: str = ""
    tagline: str = ""
    header_links: Sequence[WrittenLink] = ()
    legal_links: Sequence[WrittenLink] = ()
    footer: Sequence[str] = ()  # its paragraphs
    accent: str = ""  # for the browser's own bars
    icon: str = ""  # our drawing in that colour; empty in the usual one
    pictures: Sequence[str] = ()  # the same as pictures, by size
    map_tiles: str = ""
    map_attribution: str = ""
    accepts_submissions: bool = False  # whether anybody can send an event
    # What features offer to readers of a list or an event, each on a page of its own: paths and labels.
    list_links: Sequence[tuple[str, str]] = ()
    event_links: Sequence[tuple[str, str]] = ()


@lru_cache(maxsize=16)
def appearance_of(settings: Settings, category_colours: tuple[str, ...]) -> Appearance:
    """`category_colours`: those that somebody chose."""
    sheets = [f"{PATH}/{_version(site_sheet(settings, category_colours))}/{SITE}"]
    if settings.custom_css:
        sheets.append(f"{PATH}/{_version(settings.custom_css.encode())}/{CUSTOM}")
    return Appearance(
        sheets=tuple(sheets),
        logo=logo_address(settings),
        tagline=settings.site_description,
        header_links=links(settings.header_links),
        legal_links=links(settings.legal_links),
        footer=[part for part in settings.footer_text.splitlines() if part.strip()],
        accent=settings.accent_color,
        icon=f"{PATH}/{_version(drawn_icon(settings.accent_color))}/{ICON}" if settings.accent_color else "",
        pictures=[
            f"{PATH}/{_version(coloured_icon(size, settings.accent_color))}/icon-{size}.png"
            for size in ICON_SIZES
            if settings.accent_color
        ],
        map_tiles=settings.map_tiles,
        map_attribution=settings.map_attribution,
        accepts_submissions=settings.submissions,
        list_links=[link for links_of in hooks.page_links for link in links_of("list", settings)],
        event_links=[link for links_of in hooks.page_links for link in links_of("event", settings)],
    )


@lru_cache(maxsize=16)
def site_sheet(settings: Settings, category_colours: tuple[str, ...]) -> bytes:
    """Colours and typeface, and a class for the colour of each category."""
    rules = []
    if settings.accent_color:
        accent, on_accent = accent_colours(settings.accent_color)
        rules += [f"--accent:{accent}", f"--on-accent:{on_accent}"]
    if typeface := TYPEFACES.get(settings.typeface):
        rules.append(typeface)
    # Twice the root, since the languages' own typefaces are set with as much weight as a class.
    root = f":root:root{{{';'.join(rules)}}}" if rules else ""
    marks = (
        f".{mark_class(colour)}{{--mark:{_light_dark(*colours.both(colour, colours.MARK_CONTRAST))}}}"
        for colour in dict.fromkeys((*colours.PALETTE, *category_colours))
    )
    return "\n".join(filter(None, (root, *marks))).encode()


def accent_colours(chosen: str) -> tuple[str, str]:
    """The owner's colour where text can be read in it, and the colour of text on it, in light and dark."""
    light, dark = colours.both(chosen)
    return _light_dark(light, dark), _light_dark(colours.on(light), colours.on(dark))


@lru_cache(maxsize=16)
def drawn_icon(accent: str) -> bytes:
    """Our icon with the owner's colour behind its letter."""
    drawn = assets.read(ICON).replace(colours.DEFAULT_ACCENT, accent)
    return drawn.replace(colours.LIGHT_PAPER[0], colours.on(accent)).encode()


@lru_cache(maxsize=16)
def coloured_icon(size: int, accent: str) -> bytes:
    """Our picture with the owner's colour: its palette goes from what is behind the letter to the letter."""
    data = assets.assets()[f"icon-{size}.png"].data
    at = data.index(b"PLTE")
    length = int.from_bytes(data[at - 4 : at], "big")
    palette = data[at + 4 : at + 4 + length]
    behind, letter = (bytes.fromhex(colour[1:]) for colour in (accent, colours.on(accent)))
    green = [bytes.fromhex(colour[1:])[1] for colour in (colours.DEFAULT_ACCENT, colours.LIGHT_PAPER[0])]
    painted = bytearray()
    for place in range(0, length, 3):
        share = min(1.0, max(0.0, (palette[place + 1] - green[0]) / (green[1] - green[0])))
        painted += bytes(round(one + share * (other - one)) for one, other in zip(behind, letter, strict=True))
    chunk = b"PLTE" + bytes(painted)
    return data[:at] + chunk + zlib.crc32(chunk).to_bytes(4, "big") + data[at + 8 + length :]


def written(settings: Settings, category_colours: tuple[str, ...], file: str) -> tuple[bytes, str] | None:
    """The present content of a sheet or of the icon, and its version."""
    if file == SITE:
        data = site_sheet(settings, category_colours)
    elif file == CUSTOM and settings.custom_css:
        data = settings.custom_css.encode()
    elif file == ICON and settings.accent_color:
        data = drawn_icon(settings.accent_color)
    elif file in PICTURES and settings.accent_color:
        data = coloured_icon(PICTURES[file], settings.accent_color)
    else:
        return None
    return data, _version(data)


def logo_address(settings: Settings) -> str:
    """Empty without a logo."""
    return f"{PATH}/{_version(settings.logo.encode())}/{LOGO}" if settings.logo else ""


def mark_class(colour: str) -> str:
    """The class of an element that shows a colour."""
    return f"c-{colour[1:]}"


def category_class(id: int, colour: str) -> str:
    """The class of what belongs to a category; empty for none."""
    return mark_class(colour or colours.of_number(id)) if id else ""


def event_class(categories: Sequence[Term]) -> str:
    """An event has the colour of the oldest of its categories."""
    first = min(categories, key=lambda term: term.id, default=None)
    return category_class(first.id, first.color) if first is not None else ""


def _light_dark(light: str, dark: str) -> str:
    return light if light == dark else f"light-dark({light},{dark})"


def _version(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def current_appearance(service: Service) -> Appearance:
    """What the owner of the site chose for its pages."""
    return appearance_of(service.settings, service.calendar.read(ANONYMOUS, page_views.colours))


def appearance_of_errors(service: Service) -> Appearance:
    """The same; the page that tells of an outage does without the colours of categories. Others must not, since they
    are cached."""
    try:
        return current_appearance(service)
    except StoreUnavailable:
        return appearance_of(service.settings, ())
