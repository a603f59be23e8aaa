"""GET /events/{id} and /events/by-slug/{slug}."""

import pytest

WAYS = ("id", "slug")


def path(event, way):
    return f"/events/{event['id']}" if way == "id" else f"/events/by-slug/{event['slug']}"


@pytest.mark.parametrize("way", WAYS)
def test_a_public_event_is_read_by_everybody(world, way):
    event = world.make("events", title="Concert")
    for who in ("anonymous", "subscriber", "contributor", "administrator"):
        response = world.get(path(event, way), who)
        assert response.status_code == 200
        assert {k: v for k, v in response.json().items() if k != "json_ld"} == event


@pytest.mark.parametrize("slug", ["été-é", "ÉTÉ", "concert", "CONCERT", "Concert", "conc%65rt"])
def test_a_slug_is_found_without_regard_to_case(world, slug):
    event = world.make("events", title="Concert")
    response = world.get(f"/events/by-slug/{slug}")
    if "conc" in slug.lower():
        assert response.json()["id"] == event["id"]
    else:
        assert (response.status_code, response.json()["code"]) == (404, "rest-event-not-found")


def test_a_slug_in_another_script_is_percent_encoded_in_addresses(world):
    event = world.make("events", title="Ζεύς 祭")
    assert event["slug"] == "ζεύς-祭"
    assert event["url"] == "http://calendar.test/event/%CE%B6%CE%B5%CF%8D%CF%82-%E7%A5%AD/"
    assert world.get("/events/by-slug/%CE%B6%CE%B5%CF%8D%CF%82-%E7%A5%AD").json()["id"] == event["id"]
    assert world.get("/events/by-slug/ΖΕΎΣ-祭").json()["id"] == event["id"]


@pytest.mark.parametrize(
    "path",
    ["/events/99999", "/events/0", f"/events/{'9' * 40}", f"/events/{'9' * 400}", "/events/by-slug/unknown",
     "/events/by-slug/" + "x" * 3000],
)  # fmt: skip
def test_an_unknown_event_is_404(world, path):
    world.make("events")
    for who in ("anonymous", "administrator"):
        response = world.get(path, who)
        assert response.status_code == 404
        assert response.json()["code"] == "rest-event-not-found"
        assert response.json()["data"] == {"status": 404}


@pytest.mark.parametrize("path", ["/events/abc", "/events/-1", "/events/1.0", "/events/by-slug", "/events/1/2", "/x"])
def test_what_is_no_route_is_404(world, path):
    world.make("events")
    response = world.get(path)
    assert (response.status_code, response.json()["code"]) == (404, "rest_no_route")


def test_an_id_of_another_kind_is_not_found(world, refs):
    for other in ("venue", "organizer", "image"):
        assert world.get(f"/events/{refs[other][0]}").json()["code"] == "rest-event-not-found"
    world.make("venues", venue="Only a venue")
    assert world.get("/events/by-slug/only-a-venue").status_code == 404


READERS = {
    "own": ("author", "editor", "administrator"),
    "others": ("anonymous", "subscriber", "contributor", "other_author"),
}


@pytest.mark.parametrize("status", ["draft", "pending", "private", "future", "trash"])
def test_the_unpublished_is_read_by_its_author_and_by_editors(world, status):
    body = {"date": "2027-01-01"} if status == "future" else {} if status == "trash" else {"status": status}
    event = world.make("events", "author", title="Hidden", **body)
    if status == "trash":
        event = world.delete(f"/events/{event['id']}", "author").json()
    assert event["status"] == status
    code = "event-no-longer-available" if status == "trash" else "event-not-accessible"
    for who in READERS["own"]:
        assert world.get(path(event, "id"), who).json()["title"] == "Hidden"
        assert world.get(path(event, "slug"), who).json()["title"] == "Hidden"
    for who in READERS["others"]:
        response = world.get(path(event, "id"), who)
        assert (response.status_code, response.json()["code"]) == (403, code)
        assert "Hidden" not in response.text
        response = world.get(path(event, "slug"), who)  # a slug tells the title
        assert (response.status_code, response.json()["code"]) == (404, "rest-event-not-found")


def test_venues_and_organizers_that_the_caller_may_not_read_are_left_out(world):
    event = world.make("events", venue=[{"venue": "Open"}, {"venue": "Closed"}],
                       organizer=[{"organizer": "Closed"}, {"organizer": "Open"}])  # fmt: skip
    world.put(f"/venues/{event['venue'][1]['id']}", json={"status": "draft"})
    world.put(f"/organizers/{event['organizer'][0]['id']}", json={"status": "private"})
    for way in WAYS:
        visibility = world.get(path(event, way))
        assert visibility.json()["venue"]["venue"] == "Open"
        assert [found["organizer"] for found in visibility.json()["organizer"]] == ["Open"]
        assert "Closed" not in visibility.text
        all_of_it = world.get(path(event, way), "editor").json()
        assert len(all_of_it["venue"]) == len(all_of_it["organizer"]) == 2
    world.delete(f"/venues/{event['venue'][0]['id']}")
    assert world.get(path(event, "id")).json()["venue"] == []


