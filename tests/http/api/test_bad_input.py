"""Whatever a client sends is answered with less than 500, and a refusal changes nothing."""

import io
import json
from urllib.parse import quote
from wsgiref.util import setup_testing_defaults

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.effort import effort

from kalends.contract.kinds import KINDS
from kalends.worker import make_app

QUICK = settings(
    max_examples=effort(12, 60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
NS = "/api/calendar/events/v1"
EVERY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)

# Lone surrogates and control characters too.
TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
TRICKY = st.sampled_from([
    "", " ", "0", "-1", "1e5", "9" * 40, 10**40, -(10**40), 2**63, 2**63 - 1, 1e308, -0.0, 1.5, "NaN",
    "Infinity", "\x00",
    "a\x00b", "\ud800", "null", "true", "+9999999 years", "-9999999 days", "9999-12-31T23:59:59-14:00",
    "0001-01-01", "1900-01-01T00:00:00+14:00", "@-99999999999", "99999999999999", "UTC+14", "Europe/../Paris",
    "<p>" * 500,
    "&#x0;" * 50, "<a href='javascript:x'>", "http://[::1", "http://a:99999/", "http://" + "a" * 3000, "https://pictures.test/a.png",
    "http://calendar.test/media/%00", "http://calendar.test/media/../kalends.db", "a@b.c", "%s%d{0}{x}", "{}",
    "1,2,3", ",,,",
    "trash", "future", "private", "publish", [], {}, [[]], [[[]]], [{}], {"id": {}}, {"id": 10**40}, {"id": []},
    {"0": 1},
    {"0": {"1": {}}}, {"venue": "V"}, {"organizer": "O"}, {"venue": "V", "geo_lat": 5},
    {"venue": "V", "date": "+9999999 years"},
    {"venue": "V", "image": "https://pictures.test/none.png"}, {"organizer": "O", "status": "trash"}, [{"name": "T"}],
    [{"name": "T", "starts": "9999-12-31T23:59:59-14:00"}], [{"name": "T", "capacity": 10**40, "price": "1e999999"}],
    [{"name": "T", "price": "NaN"}], [{"name": "T", "price": "1" * 5000}], ["a"] * 1001, list(range(2000)),
])  # fmt: skip
SHARE = effort(4, 1)
FIRST_OF_TYPE = {
    type(field.type): (kind.name, field.name) for kind in reversed(KINDS) for field in reversed(kind.fields)
}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
VALUES = TRICKY | st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT | st.just("id"), inner, max_size=4),
    max_leaves=8,
)


def refused_or_done(world, count, response):
    assert response.status_code < 500, response.text
    if response.status_code >= 400:
        assert world.count() == count
        body = response.json()
        assert set(body) == {"code", "message", "data"}
        assert body["data"]["status"] == response.status_code


def sent(world, method, path, body):
    """JSON as a client may write it, escapes of lone surrogates included."""
    return world.ask(
        method, path, "administrator", content=json.dumps(body), headers={"Content-Type": "application/json"}
    )


@pytest.mark.both_stores
@EVERY_KIND
def test_any_json_value_for_any_field(world, web, required, kind):
    made = world.make(kind.plural, **required[kind.plural])
    fields = st.sampled_from([field.name for field in kind.fields])

    @QUICK
    @given(body=st.dictionaries(fields, VALUES, min_size=1, max_size=3))
    def check(body):
        for method, path, whole in (
            ("POST", f"/{kind.plural}", required[kind.plural] | body),
            ("PUT", f"/{kind.plural}/{made['id']}", body),
        ):
            count = world.count()
            response = sent(world, method, path, whole)
            refused_or_done(world, count, response)
            if response.status_code < 300:  # what was taken can be read again
                id = response.json()["id"]
                assert world.get(f"/{kind.plural}/{id}", "administrator").status_code == 200

    check()


