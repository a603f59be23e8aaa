"""The house plan holds: a room imports only from rooms below it."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "kalends"

# From the ground up. A room may import itself and every room before it.
ROOMS = ("values", "contract", "store", "present", "calendar", "pages", "bootstrap", "server", "demo", "cli")
# Modules beside the rooms that any of them may use.
COMMON = frozenset({"settings", "languages"})
# The store knows nothing of the interface's promises.
# The demo fills a calendar and shows nothing of it.
FORBIDDEN = {"store": {"contract"}, "demo": {"present", "pages", "bootstrap", "server"}}


def imports(path: Path) -> set[str]:
    """The rooms that a module imports from."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("kalends."):
            found.add(node.module.split(".")[1])
        elif isinstance(node, ast.ImportFrom) and node.module == "kalends":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("kalends.")}
    return found


def modules() -> list[Path]:
    packages = (path for room in ROOMS for path in (SOURCE / room).rglob("*.py"))
    return sorted([SOURCE / "bootstrap.py", *packages])


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_from_rooms_below_its_own(path: Path) -> None:
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    below = set(ROOMS[: ROOMS.index(room) + 1]) - FORBIDDEN.get(room, set())
    assert imports(path) <= below | COMMON | {"__version__"}


def test_every_room_is_in_the_plan() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages <= set(ROOMS)


def test_no_file_asks_the_machine_for_the_time_below_the_server() -> None:
    context_of = {"datetime.now(", "time.time(", "datetime.utcnow(", "date.today("}
    found = {
        str(path.relative_to(SOURCE))
        for path in modules()
        if path.relative_to(SOURCE).parts[0] in ("values", "contract", "store", "calendar", "present", "demo")
        and any(call in path.read_text() for call in context_of)
    }
    assert found == set()
