"""A person in front of the admin, without a browser: signed in, and sending forms with their token."""

import re
from itertools import chain
from typing import Any

import httpx
from tests.conftest import BASE_URL, World, client_of
from tests.feature_parts import feature_parts

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import sessions, users
from kalends.calendar.accounts.sessions import Browser

COOKIE = "kalends_session"

# Screens that an administrator can open, for the validators; those of features that are there too.
ADMIN_PAGES = (
    "/admin",
    "/admin/events",
    "/admin/events/new",
    "/admin/events/month",
    "/admin/review",
    "/admin/venues",
    "/admin/venues/new",
    "/admin/categories/new",
    "/admin/tags",
    "/admin/media",
    "/admin/trash",
    "/admin/people",
    "/admin/people/invite",
    "/admin/people/1",
    "/admin/profile",
    "/admin/set-up",
    "/admin/settings",
    "/admin/settings/share",
    "/admin/settings/about",
    *chain.from_iterable(getattr(part, "ADMIN_PAGES", ()) for part in feature_parts("pages")),
)


class AdminClient:
    """One browser of one person. A client without a name has not signed in."""

    def __init__(self, world: World, who: str = "", *, app: Any = None) -> None:
        self.client = client_of(app or world.front)
        self.token = ""
        if who:
            with world.calendar.writing(SERVICE) as work:
                user = users.find_user(work, world.ids[who])
                begun = sessions.begin(work, user, Browser("127.0.0.1", "Test browser"), stay=False)
            self.use(begun.secret, begun.token)

    def use(self, secret: str, token: str = "") -> None:
        self.client.cookies.set(COOKIE, secret, domain="calendar.test")
        self.token = token

    @property
    def secret(self) -> str:
        return self.client.cookies.get(COOKIE) or ""

    def get(self, path: str, status: int = 200, **more: Any) -> httpx.Response:
        response = self.client.get(f"{BASE_URL}{path}", **more)
        assert response.status_code == status, (response.status_code, response.text[:2000])
        if found := re.search(r'name="kalends-token" content="(\w+)"', response.text):
            self.token = found[1]
        return response

    def post(
        self, path: str, data: dict[str, Any] | None = None, status: int = 303, token: str | None = None, **more: Any
    ) -> httpx.Response:
        """Sends a form. `token` replaces the one that the page carries."""
        sent = {"token": self.token if token is None else token} | (data or {})
        response = self.client.post(f"{BASE_URL}{path}", data=sent, **more)
        assert response.status_code == status, (response.status_code, response.text[:2000])
        return response

    def message(self) -> str:
        """What the next page says was done."""
        found = re.search(r'<div class="message.*?<p>(.*?)</p>', self.get("/admin/profile").text, re.DOTALL)
        return found[1] if found else ""


def error_beside(html: str, name: str) -> str:
    """The error that a form shows beside a field."""
    found = re.search(rf'<p class="error" id="error-{re.escape(name)}">(.*?)</p>', html, re.DOTALL)
    return found[1] if found else ""


def key_in(html: str) -> str:
    """The secret of a link for one use, as the page shows it."""
    found = re.search(r"/admin/link\?key=([\w-]+)<", html)
    assert found, html
    return found[1]
