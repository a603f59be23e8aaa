"""Venues, organizers, categories and tags inside an event."""

import pytest

KINDS = pytest.mark.parametrize("kind", ["venue", "organizer"])


def ids(found):
    return [record["id"] for record in (found if isinstance(found, list) else [found])]


def post(world, who="administrator", **body):
    sent = {"title": "Nesting", "start_date": "2027-03-10 09:00", "end_date": "2027-03-10 11:00"} | body
    return world.post("/events", who, json=sent)


def named(kind, name, **more):
    return {kind: name, **more}


@KINDS
def test_ids_come_in_every_shape(world, refs, kind):
    a, b = refs[kind]
    shapes = [
        (a, [a]), (str(a), [a]), ([a], [a]), ([str(a)], [a]), (f"{b},{a}", [b, a]), (f" {b} , {a} ,", [b, a]),
        ([b, a], [b, a]), ([a, a, b], [a, b]), ([a, None, ""], [a]), ({"id": a}, [a]), ([{"id": str(b)}, a], [b, a]),
        ({"0": b, "1": a}, [b, a]), (float(a), [a]),
    ]  # fmt: skip
    for sent, found in shapes:
        created = post(world, **{kind: sent})
        assert created.status_code == 201, (sent, created.text)
        assert ids(created.json()[kind]) == found
        changed = world.put(f"/events/{refs['event'][0]}", json={kind: sent}).json()
        assert ids(changed[kind]) == found


@KINDS
def test_objects_are_created_with_the_event(world, refs, kind):
    created = post(world, **{kind: named(kind, "New one", website="https://n.test/", description="D")}).json()
    [id] = ids(created[kind])
    read = world.get(f"/{kind}s/{id}").json()
    assert (read[kind], read["website"], read["description"]) == ("New one", "https://n.test/", "<p>D</p>")
    assert read["author"] == created["author"]
    mixed = post(world, **{kind: [named(kind, "Another"), refs[kind][0], named(kind, "Third")]}).json()[kind]
    assert [record[kind] for record in mixed] == ["Another", "Linked A", "Third"]


@KINDS
def test_an_object_with_an_id_links_that_record_and_changes_nothing_in_it(world, refs, kind):
    before = world.read(f"{kind}s", refs[kind][0])
    created = post(world, **{kind: {"id": refs[kind][0], kind: "Ignored", "phone": "1"}}).json()
    assert ids(created[kind]) == [refs[kind][0]]
    assert world.read(f"{kind}s", refs[kind][0]) == before
    assert post(world, **{kind: {"id": 999, kind: "X"}}).status_code == 400


@KINDS
def test_an_object_equal_to_a_record_in_every_field_it_sends_reuses_it(make_world, kind):
    world = make_world()
    first = ids(post(world, **{kind: named(kind, "Same", phone="1", description="Text")}).json()[kind])
    again = [named(kind, "Same"), named(kind, "Same", phone="1"),
             named(kind, " <b>Same</b> ", description="<p>Text</p>"),
             named(kind, "Same", slug="same", status="publish", phone=1, email=None)]  # fmt: skip
    for sent in again:
        assert ids(post(world, **{kind: sent}).json()[kind]) == first
    for sent in (named(kind, "Same", phone="2"), named(kind, "same"), named(kind, "Same", slug="other")):
        assert ids(post(world, **{kind: sent}).json()[kind]) != first
    twice = ids(post(world, **{kind: [named(kind, "Twin"), named(kind, "Twin")]}).json()[kind])
    assert len(twice) == 1


@KINDS
def test_a_record_that_the_caller_may_not_see_or_in_the_trash_is_not_reused(make_world, kind):
    world = make_world()
    hidden = world.make(f"{kind}s", **{kind: "Same"}, status="draft")["id"]
    [made] = ids(post(world, "author", **{kind: named(kind, "Same")}).json()[kind])
    assert made != hidden
    for id in (made, hidden):  # what is public comes first
        assert ids(post(world, "editor", **{kind: named(kind, "Same")}).json()[kind]) == [id]
        world.delete(f"/{kind}s/{id}")
    assert ids(post(world, "editor", **{kind: named(kind, "Same")}).json()[kind]) not in ([hidden], [made])


