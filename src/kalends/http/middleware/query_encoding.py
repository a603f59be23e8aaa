"""Query strings with raw UTF-8, which many clients send: escaped here, so that everything behind reads one form."""

from urllib.parse import quote

from kalends.http.request_context import Environ

QUERY = "QUERY_STRING"
ASCII = "".join(map(chr, range(0x21, 0x7F)))


def escape_query(environ: Environ) -> None:
    query = environ.get(QUERY, "")
    if not query.isascii():
        environ[QUERY] = escaped(query)


def escaped(query: str) -> str:
    """A query string with every character outside ASCII as the percent-encoded bytes of its UTF-8."""
    try:
        # WSGI hands bytes over as Latin-1.
        sent = query.encode("latin-1")
    except UnicodeEncodeError:  # a server that decoded them already
        sent = query.encode("utf-8", "replace")
    return quote(sent, safe=ASCII)
