"""Drafts that the editor saves in the background."""

from tests.admin.admin_client import AdminClient
from tests.admin.editor_forms import FILLED, NEW, event
from tests.conftest import World


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