@KINDS
@pytest.mark.parametrize("empty", [[], "", 0, "0", None, [""], [None], [0], False])
def test_nothing_removes_all(world, refs, kind, empty):
    event = post(world, **{kind: refs[kind]}).json()
    other = "organizer" if kind == "venue" else "venue"
    world.put(f"/events/{event['id']}", json={other: refs[other]})
    changed = world.put(f"/events/{event['id']}", json={kind: empty})
    assert changed.status_code == 200
    assert changed.json()[kind] == []
    assert ids(changed.json()[other]) == refs[other]


BROKEN = [
    999, [999], "Hall", ["Hall"], -1, True, [True], 1.5, {}, [{}], [[1]], {"id": "x"}, {"id": -1}, {"id": [1]},
    {"phone": "1"}, [{"name": "X"}],
]  # fmt: skip


@KINDS
@pytest.mark.parametrize("sent", BROKEN, ids=repr)
def test_what_is_neither_id_nor_object_is_400(world, kind, sent):
    count = world.count()
    response = post(world, **{kind: sent})
    assert (response.status_code, list(response.json()["data"]["params"])) == (400, [kind])
    assert world.count() == count


BAD_OBJECTS = [
    {"website": "nope"}, {"status": "gone"}, {"status": "trash"}, {"author": 999}, {"image": 999}, {"date": "never"},
    {"phone": []}, {"date_utc": "9999-12-31T23:59:59-14:00"},
]  # fmt: skip


@KINDS
@pytest.mark.parametrize("bad", BAD_OBJECTS, ids=repr)
def test_a_bad_field_of_an_object_is_named_with_its_place_and_nothing_is_created(world, kind, bad):
    count = world.count()
    response = post(world, **{kind: [named(kind, "Fine"), named(kind, "Bad", **bad)]}, tags=["new"])
    assert (response.status_code, list(response.json()["data"]["params"])) == (400, [kind])
    assert next(iter(bad)) in response.json()["data"]["params"][kind]
    assert world.count() == count
    assert world.get("/venues/by-slug/fine").status_code == 404


def test_a_bad_organizer_leaves_no_venue_behind(make_world):
    world = make_world()
    count = world.count()
    late = {"organizer": "Otto", "date": "9999-12-31T23:00:00-14:00"}  # found out when it is made
    for organizer in ({"organizer": "Otto", "email": "nope"}, [{"organizer": "A"}, {"x": 1}], 999, late):
        response = post(world, venue={"venue": "Hall", "city": "Nice"}, organizer=organizer, categories=["New"])
        assert (response.status_code, list(response.json()["data"]["params"])) == (400, ["organizer"])
    lone = post(world, organizer={"organizer": "Otto"}, venue={"venue": "Hall", "geo_lat": 1})
    assert (lone.status_code, list(lone.json()["data"]["params"])) == (400, ["venue"])
    assert world.count() == count
    for path in ("/venues/by-slug/hall", "/organizers/by-slug/otto", "/events/by-slug/nesting"):
        assert world.get(path, "administrator").status_code == 404


def test_a_refused_update_makes_no_nested_record(world):
    event = post(world, venue={"venue": "Old"}).json()
    count = world.count()
    response = world.put(f"/events/{event['id']}", json={"venue": {"venue": "New"}, "end_date": "2020-01-01"})
    assert response.status_code == 400
    foreign = world.put(f"/events/{event['id']}", "author", json={"venue": {"venue": "New"}})
    assert foreign.status_code == 403
    assert world.count() == count


@KINDS
def test_the_rights_of_nested_records_are_those_of_single_ones(world, kind):
    drafted = post(world, "contributor", **{kind: named(kind, "Mine", status="publish")}).json()
    assert drafted["status"] == "draft"
    [id] = ids(drafted[kind])
    assert world.read(f"{kind}s", id)["status"] == "pending"
    plain = post(world, "contributor", **{kind: named(kind, "Plain")}).json()
    assert world.read(f"{kind}s", ids(plain[kind])[0])["status"] == "draft"
    count = world.count()
    foreign = post(world, "author", **{kind: named(kind, "X", author=world.ids["editor"])})
    assert (foreign.status_code, foreign.json()["code"]) == (403, "rest_forbidden")
    assert world.count() == count


