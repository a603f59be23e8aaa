"""Two people edit the same thing: the second is shown what the first has saved, and overwrites nothing unseen."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.admin.test_media import upload
from tests.conftest import World
from tests.pictures import png
from tests.site.calendar_html import Reader

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import users
from kalends.contract.errors import PRECONDITION_FAILED, ApiError
from kalends.store.rows import users as stored_users
from kalends.store.rows.records import User

ROW = re.compile(r'<th scope="row">(.*?)</th><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>', re.DOTALL)


def made(world: World, case: str) -> str:
    """The address of the form of something that two people edit."""
    if case == "categories":
        world.make("categories", name="Arts")
    if case in ("venues", "organizers", "categories", "tags"):
        name = {"venues": "venue", "organizers": "organizer"}.get(case, "name")
        return f"/admin/{case}/{world.make(case, **{name: 'Old'})['id']}"
    if case == "media":
        return f"/admin/media/{upload(AdminClient(world, 'administrator'), 'boats')[0]}"
    if case == "people":
        return f"/admin/people/{world.ids['author']}"
    return f"/admin/{case}"


# By the form: what the first person changes in it, what the second does, and what is told of it.
CASES: Mapping[str, tuple[dict[str, str], dict[str, str], dict[str, tuple[str, str]]]] = {
    "venues": (
        {"venue": "Theirs", "description": "<p>With a <b>bar</b></p>"},
        {"venue": "Mine"},
        {"Name": ("Theirs", "Mine"), "Description": ("With a bar", "")},
    ),
    "organizers": (
        {"email": "theirs@example.org"},
        {"email": "mine@example.org", "phone": "1"},
        {"E-mail": ("theirs@example.org", "mine@example.org"), "Phone": ("", "1")},
    ),
    "categories": (
        {"name": "Theirs", "parent": "1", "color": "#123456"},
        {"name": "Mine", "color": "#654321"},
        {
            "Name": ("Theirs", "Mine"),
            "Belongs to": ("Arts", "None (top level)"),
            "Colour": ("#123456", "#654321"),
        },
    ),
    "tags": ({"description": "Theirs"}, {"name": "Mine"}, {"Name": ("Old", "Mine"), "Description": ("Theirs", "")}),
    "people": (
        {"role": "editor"},
        {"name": "renamed"},
        {"Name": ("author", "renamed"), "Role": ("Editor", "Author")},
    ),
    "profile": (
        {"language": "de"},
        {"name": "boss"},
        {"Name": ("administrator", "boss"), "Language of the admin": ("Deutsch", "As the browser asks for")},
    ),
    "settings/calendar": (
        {"site_name": "Theirs", "week_start": "sunday"},
        {"site_name": "Mine"},
        {
            "Name": ("Theirs", "Mine"),
            "The week begins on": ("Sunday", "As in the reader&#39;s language"),
        },
    ),
    "settings/submissions": (
        {"submissions": "true"},
        {"submission_question": "Where?", "submission_answer": "Here"},
        {
            "Anybody can send an event": ("Yes", "No"),
            "Question": ("", "Where?"),
            "Answer": ("", "Here"),
        },
    ),
    "settings/look": (
        {"footer_text": "Theirs"},
        {"typeface": "system"},
        {
            "Typeface": ("Serif titles and texts", "The typeface of the reader&#39;s system"),
            "Text at the foot": ("Theirs", ""),
        },
    ),
    "media": ({"alt": "Theirs"}, {"alt": "Mine"}, {"Alternative text": ("Theirs", "Mine")}),
}


def sent_by_browser(html: str, path: str) -> dict[str, list[str]]:
    """The form of a page that is sent to an address, as a browser sends it."""
    form = next(one for one in Reader(html).page.all("form") if one.attributes.get("action") == path)
    sent = dict[str, list[str]]()
    for control in [*form.all("input"), *form.all("textarea"), *form.all("select")]:
        attributes, value = control.attributes, control.attributes.get("value", "")
        if "disabled" in attributes or attributes.get("type") == "file" or attributes.get("name") == "token":
            continue
        if control.name == "select":
            options = control.all("option")
            chosen = [one for one in options if "selected" in one.attributes]
            value = (chosen or options)[0].attributes["value"]
        if control.name == "textarea":
            value = "".join(control.words).removeprefix("\n")
        if attributes.get("type") not in ("checkbox", "radio") or "checked" in attributes:
            sent.setdefault(attributes.get("name", ""), []).append(value)
    return sent


def opened(world: World, path: str) -> dict[str, list[str]]:
    return sent_by_browser(AdminClient(world, "administrator").get(path).text, path)


@pytest.fixture
def plain(make_world: Any) -> World:
    """A calendar for which the server's own settings say nothing."""
    found: World = make_world(timezone=None, site_name=None)
    return found


@pytest.mark.both_stores
@pytest.mark.parametrize("case", CASES)
def test_the_second_is_shown_what_the_first_has_saved(plain: World, case: str) -> None:
    theirs, yours, told = CASES[case]
    world, path = plain, made(plain, case)
    first, second = AdminClient(world, "administrator"), AdminClient(world, "administrator")
    one, two = opened(world, path), opened(world, path)
    assert one == two
    first.post(path, one | theirs)
    saved = opened(world, path)
    answer = second.post(f"{path}?lang=en", two | yours, status=409)
    assert opened(world, path) == saved  # nothing was overwritten
    assert "administrator changed this while you were editing it." in answer.text
    table = re.search(r'<section class="conflict".*?</section>', answer.text, re.DOTALL)
    assert table
    rows = {label: (stored, typed) for label, stored, typed in ROW.findall(table[0])}
    assert rows == told
    again = sent_by_browser(answer.text, path)
    assert {name: again[name] for name in yours} == {name: [value] for name, value in yours.items()}
    second.post(path, again)
    kept = opened(world, path)
    assert {name: kept[name] for name in yours} == {name: [value] for name, value in yours.items()}