def test_venue_is_an_object_an_empty_list_or_a_list_of_several(world, refs):
    first, second = refs["venue"]
    assert world.make("events")["venue"] == []
    assert world.make("events", venue=first)["venue"]["id"] == first
    assert [v["id"] for v in world.make("events", venue=[second, first])["venue"]] == [second, first]
    assert [o["id"] for o in world.make("events", organizer=refs["organizer"][1])["organizer"]] == [
        refs["organizer"][1]
    ]


def test_terms_are_ordered_by_name_without_regard_to_case_and_accents(world):
    event = world.make("events", categories=["zebra", "Éclair", "apple", "Food"], tags=["b", "A", "ä2", "C"])
    assert [term["name"] for term in event["categories"]] == ["apple", "Éclair", "Food", "zebra"]
    assert [term["name"] for term in event["tags"]] == ["A", "ä2", "b", "C"]


def test_an_embedded_term_has_no_count_meta_and_rev(world):
    parent = world.make("categories", name="Music")
    child = world.make("categories", name="Jazz", parent=parent["id"])
    event = world.make("events", categories=[child["id"]], tags=["loud"])
    assert event["categories"] == [
        {
            "id": child["id"], "description": "", "name": "Jazz", "slug": "jazz", "taxonomy": "event_category",
            "parent": parent["id"], "color": child["color"], "url": "http://calendar.test/events/category/jazz/",
            "urls": {"self": f"{world.ns}/categories/{child['id']}", "collection": f"{world.ns}/categories",
                     "up": f"{world.ns}/categories/{parent['id']}"},
        }
    ]  # fmt: skip
    assert list(event["tags"][0]) == ["id", "description", "name", "slug", "taxonomy", "url", "urls"]


def test_a_single_read_adds_json_ld_last(world):
    event = world.make("events", venue={"venue": "Hall"}, organizer=[{"organizer": "Olga"}])
    assert "json_ld" not in event
    assert "json_ld" not in event["venue"]
    for way in WAYS:
        read = world.get(path(event, way)).json()
        assert list(read) == [*event, "json_ld"]
        assert read["venue"]["json_ld"]["@type"] == "Place"
        assert read["organizer"][0]["json_ld"]["@type"] == "Organization"


def test_json_ld_of_an_event(world):
    event = world.make(
        "events", title="Rock & <Roll", description="<p>Loud &amp; long</p>", cost="$10",
        venue={"venue": "Hall", "address": "1 Main St", "city": "Nice", "zip": "06000", "country": "France",
               "geo_lat": 43.7, "geo_lng": 7.25},
        organizer=[{"organizer": "Olga"}, {"organizer": "Otto"}],
    )  # fmt: skip
    ld = world.get(f"/events/{event['id']}").json()["json_ld"]
    assert (ld["@type"], ld["name"], ld["description"]) == ("Event", event["title"], "Loud & long")
    assert ld["url"] == event["url"]
    assert (ld["startDate"], ld["endDate"]) == ("2027-03-10T09:00:00-05:00", "2027-03-10T11:00:00-05:00")
    assert ld["eventStatus"].endswith("EventScheduled")
    assert ld["eventAttendanceMode"].endswith("OfflineEventAttendanceMode")
    assert ld["location"]["address"]["@type"] == "PostalAddress"
    assert ld["location"]["address"]["addressLocality"] == "Nice"
    assert (ld["location"]["geo"]["latitude"], ld["location"]["geo"]["longitude"]) == (43.7, 7.25)
    assert [person["name"] for person in ld["organizer"]] == ["Olga", "Otto"]
    assert ld["offers"]["price"] == "10"
    world.put(f"/events/{event['id']}", json={"all_day": True})
    ld = world.get(f"/events/{event['id']}").json()["json_ld"]
    assert (ld["startDate"], ld["endDate"]) == ("2027-03-10", "2027-03-10")


@pytest.mark.parametrize("way", WAYS)
def test_a_protected_event_needs_its_password(world, way):
    event = world.make("events", "author", title="Secret", description="hidden words", post_password="s3cret")
    for query in ("", "?password=", "?password=wrong"):
        for who in ("anonymous", "other_author"):
            response = world.get(path(event, way) + query, who)
            assert (response.status_code, response.json()["code"]) == (403, "event-password-protected")
            assert "hidden words" not in response.text
    right = world.get(path(event, way) + "?password=s3cret")
    assert right.json()["description"] == "<p>hidden words</p>"
    assert right.headers["Cache-Control"] == "private, no-store"
    for who in ("author", "editor", "administrator"):  # editors of the event need none
        assert world.get(path(event, way), who).status_code == 200


def test_an_empty_post_password_opens_the_event_again(world):
    event = world.make("events", post_password="s3cret")
    assert world.get(f"/events/{event['id']}").status_code == 403
    world.put(f"/events/{event['id']}", json={"title": "Still closed"})
    assert world.get(f"/events/{event['id']}").status_code == 403
    world.put(f"/events/{event['id']}", json={"post_password": ""})
    assert world.get(f"/events/{event['id']}").status_code == 200
