"""Addresses of the admin that nobody would link to: of forms only, of records that cannot exist, of months beyond."""

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World

from kalends.admin.routes import SCREENS


def test_no_address_of_the_admin_is_an_error_of_the_service(world: World) -> None:
    """Opened as a page, the address of an action leads to the page that has its form."""
    admin = AdminClient(world, "administrator")
    answers = {}
    for path in SCREENS:
        for id in ("1", "9" * 25):
            address = path.replace("{id:digits}", id).replace("{plural:plural}", "events")
            answers[address] = admin.client.get(BASE_URL + address.replace("/sign-out", "/sign-in")).status_code
    assert {path: status for path, status in answers.items() if status not in (200, 303, 404)} == {}


@pytest.mark.parametrize("month", ["0001-01", "1900-01", "9999-12", "2026-13", "999-01", "nonsense"])
def test_a_month_beyond_the_calendar_is_this_month(world: World, month: str) -> None:
    assert "November 2026" in AdminClient(world, "editor").get(f"/admin/events/month?month={month}").text
