"""Descriptions on pages: headings below the title of the page, and no images of other sites."""

import html
import re
from urllib.parse import urlsplit

from markupsafe import Markup

from kalends.values import markup, site_paths

# Safe HTML has "<" and ">" only where a tag begins and ends.
_TAG = re.compile(r"<(/?)(a|img|h[1-6])\b([^>]*)>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_HEADING = re.compile(r"<h([1-6])>")
HIGHEST, LOWEST = 2, 6
EXCERPT = 200


def for_page(safe_html: str, base_url: str) -> Markup:
    """Adapts safe HTML to a page. An external image becomes a link, so that reading the page tells nobody else."""
    inside_link = False
    # The highest heading is one level below the title of the page.
    shift = HIGHEST - min((int(level) for level in _HEADING.findall(safe_html)), default=HIGHEST)

    def visible(tag: re.Match[str]) -> str:
        nonlocal inside_link
        end, name, attributes = tag.groups()
        if name == "a":
            inside_link = not end
            return tag[0]
        if name != "img":
            return f"<{end}h{min(int(name[1]) + shift, LOWEST)}>"
        found = dict(_ATTRIBUTE.findall(attributes))
        source = html.unescape(found.get("src", ""))
        if is_internal(source, base_url):
            path = html.escape(source.removeprefix(_origin(base_url)))
            size = "".join(f' {side}="{found[side]}"' for side in ("width", "height") if side in found)
            return f'<img src="{path}" alt="{found.get("alt", "")}"{size} loading="lazy">'
        label = found.get("alt") or html.escape(urlsplit(source).netloc)
        return label if inside_link or not source else f'<a href="{found["src"]}">{label}</a>'

    return Markup(_TAG.sub(visible, safe_html))  # noqa: S704 - safe by the rules of `values/markup.py`


def is_internal(address: str, base_url: str) -> bool:
    return site_paths.is_path(address.removeprefix(_origin(base_url)))


def summary(*texts: str, most: int = EXCERPT) -> str:
    """The first non-empty text, on one line and shortened."""
    for text in texts:
        if words := markup.text_of(text):
            return shortened(words, most)
    return ""


def shortened(words: str, most: int) -> str:
    """Words on one line, or the first of them."""
    return words if len(words) <= most else words[:most].rpartition(" ")[0].rstrip(".,;: ") + "…"


def _origin(base_url: str) -> str:
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}"
