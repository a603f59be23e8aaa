"""`?rest_route=/tribe/events/v1/…`: the interface for clients that cannot rely on pretty addresses."""

from urllib.parse import unquote_to_bytes

from kalends.contract.operations.model import COMPAT_ROOT
from kalends.http.request_context import Environ

PARAMETER = "rest_route"
SCRIPT = "/index.php"
PATHS = frozenset({"", "/", SCRIPT, f"{SCRIPT}/"})
NOWHERE = f"{COMPAT_ROOT}/-/"  # a route must begin with a slash


def rewrite(environ: Environ) -> None:
    """Gives such a request the address of its route."""
    path = environ["PATH_INFO"]
    if path in PATHS and PARAMETER in environ.get("QUERY_STRING", ""):
        _take_route(environ)
    elif path.startswith(f"{SCRIPT}{COMPAT_ROOT}"):
        environ["PATH_INFO"] = path.removeprefix(SCRIPT)


def _take_route(environ: Environ) -> None:
    """Takes the parameter out of the query; the last one counts, and an empty one is no route."""
    route, others = b"", []
    for part in environ["QUERY_STRING"].split("&"):
        name, _, value = part.partition("=")
        if name == PARAMETER:
            route = unquote_to_bytes(value.replace("+", " "))
        else:
            others.append(part)
    if not route:
        return
    environ["QUERY_STRING"] = "&".join(others)
    # WSGI has the bytes of a path as Latin-1.
    below = route.decode("latin-1")
    environ["PATH_INFO"] = COMPAT_ROOT + below if below.startswith("/") else NOWHERE + below
