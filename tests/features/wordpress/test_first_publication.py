"""A new series is published whole by clients that know nothing of series."""

from tests.admin.test_first_publication import FRIDAYS, days, series_of_drafts
from tests.conftest import BASE_URL, World


def test_clients_that_know_nothing_of_series_publish_all_dates(world: World) -> None:
    ids = series_of_drafts(world)
    core = f"{BASE_URL}/wp-json/wp/v2/tribe_events/{ids[0]}"
    assert world.post(core, json={"status": "publish"}).status_code == 200
    assert days(world) == {"publish": FRIDAYS}
