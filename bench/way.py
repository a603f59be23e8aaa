"""How far somebody who reads the sources has to go: `.venv/bin/python bench/way.py [--names]`. No speed is measured.

- *create*, *create linked* and *list*: the modules of `src/kalends` in which a function ran, and how many functions,
  while one request was answered: `POST /events` of a plain event, published, with a token; the same with a new venue,
  a category and a password; `GET /events` of an anonymous reader from a date that nobody has asked for. The
  application of a worker runs in this process, on SQLite, and has answered five such requests before. Only the thread
  of the request counts. Comprehensions and generator expressions belong to the function around them; the methods that
  dataclasses generate are nobody's.
- *organizer*: modules with that word in their code, which is names and strings, without comments and docstrings.
- *ranks*: the longest chain of imports between the parts of a package, which are the modules and folders directly in
  it. Imports inside functions count. Parts that import each other are one; modules do so nowhere.
- *one importer*: modules below 80 lines, without `__init__.py`, that one other module imports; a part that a feature
  declares by its name is imported by the core.
- *names* of modules that occur more than twice outside `features/`.
- *lines* are those of files. `--names` also prints what was counted.
"""

import argparse
import ast
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from kalends.bootstrap import open_calendar
from kalends.settings import load
from kalends_command import CURRENT, ROOT, USER

SOURCE = ROOT / "src" / "kalends"
NS = "/api/calendar/events/v1"
PACKAGES = ("values", "settings", "contract", "store", "present", "calendar", "http", "site", "admin", "cli")
SMALL = 80
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
Graph = dict[Any, set[Any]]


# What runs.


def traced_requests() -> dict[str, set[CodeType]]:
    """The functions of ours that ran for each of the requests; asked in a process of its own."""
    from kalends.worker import application

    app = application()
    found: dict[str, set[CodeType]] = {}
    send(app, "POST", "", {"name": "Music"}, "categories")
    for number in range(6):
        event: dict[str, object] = {"title": f"Evening {number}", "description": "An evening.", "status": "publish"}
        event |= {"start_date": f"2027-03-0{number + 1} 19:00:00", "end_date": f"2027-03-0{number + 1} 21:00:00"}
        found["create"] = traced(lambda body=event: send(app, "POST", "", body))
        event |= {"venue": [{"venue": f"Hall {number}"}], "categories": ["Music"], "post_password": f"word {number}"}
        found["create linked"] = traced(lambda body=event: send(app, "POST", "", body))
    for number in range(6):
        found["list"] = traced(lambda day=number + 1: send(app, "GET", f"start_date=2027-02-0{day}"))
    return found


def send(app: Callable[..., Any], method: str, query: str, body: object = None, records: str = "events") -> None:
    data = json.dumps(body).encode() if body else b""
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": f"{NS}/{records}",
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(data),
        "wsgi.errors": sys.stderr,
    }
    if data:
        environ["HTTP_AUTHORIZATION"] = f"Bearer {os.environ['TOKEN']}"
        environ |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(data))}
    statuses: list[str] = []
    answer = b"".join(app(environ, lambda status, *_: statuses.append(status)))
    if statuses != ["201 Created"] and statuses != ["200 OK"]:
        raise RuntimeError(f"{method} was answered with {statuses}: {answer[:200]!r}")


def traced(request: Callable[[], object]) -> set[CodeType]:
    """The functions of ours that run while a request is answered."""
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    sys.setprofile(note)
    try:
        request()
    finally:
        sys.setprofile(None)
    return {code for code in codes if code.co_filename.startswith(str(SOURCE)) and code.co_name not in COMPREHENSIONS}


def ways() -> dict[str, dict[str, list[str]]]:
    """By request and module, the functions that ran."""
    with tempfile.TemporaryDirectory() as folder:
        open_calendar(load(None, {"data": folder}, {})).store.close()
        CURRENT.run(
            "user",
            "add",
            USER,
            "--role",
            "editor",
            "--password-stdin",
            "--data",
            folder,
            standard_input=uuid.uuid4().hex,
        )
        settings = {"KALENDS_DATA": folder, "TOKEN": CURRENT.token(Path(folder))}
        environment = {**os.environ, **CURRENT.environment, **settings}
        command = (sys.executable, __file__, "--trace")
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    found: dict[str, dict[str, list[str]]] = json.loads(done)
    return found


def print_traced() -> None:
    found: dict[str, dict[str, list[str]]] = {}
    for request, codes in traced_requests().items():
        modules = found.setdefault(request, defaultdict(list))
        for code in sorted(codes, key=lambda code: (code.co_filename, code.co_firstlineno)):
            modules[str(Path(code.co_filename).relative_to(SOURCE))].append(code.co_qualname)
    print(json.dumps(found), flush=True)
    os._exit(0)  # threads of the service are still there


# What is written.


