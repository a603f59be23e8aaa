"""The layers: a package imports only from itself and from the packages before it."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "kalends"

# From the lowest to the highest. `bootstrap` is one module.
LAYERS = (
    "values",
    "settings",
    "contract",
    "store",
    "present",
    "calendar",
    "exporting",
    "importing",
    "pages",
    "bootstrap",
    "server",
    "demo",
    "cli",
)
# Modules that every layer may import.
COMMON = frozenset({"languages", "user_error", "__version__"})
# The store does not depend on the public interface; the demo fills a calendar and renders nothing.
FORBIDDEN = {"store": {"contract"}, "demo": {"present", "pages", "bootstrap", "server"}}
# The current time is a parameter in these.
WITHOUT_CLOCK = ("values", "contract", "store", "calendar", "present", "demo")
CLOCK_CALLS = ("datetime.now(", "time.time(", "datetime.utcnow(", "date.today(")


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_layers(path: Path) -> set[str]:
    """The top-level names of `kalends` that a module imports from."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("kalends."):
            names.add(node.module.split(".")[1])
        elif isinstance(node, ast.ImportFrom) and node.module == "kalends":
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("kalends.")}
    return names


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if layer_of(path) in LAYERS)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_from_its_own_layer_and_lower_ones(path: Path) -> None:
    layer = layer_of(path)
    allowed = set(LAYERS[: LAYERS.index(layer) + 1]) - FORBIDDEN.get(layer, set())
    assert imported_layers(path) <= allowed | COMMON


def test_every_package_is_a_layer() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages <= set(LAYERS)


def test_lower_layers_do_not_read_the_system_clock() -> None:
    reading = {
        str(path.relative_to(SOURCE))
        for path in modules()
        if layer_of(path) in WITHOUT_CLOCK and any(call in path.read_text() for call in CLOCK_CALLS)
    }
    assert reading == set()
