"""The API reference shows the whole contract in every language, escaped, without external resources."""

import gzip
import re
from typing import Any

import httpx
import pytest
from tests.effort import effort

from kalends.contract.headers import ERROR_HEADERS, GENERAL
from kalends.contract.operations import addresses
from kalends.contract.operations.model import SLUG, Address, Operation
from kalends.contract.representations import list_keys, representations
from kalends.languages import LANGUAGES, tag, translate
from kalends.present.openapi_schemas import path_of
from kalends.site.layout import assets

DOCS = "http://calendar.test/docs"
OPERATIONS = [(address, operation) for address in addresses() for operation in address.operations]


@pytest.fixture(scope="module")
def world(shared_world: Any) -> Any:
    return shared_world


def read(world: Any, language: str = "en", **headers: str) -> httpx.Response:
    response = world.get(f"{DOCS}?lang={tag(language)}", headers=headers)
    assert response.status_code == 200
    return response


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_available_in_every_language(world, parse_page, language: str) -> None:
    response = read(world, language)
    page = parse_page(response.text)
    assert response.headers["Content-Language"] == tag(language)
    assert page.root["lang"] == tag(language)
    assert page.root["dir"] == ("rtl" if language == "ar" else "ltr")
    assert translate("List events", language) in page.articles["list_events"].text
    assert page.values("hreflang").count(tag(language)) == 2
    assert [tag(other) for other in LANGUAGES if f"?lang={tag(other)}" not in response.text] == []


def test_all_languages_have_the_same_structure(world, parse_page) -> None:
    outlines = set()
    for language in effort(["en", "ja", "ar"], LANGUAGES):
        page = parse_page(read(world, language).text)
        outlines.add(tuple(name for name, _ in page.tags))
    assert len(outlines) == 1


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_every_operation_lists_its_parameters(world, parse_page, language: str) -> None:
    articles = parse_page(read(world, language).text).articles
    for address, operation in OPERATIONS:
        check_operation(articles[operation.name], address, operation, language)


def check_operation(article: Any, address: Address, operation: Operation, language: str) -> None:
    assert translate(operation.summary, language) in article.text
    assert path_of(address) in article.text
    for method in operation.methods:
        assert method in article.text
    for parameter in operation.parameters:
        rows = [row for row in article.parameters.values() if row["data-name"] == parameter.name]
        assert rows, parameter.name
        assert translate(parameter.meaning, language) in article.text
        assert any(("data-required" in row) == parameter.required for row in rows), parameter.name
    for error_type in operation.error_types:
        assert error_type.code in article.names
        assert str(error_type.status) in article.text
        assert translate(error_type.message, language) in article.text
    for name in (*operation.response.get("properties", {}), *(header.name for header in operation.headers)):
        assert name in article.names


def test_common_parameters_are_listed(world, parse_page) -> None:
    page = parse_page(read(world).text)
    assert page.articles["every-request"].names == [found.field.name for found in GENERAL]
    for headers in ERROR_HEADERS.values():
        assert {header.name for header in headers} <= set(page.articles["all-errors"].names)


def test_dates_keep_their_order_in_right_to_left_text(world) -> None:
    for language in LANGUAGES:
        assert "<code>2027-03-10 09:00:00</code>" in read(world, language).text


def test_every_placeholder_of_a_path_can_be_filled(world, parse_page) -> None:
    articles = parse_page(read(world).text).articles
    for address, operation in OPERATIONS:
        for name in re.findall(r"{(\w+)}", path_of(address)):
            assert f"path {name}" in articles[operation.name].parameters
    # The slug of an event is both where it is and what it may become.
    by_slug = articles["update_event_by_slug"]
    assert {"path slug", "body slug"} <= set(by_slug.parameters)
    assert SLUG.meaning in by_slug.text


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_key_of_every_schema_is_listed(world, parse_page, language: str) -> None:
    articles = parse_page(read(world, language).text).articles
    for shape in representations():
        article = articles[f"shape-{shape.name}"]
        assert article.names == [key.name for key in shape.keys]
        assert translate(shape.meaning, language) in article.text
        for key in shape.keys:
            assert translate(key.meaning, language) in article.text
    for key in list_keys("events", {}):
        assert translate(key.meaning, language) in articles["list_events"].text


def test_every_error_is_listed_with_status_code_and_message(world, parse_page) -> None:
    article = parse_page(read(world).text).articles["all-errors"]
    for _, operation in OPERATIONS:
        for error_type in operation.error_types:
            assert error_type.code in article.names
            assert error_type.message in article.text


def test_defaults_are_shown_including_computed_ones(make_world, parse_page) -> None:
    parameters = parse_page(read(make_world(geoloc_radius="25")).text).articles["list_events"].parameters
    shown = {row["data-name"]: row.get("data-default") for row in parameters.values()}
    assert shown["per_page"] == "12"
    assert shown["strict_dates"] == "false"
    assert (shown["start_date"], shown["end_date"], shown["geoloc_radius"]) == ("now", "+2 years", "25")
    assert shown["search"] is None


def test_anchors_resolve_and_ids_are_unique(world, parse_page) -> None:
    page = parse_page(read(world).text)
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    anchors = {link.removeprefix("#") for link in page.values("href") if link.startswith("#")}
    assert anchors <= set(ids)
    assert set(page.values("aria-labelledby")) <= set(ids)
    assert set(page.values("for")) <= set(ids)
    assert [name for name, _ in page.tags].count("main") == 1


def test_its_security_policy_allows_only_the_own_origin(world) -> None:
    headers = read(world).headers
    assert headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Content-Type"] == "text/html; charset=UTF-8"
    assert "Set-Cookie" not in headers