@pytest.mark.both_stores
@EVERY_KIND
def test_every_tricky_value_for_every_field(world, web, required, kind, store_kind):
    """The whole table once, without luck; usually a quarter of the values for a field whose type another field has.
    On PostgreSQL usually without what no store gets to see, and a third of the rest for one field of each type."""
    made = world.make(kind.plural, **required[kind.plural])
    plain = store_kind != "sqlite" and effort(True, False)
    for number, field in enumerate(kind.fields):
        is_first = FIRST_OF_TYPE[type(field.type)] == (kind.name, field.name)
        if plain and not is_first:
            continue
        values = TRICKY.elements if is_first else TRICKY.elements[number % SHARE :: SHARE]
        if plain:
            values = [value for value in values if not isinstance(value, (list, dict))][number % 3 :: 3]
        for value in values:
            count = world.count()
            response = sent(world, "PATCH", f"/{kind.plural}/{made['id']}", {field.name: value})
            refused_or_done(world, count, response)
        assert world.get(f"/{kind.plural}/{made['id']}", "administrator").status_code == 200


def knocking(world):
    """Asks the application itself, past everything that a client library would tidy up."""
    app = make_app(world.calendar)

    def ask(method, path, query="", headers=(), body=b""):
        environ: dict[str, object] = {}
        setup_testing_defaults(environ)
        environ |= {"REQUEST_METHOD": method, "PATH_INFO": path.decode("latin-1"), "QUERY_STRING": query}
        environ |= {"wsgi.input": io.BytesIO(body), "wsgi.errors": io.StringIO(), "REMOTE_ADDR": "127.0.0.1"}
        if body:
            environ["CONTENT_LENGTH"] = str(len(body))
        for name, value in headers:
            key = name.upper().replace("-", "_")
            environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
        found: list[str] = []
        b"".join(app(environ, lambda status, _headers, _error=None: found.append(status)))
        return int(found[0][:3])

    return ask


@pytest.fixture
def knock(world):
    return knocking(world)


CONTENT_TYPES = st.sampled_from([
    None, "", "application/json", "application/json; charset=latin-1", "application/ld+json", "text/plain",
    "image/png",
    "application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=" + "x" * 100, "multipart/form-data; boundary=\"", "*/*", ";", "\xff",
]) | st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=30)  # fmt: skip
BODIES = st.binary(max_size=200) | st.sampled_from([
    b"{", b"[]", b"null", b"1", b'"x"', b'{"title": "\\ud800"}', b'{"title": "\xed\xa0\x80"}',
    b'{"title": "\xff"}', b"\xef\xbb\xbf{}",
    b"title=%ff&start_date=%00", b"title[][][][][][][][]=1", b"a[=1&]b=2&[]=3&=4", b"&&&===", b"--x\r\n\r\n--x--",
    b'--x\r\nContent-Disposition: form-data; name="title"\r\n\r\n\xff\xfe\r\n--x--\r\n', b"--x--", b"--x\r\n" * 50,
    b'--x\r\nContent-Disposition: form-data; name="\xff"\r\n\r\n1\r\n--x--\r\n',
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="\xff"\r\nContent-Type: x\r\n\r\n1\r\n--x--\r\n',
    b'--x\r\nContent-Disposition: form-data; name="file"; filename*=none\'\'%ff\r\n\r\n1\r\n--x--\r\n',
])  # fmt: skip


@pytest.mark.parametrize("path", [*(f"/{kind.plural}" for kind in KINDS), "/events/1", "/media"])
def test_any_bytes_as_a_body_of_any_type(world, knock, path):
    token = ("Authorization", f"Bearer {world.tokens['administrator']}")

    @QUICK
    @given(body=BODIES, content_type=CONTENT_TYPES)
    def check(body, content_type):
        headers = [token] if content_type is None else [token, ("Content-Type", content_type)]
        count = world.count()
        status = knock("POST", (NS + path).encode(), headers=headers, body=body)
        assert status < 500
        assert status < 400 or world.count() == count

    check()


