"""Limits that are checked before a request is handled: size of the headers, length of the path, the host."""

from kalends.contract.errors import BAD_HOST, MARKS_IN_ADDRESS, NO_ROUTE, NOT_FOUND, ApiError
from kalends.contract.kinds import Kind
from kalends.http.messages.parameters import unquoted
from kalends.http.request_context import Environ
from kalends.values import marks

LARGEST_HEADERS = 32 * 1024
LONGEST_PATH = 2000  # characters; no slug and no file has so many
HEALTH = ("/healthz", "/readyz")


def check_address(path: str, query: str) -> None:
    """Refuses runs of combining marks, which are slow to normalize, before anything else reads the address."""
    if path.isascii() and query.isascii() and "%" not in query:
        return
    written = path + unquoted(query)
    # A server hands over raw UTF-8 in a query as one character for each byte.
    if marks.has_long_run(written) or marks.has_long_run(_as_utf8(query)):
        raise ApiError(MARKS_IN_ADDRESS, maximum=marks.LONGEST_RUN)


def check_path_length(path: str, resource: object) -> None:
    """Refuses a path that is longer than any slug, with the error of the kind that its route is about. The router
    alone has read it: it splits and compares."""
    if len(path) > LONGEST_PATH:
        kind = getattr(resource, "kind", None)
        raise ApiError(NOT_FOUND[kind.name] if isinstance(kind, Kind) else NO_ROUTE)


def check_host(environ: Environ) -> None:
    """Requires one Host header: several arrive joined by commas, and it is unknown which of them a proxy used. Health
    checks may leave it out."""
    host: str = environ.get("HTTP_HOST", "")
    if (not host or host.isspace() or "," in host) and environ.get("PATH_INFO") not in HEALTH:
        raise ApiError(BAD_HOST)


def _as_utf8(query: str) -> str:
    return "" if query.isascii() else query.encode("latin-1", "replace").decode("utf-8", "replace")


def are_too_large(environ: Environ) -> bool:
    """Whether the headers of a request are larger than allowed."""
    names = [name for name in environ if name[:5] == "HTTP_"]
    return sum(map(len, names)) + sum(map(len, map(environ.__getitem__, names))) > LARGEST_HEADERS