def test_nothing_comes_from_another_host(world, parse_page) -> None:
    html = read(world).text
    texts = {"html": html} | {
        name: asset.data.decode() for name, asset in assets.assets().items() if not name.endswith(".png")
    }
    # A name that no browser ever fetches, but without which there is no picture.
    texts["icon.svg"] = texts["icon.svg"].replace('xmlns="http://www.w3.org/2000/svg"', "")
    for name, text in texts.items():
        hosts = re.findall(r"(?:https?:|['\"(=])//([\w.-]+)", text)
        assert set(hosts) <= {"calendar.test"}, name
        # The rich-text editor is about HTML: it cleans what it shows, and its page runs no inline script.
        text = text.replace("innerHTML", "") if name in ("admin_clean_html.js", "admin_rich_text.js") else text
        # The box that was ticked last, until the page of that filter is there.
        # And the copy of a form that was sent last, until the next page tells what became of it.
        text = text.replace("sessionStorage", "") if name in ("calendar.js", "admin_unsaved.js") else text
        assert not re.search(
            r"@import|\burl\(|eval\(|innerHTML|document\.write|sessionStorage|document\.cookie", text
        ), name
    tags = parse_page(html).tags
    assert not any("style" in found or any(key.startswith("on") for key in found) for _, found in tags)
    assert all("src" in found for name, found in tags if name == "script")
    assert "style" not in {name for name, _ in tags}


def test_only_choices_of_the_reader_are_stored_in_the_browser() -> None:
    kept = {name for name, asset in assets.assets().items() if b"localStorage" in asset.data}
    # The admin keeps what was typed and not saved yet.
    assert kept == {"theme.js", "header.js", "public.js", "calendar.js", "admin_unsaved.js"}
    written = re.findall(rb"localStorage\.setItem\(([^)]*)\)", assets.assets()["header.js"].data)
    assert written == [b'"kalends-theme", root.dataset.theme']


def test_names_are_escaped(make_world, parse_page) -> None:
    world = make_world(site_name='<script>alert("&")</script>')
    html = read(world).text
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(&#34;&amp;&#34;)&lt;/script&gt;" in html


def test_an_invalid_host_header_is_not_echoed(world) -> None:
    html = world.get("http://calendar.test/docs", headers={"Host": 'evil"><script>'}).text
    assert "evil" not in html


def test_it_works_below_a_path(make_world, parse_page) -> None:
    page = parse_page(read(make_world(base_url="https://example.org/calendar", api_root="/rest")).text)
    sheets = [found["href"] for name, found in page.tags if found.get("rel") == "stylesheet"]
    assert sheets
    assert all(link.startswith((f"/calendar/static/{assets.version()}/", "/calendar/look/")) for link in sheets)
    body = next(found for name, found in page.tags if name == "body")
    assert body["data-path"] == "/calendar/rest/calendar/events/v1"
    assert body["data-ns"] == "https://example.org/calendar/rest/calendar/events/v1"


def test_conditional_requests_get_304(world) -> None:
    first = read(world)
    assert first.headers["Cache-Control"] == "public, max-age=10"
    assert {"Accept-Language", "Accept-Encoding"} <= {name.strip() for name in first.headers["Vary"].split(",")}
    again = world.get(f"{DOCS}?lang=en", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = world.get(f"{DOCS}?lang=de", headers={"If-None-Match": first.headers["ETag"]})
    assert other.status_code == 200


@pytest.mark.parametrize(("accepted", "is_packed"), [("gzip, br", True), ("identity", False)])
def test_it_is_compressed_when_accepted(world, accepted: str, is_packed: bool) -> None:
    response = read(world, **{"Accept-Encoding": accepted})
    assert ("Content-Encoding" in response.headers) is is_packed
    assert response.text.startswith("<!doctype html>")
    assert len(gzip.compress(response.content)) < 38_000


def test_head_trailing_slash_and_other_methods(world) -> None:
    head = world.ask("HEAD", DOCS)
    assert (head.status_code, head.content) == (200, b"")
    assert world.get(DOCS + "/").status_code == 200
    assert world.post(DOCS).status_code == 405


@pytest.mark.parametrize("name", sorted(assets.assets()))
def test_assets_are_immutable_under_a_versioned_address(world, name: str) -> None:
    now = world.get(f"http://calendar.test/static/{assets.version()}/{name}")
    assert now.status_code == 200
    assert now.content == assets.assets()[name].data
    assert now.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert now.headers["X-Content-Type-Options"] == "nosniff"
    old = world.get(f"http://calendar.test/static/0123456789abcdef/{name}")
    assert (old.content, old.headers["Cache-Control"]) == (now.content, "public, max-age=10")
    known = world.get(
        f"http://calendar.test/static/{assets.version()}/{name}", headers={"If-None-Match": now.headers["ETag"]}
    )
    assert known.status_code == 304


@pytest.mark.parametrize("path", ["docs.txt", "..%2F__init__.py", "../api_reference.py", "a/b/docs.css", ""])
def test_other_files_are_404(world, path: str) -> None:
    assert world.get(f"http://calendar.test/static/{assets.version()}/{path}").status_code == 404


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [
        *((text, back, 4.5) for text in ("text", "muted", "accent") for back in ("background", "surface")),
        ("on-accent", "accent", 4.5),
        ("field-border", "background", 3),
        ("field-border", "surface", 3),
    ],
)
def test_text_and_fields_have_enough_contrast(front: str, back: str, least: float, theme: int) -> None:
    """WCAG 2.2 AA: 4.5 for text, 3 for the borders of fields."""
    sheet = assets.assets()["base.css"].data.decode()
    colours = {name: pair for name, *pair in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", sheet)}
    high, low = sorted((luminance(colours[front][theme]), luminance(colours[back][theme])), reverse=True)
    assert (high + 0.05) / (low + 0.05) >= least
