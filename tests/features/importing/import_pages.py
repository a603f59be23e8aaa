"""What the tests of imports in the admin share."""

import time

from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World

IMPORT = "/admin/import"
OFFERED = 'name="do" value="start"'
TABLE = "Title,Start,Where\nFair,2027-05-01 10:00,Green\nMarket,2027-05-02 09:00,Square\n"
CALENDAR = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nBEGIN:VEVENT\r\nUID:1@x\r\nDTSTAMP:20270101T000000Z\r\n"
    "DTSTART:20270501T100000Z\r\nDTEND:20270501T120000Z\r\nSUMMARY:Regatta\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def upload(admin: AdminClient, name: str, content: str | bytes) -> str:
    """Sends a file; the address of its preview."""
    sent = content.encode() if isinstance(content, str) else content
    answer = admin.post(IMPORT, {"address": ""}, files={"file": (name, sent, "text/plain")})
    return str(answer.headers["Location"]).removeprefix(BASE_URL)


def wait(admin: AdminClient, path: str) -> str:
    """The page once the import is over."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        page = admin.get(path).text
        if 'http-equiv="refresh"' not in page:
            return page
        time.sleep(0.05)
    raise AssertionError("the import does not end")


def titles(world: World) -> list[str]:
    found = world.get("/events?start_date=2027-01-01&end_date=2027-12-31").json()["events"]
    return [event["title"] for event in found]
