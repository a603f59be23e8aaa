"""GET /categories and GET /tags, rule by rule."""

from urllib.parse import parse_qs, quote, urlsplit

import pytest
from tests.calendar.lists.list_requests import ask, make, names, refused

from kalends.contract.kinds import CATEGORY, TAG

both = pytest.mark.parametrize("kind", [CATEGORY, TAG], ids=lambda kind: kind.plural)
ALL = "hide_empty=false"


@both
def test_by_name_without_regard_to_case_and_accents(world, kind):
    for name in ("zoo", "Émile", "apple", "Zebra", "emil", "Eva"):
        make(world, kind, name)
    expected = ["apple", "emil", "Émile", "Eva", "Zebra", "zoo"]
    assert names(world, f"/{kind.plural}?{ALL}") == expected
    assert names(world, f"/{kind.plural}?{ALL}&order=desc") == expected[::-1]


@both
def test_orders(world, kind):
    made = (("Beta", "z", "mid"), ("alpha", "y", "zed"), ("Gamma", "x", "abc"))
    ids = [make(world, kind, name, slug=slug, description=text) for name, slug, text in made]
    for name, count in zip(ids, (1, 2, 0), strict=True):
        for _ in range(count):
            world.make("events", **{kind.plural: [name]})
    a, b, c = ids
    expected = {
        "orderby=id": ["Beta", "alpha", "Gamma"],
        "orderby=name": ["alpha", "Beta", "Gamma"],
        "orderby=slug": ["Gamma", "alpha", "Beta"],
        "orderby=count": ["Gamma", "Beta", "alpha"],
        "orderby=description": ["Gamma", "Beta", "alpha"],
        f"orderby=include&include={c},{a},{b}": ["Gamma", "Beta", "alpha"],
        f"orderby=include&include[]={b}&include[]={c}": ["alpha", "Gamma"],
    }
    for query, found in expected.items():
        assert names(world, f"/{kind.plural}?{ALL}&{query}") == found, query
        assert names(world, f"/{kind.plural}?{ALL}&{query}&order=asc") == found, query
        assert names(world, f"/{kind.plural}?{ALL}&{query}&order=desc") == found[::-1], query


@both
def test_pages_and_past_the_end(world, kind):
    for name in "abcde":
        make(world, kind, name)
    path = f"/{kind.plural}?{ALL}&per_page=2"
    pages = [ask(world, f"{path}&page={n}") for n in (1, 2, 3)]
    assert [[t["name"] for t in page[kind.plural]] for page in pages] == [["a", "b"], ["c", "d"], ["e"]]
    assert ask(world, pages[0]["next_rest_url"]) == pages[1]
    assert ask(world, pages[1]["previous_rest_url"]) == pages[0]
    beyond = world.get(f"{path}&page=4")
    assert (beyond.status_code, beyond.json()[kind.plural]) == (200, [])
    assert (beyond.json()["total"], beyond.json()["total_pages"]) == (5, 3)
    assert (beyond.headers["X-TEC-Total"], beyond.headers["X-WP-TotalPages"]) == ("5", "3")
    assert "next_rest_url" not in beyond.json()
    assert parse_qs(urlsplit(ask(world, f"{path}&per_page=101")["rest_url"]).query)["per_page"] == ["100"]


@both
def test_links_carry_every_filter(world, kind):
    ids = [make(world, kind, f"jazz {n}") for n in range(4)]
    event = world.make("events", **{kind.plural: ids})["id"]
    query = {
        "search": "jazz",
        "include": ",".join(map(str, ids)),
        "exclude": str(ids[0]),
        "order": "desc",
        "orderby": "id",
        "hide_empty": "true",
        "post": str(event),
        "event": str(event),
        "per_page": "1",
    } | ({"parent": "0"} if kind is CATEGORY else {})
    page = world.client.get(f"{world.ns}/{kind.plural}", params=query).json()
    visibility = []
    while True:
        assert query.keys() <= parse_qs(urlsplit(page["rest_url"]).query).keys()
        visibility += [term["name"] for term in page[kind.plural]]
        if "next_rest_url" not in page:
            break
        page = ask(world, page["next_rest_url"])
    assert visibility == ["jazz 3", "jazz 2", "jazz 1"]


