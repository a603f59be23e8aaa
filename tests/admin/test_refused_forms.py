"""Every form that refuses what was typed keeps it, says what is wrong beside the field, and changes nothing."""

import re
from collections.abc import Callable, Mapping
from html import unescape
from typing import NamedTuple

from tests.admin.admin_client import AdminClient, error_beside, key_in
from tests.admin.test_media import upload
from tests.conftest import PASSWORD, World

WHEN = {"start_day": "2027-03-02", "start_time": "19:00", "end_day": "2027-03-02", "end_time": "21:00"}


class Refused(NamedTuple):
    """A form: where it is sent, what is right in it, and what is wrong."""

    path: str
    right: Mapping[str, str]
    wrong: Mapping[str, str]
    beside: tuple[str, ...] = ()  # the fields with an error, where their names differ from those of the controls
    kept: bool = True  # what was chosen is a choice that the form has


FORMS = {
    "new event": Refused(
        "/admin/events/new",
        {"title": "Fair & market", "cost": "5", "venue_name": "Barn", "tag_names": "late", **WHEN},
        {"website": "no address", "date": "someday", "image_focus": "in the middle"},
    ),
    "event that ends before it starts": Refused(
        "/admin/events/{event}",
        {"title": "Another name", "start_day": "2027-03-02", "start_time": "19:00"},
        {"end_day": "2027-03-01", "end_time": "10:00"},
        ("end_date",),
    ),
    "event that repeats by a rule": Refused(
        "/admin/events/new",
        {"title": "Choir", "repeat": "custom", **WHEN},
        {"repeat_rule": "FREQ=NOW"},
        ("recurrence",),
    ),
    "rule of one date of a series": Refused(
        "/admin/events/{date}",
        {"title": "Choir", "scope": "this", "repeat": "custom", **WHEN},
        {"repeat_rule": "FREQ=DAILY;COUNT=2"},
        ("recurrence",),
    ),
    "interval that is none": Refused(
        "/admin/events/new",
        {"title": "Choir", "repeat": "weekly", **WHEN},
        {"repeat_interval": "0"},
    ),
    "series without its last day": Refused(
        "/admin/events/new",
        {"title": "Choir", "repeat": "weekly", "repeat_end": "until", **WHEN},
        {"repeat_until": ""},
    ),
    "series that ends before it starts": Refused(
        "/admin/events/new",
        {"title": "Choir", "repeat": "weekly", "repeat_end": "until", **WHEN},
        {"repeat_until": "2020-01-01"},
    ),
    "series of a number of dates that is none": Refused(
        "/admin/events/new",
        {"title": "Choir", "repeat": "daily", "repeat_end": "count", **WHEN},
        {"repeat_count": "many"},
    ),
    "details of a new venue without its name": Refused(
        "/admin/events/new", {"title": "Fair", "venue_city": "Cork", **WHEN}, {"venue_name": ""}, ("venue",)
    ),
    "details of new records": Refused(
        "/admin/events/new",
        {"title": "Fair", "venue_name": "Mill", "organizer_name": "Club", **WHEN},
        {"venue_website": "nowhere", "organizer_email": "nobody"},
    ),
    "event on no day": Refused(
        "/admin/events/new",
        {"title": "Fair", "start_time": "19:00", "end_day": "2027-03-02"},
        {"start_day": "2027-02-30"},
        ("start_date",),
    ),
    "event without a day": Refused("/admin/events/new", {"title": "Fair"}, {"start_day": ""}, ("start_date",)),
    "password of an event": Refused(
        "/admin/events/new", {"title": "Fair", **WHEN}, {"post_password": "x" * 999}, kept=False
    ),
    "event with a ticket": Refused(
        "/admin/events/new",
        {"title": "Gala", "ticket_name[]": "Seat", **WHEN},
        {"ticket_url[]": "nowhere"},
        ("tickets",),
    ),
    "new venue": Refused(
        "/admin/venues/new", {"venue": "Mill", "city": "Cork"}, {"website": "nowhere", "geo_lat": "north"}
    ),
    "venue": Refused("/admin/venues/{venue}", {"venue": "Mill", "phone": "112"}, {"geo_lng": "999"}),
    "organizer": Refused("/admin/organizers/new", {"organizer": "Club", "phone": "112"}, {"email": "nobody"}),
    "category": Refused("/admin/categories/new", {"name": "Music", "description": "Loud"}, {"color": "reddish"}),
    "category that is there": Refused("/admin/categories/new", {"description": "Ball"}, {"name": "Sports"}),
    "tag": Refused("/admin/tags/new", {"description": "Words"}, {"name": ""}),
    "merge into itself": Refused("/admin/venues/merge", {"id": "{venue}"}, {"into": "{venue}"}, kept=False),
    "merge into nothing": Refused("/admin/organizers/merge", {"id": "{organizer}"}, {"into": ""}),
    "merge into what is gone": Refused("/admin/tags/merge", {"id": "{tag}"}, {"into": "99999999"}, kept=False),
    "merge into the trash": Refused("/admin/venues/merge", {"id": "{venue}"}, {"into": "{trashed}"}, kept=False),
    "merge into a category below": Refused("/admin/categories/merge", {"id": "{category}"}, {"into": "{child}"}),
    "move to no day": Refused("/admin/events/{event}/move", {}, {"day": "someday"}),
    "move out of the calendar": Refused("/admin/events/{long}/move", {}, {"day": "9999-12-31"}),
    "picture": Refused("/admin/media/{image}", {"alt": "A mill"}, {"focus": "in the middle"}),
    "invitation": Refused("/admin/people/invite", {"role": "editor"}, {"note": "x" * 200}),
    "person": Refused("/admin/people/{person}", {"role": "author"}, {"name": "no/slashes"}),
    "profile": Refused("/admin/profile", {"language": "de"}, {"name": ""}),
    "password": Refused("/admin/profile/password", {}, {"current": "wrong"}),
    "short password": Refused("/admin/profile/password", {"current": PASSWORD}, {"password": "tiny-1"}),
    "token": Refused("/admin/profile/tokens", {"purpose": "bearer"}, {"label": ""}),
    "settings": Refused(
        "/admin/settings/calendar", {"site_description": "Here & now"}, {"currency_symbol": "x" * 99}
    ),
    "first settings": Refused("/admin/set-up", {"country": "IE"}, {"site_description": "x" * 999}),
    "submissions": Refused(
        "/admin/settings/submissions", {"submission_answer": "Lee"}, {"submission_question": "x" * 999}
    ),
    "question without an answer": Refused(
        "/admin/settings/submissions",
        {"submissions": "true", "submission_question": "Which river?"},
        {"submission_answer": ""},
    ),
    "review": Refused("/admin/review", {"action": "send_back", "event": "{pending}"}, {"note": ""}),
    "link": Refused("/admin/link", {"key": "{key}", "name": "grace"}, {"password": "tiny-1"}),
}
PARAMETER = re.compile(
    r"[a-z]_[a-z]|[a-z]=[a-z]|\b(?:INTERVAL|UNTIL|COUNT|RRULE)\b|\d:00:00|not accepted"
)  # a word of the interface, which nobody sees in a form
SECRET = ("password", "current", "key")


