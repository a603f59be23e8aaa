"""The static files of the pages. Their address contains a hash of their content, so they can be cached forever."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

TYPES = {
    "css": "text/css; charset=UTF-8",
    "js": "text/javascript; charset=UTF-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}
# Style sheets that every page of their kind needs, each served as one file: its parts by name.
JOINED = {
    "base.css": ("base.css", "accessible.css"),
    "admin.css": (
        *("admin.css", "accessible.css", "admin_parts.css", "admin_forms.css"),
        *("admin_lists.css", "admin_filters.css"),
    ),
}


@dataclass(frozen=True, slots=True)
class Asset:
    content_type: str
    data: bytes


@cache
def assets() -> dict[str, Asset]:
    """Every static file by name; no other is served."""
    folder = files("kalends") / "pages" / "static"
    found = {file.name: file.read_bytes() for file in folder.iterdir() if file.name.rpartition(".")[2] in TYPES}
    found |= {name: b"\n".join(found[part] for part in parts) for name, parts in JOINED.items()}
    return {name: Asset(TYPES[name.rpartition(".")[2]], found[name]) for name in sorted(found)}


@cache
def version() -> str:
    """A hash of all files: modules that import each other always come from the same version."""
    digest = hashlib.blake2b(digest_size=8)
    for name, asset in assets().items():
        digest.update(f"{name}\0{len(asset.data)}\0".encode() + asset.data)
    return digest.hexdigest()
