"""Sessions of browsers: who a cookie belongs to, where it counts, and what a change needs besides it."""

import secrets

import falcon

from kalends.calendar.accounts import sessions
from kalends.calendar.accounts.sessions import LONG, SignedIn
from kalends.calendar.service import Calendar
from kalends.contract.errors import SESSION_TOKEN, ApiError
from kalends.http.request_context import ADMIN, MEDIA, SESSION_COOKIE, prefixes
from kalends.settings import Settings

TOKEN_HEADER = "X-Kalends-Token"  # noqa: S105
BROWSER_COOKIE, KEY_LENGTH = "kalends_browser", 43
BROWSER_SECONDS = 400 * 86_400  # as long as browsers keep a cookie
SAFE = ("GET", "HEAD", "OPTIONS")


def is_admin(path: str) -> bool:
    return path == ADMIN or path.startswith(ADMIN + "/")


def counts_at(path: str, settings: Settings) -> bool:
    """Whether a session makes a difference at this path. The public pages show everybody the same."""
    return is_admin(path) or path.startswith((*prefixes(settings), MEDIA))


def find(req: falcon.Request, calendar: Calendar) -> SignedIn | None:
    """The session of a request, if it has a valid one. With several cookies of that name, none counts: one of them
    may have been planted by a neighbouring host."""
    if SESSION_COOKIE not in req.env.get("HTTP_COOKIE", ""):
        return None
    values = req.get_cookie_values(SESSION_COOKIE) or []
    return sessions.find(calendar, values[0]) if len(values) == 1 else None


def check_token(req: falcon.Request, session: SignedIn) -> None:
    """A change by the interface needs the token of the page, which a page of another site cannot know."""
    if req.method not in SAFE and not session.has_token(req.get_header(TOKEN_HEADER) or ""):
        raise ApiError(SESSION_TOKEN)


def set_cookie(resp: falcon.Response, session: SignedIn, base_url: str, *, stay: bool) -> None:
    """`stay`: the browser keeps it when it is closed."""
    resp.set_cookie(
        SESSION_COOKIE,
        session.secret,
        max_age=int(LONG.total_seconds()) if stay else None,
        path="/",
        secure=base_url.startswith("https:"),
        http_only=True,
        same_site="Lax",
    )


def browser_key(req: falcon.Request) -> str:
    """What this browser is known by when somebody signs in again. One without the cookie gets a new key, which stays
    the same for this request."""
    if "kalends.browser" not in req.env:
        values = req.get_cookie_values(BROWSER_COOKIE) or []
        is_ours = len(values) == 1 and len(values[0]) == KEY_LENGTH and values[0].isascii()
        req.env["kalends.browser"] = values[0] if is_ours else secrets.token_urlsafe(32)
    return str(req.env["kalends.browser"])


def set_browser_cookie(resp: falcon.Response, key: str, base_url: str) -> None:
    """It opens nothing: with it, somebody who signs in is not told of a new browser."""
    resp.set_cookie(
        BROWSER_COOKIE,
        key,
        max_age=BROWSER_SECONDS,
        path="/admin",
        secure=base_url.startswith("https:"),
        http_only=True,
        same_site="Lax",
    )


def clear_cookie(resp: falcon.Response) -> None:
    resp.unset_cookie(SESSION_COOKIE, path="/", same_site="Lax")
