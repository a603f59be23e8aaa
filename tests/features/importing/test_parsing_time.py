"""Four times as large a file takes about four times as long to read: quadratic would be sixteen times."""

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from tests.features.importing import wxr_files

from kalends.features.importing.records.record import Item, SourceError
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.sources.wxr import WxrFile

Save = Callable[[str, str | bytes], Path]

MOST = 10.0  # times as long, where 4 is expected


def folded(count: int) -> str:
    """A calendar with a line that is folded after each character."""
    event = "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270101T100000Z\r\nSUMMARY:" + "a\r\n " * count + "\r\nEND:VEVENT\r\n"
    return f"BEGIN:VCALENDAR\r\n{event}END:VCALENDAR\r\n"


def with_children(count: int) -> str:
    """An export with a text between many elements."""
    text = ("x" * 190 + "<b/>") * count
    item = f"<item><wp:post_type>tribe_events</wp:post_type><content:encoded>{text}</content:encoded></item>"
    return wxr_files.HEAD + item + wxr_files.FOOT


def with_attributes(count: int) -> str:
    """An export with elements that are as long as one can be."""
    return wxr_files.HEAD + f"<item a='{'x' * 900_000}'/>" * count + wxr_files.FOOT


def with_comment(length: int) -> str:
    return f"{wxr_files.HEAD}<!--{'x' * length}-->{wxr_files.FOOT}"


def with_attribute(length: int) -> str:
    return f"{wxr_files.HEAD}<item a='{'x' * length}'/>{wxr_files.FOOT}"


def read(path: Path) -> list[Item]:
    window = datetime(2026, 1, 1), datetime(2028, 1, 1)
    source = WxrFile(path, "UTC") if path.suffix == ".xml" else IcsFile(path, "UTC", *window)
    source.prepare()
    return list(source.items(""))


def took(path: Path) -> float:
    """Seconds of the processor; the better of two, since the first may have to load code."""
    found = []
    for _ in range(2):
        start = time.process_time()
        read(path)
        found.append(time.process_time() - start)
    return min(found)


@pytest.mark.parametrize(
    ("name", "content", "size"),
    [("a.ics", folded, 50_000), ("a.xml", with_children, 4_000), ("b.xml", with_attributes, 2)],
)
def test_files_that_are_made_to_take_long_are_read_in_linear_time(
    name: str, content: Callable[[int], str], size: int, save: Save
) -> None:
    small, large = (took(save(name, content(number))) for number in (size, 4 * size))
    assert large < MOST * small + 0.05


@pytest.mark.parametrize("content", [with_comment, with_attribute])
def test_an_element_without_an_end_is_refused_where_it_is_too_long(content: Callable[[int], str], save: Save) -> None:
    path = save("a.xml", content(12_000_000))
    start = time.process_time()
    with pytest.raises(SourceError, match=r"a\.xml: line 10: an item is too large"):
        read(path)
    assert time.process_time() - start < took(save("b.xml", with_attributes(4)))
