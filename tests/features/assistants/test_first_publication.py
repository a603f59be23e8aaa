"""A new series is published whole by an assistant that names no date."""

from tests.admin.test_first_publication import FRIDAYS, days, series_of_drafts
from tests.conftest import World
from tests.features.assistants.clients import done


def test_an_assistant_publishes_all_dates_unless_it_names_one(world: World) -> None:
    ids = series_of_drafts(world)
    done(world, "update_event", "editor", id=ids[0], status="publish", dry_run=True)
    assert days(world) == {"draft": FRIDAYS}
    done(world, "update_event", "editor", id=ids[0], status="publish", scope="this")
    assert days(world) == {"publish": FRIDAYS[:1], "draft": FRIDAYS[1:]}
    done(world, "update_event", "editor", id=ids[0], status="draft")
    done(world, "update_event", "editor", id=ids[0], status="publish")
    assert days(world) == {"publish": FRIDAYS}
