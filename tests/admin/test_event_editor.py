"""The editor of an event, by the forms that a browser without scripts sends."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, World
from tests.pages.calendar_html import Reader
from tests.pictures import png

NEW = "/admin/events/new"
FILLED: dict[str, Any] = {
    "title": "Harvest supper",
    "start_day": "2026-12-05",
    "start_time": "19:00",
    "end_day": "2026-12-05",
    "end_time": "21:30",
    "timezone": "Europe/Dublin",
    "description": "<p>Bring a dish.</p>",
    "cost": "5 €",
    "website": "https://supper.example/",
    "venue_name": "Parish hall",
    "venue_city": "Cork",
    "organizer_name": "Parish council",
    "new_category": "Food",
    "tag_names": "supper; harvest",
    "show_map": "1",
    "do": "publish",
}


def saved(world: World, response: Any) -> dict[str, Any]:
    """The event that a form led to, as the interface shows it."""
    return event(world, int(response.headers["Location"].rpartition("/")[2]))


def event(world: World, id: int) -> dict[str, Any]:
    found: dict[str, Any] = world.get(f"/events/{id}", who="administrator").json()
    return found


def count(world: World) -> int:
    statuses = "publish,draft,pending,private,future,trash"
    return int(world.get(f"/events?status={statuses}&start_date=1900-01-01", who="administrator").json()["total"])


def test_a_form_makes_a_whole_event(world: World) -> None:
    admin = AdminClient(world, "editor")
    made = saved(world, admin.post(NEW, FILLED, files={"picture": ("a.png", png(400, 300), "image/png")}))
    assert (made["title"], made["status"]) == ("Harvest supper", "publish")
    assert (made["start_date"], made["end_date"]) == ("2026-12-05 19:00:00", "2026-12-05 21:30:00")
    assert made["utc_start_date"] == "2026-12-05 19:00:00"
    assert (made["venue"]["venue"], made["venue"]["city"]) == ("Parish hall", "Cork")
    assert [found["organizer"] for found in made["organizer"]] == ["Parish council"]
    assert [found["name"] for found in made["categories"]] == ["Food"]
    assert [found["name"] for found in made["tags"]] == ["harvest", "supper"]
    assert made["image"]["width"] == 400
    assert admin.message() == "The event is public."


def test_the_form_of_a_stored_event_sends_it_back_unchanged(world: World) -> None:
    admin = AdminClient(world, "editor")
    made = saved(world, admin.post(NEW, FILLED))
    html = admin.get(f"/admin/events/{made['id']}").text
    sent: dict[str, Any] = {"do": "save"}
    for name, value in re.findall(r'<input[^>]*name="(\w+)"[^>]*value="([^"]*)"', html):
        tag = re.search(rf'<input[^>]*name="{name}"[^>]*value="{re.escape(value)}"[^>]*>', html)
        is_box = tag is not None and 'type="checkbox"' in tag[0]
        if name != "token" and (not is_box or " checked" in tag[0]):  # type: ignore[index]
            sent.setdefault(name, []).append(value)
    sent["description"] = "<p>Bring a dish.</p>"
    admin.post(f"/admin/events/{made['id']}", sent)
    assert event(world, made["id"]) == made


def test_all_day_events_have_whole_days(world: World) -> None:
    admin = AdminClient(world, "editor")
    made = saved(world, admin.post(NEW, FILLED | {"all_day": "1", "end_day": "2026-12-06"}))
    assert (made["all_day"], made["start_date"], made["end_date"]) == (
        True,
        "2026-12-05 00:00:00",
        "2026-12-06 23:59:59",
    )


def test_a_refused_form_keeps_what_was_typed_and_saves_nothing(world: World) -> None:
    admin = AdminClient(world, "editor")
    venue = world.make("venues", venue="Old barn")["id"]
    wrong = FILLED | {"title": " ", "end_day": "2026-12-01", "website": "no address", "venue": str(venue)}
    html = admin.post(NEW, wrong, status=400).text
    assert error_beside(html, "title")
    assert error_beside(html, "website")
    assert 'value="Parish hall"' in html
    assert "Old barn" in html
    assert 'href="#field-title"' in html
    assert count(world) == 0


def test_an_end_before_the_start_is_told_beside_the_end(world: World) -> None:
    html = AdminClient(world, "editor").post(NEW, FILLED | {"end_day": "2026-12-01"}, status=400).text
    assert error_beside(html, "end_date")


def test_contributors_submit_for_review_and_never_publish(world: World) -> None:
    admin = AdminClient(world, "contributor")
    own = FILLED | {"new_category": "", "tag_names": ""}
    assert "Submit for review" in admin.get(NEW).text
    assert saved(world, admin.post(NEW, own | {"do": "submit"}))["status"] == "pending"
    forged = saved(world, admin.post(NEW, own | {"do": "publish"}))
    assert forged["status"] == "pending"
    assert "submitted for review" in admin.get(f"/admin/events/{forged['id']}").text


def test_events_of_others_are_refused_by_request(world: World) -> None:
    made = saved(world, AdminClient(world, "editor").post(NEW, FILLED))
    for who in ("author", "contributor", "subscriber"):
        admin = AdminClient(world, who)
        for path in ("", "/autosave", "/duplicate", "/trash", "/move"):
            answer = admin.client.post(
                f"http://calendar.test/admin/events/{made['id']}{path}",
                data=FILLED | {"token": admin.token, "title": "Taken over", "day": "2030-01-01"},
            )
            assert answer.status_code in (303, 403), (who, path)
        assert event(world, made["id"]) == made, who


def test_two_editors_at_once_see_what_the_other_did(world: World) -> None:
    first, second = AdminClient(world, "editor"), AdminClient(world, "administrator")
    made = saved(world, first.post(NEW, FILLED))
    path = f"/admin/events/{made['id']}"
    version = re.search(r'name="version" value="(\d+)"', first.get(path).text)[1]  # type: ignore[index]
    second.post(path, FILLED | {"title": "Supper of the second", "version": version, "do": "save"})
    html = first.post(
        path, FILLED | {"title": "Supper of the first", "version": version, "do": "save"}, status=409
    ).text
    assert html.count("administrator changed this event") == 1
    assert "Supper of the second" in html
    assert 'value="Supper of the first"' in html
    assert event(world, made["id"])["title"] == "Supper of the second"
    newer = re.search(r'name="version" value="(\d+)"', html)[1]  # type: ignore[index]
    first.post(path, FILLED | {"title": "Supper of the first", "version": newer, "do": "save"})
    assert event(world, made["id"])["title"] == "Supper of the first"


def test_a_conflict_names_every_field_that_differs(world: World) -> None:
    first, second = AdminClient(world, "editor"), AdminClient(world, "administrator")
    made = saved(world, first.post(NEW, FILLED | {"description": "<p>Bring <b>bread</b>.</p>"}))
    path = f"/admin/events/{made['id']}"
    version = re.search(r'name="version" value="(\d+)"', first.get(path).text)[1]  # type: ignore[index]
    theirs = {
        "event_status": "sold_out",
        "repeat": "daily",
        "repeat_end": "count",
        "repeat_count": "3",
    }
    theirs |= {"description": "<p>Bring <b>wine</b>.</p>", "ticket_name[]": "Seat"}
    second.post(path, FILLED | theirs | {"version": version, "do": "save"})
    yours = {"event_status": "cancelled", "repeat": "weekly", "repeat_end": "count", "repeat_count": "2"}
    yours |= {"description": "<p>Bring <b>salt</b>.</p>", "ticket_name[]": "Stall", "venue_name": "Mill"}
    html = first.post(path, FILLED | yours | {"version": version, "do": "save"}, status=409).text
    table = re.search(r'<section class="conflict".*?</section>', html, re.DOTALL)[0]  # type: ignore[index]
    found = re.findall(r'<th scope="row">(.*?)</th><td[^>]*>(.*?)</td>', table)
    rows = {label: re.sub(r"<[^>]*>", "", cell).strip() for label, cell in found}
    assert rows["Description"] == "Bring wine."
    assert {rows[name] for name in ("Takes place", "Tickets")} == {"Sold out", "Seat"}
    assert "Every day" in rows["Repeats"]
    assert "Venue" not in rows  # only one of them changed it


def test_a_conflict_is_told_in_words(world: World) -> None:
    first, second = AdminClient(world, "editor"), AdminClient(world, "administrator")
    made = saved(world, first.post(NEW, FILLED))
    path = f"/admin/events/{made['id']}"
    version = re.search(r'name="version" value="(\d+)"', first.get(path).text)[1]  # type: ignore[index]
    files = {"picture": ("boats.png", png(400, 300), "image/png")}
    moved = {"start_day": "2026-12-06", "end_day": "2026-12-06", "image_alt": "Boats on a river", "version": version}
    second.post(path, FILLED | moved | {"do": "save"}, files=files)
    yours = FILLED | {"all_day": "1", "version": version, "do": "save"}
    answer = first.post(path, yours, status=409, files=files, headers={"Accept-Language": "de"})
    rows = {
        label: [re.sub(r"<[^>]*>", "", value).strip() for value in values]
        for label, *values in re.findall(
            r'<th scope="row">(.*?)</th><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>', answer.text
        )
    }
    assert rows["Beginn"] == ["So., 6. Dez. 2026, 19:00", "Sa., 5. Dez. 2026"]
    assert rows["Ende"] == ["So., 6. Dez. 2026, 21:30", "Sa., 5. Dez. 2026"]
    assert rows["Bild"][0] == "Boats on a river"
    assert re.fullmatch(r"boats\S*\.png", rows["Bild"][1])
    kept = re.search(r'name="image" value="(\d+)"', answer.text)[1]  # type: ignore[index]
    newer = re.search(r'name="version" value="(\d+)"', answer.text)[1]  # type: ignore[index]
    first.post(path, yours | {"image": kept, "version": newer})
    assert str(event(world, made["id"])["image"]["id"]) == kept  # the file need not be chosen again


def sent_by_browser(html: str) -> dict[str, list[str]]:
    """The form of the editor as it was opened. With scripts, an event of whole days has no times."""
    form, sent = Reader(html).page.all("form", "editor")[0], dict[str, list[str]]()
    for control in [*form.all("input"), *form.all("textarea"), *form.all("select")]:
        attributes, value = control.attributes, control.attributes.get("value", "")
        if control.name == "select":
            value = next(
                option.attributes["value"] for option in control.all("option") if "selected" in option.attributes
            )
        if control.name == "textarea":
            value = "".join(control.words).removeprefix("\n")
        if attributes.get("type") not in ("checkbox", "radio") or "checked" in attributes:
            sent.setdefault(attributes.get("name", ""), []).append(value)
    if "all_day" in sent:
        del sent["start_time"], sent["end_time"]
    return sent


def test_a_conflict_names_no_field_that_is_the_same(world: World) -> None:
    first, second = AdminClient(world, "editor"), AdminClient(world, "administrator")
    weekly = {"repeat": "weekly", "repeat_weekday": "SA", "repeat_end": "until", "repeat_until": "2027-01-09"}
    for typed in (FILLED | {"all_day": "1", "sticky": "1"}, FILLED | weekly | {"ticket_name[]": "Seat"}):
        made = saved(world, first.post(NEW, typed))
        path = f"/admin/events/{made['id']}"
        opened = sent_by_browser(first.get(path).text)
        second.post(path, sent_by_browser(second.get(path).text) | {"title": "Theirs", "do": "save"})
        html = first.post(path, opened | {"title": "Your version", "do": "save"}, status=409).text
        table = re.search(r'<section class="conflict".*?</section>', html, re.DOTALL)[0]  # type: ignore[index]
        assert re.findall(r'<th scope="row">(.*?)</th>', table) == ["Title"]


def test_a_venue_in_the_trash_is_marked(world: World) -> None:
    admin = AdminClient(world, "editor")
    made = saved(world, admin.post(NEW, FILLED))
    path = f"/admin/events/{made['id']}"
    assert "(In the trash)" not in admin.get(path).text
    world.delete(f"/venues/{made['venue']['id']}")
    assert re.search(r"Parish hall.{,40}\(In the trash\)", admin.get(path).text)


def test_own_drafts_are_saved_in_the_background(world: World) -> None:
    admin = AdminClient(world, "author")
    own = FILLED | {"tag_names": ""}
    answer = admin.post(f"{NEW}/autosave", own, status=200).json()
    id = int(answer["action"].rpartition("/")[2])
    assert event(world, id)["status"] == "draft"
    again = admin.post(
        f"/admin/events/{id}/autosave", own | {"title": "Later", "version": answer["version"]}, status=200
    )
    assert event(world, id)["title"] == "Later"
    admin.post(f"/admin/events/{id}/autosave", own | {"title": "Lost", "version": answer["version"]}, status=409)
    assert again.json()["version"] != answer["version"]
    AdminClient(world, "editor").post(f"/admin/events/{id}/autosave", own | {"title": "Not mine"}, status=403)
    admin.post(f"/admin/events/{id}", own | {"do": "publish"})
    admin.post(f"/admin/events/{id}/autosave", own | {"title": "In public"}, status=403)
    assert event(world, id)["title"] == "Harvest supper"


def test_the_preview_is_the_public_page_and_saves_nothing(world: World) -> None:
    admin = AdminClient(world, "editor")
    html = admin.post(f"{NEW}/preview", FILLED, status=200).text
    assert "Harvest supper" in html
    assert "Parish hall" in html
    assert "Food" in html
    assert (count(world), world.get("/venues").json()["total"]) == (0, 0)
    assert "Cannot be blank" in admin.post(f"{NEW}/preview", FILLED | {"title": ""}, status=200).text


def test_a_copy_is_a_draft(world: World) -> None:
    admin = AdminClient(world, "editor")
    made = saved(world, admin.post(NEW, FILLED))
    copy = saved(world, admin.post(f"/admin/events/{made['id']}/duplicate"))
    assert copy["id"] != made["id"]
    assert copy["status"] == "draft"
    for name in ("title", "start_date", "description", "cost", "venue", "organizer", "categories", "tags"):
        assert copy[name] == made[name], name


@pytest.mark.parametrize("who", ["editor", "author"])
def test_the_copy_of_a_protected_event_has_its_password(world: World, who: str) -> None:
    made = world.make("events", who, description="handshake", post_password="sesame")
    copy = saved(world, AdminClient(world, who).post(f"/admin/events/{made['id']}/duplicate"))
    world.put(f"/events/{copy['id']}", json={"status": "publish"})
    assert world.get(f"/events/{copy['id']}").status_code == 403
    assert "handshake" in world.get(f"/events/{copy['id']}?password=sesame").text
    # Who does not see what it hides makes no copy of it.
    other = AdminClient(world, "other_author")
    other.client.post(f"{BASE_URL}/admin/events/{made['id']}/duplicate", data={"token": other.token})
    assert count(world) == 2


WHOSE = [("other_author", "publish"), ("own", "draft"), ("own", "publish")]


@pytest.mark.parametrize(("whose", "status"), WHOSE)
@pytest.mark.parametrize("who", ["contributor", "author", "editor", "administrator"])
def test_a_copy_has_what_its_maker_reads(world: World, who: str, whose: str, status: str) -> None:
    for label, more in {
        "Doors": {},
        "Notes": {"public": False},
        "Level": {"type": "choice", "options": ["Easy", "Hard"]},
        "For": {"type": "choices", "options": ["Young", "Old"], "public": False},
        "Fee": {"type": "number"},
    }.items():
        world.post("/custom-fields", json={"label": label} | more)
    hidden = world.make("venues", "other_author", venue="Cellar", status="draft")
    shown = world.make("organizers", "other_author", organizer="Club")
    made = world.make(
        "events",
        venue=[hidden["id"]],
        organizer=[shown["id"]],
        status=status,
        author=world.ids[who if whose == "own" else whose],
        custom_fields={"doors": "18:30", "notes": "who pays", "level": "Hard", "for": "Young|Old", "fee": 2.5},
    )
    world.put("/custom-fields/level", json={"options": ["Easy"]})
    world.put("/custom-fields/for", json={"options": ["Old"]})
    read = world.get(f"/events/{made['id']}", who).json()
    copy = saved(world, AdminClient(world, who).post(f"/admin/events/{made['id']}/duplicate"))
    assert copy["custom_fields"] == read["custom_fields"]
    assert copy["venue"] == read["venue"]
    assert copy["organizer"] == read["organizer"]
    edits = who in ("editor", "administrator") or (whose == "own" and (who, status) != ("contributor", "publish"))
    assert ("_ecp_custom_2" in read["custom_fields"], "_ecp_custom_4" in read["custom_fields"]) == (edits, edits)
    assert list(world.get(f"/events/{copy['id']}", who).json()["custom_fields"]) == list(read["custom_fields"])


@pytest.mark.parametrize("more", [{"status": "draft"}, {"status": "private"}, {"post_password": "sesame"}])
@pytest.mark.parametrize("who", ["contributor", "author"])
def test_what_a_person_does_not_read_is_not_copied(world: World, who: str, more: dict[str, str]) -> None:
    made = world.make("events", "other_author", title="Secret", **more)
    person = AdminClient(world, who)
    answer = person.client.post(f"{BASE_URL}/admin/events/{made['id']}/duplicate", data={"token": person.token})
    assert "Secret" not in answer.text
    assert count(world) == 1


def test_the_copy_of_a_date_is_a_single_event(world: World) -> None:
    world.post("/custom-fields", json={"label": "Notes", "public": False})
    rule = {"recurrence": "FREQ=WEEKLY;COUNT=3", "custom_fields": {"notes": "who pays"}}
    made = world.make("events", "other_author", **rule)
    date = world.get(f"/events?series={made['series']}&start_date=2000-01-01").json()["events"][1]
    copy = saved(world, AdminClient(world, "contributor").post(f"/admin/events/{date['id']}/duplicate"))
    assert (copy["start_date"], copy["recurrence"], copy["custom_fields"]) == (date["start_date"], None, [])


def test_what_was_stored_is_escaped_in_the_form(world: World) -> None:
    attack = '"><script>alert(1)</script>'
    made = world.make("events", title=f"A {attack}", excerpt=attack, cost=attack)
    html = AdminClient(world, "administrator").get(f"/admin/events/{made['id']}").text
    assert "<script>alert" not in html


def test_a_picture_is_removed_without_a_script(world: World) -> None:
    admin = AdminClient(world, "editor")
    made = saved(world, admin.post(NEW, FILLED, files={"picture": ("a.png", png(400, 300), "image/png")}))
    sent = FILLED | {"image": str(made["image"]["id"]), "do": "remove_picture"}
    assert saved(world, admin.post(f"/admin/events/{made['id']}", sent))["image"] is False


def test_a_file_that_is_no_image_is_refused(world: World) -> None:
    files = {"picture": ("a.png", b"no image", "image/png")}
    html = AdminClient(world, "editor").post(NEW, FILLED, files=files, status=400).text
    assert "not an image" in error_beside(html, "image")
    assert count(world) == 0


def test_a_secret_link_shows_a_draft_to_whoever_has_it(world: World) -> None:
    admin = AdminClient(world, "editor")
    made = saved(world, admin.post(NEW, FILLED | {"do": "draft"}))
    link = re.search(r'id="preview-link">([^<]*)<', admin.get(f"/admin/events/{made['id']}").text)[1]  # type: ignore[index]
    shown = world.get(link)
    assert (shown.status_code, "Harvest supper" in shown.text) == (200, True)
    assert (shown.headers["X-Robots-Tag"], shown.headers["Cache-Control"]) == ("noindex", "private, no-store")
    other = world.make("events", title="Other draft", status="draft")["id"]
    last = "1" if link[-2] == "0" else "0"
    for wrong in (
        f"{link[:-2]}{last}/",
        link.replace(f"/{made['id']}-", f"/{other}-"),
        link.replace("-2026", "-2099"),
    ):
        assert world.get(wrong).status_code == 404
    world.clock.move(days=31)
    assert world.get(link).status_code == 404
    world.clock.move(days=-31)
    world.delete(f"/events/{made['id']}")
    assert world.get(link).status_code == 404


WEEKLY = FILLED | {
    "start_day": "2026-12-01",
    "end_day": "2026-12-01",
    "repeat": "weekly",
    "repeat_interval": "1",
    "repeat_weekday": ["TU"],
    "repeat_end": "count",
    "repeat_count": "4",
}


def dates_of(world: World, made: dict[str, Any]) -> dict[str, str]:
    """The dates of the series of an event, with their titles."""
    found = world.get(f"/events?series={made['series']}&start_date=2026-01-01&per_page=50").json()["events"]
    return {event["start_date"][:10]: event["title"] for event in found}


def test_an_event_repeats_and_is_changed_three_ways(world: World) -> None:
    admin = AdminClient(world, "editor")
    made = saved(world, admin.post(NEW, WEEKLY))
    days = ["2026-12-01", "2026-12-08", "2026-12-15", "2026-12-22"]
    assert list(dates_of(world, made)) == days
    found = world.get(f"/events?series={made['series']}&start_date=2026-01-01").json()["events"]
    second, third = found[1]["id"], found[2]["id"]
    page = admin.get(f"/admin/events/{second}").text
    assert 'value="following"' in page
    assert re.search(r'<option value="weekly" selected>', page)

    def change(id: int, title: str, scope: str) -> None:
        day = world.get(f"/events/{id}").json()["start_date"][:10]
        sent = WEEKLY | {"title": title, "scope": scope, "do": "save", "start_day": day, "end_day": day}
        admin.post(f"/admin/events/{id}", sent)

    change(second, "Only this", "this")
    assert list(dates_of(world, made).values()) == ["Harvest supper", "Only this", "Harvest supper", "Harvest supper"]
    change(made["id"], "Everywhere", "all")
    assert list(dates_of(world, made).values()) == ["Everywhere", "Only this", "Everywhere", "Everywhere"]
    change(third, "From here on", "following")
    later = world.get(f"/events/{third}").json()
    assert list(dates_of(world, later).values()) == ["From here on", "From here on"]
    admin.post(f"/admin/events/{third}/trash", {"scope": "all"})
    assert event(world, third)["status"] == "trash"


def test_the_next_dates_are_shown_before_saving(world: World) -> None:
    admin = AdminClient(world, "editor")
    query = "start_day=2026-12-01&start_time=19:00&repeat=monthly_weekday&repeat_interval=1&repeat_end=never"
    page = admin.get(f"/admin/events/dates?{query}").text
    assert page.count("<li>") == 10
    assert "January 5, 2027" in page
    assert 'class="error"' in admin.get("/admin/events/dates?start_day=2026-12-01&repeat=custom&repeat_rule=X").text
    assert 'class="error"' in admin.get("/admin/events/dates?repeat=daily").text
    refused = admin.post(NEW, WEEKLY | {"repeat": "custom", "repeat_rule": "FREQ=SECONDLY"}, status=400).text
    assert error_beside(refused, "recurrence")


def test_tickets_are_rows_of_the_form(world: World) -> None:
    admin = AdminClient(world, "editor")
    rows = {
        "ticket_name[]": ["Adults", "", "Children"],
        "ticket_price[]": ["12.50", "", "5"],
        "ticket_url[]": ["https://tickets.example/", "", ""],
        "ticket_starts[]": ["2026-11-20T10:00", "", ""],
    }
    made = saved(world, admin.post(NEW, FILLED | rows))
    assert [(ticket["name"], ticket["price"]) for ticket in made["tickets"]] == [
        ("Adults", "12.50"),
        ("Children", "5"),
    ]
    page = admin.get(f"/admin/events/{made['id']}").text
    assert 'name="ticket_name[]" value="Children"' in page
    fewer = saved(
        world, admin.post(f"/admin/events/{made['id']}", FILLED | {"ticket_name[]": ["Adults"], "do": "save"})
    )
    assert [ticket["name"] for ticket in fewer["tickets"]] == ["Adults"]
    refused = admin.post(NEW, FILLED | rows | {"ticket_price[]": ["cheap", "", ""]}, status=400).text
    assert error_beside(refused, "tickets")


def everything(world: World) -> dict[str, int]:
    """How many records of each other kind there are."""
    statuses = "?status=publish,draft,pending,private,future,trash&per_page=1"
    counts = {
        kind: world.get(f"/{kind}{statuses}", "administrator").json()["total"] for kind in ("venues", "organizers")
    }
    return counts | {
        kind: world.get(f"/{kind}?hide_empty=false&per_page=1", "administrator").json()["total"]
        for kind in ("categories", "tags")
    }


def test_saving_in_the_background_makes_no_record_but_the_event(world: World) -> None:
    admin = AdminClient(world, "editor")
    hall = world.make("venues", venue="Town hall")["id"]
    before = everything(world)
    typed = FILLED | {"venue": str(hall)}
    answer = admin.post(f"{NEW}/autosave", typed | {"venue_name": "To", "new_category": "Fo"}, status=200).json()
    assert answer["is_whole"] is False
    id = int(answer["address"].rpartition("/")[2])
    again = typed | {"venue_name": "TownHa", "version": answer["version"]}
    answer = admin.post(f"/admin/events/{id}/autosave", again, status=200).json()
    assert everything(world) == before
    assert event(world, id)["venue"]["id"] == hall  # what is there already is linked
    # Details of a venue whose name is still to be typed do not stop it.
    unnamed = typed | {"venue_name": "", "version": answer["version"], "title": "Renamed"}
    answer = admin.post(f"/admin/events/{id}/autosave", unnamed, status=200).json()
    assert event(world, id)["title"] == "Renamed"
    plain = {
        name: value for name, value in typed.items() if name.split("_")[0] not in ("venue", "organizer", "new", "tag")
    }
    assert admin.post(f"/admin/events/{id}/autosave", plain | {"version": answer["version"]}, status=200).json()[
        "is_whole"
    ]


def test_a_person_who_saves_makes_what_was_typed_once(world: World) -> None:
    admin = AdminClient(world, "editor")
    answer = admin.post(f"{NEW}/autosave", FILLED, status=200).json()
    id = int(answer["address"].rpartition("/")[2])
    before = everything(world)
    admin.post(f"/admin/events/{id}", FILLED | {"version": answer["version"], "do": "draft"})
    after = everything(world)
    assert {kind: after[kind] - before[kind] for kind in after} == {
        "venues": 1,
        "organizers": 1,
        "categories": 1,
        "tags": 2,
    }
    found = event(world, id)
    assert (found["venue"]["venue"], found["venue"]["city"]) == ("Parish hall", "Cork")
    assert world.get(f"/venues/{found['venue']['id']}").status_code == 403  # with its draft
    admin.post(f"/admin/events/{id}", FILLED | {"do": "publish"})
    assert everything(world) == after
    assert world.get(f"/venues/{found['venue']['id']}").status_code == 200


def test_a_typed_name_of_digits_is_a_name(world: World) -> None:
    admin = AdminClient(world, "editor")
    other = world.make("tags", name="jazz")
    typed = f"{other['id']}; 2027"
    made = saved(world, admin.post(NEW, FILLED | {"new_category": "1984", "tag_names": typed}))
    assert [term["name"] for term in made["categories"]] == ["1984"]
    assert sorted(term["name"] for term in made["tags"]) == sorted([str(other["id"]), "2027"])
    # A box of the script says which is a name; one without that is an id.
    boxes = ["new:1999", str(other["id"]), "new:2027", "new:new:wave"]
    again = saved(world, admin.post(NEW, FILLED | {"title": "Another", "tag_names": "", "tags": boxes}))
    assert sorted(term["name"] for term in again["tags"]) == ["1999", "2027", "jazz", "new:wave"]
    refused = admin.post(NEW, FILLED | {"title": "", "tags": boxes}, status=400)
    assert re.search(r'value="new:1999" checked><span data-name><bdi>1999</bdi>', refused.text)
    sent = {"event": [str(made["id"])], "action": "tag", "tag": "2030", "back": "/admin/events"}
    admin.post("/admin/events", sent)
    assert "2030" in [term["name"] for term in event(world, made["id"])["tags"]]
