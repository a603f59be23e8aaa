"""A message for the next page, with a way to undo what was done: in a cookie that only this session could sign."""

import base64
import hmac

import falcon
import msgspec

from kalends.calendar.accounts.sessions import SignedIn
from kalends.pages.admin.frame import Message

COOKIE = "kalends_message"
SECONDS = 60
LARGEST = 3800  # browsers take 4096 bytes with the name


def put(resp: falcon.Response, session: SignedIn, message: Message, base_url: str) -> None:
    encoded = _encode(message)
    if len(encoded) > LARGEST:  # too many records to name; then there is no undo
        encoded = _encode(msgspec.structs.replace(message, undo=None))
    value = f"{encoded}.{session.sign(encoded)}"
    resp.set_cookie(
        COOKIE,
        value,
        max_age=SECONDS,
        path="/",
        secure=base_url.startswith("https:"),
        http_only=True,
        same_site="Lax",
    )


def take(req: falcon.Request, resp: falcon.Response, session: SignedIn) -> Message | None:
    """The message, which is shown once."""
    values = req.get_cookie_values(COOKIE) or []
    if not values:
        return None
    resp.unset_cookie(COOKIE, path="/", same_site="Lax")
    encoded, _, signature = values[0].partition(".")
    if not hmac.compare_digest(session.sign(encoded).encode(), signature.encode("utf-8", "surrogatepass")):
        return None
    try:
        return msgspec.json.decode(base64.urlsafe_b64decode(encoded), type=Message)
    except (ValueError, msgspec.DecodeError):
        return None


def _encode(message: Message) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(message)).decode()