@pytest.mark.parametrize("case", CASES)
def test_who_is_alone_saves_again_and_again(plain: World, case: str) -> None:
    path, admin = made(plain, case), AdminClient(plain, "administrator")
    admin.post(path, opened(plain, path) | CASES[case][0])
    admin.post(path, opened(plain, path) | CASES[case][1])
    admin.post(path, opened(plain, path))


def test_what_the_form_does_not_show_is_no_conflict(world: World) -> None:
    """The status of a venue changes with its first public event, and a person is disabled by another form."""
    venue, person = made(world, "venues"), made(world, "people")
    admin = AdminClient(world, "administrator")
    forms = {path: opened(world, path) for path in (venue, person)}
    world.post(venue.removeprefix("/admin"), json={"status": "draft"})
    admin.post(f"{person}/disable", {"disabled": "1"})
    for path, form in forms.items():
        admin.post(path, form)


def test_the_same_change_of_two_people_is_told_to_be_the_same(world: World) -> None:
    path = made(world, "tags")
    one, admin = opened(world, path), AdminClient(world, "administrator")
    admin.post(path, one | {"name": "Both"})
    html = admin.post(path, one | {"name": "Both"}, status=409).text
    assert "The stored version is the same as yours." in html
    admin.post(path, sent_by_browser(html, path))


def test_a_conflict_and_what_else_is_wrong_are_told_together(world: World) -> None:
    path, admin = made(world, "settings/calendar"), AdminClient(world, "administrator")
    form = opened(world, path)
    admin.post(path, form | {"site_description": "Theirs"})
    html = admin.post(path, form | {"currency_symbol": "123456789"}, status=400).text
    assert error_beside(html, "currency_symbol")


def test_a_logo_has_to_be_chosen_again(plain: World) -> None:
    path, admin = made(plain, "settings/look"), AdminClient(plain, "administrator")
    form, logo = opened(plain, path), {"logo": ("logo.png", png(500, 400, colour="teal"), "image/png")}
    admin.post(path, form | {"footer_text": "Theirs"})
    html = admin.post(path, form | {"footer_text": "Mine"}, status=409, files=logo).text
    assert error_beside(html, "logo") == "Choose the file again."
    assert not plain.calendar.settings.logo


def test_the_description_of_a_picture_is_only_saved_by_who_changed_it(world: World) -> None:
    """The form of a record shows it too."""
    admin = AdminClient(world, "administrator")
    [image] = upload(admin, "boats")
    path = f"/admin/venues/{world.make('venues', venue='Hall', image=image)['id']}"
    form = opened(world, path)
    admin.post(f"/admin/media/{image}", {"alt": "Boats on a river", "focus": "50% 50%"})
    admin.post(path, form | {"venue": "Renamed"})
    assert opened(world, path)["image_alt"] == ["Boats on a river"]
    admin.post(path, opened(world, path) | {"image_alt": "Ships"})
    assert opened(world, path)["image_alt"] == ["Ships"]


def test_the_comparison_is_made_in_the_transaction_of_the_change(world: World) -> None:
    """Two forms that arrive together: the second transaction sees what the first has written."""
    id = world.ids["author"]
    raised = []

    def refuse(user: User) -> None:
        raised.append(user.name)
        raise ApiError(PRECONDITION_FAILED)

    def rename() -> None:
        with world.calendar.writing(SERVICE) as work:
            users.change_user(work, users.find_user(work, id), name="renamed", precondition=refuse)

    with pytest.raises(ApiError):
        rename()
    assert raised == ["author"]
    with world.calendar.store.read() as session:
        assert stored_users.find_user(session, id).name == "author"  # type: ignore[union-attr]


# What is refused for a reason of its own before anybody compares versions.
REFUSED = {"venues": {"venue": ""}, "tags": {"name": ""}, "settings/look": {"accent_color": "no colour"}}


@pytest.mark.parametrize("case", REFUSED)
def test_a_form_that_was_refused_still_notices_a_change_that_nobody_was_shown(plain: World, case: str) -> None:
    theirs, yours, _ = CASES[case]
    world, path = plain, made(plain, case)
    two = opened(world, path)
    AdminClient(world, "administrator").post(path, opened(world, path) | theirs)
    second = AdminClient(world, "administrator")
    answer = second.post(path, two | yours | REFUSED[case], status=400)
    again = sent_by_browser(answer.text, path)
    second.post(path, again | {name: two[name] for name in REFUSED[case]} | yours, status=409)


def test_an_event_that_was_refused_shows_what_was_merged_and_undoes_nothing(world: World) -> None:
    path = f"/admin/events/{world.make('events', title='Old')['id']}"
    two = opened(world, path)
    first, second = AdminClient(world, "administrator"), AdminClient(world, "administrator")
    first.post(path, two | {"excerpt": "Theirs"})
    refused = second.post(path, two | {"title": ""}, status=400)
    again = sent_by_browser(refused.text, path)
    assert again["excerpt"] == ["<p>Theirs</p>"]
    second.post(path, again | {"title": "Mine"})
    assert opened(world, path)["excerpt"] == ["<p>Theirs</p>"]
