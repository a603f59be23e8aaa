"""GET /events: filters by venue, organizer, category, tag, flag and parent, and what they refuse."""

import pytest
from tests.calendar.lists.list_requests import ask, names, refused

from kalends.contract.kinds import EVENT

# Arrays and the records they name


@pytest.fixture
def linked(world):
    """Three events, each with its own records, and what they are linked to by name."""
    ids = {}
    for kind, field in (("categories", "name"), ("tags", "name"), ("venues", "venue"), ("organizers", "organizer")):
        ids[kind] = [world.make(kind, **{field: f"{kind} {n}"})["id"] for n in range(3)]
    ids["events"] = [
        world.make(
            "events",
            title=f"event {n}",
            categories=[ids["categories"][n]],
            tags=[ids["tags"][n]],
            venue=[ids["venues"][n]],
            organizer=[ids["organizers"][n]],
        )["id"]
        for n in range(3)
    ]
    world.linked = ids
    return world


def test_arrays_in_all_four_writings(linked):
    expected = ["event 0", "event 2"]
    for name, plural in (
        ("categories", "categories"),
        ("tags", "tags"),
        ("venue", "venues"),
        ("organizer", "organizers"),
        ("include", "events"),
    ):
        a, b = linked.linked[plural][0], linked.linked[plural][2]
        for query in (
            f"{name}={a},{b}",
            f"{name}=%20{a}%20,%20{b},",
            f"{name}[]={a}&{name}[]={b}",
            f"{name}%5B%5D={a}&{name}%5B%5D={b}",
            f"{name}[0]={a}&{name}[1]={b}",
            f"{name}[7]={a}&{name}[3]={b}",
            f"{name}={a}&{name}={b}",
            f"{name}={a}.0&{name}={b}&{name}={b}",
        ):
            assert names(linked, f"/events?{query}") == expected, query
    excluded = linked.linked["events"][1]
    for query in (f"exclude={excluded}", f"exclude[]={excluded}", f"exclude[0]={excluded}"):
        assert names(linked, f"/events?{query}") == expected, query


def test_terms_by_slug_in_any_case_mixed_with_ids(linked):
    last = linked.linked["categories"][2]
    assert names(linked, "/events?categories=categories-0") == ["event 0"]
    assert names(linked, f"/events?categories=CATEGORIES-0,{last}") == ["event 0", "event 2"]
    assert names(linked, "/events?tags[]=tags-1&tags[]=Tags-2") == ["event 1", "event 2"]


def test_filters_of_different_kinds_combine_with_and(linked):
    ids = linked.linked
    assert names(linked, f"/events?categories={ids['categories'][0]}&tags={ids['tags'][0]}") == ["event 0"]
    assert names(linked, f"/events?categories={ids['categories'][0]}&tags={ids['tags'][1]}") == []


def test_what_is_unknown_is_refused_with_its_name(linked):
    event, venue = linked.linked["events"][0], linked.linked["venues"][0]
    known = linked.linked["categories"][0]
    for query, name in (
        ("categories=999", "categories"),
        (f"categories={known},no-such-slug", "categories"),
        ("tags=999", "tags"),
        (f"tags={known}", "tags"),  # the id of a category
        ("venue=999", "venue"),
        (f"venue={event}", "venue"),  # the id of an event
        (f"organizer={venue}", "organizer"),
        ("post_parent=999", "post_parent"),
        (f"post_parent={venue}", "post_parent"),
        ("venue=hall", "venue"),
        ("include=a", "include"),
        ("exclude=1,b", "exclude"),
    ):
        assert refused(linked, f"/events?{query}") == [name], query


def test_a_record_that_the_caller_may_not_read_is_unknown_to_him(world):
    venue = world.make("venues", "author", venue="Cellar", status="draft")["id"]
    organizer = world.make("organizers", "author", organizer="Nobody", status="private")["id"]
    parent = world.make("events", "author", title="parent", status="draft")["id"]
    child = {"post_parent": parent, "venue": [venue], "organizer": [organizer]}
    world.make("events", "author", title="child", **child)
    for query, name in (
        (f"venue={venue}", "venue"),
        (f"organizer={organizer}", "organizer"),
        (f"post_parent={parent}", "post_parent"),
    ):
        for who in ("anonymous", "subscriber", "contributor", "other_author"):
            assert refused(world, f"/events?{query}", who) == [name], (query, who)
        for who in ("author", "editor", "administrator"):
            assert names(world, f"/events?{query}", who) == ["child"], (query, who)


