"""The layers: a package imports only from itself and from the packages before it, and so do its parts among one
another; no modules import each other in a circle."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "kalends"

# From the lowest to the highest. `bootstrap` and `application` are one module each.
LAYERS = (
    "values",
    "settings",
    "contract",
    "store",
    "present",
    "calendar",
    "bootstrap",
    "http",
    "site",
    "admin",
    "cli",
    "features",
    "application",
    "worker",
)
# Modules that every layer may import.
COMMON = frozenset({"feature", "hooks", "languages", "user_error", "__version__"})
# Inside packages: each part, a module or a folder, imports only from those in the lines before its own. Those in one
# line stand beside one another.
INNER_ORDERS = {
    "store": ("migrations", "engine", "files", "rows", "search", "query", "copies"),
    "calendar": (
        "access admission signing sealing deadline throttling fetching revisions",
        "joint_transaction letters security storing",
        "site_settings transactions",
        "background",
        "accounts images",
        "posts service",
        "series lists",
        "single_records editing",
    ),
    "http": (
        "parent_process request_context",
        "messages",
        "service",
        "middleware",
        "cache",
        "metrics",
        "health described",
        "router",
        "api",
        "app",
    ),
}
# Modules that still import against that order, and from where. Nothing is added here.
TO_BE_ORDERED: dict[str, set[str]] = {}
# Circles that are still there: a module, and what it should not import.
IN_CIRCLES: dict[str, set[str]] = {}
# What opens a transaction: handlers and pages call operations of `calendar/` instead.
TRANSACTIONS = re.compile(r"\.(?:reading|writing|reading_latest)\(|store\.(?:read|write)\(")
WITHOUT_TRANSACTIONS = ("http", "site", "admin")
# The current time is a parameter in these.
WITHOUT_CLOCK = ("values", "contract", "store", "calendar", "present", "demo")
CLOCK_CALLS = ("datetime.now(", "time.time(", "datetime.utcnow(", "date.today(")


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def is_for_types_of_hooks(node: ast.If, path: Path) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" and path == SOURCE / "hooks.py"


@cache
def import_statements(path: Path) -> list[tuple[str, tuple[str, ...]]]:
    """What a module imports, at its top or inside its functions: from which module, and which names; parsed once.
    What the type checker alone imports for the signatures of hooks does not count: they name types of every layer."""
    found = []
    tree = ast.parse(path.read_text())
    tree.body = [node for node in tree.body if not (isinstance(node, ast.If) and is_for_types_of_hooks(node, path))]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.append((node.module, tuple(alias.name for alias in node.names)))
        elif isinstance(node, ast.Import):
            found += [(alias.name, ()) for alias in node.names]
    return found


def imported_layers(path: Path) -> set[str]:
    """The top-level names of `kalends` that a module imports from."""
    layers = set[str]()
    for module, names in import_statements(path):
        if module == "kalends":
            layers.update(names)
        elif module.startswith("kalends."):
            layers.add(module.split(".")[1])
    return layers


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if layer_of(path) in LAYERS)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_from_its_own_layer_and_lower_ones(path: Path) -> None:
    layer = layer_of(path)
    allowed = set(LAYERS[: LAYERS.index(layer) + 1])
    assert imported_layers(path) <= allowed | COMMON


def test_every_package_is_a_layer() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages <= {*LAYERS, *COMMON}


def test_lower_layers_do_not_read_the_system_clock() -> None:
    reading = {
        str(path.relative_to(SOURCE))
        for path in modules()
        if layer_of(path) in WITHOUT_CLOCK and any(call in path.read_text() for call in CLOCK_CALLS)
    }
    assert reading == set()


@cache
def imports(path: Path) -> frozenset[Path]:
    """The modules that a module imports."""
    found = set()
    for module, names in import_statements(path):
        if module.split(".")[0] == "kalends":
            found |= {_file(f"{module}.{name}") or _file(module) for name in names} or {_file(module)}
    return frozenset(found - {None, path})  # type: ignore[arg-type]


@cache
def _file(dotted: str) -> Path | None:
    """The file of a module of ours, by its name."""
    place = SOURCE.parent.joinpath(*dotted.split("."))
    files = (place.with_suffix(".py"), place / "__init__.py")
    return next((file for file in files if file.is_relative_to(SOURCE) and file.exists()), None)


def name(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def part_of(path: Path) -> str:
    """The part of its package that a module belongs to."""
    return path.relative_to(SOURCE).parts[1].removesuffix(".py")


def against_the_order(path: Path, order: tuple[str, ...]) -> Iterator[str]:
    """The parts that a module must not import from, and does."""
    line_of = {part: number for number, line in enumerate(order) for part in line.split()}
    own = part_of(path)
    for target in imports(path):
        is_beside = layer_of(target) == layer_of(path) and part_of(target) not in (own, "__init__")
        if is_beside and line_of[part_of(target)] >= line_of[own]:
            yield part_of(target)


@pytest.mark.parametrize("package", INNER_ORDERS)
def test_a_part_of_a_package_imports_only_from_those_before_it(package: str) -> None:
    order = INNER_ORDERS[package]
    files = [path for path in (SOURCE / package).rglob("*.py") if part_of(path) != "__init__"]
    assert {part_of(path) for path in files} <= {part for line in order for part in line.split()}, "give it a place"
    found = {name(path): set(against_the_order(path, order)) for path in files}
    known = {module: parts for module, parts in TO_BE_ORDERED.items() if module.startswith(f"{package}/")}
    assert {module: parts for module, parts in found.items() if parts} == known


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {name(path): {name(target) for target in imports(path)} for path in SOURCE.rglob("*.py")}
    for module, targets in IN_CIRCLES.items():
        graph[module] -= targets
    order = TopologicalSorter(graph)
    try:
        order.prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_handlers_and_pages_open_no_transactions() -> None:
    opening = {
        str(path.relative_to(SOURCE))
        for path in modules()
        if layer_of(path) in WITHOUT_TRANSACTIONS and TRANSACTIONS.search(path.read_text())
    }
    assert opening == set()
