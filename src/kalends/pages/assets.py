"""The style sheets and scripts of the pages. Their address changes with their content, so caches may keep them."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

TYPES = {"css": "text/css; charset=UTF-8", "js": "text/javascript; charset=UTF-8", "svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, as it is sent."""

    content_type: str
    data: bytes


@cache
def assets() -> dict[str, Asset]:
    """Every file by its name; what is not here is not served."""
    folder = files("kalends") / "pages" / "static"
    found = sorted((file for file in folder.iterdir() if file.name.rpartition(".")[2] in TYPES), key=lambda f: f.name)
    return {file.name: Asset(TYPES[file.name.rpartition(".")[2]], file.read_bytes()) for file in found}


@cache
def version() -> str:
    """One name for the content of all files: scripts that import each other always come from the same version."""
    digest = hashlib.blake2b(digest_size=8)
    for name, asset in assets().items():
        digest.update(f"{name}\0{len(asset.data)}\0".encode() + asset.data)
    return digest.hexdigest()