def places_in(world: World, admin: AdminClient) -> dict[str, str]:
    """What the paths and the fields of the forms name."""
    invited = admin.post("/admin/people/invite", {"role": "author", "note": "Grace"}, 200)
    category = world.make("categories", name="Sports")["id"]
    for plural, name in (("venues", "venue"), ("organizers", "organizer"), ("tags", "name")):  # others to merge with
        world.make(plural, **{name: "Other"})
    trashed = world.make("venues", venue="Ruin")["id"]
    assert world.delete(f"/venues/{trashed}").status_code == 200
    return {
        "trashed": str(trashed),
        "organizer": str(world.make("organizers", organizer="Club")["id"]),
        "tag": str(world.make("tags", name="late")["id"]),
        "category": str(category),
        "child": str(world.make("categories", name="Chess", parent=category)["id"]),
        "long": str(world.make("events", title="Long", start_date="2027-03-02", end_date="2027-03-09")["id"]),
        "event": str(world.make("events", title="Fair")["id"]),
        "date": str(world.make("events", title="Choir", recurrence="FREQ=WEEKLY;COUNT=3")["id"]),
        "venue": str(world.make("venues", venue="Barn")["id"]),
        "image": str(upload(admin, "mill")[0]),
        "pending": str(world.make("events", title="Waits", status="pending", who="contributor")["id"]),
        "person": str(world.ids["editor"]),
        "key": key_in(invited.text),
    }


