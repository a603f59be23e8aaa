"""Two people change an event at once: the editor shows what differs."""

import re

from tests.admin.admin_client import AdminClient
from tests.admin.editor_forms import FILLED, NEW, event, saved
from tests.conftest import World
from tests.pictures import png
from tests.site.calendar_html import Reader


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
