"""A digest of the code that a module runs: itself, what it imports of this package, and the libraries of both."""

import hashlib
import re
import sys
import unicodedata
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import kalends

PACKAGE = kalends.__name__
ROOT = Path(kalends.__file__).parent.parent
# By the names of their modules, where those are not the names of the libraries.
DISTRIBUTIONS = {"dateutil": "python-dateutil"}
# Parsing the modules would take a tenth of a second at every start.
IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|.+)|import\s+([\w.]+))", re.MULTILINE)


def digest_of(module: str) -> str:
    """Differs when anything differs that the module's results may depend on besides its arguments."""
    files, libraries = dependencies(module)
    digest = hashlib.blake2b(digest_size=16)
    for name, file in sorted(files.items()):
        digest.update(name.encode() + b"\0" + file.read_bytes())
    versions = [(name, version(DISTRIBUTIONS.get(name, name))) for name in sorted(libraries)]
    digest.update(repr((versions, version("tzdata"), unicodedata.unidata_version)).encode())
    return digest.hexdigest()


def dependencies(module: str) -> tuple[dict[str, Path], set[str]]:
    """The modules of this package that a module imports, directly or not, and itself, with their files; and the names
    of the libraries that they import."""
    files: dict[str, Path] = {}
    libraries: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        top = name.partition(".")[0]
        if top != PACKAGE:
            if top not in sys.stdlib_module_names:
                libraries.add(top)
        elif name not in files and (file := _file_of(name)) is not None:
            files[name] = file
            parent = name.rpartition(".")[0]
            waiting += [parent] if parent else []
            waiting += _imported(file.read_text(encoding="utf-8"))
    return files, libraries


def _imported(source: str) -> Iterator[str]:
    """Names of modules; those imported from one may be modules too."""
    for parent, names, alone in IMPORT.findall(source):
        yield alone or parent
        if parent.startswith(PACKAGE):
            yield from (f"{parent}.{name}" for name in re.findall(r"\w+", names))


def _file_of(name: str) -> Path | None:
    path = ROOT.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)
