"""Texts that are made to be slow: lengths and runs of marks are looked at before anything else touches a text."""

import base64
import json
import unicodedata
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from kalends.contract.errors import ApiError
from kalends.contract.kinds.events import EVENT_FIELDS
from kalends.contract.types import texts
from kalends.http.messages import bodies, multipart
from kalends.http.messages.parameters import MOST_LITERAL, from_query, unquoted
from kalends.values.marks import LONGEST_RUN, has_long_run
from kalends.values.names import PIECE, fold, searched

RUN = "a" + "\u0345" * 500 + "\u0300" * 500
SHORT_RUN = "a" + "\u0300" * 40
HOST = "http://calendar.test"
LONGEST_NORMALISED = PIECE + LONGEST_RUN


@pytest.fixture(autouse=True)
def normalised(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every text that is normalised while a test runs; none of them is one that takes long."""
    visibility: list[str] = []
    normalize = unicodedata.normalize

    def watched(form: Any, text: str) -> str:
        visibility.append(text)
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", watched)
    yield visibility
    assert all(len(text) <= LONGEST_NORMALISED and not has_long_run(text) for text in visibility)


def basic(name: str, password: str = "guess") -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()}


@pytest.mark.parametrize("name", [RUN, SHORT_RUN, "x" * 61, "é" * 10_000])
def test_a_name_that_nobody_has_is_a_wrong_log_in(make_world: Any, name: str) -> None:
    world = make_world()
    answer = world.get("/users/me", headers=basic(name))
    assert (answer.status_code, answer.json()["code"]) == (401, "incorrect_password")


def test_a_password_that_nobody_has_is_a_wrong_log_in(make_world: Any) -> None:
    world = make_world()
    for password in (RUN, "x" * 1001):
        answer = world.get("/users/me", headers=basic("editor", password))
        assert (answer.status_code, answer.json()["code"]) == (401, "incorrect_password")


def test_a_blocked_address_is_refused_before_its_credentials_are_read(make_world: Any, monkeypatch: Any) -> None:
    world = make_world()
    for number in range(40):
        world.get("/users/me", headers=basic(f"nobody{number}"))
    read: list[Any] = []
    monkeypatch.setattr(base64, "b64decode", lambda *sent, **more: read.append(sent))
    header = {"Authorization": "Basic bm9ib2R5Omd1ZXNz"}
    assert world.get("/users/me", headers=header).status_code == 429
    assert read == []


@pytest.mark.parametrize(
    "path",
    [
        "/events/by-slug/{}",
        "/venues/by-slug/{}",
        "/events?categories={}",
        "/events?tags={}",
        "/events?search={}",
        "/events?unknown={}",
        "/events?{}=1",
        "/categories?slug={}",
        HOST + "/event/{}",
        HOST + "/event/{}.ics",
        HOST + "/venue/{}",
        HOST + "/category/{}.ics",
        HOST + "/events?categories={}",
        HOST + "/events.ics?tags={}",
        HOST + "/oembed?url=" + quote(f"{HOST}/event/") + "{}",
        HOST + "/media/{}",
        HOST + "/?lang={}",
    ],
)
def test_an_address_with_too_many_marks(world: Any, path: str) -> None:
    answer = world.get(path.format(quote(SHORT_RUN)), headers={"Accept": "application/json"})
    assert answer.status_code == 400
    assert str(LONGEST_RUN) in answer.json()["message"]
    assert world.get(path.format(quote("a" + "\u0300" * LONGEST_RUN))).status_code < 500


@pytest.mark.parametrize("path", ["/events/by-slug/{}", HOST + "/event/{}", HOST + "/media/{}"])
def test_a_path_that_is_longer_than_every_slug(world: Any, path: str) -> None:
    assert world.get(path.format("é" * 3000)).status_code == 404


@pytest.mark.parametrize(
    "field", ["title", "description", "excerpt", "slug", "cost", "timezone", "categories", "tags"]
)
def test_a_field_with_too_many_marks(world: Any, field: str) -> None:
    body = {"title": "T", "start_date": "2027-01-01", "end_date": "2027-01-02", field: RUN}
    for sent in ({"json": body}, {"data": body}, {"files": {name: (None, value) for name, value in body.items()}}):
        answer = world.post("/events", **sent)
        assert answer.status_code == 400, answer.text
        assert field in answer.json()["data"]["params"]


@pytest.mark.parametrize(
    "nested",
    [
        {"venue": {"venue": "V", "city": RUN}},
        {"venue": [{"venue": "V", "city": "x" * 100_000}]},
        {"organizer": {"organizer": RUN}},
        {"tickets": [{"name": RUN}]},
        {"tickets": [{"name": "T", "price": "9" * 1_000_000}]},
        {"categories": ["x" * 1_000_000]},
        {"venue": "," * 200_000},
        {"image": "https://a.test/" + "x" * 1_000_000},
    ],
)
def test_a_nested_text_is_refused_by_its_length_or_marks(world: Any, nested: dict[str, Any]) -> None:
    body = {"title": "T", "start_date": "2027-01-01", "end_date": "2027-01-02"} | nested
    answer = world.post("/events", content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert list(answer.json()["data"]["params"]) == list(nested)


@pytest.mark.parametrize("between", ["<b></b>", "<i>", "&#x300;", "&amp;#x300;"])
def test_marks_that_markup_divides_are_one_run(world: Any, between: str) -> None:
    body = {"venue": "V", "description": "a" + f"\u0300{between}" * 40}
    answer = world.post("/venues", json=body)
    expected = 201 if between.startswith("&amp;") else 400
    assert answer.status_code == expected


def test_tags_and_entities_are_counted_before_they_are_read(world: Any, monkeypatch: Any) -> None:
    cleaned: list[str] = []
    monkeypatch.setattr(texts.markup, "safe_html", lambda text: cleaned.append(text) or text)
    for sign in ("<", ">", "&"):
        answer = world.post("/venues", json={"venue": "V", "description": sign * (texts.MOST_SIGNS + 1)})
        assert answer.status_code == 400
    venues = [{"venue": f"V{number}", "description": "<p>" * 200} for number in range(30)]
    answer = world.post(
        "/events",
        json={"title": "T", "start_date": "2027-01-01", "end_date": "2027-01-02", "venue": venues},
    )
    assert (answer.status_code, list(answer.json()["data"]["params"])) == (400, ["venue"])
    assert cleaned == []


def test_attributes_of_tags_are_counted(world: Any) -> None:
    def post(attributes: int) -> Any:
        image = "<img src=/a.png alt=a width=1 height=1>"
        return world.post("/venues", json={"venue": "V", "description": image * (attributes // 4) + "=" * 5000})

    assert post(texts.MOST_ATTRIBUTES).status_code == 201
    refused = post(texts.MOST_ATTRIBUTES + 4)
    assert (refused.status_code, list(refused.json()["data"]["params"])) == (400, ["description"])


def test_marks_of_rare_scripts_are_counted(world: Any) -> None:
    def post(count: int) -> int:
        description = f"\U0001109b{chr(0x110B9)} " * count
        return int(world.post("/venues", json={"venue": "V", "description": description}).status_code)

    assert (post(9_000), post(10_001)) == (201, 400)


def test_a_description_that_grows_when_it_is_cleaned_keeps_to_the_limit(world: Any) -> None:
    answer = world.post("/venues", json={"venue": "V", "description": "x\n" * 90_000})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("field", "longest", "pattern"),
    [
        ("description", texts.LONGEST_HTML, "x"),
        ("excerpt", texts.LONGEST_EXCERPT, "日"),
        ("excerpt", texts.LONGEST_EXCERPT, "x & yyyyyyyyyyyyyyyyyyyyyyyyyy\xa0\n"),
        ("excerpt", texts.LONGEST_EXCERPT, "x\n\nyyyyyyyyyyyyyyyyyyyyy"),
        ("excerpt", texts.LONGEST_EXCERPT, "<img src=//x alt=a width=1 height=1>"),
        ("excerpt", texts.LONGEST_EXCERPT, "<blockquote><figcaption>xxxxxxxxxxxxxxxxxxxxxxxxxx"),
        ("excerpt", texts.LONGEST_EXCERPT, "<table><td>xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
        ("excerpt", texts.LONGEST_EXCERPT, "<a href=//x title=y>x"),
    ],
)
def test_a_text_of_the_longest_length_is_accepted_and_so_is_what_is_read_of_it(
    world: Any, field: str, longest: int, pattern: str
) -> None:
    """What cleaning adds to a text, as the tags of a paragraph, makes it no longer."""
    written = (pattern * (longest // len(pattern)) + "x" * longest)[:longest]
    made = world.post("/venues", json={"venue": "V", field: written})
    assert made.status_code == 201, made.text
    sent_back = world.put(f"/venues/{made.json()['id']}", json={field: made.json()[field]})
    assert (sent_back.status_code, sent_back.json()[field]) == (200, made.json()[field])
    assert world.post("/venues", json={"venue": "V", field: "x" * (longest + 1)}).status_code == 400


def test_characters_that_normalisation_takes_apart_are_bounded(world: Any) -> None:
    answer = world.post("/venues", json={"venue": "V", "description": "\U0001d160" * 11_000})
    assert (answer.status_code, list(answer.json()["data"]["params"])) == (400, ["description"])
    assert world.post("/venues", json={"venue": "V", "description": "\U0001d160" * 9_000}).status_code == 201


class Counted(dict[str, Any]):
    """A mapping that counts how often it is asked for a key."""

    asked = 0

    def __contains__(self, key: object) -> bool:
        Counted.asked += 1
        return super().__contains__(key)


def test_the_next_position_of_a_list_is_not_searched_from_the_start_each_time() -> None:
    from kalends.http.messages.parameters import Positions

    def looks(half: int) -> int:
        node, positions = Counted({str(number): "" for number in range(half, 2 * half)}), Positions()
        Counted.asked = 0
        for _ in range(half):
            node[positions.next_position(node)] = ""
        return Counted.asked

    assert looks(1000) < 3 * looks(500)


def test_positions_of_a_list_stay_in_order() -> None:
    sent = from_query("a[0]=x&a[]=y&a[2]=z&a[]=w&b[][c]=1&b[][c]=2")
    assert list(sent["a"].values()) == ["x", "y", "z", "w"]
    assert [item["c"] for item in sent["b"].values()] == ["1", "2"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("caf%C3%A9+au+lait", "café au lait"),
        ("100%", "100%"),
        ("100%25", "100%"),
        ("%zz%4", "%zz%4"),
        ("a=b%3Dc=", "a=b=c="),
        ("=41=\n=\r\n", "=41=\n=\r\n"),
        ("%\n%41%\r\n%", "%\nA%\r\n%"),
        ("%%41%%", "%A%%"),
        ("line%0D%0Aend%09_ \t\n", "line\r\nend\t_ \t\n"),
        ("é%C3日%E6%97", "é�日�"),
        ("%F0%9F%98%80%00", "😀\0"),
    ],
)
def test_percent_encoding(written: str, meant: str) -> None:
    assert unquoted(written) == meant
    assert unquoted("x".join([written] * 50)) == "x".join([meant] * 50)


def test_percent_signs_that_are_no_escapes_are_bounded() -> None:
    assert unquoted("%" * 1000) == "%" * 1000
    with pytest.raises(ApiError):
        unquoted("%" * (MOST_LITERAL + 1))


@pytest.mark.parametrize("value", ["[],", "{},", "0,"])
def test_json_of_too_many_values_is_refused_before_it_is_read(make_world: Any, monkeypatch: Any, value: str) -> None:
    world = make_world()
    monkeypatch.setattr(bodies, "MOST_VALUES", 1000)
    monkeypatch.setattr(bodies, "MOST_CONTAINERS", 200)

    def post(count: int) -> Any:
        content = f'{{"name":"{count}","other":[{value * count}0]}}'
        return world.post("/tags", content=content, headers={"Content-Type": "application/json"})

    assert post(100).status_code == 201
    refused = post(1100)
    assert (refused.status_code, refused.json()["code"]) == (400, "rest_invalid_json")
    assert "too many values" in refused.json()["message"]


@pytest.mark.parametrize(
    "text", ["e\u0301", "\u1100\u1161\u11a8", "\u0dd9\u0dcf\u0dca", "각", "İ\u0307", "a\u0345\u0301"]
)
def test_a_long_text_folds_as_its_parts_do(text: str) -> None:
    """It is normalised in pieces, whose ends do not show."""
    for shift in range(4):
        before = "日" * (PIECE - shift)
        assert fold(before + text + "日" * PIECE) == before + fold(text) + "日" * PIECE
        assert searched(before + text + "日" * PIECE) == before + searched(text) + "日" * PIECE


def test_a_large_form_is_refused(world: Any) -> None:
    body = "title=" + "%41" * (bodies.LARGEST_FORM // 3 + 1)
    answer = world.post("/events", content=body, headers={"Content-Type": bodies.FORM})
    assert answer.status_code == 413


def test_large_json_is_refused(world: Any) -> None:
    def post(size: int) -> Any:
        body = b'{"name":"Large","other":"%b"}' % (b"x" * size)
        return world.post("/tags", content=body, headers={"Content-Type": "application/json"})

    assert post(bodies.LARGEST_JSON).status_code == 413
    assert post(bodies.LARGEST_JSON - 100).status_code == 201


def test_markup_that_grows_beyond_its_limit_is_refused_after_one_pass(world: Any, monkeypatch: Any) -> None:
    paired: list[str] = []
    monkeypatch.setattr(texts.markup, "paired", lambda text, _: paired.append(text) or "<p></p>" * texts.MOST_SIGNS)
    answer = world.post("/venues", json={"venue": "V", "description": "<p>" * (texts.MOST_SIGNS - 1)})
    assert (answer.status_code, list(answer.json()["data"]["params"])) == (400, ["description"])
    assert len(paired) == 1


def test_the_headers_of_a_part_are_bounded(world: Any) -> None:
    head = 'Content-Disposition: form-data; name="title"' + ";" * multipart.LARGEST_HEAD
    body = f"--x\r\n{head}\r\n\r\nT\r\n--x--\r\n"
    answer = world.post("/events", content=body, headers={"Content-Type": "multipart/form-data; boundary=x"})
    assert (answer.status_code, answer.json()["code"]) == (400, "rest_invalid_body")


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ('form-data; name="a b"; filename="x \\"y\\".png"', {"name": "a b", "filename": 'x "y".png'}),
        ("form-data; name=a; Filename=b.png ", {"name": "a", "filename": "b.png"}),
        ('form-data;name="a;b=c";x', {"name": "a;b=c"}),
        ("multipart/form-data; boundary=----x1", {"boundary": "----x1"}),
    ],
)
def test_options_of_a_header(header: str, found: dict[str, str]) -> None:
    assert multipart.header_options(header) == found


def test_the_fields_say_how_long_a_text_may_be() -> None:
    longest = {field.name: field.type.schema().get("maxLength") for field in EVENT_FIELDS}
    assert (longest["description"], longest["excerpt"], longest["title"]) == (200_000, 20_000, 1000)
