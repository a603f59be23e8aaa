"""Whatever is asked, the lists answer: a page, or an error of the table that names the parameter."""

import time
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.both_stores import KINDS as KINDS_OF_STORES
from tests.calendar.lists.list_requests import refused
from tests.effort import effort

from kalends.contract.kinds import KINDS, Kind

kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.plural)

ODD_VALUES = (
    *(
        "",
        " ",
        "0",
        "-0",
        "-1",
        "1.0",
        "1e3",
        "1_0",
        "٣",
        "NaN",
        "inf",
        "null",
        "true",
        "[]",
        "{}",
        "a,b",
        ",",
        ",,1",
    ),
    *("9223372036854775807", "9223372036854775808", "1" * 50, "%", "_", "'", '"', "\\", "\x00", "\ud7ff", "\uffff"),
    *("' OR 1=1 --", '"unclosed', '""', "-", "--", "*", "NEAR(a b)", "title:x", "^a", "a" * 600, "🎉" * 3, "\u0301"),
    *("now", "tomorrow noon", "+9999999 years", "-1 day", "2026-02-30", "0000-00-00", "9999-12-31", "1900-01-01"),
    *("9999-12-31T23:59:59+14:00", "1900-01-01T00:00:00-14:00", "@99999999999999", "@-99999999999", "13/45/2027"),
    *("publish", "any", "trash", "asc", "count", "include", "90", "-180", "90.0000001", "{0}", "{name}", "%s"),
)


@st.composite
def queries(draw: Any, kind: Kind) -> str:
    known = st.sampled_from([field.name for field in kind.filters] + ["_fields", "_method", "lang", "context"])
    name = st.one_of(known, known, known, st.text(max_size=8))
    ending = st.sampled_from(("", "", "", "", "[]", "[0]", "[1]", "[a]", "[a][b]", "[", "]", "[][]", "[-1]", "[٣]"))
    value = st.sampled_from(ODD_VALUES) | st.text(max_size=12) | st.integers(-5, 40).map(str)
    pairs = draw(st.lists(st.tuples(name, ending, value), max_size=5))
    return "&".join(f"{_quoted(name)}{ending}={_quoted(value)}" for name, ending, value in pairs)


def _quoted(text: str) -> str:
    return quote(text, safe="", errors="surrogatepass")


@pytest.fixture(scope="module")
def filled(shared_world: Any) -> Any:
    """One of everything, so that small numbers name something."""
    world = shared_world
    for number in range(4):
        links = {
            "venue": [world.make("venues", venue=f"venue {number}", geo_lat=number, geo_lng=number)["id"]],
            "organizer": [world.make("organizers", organizer=f"organizer {number}")["id"]],
            "categories": [world.make("categories", name=f"category {number}", parent=number)["id"]],
        }
        world.make("events", title=f"a {number}", description="% _ ' \" title:x", **links)
    return world


def check_answer(response: Any, kind: Kind) -> None:
    """A list that adds up, a page that is not there, or a refusal that says why."""
    answer = response.json()
    match response.status_code:
        case 200:
            assert len(answer[kind.plural]) <= answer["total"]
            assert answer["total_pages"] <= answer["total"]
        case 404:
            assert answer["code"] == f"{kind.name}-archive-page-not-found"
        case 400:
            assert answer["code"] == "rest_invalid_param", answer
            known = {field.name for field in kind.filters}
            assert answer["data"]["params"]
            assert set(answer["data"]["params"]) <= known
            assert set(answer["data"]["details"]) == set(answer["data"]["params"])
            assert all(name in answer["message"] for name in answer["data"]["params"])
        case _:
            raise AssertionError(f"{response.status_code}: {response.text}")


@kinds
@settings(
    max_examples=effort(25, 150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data(), who=st.sampled_from(("anonymous", "editor")))
def test_any_query_string_is_answered(filled: Any, kind: Kind, data: st.DataObject, who: str) -> None:
    query = data.draw(queries(kind))
    response = filled.get(f"/{kind.plural}?{query}", who)
    if response.status_code != 429:  # many wrong event passwords in a row
        check_answer(response, kind)


@kinds
@settings(max_examples=effort(20, 100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    query=st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="#"), max_size=40)
)
@example("&&==&=&[]=1&[=&]=&%=%zz&%ff=%fe&+=+")
@example("page&per_page")
@example("include[0][1][2][3][4][5][6][7]=1")
def test_any_characters_are_answered(filled: Any, kind: Kind, query: str) -> None:
    check_answer(filled.get(f"/{kind.plural}?{query}"), kind)


@kinds
def test_every_odd_value_of_every_filter_is_answered(filled: Any, kind: Kind, store_kind: str) -> None:
    first = KINDS_OF_STORES.index(store_kind)  # so that each store gets other values
    for number, field in enumerate(kind.filters, first):
        if field.name == "password":
            continue
        # Texts reach the store as they are; of the others, most are refused before.
        share = effort(1 if field.name in ("search", "slug") else 4, 1)
        for value in ODD_VALUES[number % share :: share]:
            check_answer(filled.get(f"/{kind.plural}?{field.name}={_quoted(value)}", "editor"), kind)


@kinds
def test_a_page_beyond_all_numbers_is_a_clear_error(filled: Any, kind: Kind) -> None:
    assert refused(filled, f"/{kind.plural}?page={10**30}") == ["page"]
    assert refused(filled, f"/{kind.plural}?per_page=0") == ["per_page"]
    for page in (10**9, 10**12, 2**63 - 1):
        far = filled.get(f"/{kind.plural}?page={page}&per_page=100")
        assert far.status_code == (200 if kind.is_term else 404)


@pytest.mark.parametrize("query", ["search=a", "search=a&featured=true", "search=-a", "collapse=series", "author=1"])
@pytest.mark.parametrize("who", ["anonymous", "editor"])
def test_a_page_beyond_all_numbers_of_a_search_too(filled: Any, query: str, who: str) -> None:
    for page in (2**62, 2**63 - 1):
        assert filled.get(f"/events?page={page}&per_page=100&{query}", who).status_code == 404


@pytest.mark.parametrize(
    ("plural", "name"),
    [
        *(("events", name) for name in ("include", "exclude", "venue", "organizer", "categories", "tags")),
        *((plural, name) for plural in ("categories", "tags") for name in ("include", "exclude")),
    ],
)
def test_ten_thousand_ids_are_refused_quickly(filled: Any, plural: str, name: str) -> None:
    ids = ",".join(str(number) for number in range(1, 10_001))
    begun = time.perf_counter()
    assert refused(filled, f"/{plural}?{name}={ids}") == [name]
    assert time.perf_counter() - begun < 2  # generous: it takes milliseconds


def test_a_thousand_ids_are_taken(filled: Any) -> None:
    ids = ",".join(str(number) for number in range(1, 1001))
    response = filled.get(f"/events?include={ids}")
    assert (response.status_code, response.json()["total"]) == (200, 4)
    assert filled.get(response.json()["rest_url"]).json()["total"] == 4


def test_more_parameters_than_any_client_sends_are_refused(filled: Any) -> None:
    response = filled.get("/events?" + "a=&" * 6000)
    assert response.status_code == 400
    assert "5000" in response.json()["message"]
