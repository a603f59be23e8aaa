"""Limits of a request before it is looked at: how large its headers may be."""

from collections.abc import Mapping

from kalends.contract.errors import HEADERS_TOO_LARGE, Refusal

LARGEST_HEADERS = 32 * 1024


def check_headers(environ: Mapping[str, object]) -> None:
    if are_too_large(environ):
        raise Refusal(HEADERS_TOO_LARGE)


def are_too_large(environ: Mapping[str, object]) -> bool:
    """Whether the headers of a request take more room than they may."""
    sizes = [len(name) + len(str(value)) for name, value in environ.items() if name[:5] == "HTTP_"]
    return sum(sizes) > LARGEST_HEADERS