@both
def test_include_and_exclude(world, kind):
    a, b, c = (make(world, kind, name) for name in "abc")
    for query, expected in (
        (f"include={a},{c}", ["a", "c"]),
        (f"include[]={a}&include[]={c}", ["a", "c"]),
        (f"include[0]={a}&include[1]={c}", ["a", "c"]),
        (f"include={a}&include={c}", ["a", "c"]),
        (f"exclude={a},{c}", ["b"]),
        (f"exclude[]={a}", ["b", "c"]),
        (f"include={a},{b}&exclude={b}", ["a"]),
    ):
        assert names(world, f"/{kind.plural}?{ALL}&{query}") == expected, query


@both
def test_what_is_unknown_wrong_or_empty_is_refused_with_its_name(world, kind):
    known = make(world, kind, "known")
    other = make(world, TAG if kind is CATEGORY else CATEGORY, "of the other kind")
    venue = world.make("venues", venue="Hall")["id"]
    for query, name in (
        (f"include={known},999", "include"),
        (f"include={other}", "include"),
        ("include=known", "include"),
        ("exclude=999", "exclude"),
        ("post=999", "post"),
        ("event=999", "event"),
        (f"event={venue}", "event"),
        ("post=0", "post"),
        ("orderby=term_group", "orderby"),
        ("order=up", "order"),
        ("hide_empty=maybe", "hide_empty"),
        ("page=0", "page"),
        ("per_page=0", "per_page"),
    ):
        assert refused(world, f"/{kind.plural}?{query}") == [name], query
    for field in kind.filters:
        assert refused(world, f"/{kind.plural}?{field.name}=") == [field.name]


@both
def test_search_is_in_the_name_or_the_slug(world, kind):
    make(world, kind, "Große Kunst", slug="art")
    make(world, kind, "Музыка", slug="music")
    make(world, kind, "100 %_x")
    for text, expected in (
        ("GROSSE K", ["Große Kunst"]),
        ("art", ["Große Kunst"]),
        ("узык", ["Музыка"]),
        ("USI", ["Музыка"]),
        ("grosse-KÜNST", ["Große Kunst"]),
        ("100 x", ["100 %_x"]),
        ("%", []),
        ("kunst große", []),
        ("nothing", []),
    ):
        assert names(world, f"/{kind.plural}?{ALL}&search={quote(text)}") == expected, text
    assert refused(world, f"/{kind.plural}?search=%20") == ["search"]


@both
def test_slug_is_exact_but_for_case(world, kind):
    make(world, kind, "Open air")
    make(world, kind, "Open air concerts")
    make(world, kind, "Ярмарка")
    for slug, expected in (
        ("open-air", ["Open air"]),
        ("OPEN-Air", ["Open air"]),
        ("open", []),
        ("open air", []),
        ("open_air", []),
        ("ópen-air", []),
        ("ЯРМАРКА", ["Ярмарка"]),
    ):
        assert names(world, f"/{kind.plural}?{ALL}&slug={quote(slug)}") == expected, slug


@both
def test_those_of_an_event_and_event_wins_over_post(world, kind):
    a, b, _ = (make(world, kind, name) for name in "abc")
    first = world.make("events", **{kind.plural: [a]})["id"]
    second = world.make("events", **{kind.plural: [b]})["id"]
    assert names(world, f"/{kind.plural}?post={first}") == ["a"]
    assert names(world, f"/{kind.plural}?event={second}") == ["b"]
    assert names(world, f"/{kind.plural}?post={first}&event={second}") == ["b"]
    assert names(world, f"/{kind.plural}?event={second}&post={first}") == ["b"]
    empty = world.make("events")["id"]
    assert names(world, f"/{kind.plural}?event={empty}&{ALL}") == []


@both
def test_those_of_an_event_that_is_protected_or_unreadable(world, kind):
    a = make(world, kind, "a")
    masked = world.make("events", "author", post_password="x", **{kind.plural: [a]})["id"]
    draft = world.make("events", "author", status="draft", **{kind.plural: [a]})["id"]
    for query, anonymous in ((f"event={masked}", []), (f"post={masked}", [])):
        assert names(world, f"/{kind.plural}?{ALL}&{query}") == anonymous
        assert names(world, f"/{kind.plural}?{ALL}&{query}", "author") == ["a"]
    for name in ("event", "post"):
        assert refused(world, f"/{kind.plural}?{ALL}&{name}={draft}") == [name]
        assert names(world, f"/{kind.plural}?{ALL}&{name}={draft}", "author") == ["a"]