def test_several_problems_are_reported_together(world):
    query = "page=0&per_page=x&venue=999&start_date=2026-02-30&featured=maybe&geoloc_lat=1&orderby=rand"
    assert refused(world, f"/events?{query}") == [
        "featured", "geoloc_lng", "orderby", "page", "per_page", "start_date", "venue",
    ]  # fmt: skip


def test_empty_and_wrong_values_are_refused_with_their_name(world):
    for field in EVENT.filters:
        if field.name != "password":
            assert refused(world, f"/events?{field.name}=", "editor") == [field.name]
            named = f"{field.name}[a]" if field.name == "custom" else field.name
            assert refused(world, f"/events?{field.name}[a]=1", "editor") == [named]


# Categories


def test_a_category_includes_its_descendants_to_any_depth(world):
    parent, ids = 0, []
    for depth in range(6):
        parent = world.make("categories", name=f"depth {depth}", parent=parent)["id"]
        ids.append(parent)
        world.make("events", title=f"in {depth}", categories=[parent])
    for depth in range(6):
        expected = [f"in {n}" for n in range(depth, 6)]
        answer = ask(world, f"/events?categories={ids[depth]}")
        assert ([event["title"] for event in answer["events"]], answer["total"]) == (expected, 6 - depth)
        # Two overlapping branches do not show an event twice.
        answer = ask(world, f"/events?categories={ids[depth]},{ids[-1]}")
        assert ([event["title"] for event in answer["events"]], answer["total"]) == (expected, 6 - depth)


def test_moving_and_deleting_categories_moves_their_events_along(world):
    a = world.make("categories", name="a")["id"]
    b = world.make("categories", name="b", parent=a)["id"]
    c = world.make("categories", name="c", parent=b)["id"]
    d = world.make("categories", name="d")["id"]
    world.make("events", title="deep", categories=[c])

    def holders():
        return [name for name, id in zip("abcd", (a, b, c, d), strict=True) if _has(world, id)]

    assert holders() == ["a", "b", "c"]
    world.put(f"/categories/{b}", json={"parent": d})
    assert holders() == ["b", "c", "d"]
    world.delete(f"/categories/{b}")  # c becomes a child of d
    assert holders() == ["c", "d"]
    world.put(f"/categories/{c}", json={"parent": 0})
    assert holders() == ["c"]


def _has(world, category):
    response = world.get(f"/events?categories={category}")
    return response.status_code == 200 and response.json()["total"] == len(response.json()["events"]) == 1


# Flags and parents


def test_free_and_online_both_ways(world):
    for n, (title, sent) in enumerate(
        {
            "Free": {"cost": "Free"},
            "Zero": {"cost": "€0"},
            "Gratis": {"cost": "gratis"},
            "Partly": {"cost": ["Free", "5"]},
            "Paid": {"cost": "10", "tags": ["Online"]},
            "Moved": {"event_status": "moved_online"},
            "Secret": {"cost": "0", "post_password": "word", "categories": ["webinar"]},
        }.items()
    ):
        world.make("events", title=title, start_date=f"2027-03-1{n}", end_date=f"2027-03-1{n}", **sent)
    for query, expected in (
        ("free=true", ["Free", "Zero", "Gratis"]),
        ("free=0", ["Partly", "Paid", "Moved"]),
        ("online=1", ["Paid", "Moved"]),
        ("online=no", ["Free", "Zero", "Gratis", "Partly"]),
        ("online=1&free=1", []),
    ):
        assert names(world, f"/events?{query}") == expected, query
    assert ask(world, "/events?free=true")["total"] == 3
    assert refused(world, "/events?free=maybe&online=2") == ["free", "online"]


def test_featured_and_ticketed_both_ways(world):
    world.make("events", title="plain")
    world.make("events", title="featured", featured=True)
    world.make("events", title="ticketed", tickets=[{"name": "Seat"}])
    for query, expected in (
        ("featured=true", ["featured"]),
        ("featured=0", ["plain", "ticketed"]),
        ("ticketed=on", ["ticketed"]),
        ("ticketed=no", ["plain", "featured"]),
        ("featured=1&ticketed=1", []),
    ):
        assert names(world, f"/events?{query}") == expected, query
    assert refused(world, "/events?featured=maybe&ticketed=2") == ["featured", "ticketed"]


def test_post_parent_is_the_direct_parent(world):
    top = world.make("events", title="top")["id"]
    middle = world.make("events", title="middle", post_parent=top)["id"]
    world.make("events", title="bottom", post_parent=middle)
    assert names(world, f"/events?post_parent={top}") == ["middle"]
    assert names(world, f"/events?post_parent={middle}") == ["bottom"]
    assert refused(world, "/events?post_parent=0") == ["post_parent"]
