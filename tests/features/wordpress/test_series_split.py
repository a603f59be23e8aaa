"""Addresses of WordPress' series lead to all dates of a course that was split."""

import pytest
from tests.admin.test_series_split import fridays
from tests.conftest import BASE_URL, World


@pytest.mark.parametrize("path", ["/event/{slug}/all/", "/series/choir/"])
def test_the_addresses_of_a_series_show_the_whole_course(world: World, path: str) -> None:
    series = fridays(world, recurrence="FREQ=WEEKLY;UNTIL=20270205")
    world.put(f"/events/{series[2]['id']}?scope=following", "administrator", json={"title": "Spring choir"})
    listed = world.get(BASE_URL + path.format(slug=series[0]["slug"]), follow_redirects=True).text
    assert [f'href="/event/{event["slug"]}/"' in listed for event in series] == [True] * 5
