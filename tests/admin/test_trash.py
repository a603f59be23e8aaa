"""The trash of the admin."""

from tests.admin.admin_client import AdminClient
from tests.conftest import World

TRASH = "/admin/trash"


def status(world: World, path: str) -> object:
    response = world.get(path, who="administrator")
    return response.json()["status"] if response.status_code == 200 else response.status_code


def test_records_are_restored_as_they_were(world: World) -> None:
    event = f"/events/{world.make('events', title='Fair', status='private')['id']}"
    venue = f"/venues/{world.make('venues', venue='Hall')['id']}"
    for path in (event, venue):
        world.delete(path)
    admin = AdminClient(world, "editor")
    page = admin.get(TRASH).text
    assert "Fair" in page
    assert "Hall" in page
    items = [path[1:].replace("s/", "-") for path in (event, venue)]
    admin.post(TRASH, {"action": "restore", "item": items})
    assert (status(world, event), status(world, venue)) == ("private", "publish")
    assert "Fair" not in admin.get(TRASH).text


def test_records_are_deleted_for_good_only_from_the_trash(world: World) -> None:
    gone, kept = (f"/events/{world.make('events', title=title)['id']}" for title in ("Gone", "Kept"))
    world.delete(gone)
    admin = AdminClient(world, "editor")
    admin.post(TRASH, {"action": "delete", "item": [path[1:].replace("s/", "-") for path in (gone, kept)]})
    assert (status(world, gone), status(world, kept)) == (404, "publish")
    world.delete(kept)
    admin.post(TRASH, {"action": "empty"})
    assert status(world, kept) == 404


def test_an_old_page_of_the_trash_changes_nothing_that_left_it(world: World) -> None:
    path = f"/events/{world.make('events', title='Fair')['id']}"
    item = path[1:].replace("s/", "-")
    world.delete(path)
    admin = AdminClient(world, "editor")
    for sent in ({"action": "restore", "item": item}, {"action": "restore", "item": item}, {"item": item}):
        admin.post(TRASH, sent)
        assert status(world, path) == "publish", sent


def test_nobody_restores_or_deletes_what_belongs_to_others(world: World) -> None:
    path = f"/events/{world.make('events', title='Of another')['id']}"
    world.delete(path)
    for who in ("author", "contributor"):
        admin = AdminClient(world, who)
        assert "Of another" not in admin.get(TRASH).text
        for action in ("restore", "delete", "empty"):
            admin.post(TRASH, {"action": action, "item": [path[1:].replace("s/", "-"), "nonsense", "event-x"]})
        assert status(world, path) == "trash"


def test_a_button_without_a_selection_says_so(world: World) -> None:
    admin = AdminClient(world, "editor")
    for action in ("restore", "delete"):
        admin.post(TRASH, {"action": action})
        assert admin.message() == "Nothing is selected."