SEGMENTS = st.sampled_from([
    b"events", b"venues", b"organizers", b"categories", b"tags", b"media", b"by-slug", b"1", b"0", b"9" * 40,
    b"9" * 5000,
    b"-1", b"..", b".", b"", b"\x00", b"\xff\xfe", b"a" * 5000, b"%00", "ſ\u0130".encode(), b"\xed\xa0\x80", b"doc",
]) | st.binary(max_size=20)  # fmt: skip
METHODS = st.sampled_from(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW", "get", ""])


def test_any_path_and_method(world, knock):
    world.make("events")

    @settings(QUICK, max_examples=effort(80, 250))
    @given(
        method=METHODS,
        prefix=st.sampled_from([NS.encode(), b"/wp-json/tribe/events/v1", b"/api", b"", b"/media", b"/wp-json"]),
        segments=st.lists(SEGMENTS, max_size=4),
    )
    def check(method, prefix, segments):
        assert knock(method, prefix + b"".join(b"/" + segment for segment in segments)) < 500

    check()


PARAMETERS = sorted(
    {field.name for kind in KINDS for field in kind.filters}
    | {"_fields", "_method", "password", "force", "lang", "id", "slug", "_envelope", "_jsonp"}
)
QUERY_VALUES = (
    TRICKY.map(str)
    | TEXT
    | st.sampled_from(["1", "true", "2027-01-01", "publish", "id,venue.id", "a.b.c,,.", "desc"])
)


@pytest.mark.both_stores
@pytest.mark.parametrize("path", [*(f"/{kind.plural}" for kind in KINDS), "/events/1", "/events/by-slug/an-event"])
def test_any_query_string(world, knock, path):
    world.make("events", venue={"venue": "V", "geo_lat": 1, "geo_lng": 1}, tags=["x"], organizer={"organizer": "O"})
    names = st.sampled_from(PARAMETERS) | TEXT

    @QUICK
    @given(
        pairs=st.lists(
            st.tuples(names, st.sampled_from(["", "[]", "[0]", "[a][b]", "[", "]"]), QUERY_VALUES), max_size=4
        ),
        raw=st.text(st.characters(max_codepoint=255), max_size=20),
    )
    def check(pairs, raw):
        query = "&".join(
            quote(name, safe="", errors="surrogatepass")
            + brackets
            + "="
            + quote(value, safe="", errors="surrogatepass")
            for name, brackets, value in pairs
        )
        for written in (query, query + "&" + raw, raw):
            assert knock("GET", (NS + path).encode(), written) < 500

    check()


HEADERS = st.sampled_from([
    "Authorization", "Host", "Accept", "Accept-Language", "If-None-Match", "If-Match", "If-Modified-Since",
    "Forwarded",
    "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-HTTP-Method-Override", "Origin", "Cookie", "Range",
    "Access-Control-Request-Method", "Transfer-Encoding", "Expect",
])  # fmt: skip
HEADER_VALUES = st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=40) | st.sampled_from([
    "", "*", "Basic", "Basic ", "Basic x", "Basic Og==", "Basic /////w==", "Basic YWRtaW46AA==", "Bearer",
    "Bearer ", "Bearer é",
    "Bearer a b", "Digest x", '"', 'W/"x"', "for=_;host=\"", "for=1;proto=https;host=a\"b", "javascript",
    "a\\b", "[::1]:99999",
    "Sun, 99 Foo 9999", "bytes=0-", "chunked", "de-DE;q=x,*", "x" * 9000, "DELETE",
])  # fmt: skip


@pytest.mark.parametrize("trusted", ["", "127.0.0.1"])
def test_any_headers(make_world, trusted):
    world = make_world(trusted_proxies=trusted)
    knock = knocking(world)
    world.make("events")

    @settings(QUICK, max_examples=effort(60, 150))
    @given(
        method=st.sampled_from(["GET", "POST", "PUT", "OPTIONS"]),
        headers=st.lists(st.tuples(HEADERS, HEADER_VALUES), max_size=4),
    )
    def check(method, headers):
        assert knock(method, f"{NS}/events/1".encode(), headers=headers) < 500

    check()
