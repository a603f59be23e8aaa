"""QR codes of addresses as SVG; error correction level M, and no larger than a telephone reads from a screen."""

from functools import lru_cache

QUIET = 4  # modules of white around the code
LARGEST_VERSION = 10
MASK = 0  # a chessboard; trying all eight for the nicest picture is nine tenths of the work, and readers read any

Modules = list[list[bool]]


class TooLong(ValueError):
    """The text does not fit into the largest version."""


@lru_cache(256)
def svg(text: str) -> bytes:
    modules = encode(text)
    size = len(modules) + 2 * QUIET
    dark = "".join(
        f"M{column + QUIET} {row + QUIET}h1v1h-1z"
        for row, line in enumerate(modules)
        for column, is_dark in enumerate(line)
        if is_dark
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{dark}"/></svg>'
    ).encode()


def encode(text: str) -> Modules:
    """The modules of a code, row by row; True is dark. Raises TooLong."""
    import segno  # when it is first needed: most workers draw no code

    code = segno.make_qr(text, error="M", mode="byte", encoding="utf-8", boost_error=False, mask=MASK)
    if int(code.version) > LARGEST_VERSION:
        raise TooLong(text)
    return [[bool(module) for module in line] for line in code.matrix]
