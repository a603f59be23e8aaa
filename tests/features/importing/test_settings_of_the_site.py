"""Commands work with what was chosen in the admin, not only with the settings of their own process."""

from pathlib import Path

from tests.features.importing.test_commands import run

from kalends.bootstrap import make_administrator, open_calendar
from kalends.calendar import site_settings
from kalends.cli.opening import administrator
from kalends.settings import load

SUMMER = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Example//Calendar//EN
BEGIN:VEVENT
UID:summer@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270701T180000Z
DTEND:20270701T190000Z
SUMMARY:Summer evening
END:VEVENT
END:VCALENDAR
"""


def test_an_import_uses_the_time_zone_that_was_chosen_in_the_admin(tmp_path: Path, quick_passwords: None) -> None:
    data, file = tmp_path / "data", tmp_path / "summer.ics"
    file.write_text(SUMMER.replace("\n", "\r\n"))
    calendar = open_calendar(load(None, {"data": str(data)}, {}, warn=str))
    make_administrator(calendar)
    calendar.write(administrator(calendar), site_settings.change, {"timezone": "Europe/Berlin"})
    calendar.store.close()
    run("import", "ics", file, "--data", data)
    table = run("export", "csv", "--data", data).output
    assert "Summer evening" in table
    assert "20:00" in table
    assert "18:00" not in table