def test_a_refused_form_keeps_what_was_typed(world: World) -> None:
    admin = AdminClient(world, "administrator")
    places = places_in(world, admin)
    before = world.count()
    problems = {name: problem for name, form in FORMS.items() if (problem := what_is_lost(admin, form, places))}
    assert problems == {}
    assert world.count() == before


def what_is_lost(admin: AdminClient, refused: Refused, places: Mapping[str, str]) -> list[str]:
    typed = {field: value.format_map(places) for field, value in {**refused.right, **refused.wrong}.items()}
    page = admin.post(refused.path.format_map(places), typed, 400).text
    beside = refused.beside or tuple(refused.wrong)
    lost = [f"no error beside {field}" for field in beside if not error_beside(page, field)]
    errors = re.findall(r'<p class="error" id=[^>]*>(.*?)</p>', page, re.DOTALL)
    lost += [text for text in errors if PARAMETER.search(text)]
    lost += [f"not a sentence: {text}" for text in errors if not text.endswith((".", "?"))]
    lost += [f"the summary does not lead to {field}" for field in beside if f'href="#field-{field}"' not in page]
    lost += [f"{field} is out of sight" for field in beside if is_folded(page, field)]
    lost += [f"there is no field {field}" for field in beside if f'id="field-{field}"' not in page]
    shown = unescape(page)
    kept = [field for field in typed if field not in SECRET] if refused.kept else []
    lost += [f"{field} is not kept" for field in kept if typed[field] not in shown]
    lost += [f"{field} is shown again" for field in SECRET if field != "key" and typed.get(field, "\0") in shown]
    return lost


def test_a_picture_that_is_too_large_takes_nothing_with_it(make_world: Callable[..., World]) -> None:
    world = make_world(max_body="100KB", max_image="100KB")
    admin = AdminClient(world, "editor")
    for path, name in (("/admin/events/new", "title"), ("/admin/venues/new", "venue")):
        files = {"picture": ("mill.png", b"x" * 200_000)}
        page = admin.post(path, {name: "Mill & pond", **WHEN}, 400, files=files).text
        assert error_beside(page, "image"), path
        assert "Mill & pond" in unescape(page)
        refused = admin.post(path, {name: "Mill"}, 413, files={"picture": ("mill.png", b"x" * 2_000_000)}).text
        assert "too large" in refused
        assert "bytes" not in refused


def is_folded(page: str, field: str) -> bool:
    """Whether an error is within details that are closed."""
    before = page.partition(f'id="error-{field}"')[0]
    opened = re.findall(r"<details[^>]*>|</details>", before)
    return bool(opened) and opened[-1] != "</details>" and not opened[-1].endswith(" open>")


def test_a_refused_action_keeps_the_selection(world: World) -> None:
    ids = [world.make("events", title=title, start_date="2027-03-02")["id"] for title in ("Fair", "Ball")]
    admin = AdminClient(world, "administrator")
    sent = {"event": [str(ids[1])], "action": "tag", "tag": "", "back": "/admin/events?when=all&search="}
    page = admin.post("/admin/events", sent, 400).text
    assert "Choose events and an action." in page
    assert re.findall(r'name="event" value="(\d+)" checked', page) == [str(ids[1])]
    assert '<option value="tag" selected>' in page
    assert '<option value="all" selected>' in page
