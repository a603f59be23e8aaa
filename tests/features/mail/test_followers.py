"""How many people follow what, as administrators see it."""

import html
import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.mail.post_office import PostOffice
from tests.features.mail.test_following import ask, follow

from kalends.features.mail import followers

PATH = "/admin/settings/followers"


def rows(page: str, section: int) -> list[list[str]]:
    """The table of one section, cell by cell."""
    body = re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL)[section]
    lines = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    return [
        [html.unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", line)]
        for line in lines
    ]


@pytest.mark.both_stores
def test_they_are_counted_by_what_they_follow(mailing: World, office: PostOffice, monkeypatch: Any) -> None:
    venue = mailing.make("venues", venue="Mill")["id"]
    organizer = mailing.make("organizers", organizer="Choir")["id"]
    music = mailing.make("categories", name="Music")
    fair = mailing.make("events", title="Fair", venue=venue, organizer=organizer, categories=[music["id"]])
    for query, people in (
        (f"?venue={venue}", "abc"),
        (f"?organizer={organizer}", "a"),
        (f"?categories={music['id']}", "ab"),
        ("?search=jazz", "d"),
        (f"?search=jazz&categories={music['id']}", "d"),
        ("", "e"),
        (f"?event={fair['id']}", "fghi"),
    ):
        for one in people:
            follow(mailing, office, query, address=f"{one}@example.org")
    ask(mailing, f"?venue={venue}", address="unconfirmed@example.org")
    admin = AdminClient(mailing, "administrator")
    page = admin.get(PATH).text
    assert "Followers by mail: 9" in page
    assert "Visits of pages are not counted" in page
    kinds = {name: int(number) for name, number in rows(page, 0)}
    expected = {"Events": 4, "Venues": 3, "Organizers": 1, "Categories": 2, "Tags": 0}
    assert kinds == expected | {"Searches and several filters": 2, "The whole calendar": 1}
    most = rows(page, 1)
    assert [(name.split()[-1], kind, count) for name, kind, count in most[:3]] == [
        ("Fair", "Events", "4"),
        ("Mill", "Venues", "3"),
        ("Music", "Categories", "2"),
    ]
    assert len(most) == 7
    assert "@example.org" not in page
    monkeypatch.setattr(followers, "MOST", 2)
    assert len(rows(admin.get(PATH).text, 1)) == 2
    mailing.delete(f"/events/{fair['id']}?force=true")
    mailing.delete(f"/venues/{venue}?force=true")
    admin.get(PATH)  # whatever became of what was followed


def test_only_administrators_see_them(mailing: World) -> None:
    AdminClient(mailing, "administrator").get(PATH)
    AdminClient(mailing, "editor").get(PATH, status=403)
