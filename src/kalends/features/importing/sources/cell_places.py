"""What spreadsheets call columns and cells: C, AA, C7."""

import re

_PLACE = re.compile(r"([A-Z]{1,4})([1-9][0-9]{0,8})")


def letters(place: int) -> str:
    """A column by its place in a row: A, Z, AA."""
    found, number = "", place + 1
    while number > 0:
        number, rest = divmod(number - 1, 26)
        found = chr(65 + rest) + found
    return found


def number_of(written: str) -> int:
    """The number of a column by its letters; that of A is 1."""
    found = 0
    for letter in written.upper():
        found = found * 26 + ord(letter) - 64
    return found


def place_of(row: int, place: int) -> str:
    return f"{letters(place)}{row}"


def row_and_place(written: str) -> tuple[int, int] | None:
    """The row and the place in it of a cell; None for what is no name of one."""
    found = _PLACE.fullmatch(written)
    return (int(found[2]), number_of(found[1]) - 1) if found is not None else None