@KINDS
def test_a_record_that_the_caller_may_not_read_is_unknown(world, kind):
    hidden = world.make(f"{kind}s", **{kind: "Hidden"}, status="draft")["id"]
    assert post(world, "author", **{kind: hidden}).status_code == 400
    assert ids(post(world, "editor", **{kind: hidden}).json()[kind]) == [hidden]
    other = {"venue": "organizers", "organizer": "venues"}[kind]
    foreign = world.make(other, **{other[:-1]: "Foreign"})["id"]
    assert post(world, **{kind: foreign}).status_code == 400


TERMS = pytest.mark.parametrize("name", ["categories", "tags"])


@TERMS
def test_terms_by_id_slug_or_name_in_every_shape(make_world, name):
    world = make_world()
    jazz = world.make(name, name="Hot Jazz", slug="jazz")["id"]
    food = world.make(name, name="Food")["id"]
    shapes = [
        (jazz, [jazz]), ([jazz], [jazz]), (str(jazz), [jazz]), ("jazz", [jazz]), ("JAZZ", [jazz]),
        (["Hot Jazz"], [jazz]),
        ("hot jazz,food", [food, jazz]), ([f"{food}", "jazz", "Hot Jazz", jazz], [food, jazz]),
        ({"0": "jazz"}, [jazz]),
        ("", []), ([], []), ([None, ""], []), (0, []), ("0", []), (float(food), [food]),
    ]  # fmt: skip
    count = len(world.get(f"/{name}?hide_empty=0").json()[name])
    for sent, found in shapes:
        response = post(world, **{name: sent})
        assert response.status_code == 201, (sent, response.text)
        assert ids(response.json()[name]) == found, sent
    assert len(world.get(f"/{name}?hide_empty=0").json()[name]) == count


@TERMS
def test_a_slug_or_name_may_be_a_number(make_world, name):
    world = make_world()
    year = world.make(name, name="2027")["id"]
    route = world.make(name, name="66", slug="route")["id"]
    for sent, found in (("2027", [year]), (["2027"], [year]), ("2027,66", [year, route]), (["66"], [route])):
        response = post(world, **{name: sent})
        assert response.status_code == 201, (sent, response.text)
        assert ids(response.json()[name]) == found
    # An id comes first, a JSON number is always one, and an unknown one is never made a name.
    assert ids(post(world, **{name: str(year)}).json()[name]) == [year]
    for unknown in ("2028", 2027, [{"id": 66}]):
        assert post(world, **{name: unknown}).status_code == 400, unknown


@TERMS
def test_a_new_name_is_created_once(make_world, name):
    world = make_world()
    response = post(world, **{name: ["Brand new", "brand NEW", "Other"]})
    assert [term["name"] for term in response.json()[name]] == ["Brand new", "Other"]
    again = post(world, **{name: "Brand new"}).json()
    assert ids(again[name]) == ids(response.json()[name])[:1]


@pytest.mark.parametrize(
    ("who", "categories", "tags"), [("contributor", 403, 403), ("author", 201, 403), ("editor", 201, 201)]
)
def test_a_new_name_only_by_who_may_manage_that_kind(make_world, who, categories, tags):
    world = make_world()
    world.make("tags", name="Known")
    assert post(world, who, tags=["known"]).status_code == 201
    for name, expected in (("categories", categories), ("tags", tags)):
        count = world.count()
        response = post(world, who, **{name: ["Brand new"]}, venue={"venue": "Hall"})
        assert response.status_code == expected
        if expected == 403:
            assert response.json()["code"] == "rest_forbidden"
            assert world.count() == count


@TERMS
@pytest.mark.parametrize("sent", [[999], "999", [1.5], [-1], True, [[1]], [{}], ["x" * 201], {"a": 1}], ids=repr)
def test_an_unknown_id_or_what_is_no_term_is_400(world, name, sent):
    count = world.count()
    response = post(world, **{name: sent}, venue={"venue": "Hall"})
    assert (response.status_code, list(response.json()["data"]["params"])) == (400, [name])
    assert world.count() == count


def test_an_id_of_the_other_kind_of_term_is_unknown(world, refs):
    assert post(world, categories=refs["tag"]).status_code == 400
    assert post(world, tags=refs["category"]).status_code == 400
