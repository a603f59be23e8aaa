"""QR codes (ISO/IEC 18004) as SVG: bytes, error correction level M, versions 1 to 10, enough for an address."""

from collections.abc import Callable
from functools import lru_cache
from itertools import groupby

QUIET = 4  # modules of white around the code
# By version: all codewords, those for error correction of each block, blocks, centres of the alignment patterns.
VERSIONS = (
    (26, 10, 1, ()),
    (44, 16, 1, (6, 18)),
    (70, 26, 1, (6, 22)),
    (100, 18, 2, (6, 26)),
    (134, 24, 2, (6, 30)),
    (172, 16, 4, (6, 34)),
    (196, 18, 4, (6, 22, 38)),
    (242, 22, 4, (6, 24, 42)),
    (292, 22, 5, (6, 26, 46)),
    (346, 26, 5, (6, 28, 50)),
)
MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, column: row % 2 == 0,
    lambda row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)
FINDER_LIKE = ("00001011101", "10111010000")

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
    data = text.encode()
    version = _smallest_version(len(data))
    bits = _bits(_codewords(data, version))
    fixed = _fixed_modules(version)
    drawn = (_with_data(fixed, bits, number) for number in range(len(MASKS)))
    return min(drawn, key=_penalty)


def _capacity(version: int) -> int:
    """In bytes, after the mode and the length."""
    total, correction, blocks, _ = VERSIONS[version - 1]
    return total - correction * blocks - (2 if version < 10 else 3)


def _smallest_version(length: int) -> int:
    for version in range(1, len(VERSIONS) + 1):
        if length <= _capacity(version):
            return version
    raise TooLong(length)


def _codewords(data: bytes, version: int) -> list[int]:
    """The data in blocks, interleaved, and then their codewords of error correction."""
    total, correction, count, _ = VERSIONS[version - 1]
    room = total - correction * count
    length = f"{len(data):0{8 if version < 10 else 16}b}"
    written = "0100" + length + "".join(f"{byte:08b}" for byte in data) + "0000"
    words = [int(written[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(written), 8)][:room]
    words += [(0xEC, 0x11)[n % 2] for n in range(room - len(words))]
    blocks, at = [], 0
    for number in range(count):
        size = room // count + (number >= count - room % count)
        blocks.append(words[at : at + size])
        at += size
    corrections = [_remainder(block, correction) for block in blocks]
    longest = len(blocks[-1])
    found = [block[n] for n in range(longest) for block in blocks if n < len(block)]
    return found + [block[n] for n in range(correction) for block in corrections]


def _multiply(one: int, other: int) -> int:
    """In the field of 256 elements."""
    product = 0
    while other:
        if other & 1:
            product ^= one
        one = one << 1 ^ (0x11D if one & 0x80 else 0)
        other >>= 1
    return product


@lru_cache(32)
def _generator(degree: int) -> list[int]:
    found, root = [1], 1
    for _ in range(degree):
        found = [a ^ b for a, b in zip([*found, 0], [0, *(_multiply(c, root) for c in found)], strict=True)]
        root = _multiply(root, 2)
    return found[1:]


def _remainder(block: list[int], degree: int) -> list[int]:
    """The codewords of error correction (Reed-Solomon)."""
    found = [0] * degree
    for word in block:
        factor = word ^ found[0]
        found = [a ^ _multiply(b, factor) for a, b in zip([*found[1:], 0], _generator(degree), strict=True)]
    return found


def _bits(codewords: list[int]) -> list[bool]:
    return [bool(word >> shift & 1) for word in codewords for shift in range(7, -1, -1)]


def _fixed_modules(version: int) -> list[list[bool | None]]:
    """The patterns by which a reader finds the code. None is left for the data."""
    size = 17 + 4 * version
    modules: list[list[bool | None]] = [[None] * size for _ in range(size)]
    for number in range(size):
        modules[6][number] = modules[number][6] = number % 2 == 0
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for row in range(max(0, top - 1), min(size, top + 8)):
            for column in range(max(0, left - 1), min(size, left + 8)):
                distance = max(abs(row - top - 3), abs(column - left - 3))
                modules[row][column] = distance not in (2, 4)
    centres = VERSIONS[version - 1][3]
    for top in centres:
        for left in centres:
            if (top, left) in ((6, 6), (6, size - 7), (size - 7, 6)):
                continue
            for row in range(-2, 3):
                for column in range(-2, 3):
                    modules[top + row][left + column] = max(abs(row), abs(column)) != 1
    for place in _format_places(size):
        for row, column in place:
            modules[row][column] = False
    modules[size - 8][8] = True
    if version >= 7:
        written = _with_check(version, 12, 0x1F25)
        for number in range(18):
            row, column = number // 3, size - 11 + number % 3
            modules[row][column] = modules[column][row] = bool(written >> number & 1)
    return modules


def _format_places(size: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where each bit of the format stands, twice, the lowest first."""
    first = [(row, 8) for row in (0, 1, 2, 3, 4, 5, 7, 8)] + [(8, column) for column in (7, 5, 4, 3, 2, 1, 0)]
    second = [(8, size - 1 - n) for n in range(8)] + [(size - 7 + n, 8) for n in range(7)]
    return list(zip(first, second, strict=True))


def _with_check(value: int, bits: int, generator: int) -> int:
    """A number followed by its check bits (BCH)."""
    rest = value << bits
    while rest.bit_length() > bits:
        rest ^= generator << rest.bit_length() - bits - 1
    return value << bits | rest


def _with_data(fixed: list[list[bool | None]], bits: list[bool], mask: int) -> Modules:
    size, written = len(fixed), iter(bits)
    modules = [[bool(module) for module in line] for line in fixed]
    for right in range(size - 1, 0, -2):
        right -= right <= 6  # the column of the timing pattern is skipped
        upwards = (right + 1) & 2 == 0
        for step in range(size):
            row = size - 1 - step if upwards else step
            for column in (right, right - 1):
                if fixed[row][column] is None:
                    modules[row][column] = next(written, False) ^ MASKS[mask](row, column)
    format_bits = _with_check(mask, 10, 0x537) ^ 0x5412  # level M is 00
    for number, place in enumerate(_format_places(size)):
        for row, column in place:
            modules[row][column] = bool(format_bits >> number & 1)
    return modules


def _penalty(modules: Modules) -> int:
    """How hard it is to read: long runs, shapes like a finder pattern, and too much of one colour."""
    lines = ["".join("01"[module] for module in line) for line in (*modules, *zip(*modules, strict=True))]
    runs = sum(max(0, len(list(run)) - 2) for line in lines for _, run in groupby(line))
    alike = sum(line.count(pattern) for line in lines for pattern in FINDER_LIKE)
    dark = sum(map(sum, modules)) * 100 // len(modules) ** 2
    return runs + 40 * alike + abs(dark - 50) // 5 * 10
