"""Lines of iCalendar are those that the library writes, folded where they are too long."""

from hypothesis import given
from hypothesis import strategies as st
from icalendar import Parameters, vCategory, vText, vUri
from icalendar.parser import Contentline

from kalends.present import ical_entries

LONGEST = 75  # bytes of a line
words = st.text(st.sampled_from("ab ,;:\\\n\t\"^äß日本𝄞x’'"), max_size=200).filter(lambda text: "\\N" not in text)


def unfolded(line: bytes) -> str:
    folded = ical_entries.folded(line)
    assert all(len(part) <= LONGEST for part in folded.split(b"\r\n"))
    assert all(part.decode() is not None for part in folded.split(b"\r\n"))  # none begins inside of a character
    assert folded.replace(b"\r\n ", b"") == line
    return line.decode()


def by_library(name: str, value: object, **parameters: str) -> str:
    line = Contentline.from_parts(name, Parameters(parameters), value)
    return f"{line}\r\n"


@given(words)
def test_a_text(text: str) -> None:
    assert unfolded(ical_entries.line("SUMMARY", ical_entries.text(text))) == by_library("SUMMARY", vText(text))


@given(st.lists(words, max_size=4))
def test_several_texts(texts: list[str]) -> None:
    expected = by_library("CATEGORIES", vCategory([vText(text) for text in texts]))
    assert unfolded(ical_entries.line("CATEGORIES", ical_entries.texts(texts))) == expected


@given(words, words.map(lambda text: text.replace("\n", " ")))
def test_a_plain_value_with_a_parameter(value: str, name: str) -> None:
    expected = by_library("ORGANIZER", vUri(value.replace("\n", "")), CN=name)
    assert unfolded(ical_entries.line("ORGANIZER", value, cn=name)) == expected


def test_a_backslash_is_no_line_break() -> None:
    assert ical_entries.line("SUMMARY", ical_entries.text("C:\\New")) == b"SUMMARY:C:\\\\New\r\n"
