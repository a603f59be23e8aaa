"""The editor of an event, by the forms that a browser without scripts sends."""

import re
from typing import Any

from tests.admin.admin_client import AdminClient, error_beside
from tests.admin.editor_forms import FILLED, NEW, count, event, saved
from tests.conftest import World
from tests.pictures import png


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


def test_a_venue_in_the_trash_is_marked(world: World) -> None:
    admin = AdminClient(world, "editor")
    made = saved(world, admin.post(NEW, FILLED))
    path = f"/admin/events/{made['id']}"
    assert "(In the trash)" not in admin.get(path).text
    world.delete(f"/venues/{made['venue']['id']}")
    assert re.search(r"Parish hall.{,90}\(In the trash\)", admin.get(path).text)


def test_enter_presses_no_button(world: World) -> None:
    """Else it would be the first of the form: without scripts, that which removes the picture."""
    page = AdminClient(world, "editor").get(NEW).text
    buttons = re.findall(r'<button type="submit"[^>]*>', page[page.index('id="editor"') :])
    assert buttons[0].endswith(" hidden disabled>")


def test_the_preview_is_the_public_page_and_saves_nothing(world: World) -> None:
    admin = AdminClient(world, "editor")
    html = admin.post(f"{NEW}/preview", FILLED, status=200).text
    assert "Harvest supper" in html
    assert "Parish hall" in html
    assert "Food" in html
    assert (count(world), world.get("/venues").json()["total"]) == (0, 0)
    assert "Cannot be blank" in admin.post(f"{NEW}/preview", FILLED | {"title": ""}, status=200).text


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
