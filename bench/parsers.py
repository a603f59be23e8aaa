"""How long each parser of client text takes on adversarial input of growing length.

    python bench/parsers.py

For every parser and pattern: the CPU time of the largest input that is accepted, and how much it grew since half that
length (2 is linear, 4 quadratic). Inputs of a parser that are beyond its limit must cost next to nothing. The exit
code is 1 if one takes more than 100 ms or grows like a square.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import falcon
from falcon.testing import create_environ

from kalends import languages
from kalends.contract.errors import ApiError, FieldError
from kalends.contract.kinds.events import EVENT_FIELDS
from kalends.contract.types import LONGEST_TEXT
from kalends.contract.types.lists import MOST_ELEMENTS, IdList, TermFilter
from kalends.contract.types.scalars import LONGEST_URL, Cost, Date, Email, Url, Zone
from kalends.contract.types.texts import LONGEST_HTML, LONGEST_SEARCH, Html, Line, SearchWords, Slug, check_divided
from kalends.http.messages import bodies, multipart, responses
from kalends.http.messages.parameters import MOST_PARAMETERS, from_query
from kalends.http.middleware.request_middleware import LARGEST_HEADERS, _basic, check_address, has_ambient_credentials
from kalends.http.request_context import address_of_client
from kalends.settings import load
from kalends.store.search import parsing
from kalends.values import cost, dates, markup, names

MOST_SECONDS = 0.1  # twice what is promised: machines differ
WORST_GROWTH = 3.0
TRUSTED_GROWTH = 0.002  # below so many seconds, noise decides the ratio
BODY = 10 * 1024 * 1024


@dataclass(frozen=True)
class Case:
    """A parser, a pattern that is repeated up to a length, and the largest length that is accepted."""

    parser: str
    run: Callable[[str], object]
    patterns: tuple[str, ...]
    largest: int
    ends: tuple[str, ...] = ("",)

    def inputs(self, length: int) -> Iterator[tuple[str, str]]:
        for pattern in self.patterns:
            for end in self.ends:
                yield f"{pattern!r} … {end!r}", (pattern * (length // len(pattern) + 1))[: length - len(end)] + end


MARKS = (
    "\u0345" * 15 + "\u0300" * 15 + "a",
    "\u0300" * 15 + "a",
    "\u0345" * 15 + "\u0300" * 15 + "aa",
    "\u0f73" * 15 + "a",
    "a" + "\u0345\u0300" * 15,
    "a" + "\U000110b9\U000110ba" * 15,
    "\U0001d160" + "e\u0301" * 9 + "e",
    "é",
    "각",
    "ﷺ",
    "İ",
    "ß",
    "\u200d",
    "\u00ad",
)
EXCLUDED = ("\U0001d160", "\ufb2c", "\u0344" * 15 + "a", "\uf900")  # what normalisation takes apart for good
TAGS = (
    "<", ">", "<b>", "</b>", "<b", "<p>", "<div><p>", "<table>", "<table><td>", "<a href='", '<a b="', "<a a=b ",
    "<!--", "<!", "-->", "<script>", "</script", "<script></scriptx", "<a/", "&", "&amp;", "&#", "&#x0",
    "&#837;", "amp;", "\n",
    "\n \n", " \n", "\t", "[", "]", "{", "(", "<li>", "<dl><dt>", "<h1>", "<pre>\n", "<img>", "<br>\n", "x ",
    "\U0001f600", "\U00010000",    "<b title=", "&lt;b&gt;", "&amp;lt;", "<a href=//x>", "<tr>", "<td><p>",
)  # fmt: skip
LONG_TAGS = tuple(
    f"{tag}{char * 93}"
    for tag in ("<p>", "<td>", "<b>x</b>", "<img src=//x alt=a width=1 height=1>", "&amp;", "\n")
    for char in ("x", "\U00010000")
)
BEHIND_PROXY = load(None, {"trusted_proxies": "127.0.0.1"}, {})
DIGITS = ("9", "0", "1.", "1,", "1 ", "-1", "- ", "–", "$", "1'", ".", ",", " ", "٣", "٫3", "~", " - ")
JSON_VALUES = ("1,", "[],", "{},", "null,", '"",', "1e9,", '{"":0},', "[", " ", "1", "[1")
QUERIES = ("&", "=", "a=1&", "a[]=1&", "a[", "a[1][2]=3&", "%", "%41", "%C3%A9", "+", ";", "a[][]=&", "_fields=a.b,&")


def parsed_search(text: str) -> object:
    return parsing.parse(str(SearchWords().read(text)))


def words_of(text: str) -> object:
    """The words of a text that is accepted, as they are searched."""
    words = markup.text_of(text)
    check_divided(words)
    return names.searched(words)


def json_text(text: str) -> object:
    return bodies._json(b'{"a":"%b"}' % text.encode())


def json_list(text: str) -> object:
    return bodies._json(b'{"a":[%b1]}' % text.encode())


def cookie(text: str) -> object:
    return has_ambient_credentials(falcon.Request(create_environ(headers={"Cookie": text})))


def client_behind_proxies(text: str) -> object:
    environ = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": text}
    return address_of_client(environ, BEHIND_PROXY)


def form_parts(data: str) -> object:
    return multipart.split(data.encode(), b"x")


CASES = (
    Case("date", dates.read, (*DIGITS, "march ", "+1 day", "monday, ", ":", "T", "\u2003"), dates.LONGEST),
    Case("date field", Date().read, DIGITS, BODY),
    Case("cost", cost.read, (*DIGITS, *MARKS, "<b>", "&amp;"), cost.LONGEST_WRITTEN),
    Case("shown cost", lambda text: cost.describe([text], cost.Currency()), DIGITS, cost.LONGEST_PART),
    Case("cost field", Cost().read, DIGITS, BODY),
    Case("slug", names.slugify, (*MARKS, "a-", "-", " "), LONGEST_TEXT),
    Case("slug field", Slug().read, MARKS, BODY),
    Case("sort key", names.sort_key, MARKS, LONGEST_TEXT),
    Case("name", markup.plain, (*TAGS, *MARKS), LONGEST_TEXT),
    Case("name field", Line().read, (*TAGS, *MARKS), BODY),
    Case("HTML", Html().read, (*TAGS, *MARKS), LONGEST_HTML, ("", "</b>", "-->", "</script>", "&#1;</script>")),
    Case("HTML with many tags", Html().read, LONG_TAGS, LONGEST_HTML + 20_000),
    Case("words of HTML", words_of, ("x\n", *MARKS, *EXCLUDED), LONGEST_HTML),
    # Normalized one after the other, and in between another thread can run.
    Case("a piece of words", names.searched, (*MARKS, *EXCLUDED), names.PIECE),
    Case("search", parsed_search, ('"', "-", '-"', "a ", *MARKS), LONGEST_SEARCH),
    Case("address", Url().read, ("https://a/", "[", "@", ":", "%", "a.", "\u3002"), LONGEST_URL),
    Case("e-mail", Email().read, ("a@", "@", ".", "a.", "a@a."), LONGEST_TEXT),
    Case("zone", Zone().read, ("UTC+1", "Europe/", "+"), LONGEST_TEXT),
    Case("ids", IdList().read, ("1,", ",", "9", " "), BODY),
    Case("terms", TermFilter().read, ("a,", ",", "é,", *MARKS), BODY),
    Case("longest list", TermFilter().read, (f"{'a' * 190}é,",), MOST_ELEMENTS * 191),
    Case(
        "Accept-Language", lambda text: languages.choose(None, text, "en"),
        ("en,", ",", "en;", ";q=", " ", "a-", "*,"), languages.LONGEST_HEADER, ("", "!"),
    ),
    Case("lang", lambda text: languages.choose(text, None, "en"), ("a-", "-", "_", " "), LARGEST_HEADERS),
    Case("Accept-Encoding", responses.coding_for, (",", ";", ";q=0", " ", "gzip;q=0.0 ", "gzip,"), 200, ("", "x")),
    Case("ETags", responses.identity_tags, (",", '"', 'W/"a",', "-gzip", '-gzip"', "-zstd", " "), LARGEST_HEADERS),
    Case(
        "Content-Disposition", multipart.file_name_in,
        (";", '"', "\\", ';"', ";a=", ';a="', " ", "; a = b"), LARGEST_HEADERS,
    ),
    Case("Cookie", cookie, (";", "=", "a=b;", '"', " ", "\\"), LARGEST_HEADERS),
    Case("Authorization", _basic, ("=", "YTo=", "YQ", "Og==", "zIDMgMyA", "44O9", "%"), LARGEST_HEADERS),
    Case("X-Forwarded-For", client_behind_proxies, (",", "1", "127.0.0.1,", "::1,", ":", " "), LARGEST_HEADERS),
    Case("form", from_query, (*QUERIES, "%f0", "a=%CC%80"), bodies.LARGEST_FORM),
    Case("JSON text", json_text, ("a", "\\n", "\\u0041", "\\ud800", "\\"), bodies.LARGEST_JSON - 20),
    Case("JSON text, é", json_text, ("é",), bodies.LARGEST_JSON // 2 - 20),
    Case("JSON values", json_list, JSON_VALUES, bodies.LARGEST_JSON - 20),
    Case("most JSON values", json_list, ("1,", "-1.5,", "null,", '"",', "1e9,"), 2 * bodies.MOST_VALUES),
    Case("most JSON containers", json_list, ("[],", "{},", '{"":0},'), 3 * bodies.MOST_CONTAINERS),
    Case("query", from_query, QUERIES, 64 * 1024),
    Case("path and query", lambda text: check_address("", text), (*QUERIES, "%CC%80", "\xcc\x80"), 64 * 1024),
    Case("multipart", form_parts, ("\r\n--x\r\n", "\r\n", "-", "\r\n--x", "\r\n\r\n", ";"), BODY, ("", "--")),
)  # fmt: skip


def positions() -> str:
    """Half of the positions taken in advance, so that each further element looks for a free one."""
    half = MOST_PARAMETERS // 2
    return "&".join([f"a[{number}]=1" for number in range(half, 2 * half)] + ["a[]=1"] * half)


def nested(fields: int) -> dict[str, object]:
    venue = {"venue": "V", "description": "<p>" * 49}
    return {"title": "T", "venue": [venue | {"city": str(number)} for number in range(fields)]}


def seconds(run: Callable[[str], object], text: str) -> float:
    """CPU time, the least of three runs."""
    best = float("inf")
    for _ in range(3):
        start = time.thread_time()
        with suppress(StopIteration, FieldError, ApiError, ValueError, cost.NotACost, dates.NotADate):
            run(text)
        best = min(best, time.thread_time() - start)
    return best


def measure(case: Case) -> Iterator[tuple[str, float, float]]:
    for (name, half), (_, whole) in zip(case.inputs(case.largest // 2), case.inputs(case.largest), strict=True):
        shorter, longer = seconds(case.run, half), seconds(case.run, whole)
        yield name, longer, longer / shorter if shorter > TRUSTED_GROWTH else 1.0


def main() -> int:
    failed = False
    for case in CASES:
        found = sorted(measure(case), key=lambda row: -row[1])
        name, slowest, _ = found[0]
        worst, _, growth = max(found, key=lambda row: row[2])
        bad = slowest > MOST_SECONDS or growth > WORST_GROWTH
        failed |= bad
        mark, shown = "!" if bad else " ", worst if growth > 1 else ""
        print(f"{mark} {case.parser:20} {case.largest:>9} {slowest * 1000:8.1f} ms  {name:32} ×{growth:.1f} {shown}")
    linked = next(field for field in EVENT_FIELDS if field.name == "venue").type
    for name, took in (
        ("positions of a list", seconds(from_query, positions())),
        ("nested venues", seconds(lambda _: linked.read(nested(50)["venue"]), "")),
    ):
        failed |= took > MOST_SECONDS
        print(f"{'!' if took > MOST_SECONDS else ' '} {name:30} {took * 1000:8.1f} ms")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
