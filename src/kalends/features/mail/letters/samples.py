"""Made-up facts, for previews of letters."""

EVENT = {
    "title": "Night of the open libraries",
    "path": "/event/night-of-the-open-libraries/",
    "start_local": "2027-03-10 19:30:00",
    "end_local": "2027-03-10 23:00:00",
    "start_utc": "2027-03-10 18:30:00",
    "end_utc": "2027-03-10 22:00:00",
    "timezone": "Europe/Berlin",
    "all_day": False,
    "venue": "Town library",
    "status": "scheduled",
}
OTHER = {**EVENT, "title": "Walk along the river", "path": "/event/walk/", "venue": "", "status": "postponed"}
LINK = "/admin/link?key=example"
AT = "2027-03-08 12:00:00"
CONFIRM, END = "/mail/confirm?key=example", "/mail/end?key=example"
