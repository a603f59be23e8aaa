"""Starts a calendar from a copy of the sources, in which something is missing or was added, and reads a list, pages
and the admin. Run with the folder of the copy."""

import sys
import tempfile
from pathlib import Path

from falcon.testing import TestClient

import kalends
from kalends.bootstrap import make_administrator, open_calendar
from kalends.settings import load
from kalends.worker import make_app

NS = "/api/calendar/events/v1"
PASSWORD = "long enough 1"
CREDENTIALS = {"Authorization": "Basic YWRtaW46bG9uZyBlbm91Z2ggMQ=="}
HOST = "falconframework.org"
PAGES = (f"{NS}/doc", "/docs", "/events/list/2027-03-10/", "/event/fair/", "/events.ics", "/admin/sign-in")
SCREENS = (
    *("", "/events", "/events/new", "/events/{id}", "/venues", "/review", "/media", "/trash", "/people", "/profile"),
    *("/settings", "/settings/about", "/settings/background"),
)
EVENT = {
    "title": "Fair",
    "start_date": "2027-03-10 10:00:00",
    "end_date": "2027-03-10 12:00:00",
    "venue": {"venue": "Hall"},
}


def main(copy: Path, data: Path) -> None:
    assert Path(kalends.__file__).parent == copy / "kalends", kalends.__file__
    calendar = open_calendar(load(data, {}, {"KALENDS_ADMIN_PASSWORD": PASSWORD}))
    make_administrator(calendar)
    client = TestClient(make_app(calendar))

    made = client.simulate_post(f"{NS}/events", json=EVENT, headers=CREDENTIALS)
    assert made.status_code == 201, made.text
    listed = client.simulate_get(f"{NS}/events", params={"start_date": "2027-01-01", "end_date": "2028-01-01"})
    assert [one["title"] for one in listed.json["events"]] == ["Fair"], listed.text
    for path in PAGES:
        page = client.simulate_get(path, headers={"Accept": "text/html"})
        assert page.status_code == 200, (path, page.status_code, page.text[:500])

    signed = client.simulate_post(
        "/admin/sign-in",
        body="name=admin&password=long+enough+1",
        headers={
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": f"http://{HOST}",
            "Host": HOST,
        },
    )
    assert signed.status_code == 303, (signed.status_code, signed.text[:500])
    cookies = {name: cookie.value for name, cookie in signed.cookies.items()}
    for path in SCREENS:
        page = client.simulate_get("/admin" + path.format(id=made.json["id"]), cookies=cookies)
        assert page.status_code == 200, (path, page.status_code, page.text[:500])
    calendar.store.close()


with tempfile.TemporaryDirectory() as folder:
    main(Path(sys.argv[1]), Path(folder))