@both
def test_hide_empty_keeps_what_has_a_published_event_for_the_caller(world, kind):
    for name, event in (
        ("public", {}),
        ("past", {"start_date": "2001-01-01", "end_date": "2001-01-02"}),
        ("draft", {"status": "draft"}),
        ("hidden", {"hide_from_listings": True}),
        ("protected", {"post_password": "x"}),
    ):
        world.make("events", "author", **event, **{kind.plural: [make(world, kind, name)]})
    make(world, kind, "empty")
    trashed = world.make("events", "author", **{kind.plural: [make(world, kind, "trashed")]})["id"]
    world.delete(f"/events/{trashed}", "author")
    anonymous, owners = ["hidden", "past", "public"], ["hidden", "past", "protected", "public"]
    for who, expected in (
        ("anonymous", anonymous),
        ("contributor", anonymous),
        ("other_author", anonymous),
        ("author", owners),
        ("editor", owners),
    ):
        for query in ("", "?hide_empty=1", "?hide_empty=yes"):
            answer = ask(world, f"/{kind.plural}{query}", who)
            assert [term["name"] for term in answer[kind.plural]] == expected, (who, query)
            assert (answer["total"], {term["count"] for term in answer[kind.plural]}) == (len(expected), {1}), who
        assert ask(world, f"/{kind.plural}?{ALL}", who)["total"] == 7


def test_hide_empty_keeps_the_ancestors_and_counts_them(world):
    a = make(world, CATEGORY, "a")
    b = make(world, CATEGORY, "b", parent=a)
    c = make(world, CATEGORY, "c", parent=b)
    make(world, CATEGORY, "d", parent=c)
    event = world.make("events", categories=[c])["id"]
    answer = ask(world, "/categories")
    assert [(term["name"], term["count"]) for term in answer["categories"]] == [("a", 0), ("b", 0), ("c", 1)]
    assert answer["total"] == 3
    assert names(world, f"/categories?parent={a}") == ["b"]
    assert names(world, f"/categories?event={event}") == ["c"]
    world.delete(f"/events/{event}")
    assert ask(world, "/categories")["total"] == 0


def test_parent_is_direct_and_zero_is_the_top(world):
    a = make(world, CATEGORY, "a")
    b = make(world, CATEGORY, "b", parent=a)
    make(world, CATEGORY, "c", parent=b)
    tag = make(world, TAG, "tag")
    for query, expected in (("parent=0", ["a"]), (f"parent={a}", ["b"]), (f"parent={b}", ["c"])):
        assert names(world, f"/categories?{ALL}&{query}") == expected, query
    for query in ("parent=999", "parent=-1", "parent=x", f"parent={tag}"):
        assert refused(world, f"/categories?{query}") == ["parent"], query
    # Tags have no parents: the parameter is none of theirs.
    assert names(world, f"/tags?{ALL}&parent=999") == ["tag"]


def test_a_count_follows_what_happens_to_its_events(world):
    a = make(world, CATEGORY, "a")

    def count(who="anonymous"):
        return ask(world, f"/categories?{ALL}", who)["categories"][0]["count"]

    assert count() == 0
    event = world.make("events", categories=[a])["id"]
    assert count() == 1
    world.put(f"/events/{event}", json={"status": "draft"})
    assert (count(), count("editor")) == (0, 0)
    world.put(f"/events/{event}", json={"status": "publish", "hide_from_listings": True})
    assert (count(), count("editor")) == (1, 1)
    world.put(f"/events/{event}", json={"hide_from_listings": False, "post_password": "x"})
    assert (count(), count("editor")) == (0, 1)
    world.put(f"/events/{event}", json={"post_password": ""})
    world.delete(f"/events/{event}")
    assert (count(), count("editor")) == (0, 0)
    world.put(f"/events/{event}", json={"status": "publish"})
    assert count() == 1
    world.delete(f"/events/{event}?force=true")
    assert count() == 0


@pytest.mark.parametrize("plural", ["venues", "organizers"])
def test_deleting_a_record_with_the_number_of_a_term_leaves_its_count_alone(world, plural):
    place = world.make(plural, **{plural.removesuffix("s"): "Hall"})["id"]
    term = make(world, CATEGORY, "a")
    while term < place:
        term = make(world, CATEGORY, f"a{term}")
    assert place == term  # the two number spaces meet here
    world.make("events", categories=[term])
    world.delete(f"/{plural}/{place}?force=true")
    assert ask(world, "/categories")["categories"][0]["count"] == 1