@cache
def modules() -> Mapping[str, Path]:
    """The modules by their names after `kalends.`"""
    found = {path.relative_to(SOURCE).with_suffix("").parts: path for path in sorted(SOURCE.rglob("*.py"))}
    return {".".join(parts[:-1] if parts[-1] == "__init__" else parts): path for parts, path in found.items()}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def imports() -> Mapping[str, set[str]]:
    """The modules that each one imports, at its top or inside its functions."""
    found: dict[str, set[str]] = {}
    for name, path in modules().items():
        targets = found.setdefault(name, set())
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "kalends":
                package = node.module.removeprefix("kalends").removeprefix(".")
                dotted = [".".join(filter(None, (package, alias.name))) for alias in node.names]
                targets |= {name if name in modules() else package for name in dotted}
            elif isinstance(node, ast.Import):
                targets |= {
                    one.name.removeprefix("kalends.") for one in node.names if one.name.startswith("kalends.")
                }
        targets -= {name, ""}
    return found


def ranks(package: str) -> int:
    """The longest chain of parts of a package in which each imports the next."""
    depth = package.count(".") + 1
    graph: Graph = defaultdict(set)
    for module, targets in imports().items():
        if is_inside(module, package):
            part = module.split(".")[depth]
            graph[part] |= {one.split(".")[depth] for one in targets if is_inside(one, package)} - {part}
    order = joined_circles(graph)
    depths: dict[frozenset[str], int] = {}
    for group in TopologicalSorter(order).static_order():
        depths[group] = 1 + max((depths[below] for below in order[group]), default=0)
    return max(depths.values(), default=0)


def is_inside(module: str, package: str) -> bool:
    return module.startswith(f"{package}.")


def joined_circles(graph: Graph) -> Graph:
    """The graph with those that import each other as one."""
    group_of = {part: frozenset({part}) for part in graph}
    while True:
        joined: Graph = {group: set() for group in group_of.values()}
        for part, targets in graph.items():
            joined[group_of[part]] |= {group_of[target] for target in targets} - {group_of[part]}
        try:
            TopologicalSorter(joined).prepare()
        except CycleError as error:
            circle: frozenset[str] = frozenset().union(*error.args[1])
            group_of |= dict.fromkeys(circle, circle)
        else:
            return joined


def naming(word: str) -> list[str]:
    """Modules that have a word in their code."""
    return [
        name for name, path in modules().items() if any(word in text.lower() for text in code_words(tree_of(path)))
    ]


def code_words(tree: ast.Module) -> Iterator[str]:
    """Names and strings of a module, without its docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and ast.get_docstring(node) and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if id(node) in docstrings:
            continue
        for field in ("id", "attr", "name", "asname", "arg", "module", "value", "names"):
            if isinstance(text := getattr(node, field, None), str):
                yield text


def small_with_one_importer() -> list[str]:
    """Modules below 80 lines that exactly one other imports."""
    importers = Counter(target for targets in imports().values() for target in targets)
    named = {
        name
        for name in modules()
        for declaring in [modules().get(".".join(name.split(".")[:2]))]
        if name.startswith("features.")
        and declaring
        and f'"{".".join(name.split(".")[2:])}:' in declaring.read_text()
    }
    return [
        name
        for name, path in modules().items()
        if path.name != "__init__.py" and lines(path) < SMALL and importers[name] == 1 and name not in named
    ]


def repeated_names() -> dict[str, int]:
    found = Counter(path.stem for name, path in modules().items() if not name.startswith("features."))
    return {name: count for name, count in found.most_common() if count > 2 and name != "__init__"}


def lines(path: Path) -> int:
    return path.read_text().count("\n")


def function_lengths() -> list[int]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for path in modules().values() for node in ast.walk(tree_of(path)) if isinstance(node, functions))
    return [(node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes]


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--names", action="store_true", help="print what was counted")
    reading.add_argument("--trace", action="store_true", help=argparse.SUPPRESS)
    arguments = reading.parse_args()
    if arguments.trace:
        print_traced()
    details: dict[str, object] = {}
    for request, found in ways().items():
        details[request] = found
        print(f"{request}: {len(found)} modules, {sum(map(len, found.values()))} functions")
    details["organizer"] = naming("organizer")
    print(f"organizer: {len(naming('organizer'))} modules")
    features = sorted(path.parent.name for path in (SOURCE / "features").glob("*/__init__.py"))
    print("ranks: " + ", ".join(f"{name} {ranks(name)}" for name in PACKAGES))
    print("ranks of features: " + ", ".join(f"{name} {ranks(f'features.{name}')}" for name in features))
    sql = list(SOURCE.rglob("*.sql"))
    print(f"SQL: {len(sql)} files, {sum(map(lines, sql))} lines")
    details["one importer"] = small_with_one_importer()
    print(f"below {SMALL} lines with one importer: {len(small_with_one_importer())} modules")
    print(f"names more than twice outside features: {repeated_names()}")
    of_package = Counter[str]()
    of_feature = Counter[str]()
    for name, path in modules().items():
        package, *rest = [*name.split("."), ""]
        (of_feature if package == "features" else of_package)[rest[0] if package == "features" else package] += lines(
            path
        )
    print(f"lines: core {of_package.total()}, features {of_feature.total()}, modules {len(modules())}")
    print("  " + ", ".join(f"{name} {of_package[name]}" for name in PACKAGES))
    print("  " + ", ".join(f"{name} {of_feature[name]}" for name in features))
    lengths = function_lengths()
    print(
        f"functions: {len(lengths)}, median {statistics.median(lengths):g} lines, mean {statistics.mean(lengths):.1f}"
    )
    if arguments.names:
        print(json.dumps(details, indent=1))


if __name__ == "__main__":
    main()
