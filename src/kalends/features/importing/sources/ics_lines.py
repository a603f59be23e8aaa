"""Reads an iCalendar file line by line, so that its size does not matter: components, properties and their values."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, NamedTuple

from kalends.features.importing.sources.files import FileSource
from kalends.languages import N_

LONGEST_LINE = 1_000_000  # of an unfolded line; images inside of events are longer, and are left out
MOST_LINES = 5_000  # of one component
COMPONENTS = ("VEVENT", "VTIMEZONE")

_NAME = re.compile(rb"[A-Za-z0-9-]+")
_PARAMETER = re.compile(r';([^=:;"]+)=((?:"[^"]*"|[^",;:]*)(?:,(?:"[^"]*"|[^",;:]*))*)')
_LISTED = re.compile(r"(?:\\.|[^,\\])+", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class Property(NamedTuple):
    """A line of a component."""

    name: str
    parameters: dict[str, str]
    value: str

    @property
    def text(self) -> str:
        return _unescaped(self.value)

    @property
    def texts(self) -> list[str]:
        """The values of a property that is a list."""
        return [_unescaped(part).strip() for part in _LISTED.findall(self.value)]


@dataclass(slots=True)
class Component:
    """An event, a time zone, or the calendar itself. Components inside of others have their lines among its own."""

    name: str
    line: int
    properties: list[Property] = field(default_factory=list)
    is_too_long: bool = False

    def first(self, name: str) -> Property | None:
        return next((found for found in self.properties if found.name == name), None)

    def all(self, name: str) -> list[Property]:
        return [found for found in self.properties if found.name == name]

    def text(self, name: str) -> str:
        found = self.first(name)
        return found.text.strip() if found is not None else ""


def components(source: FileSource) -> Iterator[Component]:
    """The events and time zones of a file, and at the end of each calendar that with its own properties; of other
    components that stand in a calendar only the name."""
    calendar = Component("VCALENDAR", 1)
    current: Component | None = None
    inside: list[str] = []  # names of open components
    is_begun = False
    for number, raw in _lines(source):
        name = raw[:16].upper()
        if name.startswith(b"BEGIN:"):
            opened = _decoded(raw[6:]).strip().upper()
            inside.append(opened)
            is_begun = True
            if current is None and opened in COMPONENTS:
                current = Component(opened, number)
            elif current is None and inside == ["VCALENDAR", opened]:
                yield Component(opened, number)
            elif current is not None and current.name == "VTIMEZONE":
                _add(current, Property("BEGIN", {}, opened))
            continue
        if not inside:
            raise source.refused(_not_a_calendar(raw), line=number)
        if name.startswith(b"END:"):
            closed = _decoded(raw[4:]).strip().upper()
            if inside[-1] != closed:
                sentence = N_("{file}: line {line} ends {closed}, but {open} is open; the file is damaged")
                raise source.refused(sentence, line=number, closed=closed, open=inside[-1])
            inside.pop()
            if current is not None and closed == current.name:
                yield current
                current = None
            elif closed == "VCALENDAR" and not inside:
                yield calendar
                calendar = Component("VCALENDAR", number + 1)
            continue
        target = calendar if inside == ["VCALENDAR"] else current
        # Alarms and the like inside of an event have properties of the same names.
        if target is not None and (inside[-1] == target.name or target.name == "VTIMEZONE"):
            found = _parsed(raw)
            if found is not None:
                _add(target, found)
    if not is_begun:
        raise source.refused(N_("{file}: the file is empty"))
    if inside:
        sentence = N_("{file}: the file ends in the middle: {missing} is missing; get the file again")
        raise source.refused(sentence, missing=f"END:{inside[-1]}")


def _lines(source: FileSource) -> Iterator[tuple[int, bytes]]:
    with source.opened() as file:
        yield from ((number, raw) for number, raw in _unfolded(file) if raw.strip())


def _unfolded(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Whole lines with the number of their first part. Bytes are joined before they are decoded: a fold may be inside
    of a character. What is too long is cut."""
    parts, length, at, number = list[bytes](), 0, 1, 0  # of the line that is not over yet
    while piece := file.readline(LONGEST_LINE):
        number += 1
        if number == 1:
            piece = piece.removeprefix(b"\xef\xbb\xbf")
        line = piece.rstrip(b"\r\n")
        if line[:1] in (b" ", b"\t") and number > 1:
            if length < LONGEST_LINE:
                parts.append(line[1:])
                length += len(line) - 1
            continue
        if length:
            yield at, b"".join(parts)
        parts, length, at = [line], len(line), number
    if length:
        yield at, b"".join(parts)


def _parsed(raw: bytes) -> Property | None:
    """A property; None for a line that is none."""
    named = _NAME.match(raw)
    if named is None:
        return None
    line, position = _decoded(raw), named.end()
    parameters: dict[str, str] = {}
    while found := _PARAMETER.match(line, position):
        parameters[found[1].strip().upper()] = found[2].strip('"')
        position = found.end()
    if line[position : position + 1] != ":":
        return None
    return Property(named[0].decode().upper(), parameters, line[position + 1 :])


def _unescaped(written: str) -> str:
    return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], written)


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _add(component: Component, found: Property) -> None:
    if len(component.properties) < MOST_LINES:
        component.properties.append(found)
    else:
        component.is_too_long = True


def _not_a_calendar(raw: bytes) -> str:
    start = raw.lstrip()[:200].lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        return N_("{file}: this is a web page, not a calendar; does the address need a log-in?")
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return N_("{file}: the file is encoded as UTF-16; save it as UTF-8")
    return N_("{file}: line {line} is not of an iCalendar file, which begins with BEGIN:VCALENDAR")
