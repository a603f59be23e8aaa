"""The lines of an iCalendar document: escaped so that no text can end one, and folded where they are long."""

LONGEST = 75  # bytes, without the end of the line
ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})
# A line ends where we say so; the tab alone of these characters may be in one.
CONTROLS = dict.fromkeys([*range(9), *range(10, 32), 127])


def line(name: str, value: str, /, **parameters: str) -> bytes:
    """A property. Its value is a `text`, or one of the types that have nothing to escape."""
    written = "".join(f";{key.upper()}={_quoted(one)}" for key, one in parameters.items())
    return _folded(f"{name}{written}:{value}".translate(CONTROLS).encode())


def text(value: str) -> str:
    return value.replace("\r\n", "\n").translate(ESCAPED)


def _quoted(value: str) -> str:
    """The value of a parameter, in which a quotation mark cannot be written."""
    return f'"{value.replace(chr(34), chr(39))}"' if any(mark in value for mark in ',;:"') else value


def _folded(whole: bytes) -> bytes:
    """Goes on with a blank in the next line, never within a character."""
    if len(whole) <= LONGEST:
        return whole + b"\r\n"
    parts, start, room = [], 0, LONGEST
    while start < len(whole):
        end = start + room
        while end < len(whole) and whole[end] & 0xC0 == 0x80:
            end -= 1
        parts.append(whole[start:end])
        start, room = end, LONGEST - 1
    return b"\r\n ".join(parts) + b"\r\n"
