"""Records the examples of the interface's description: real answers of the service, at a time that stands still.

python -m tests.product.record_examples
"""

import base64
import ipaddress
import json
import logging
import re
import struct
import tempfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import Message
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import msgspec
from tests.conftest import BASE_URL, NS, Clock, settings_for
from tests.contract.documents import CONCERT
from tests.pictures import png

from kalends.bootstrap import open_calendar
from kalends.calendar.access import ANONYMOUS, SERVICE
from kalends.calendar.accounts import credentials as tokens
from kalends.calendar.accounts import sessions, users
from kalends.calendar.accounts.sessions import Browser
from kalends.calendar.fetching import guarded
from kalends.calendar.fetching.targets import TargetReason, TargetRefused
from kalends.calendar.service import Calendar
from kalends.calendar.site_settings import site_id
from kalends.contract.errors import BODY_TOO_SLOW, ApiError
from kalends.contract.kinds import EVENT, KINDS, POSTS
from kalends.contract.roles import ROLE_WORDS
from kalends.features.changes import batches
from kalends.features.sources.duplicates import rows as duplicates_rows
from kalends.features.sources.duplicates.rows import Pair
from kalends.features.sources.remote import fetching
from kalends.features.webhooks import sending
from kalends.http.messages import bodies
from kalends.store.engine.store import StoreUnavailable
from kalends.store.files.media_files import MediaFolder, MediaFull
from kalends.worker import make_app

FILE = Path(__file__).parents[2] / "src" / "kalends" / "contract" / "examples.json"
PASSWORD = "correct horse"
MASK = "kal_" + "•" * 32
SECRET_MASK = "whsec_" + "•" * 32

CREATED: dict[str, dict[str, Any]] = {
    "event": CONCERT,
    "venue": {
        "venue": "Riverside park",
        "address": "1 Quai du Rhône",
        "city": "Lyon",
        "geo_lat": 45.76,
        "geo_lng": 4.84,
    },
    "organizer": {"organizer": "Friends of the park", "phone": "+33 4 00 00 00 00"},
    "category": {"name": "Theatre", "description": "Plays and readings"},
    "tag": {"name": "for children"},
}
CHANGED: dict[str, dict[str, Any]] = {
    "event": {"title": "Spring concert, with choir", "featured": True},
    "venue": {"phone": "+33 4 11 11 11 11"},
    "organizer": {"email": "park@friends.example"},
    "category": {"description": "Plays, readings and puppets"},
    "tag": {"name": "for families"},
}


@dataclass
class Recorder:
    """Sends requests and records the responses."""

    calendar: Calendar
    tokens: dict[str, str]
    responses: dict[str, Any] = field(default_factory=dict)
    requests: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        app = make_app(self.calendar)
        self.client = httpx.Client(transport=httpx.WSGITransport(app=app), base_url=BASE_URL)

    def ask(self, method: str, path: str, who: str = "administrator", **more: Any) -> Any:
        headers = dict(more.pop("headers", {}))
        if who in self.tokens:
            headers["Authorization"] = f"Bearer {self.tokens[who]}"
        url = path if path.startswith("http") else NS + path
        return self.client.request(method, url, headers=headers, **more)

    def response(self, name: str, method: str, path: str, who: str = "administrator", **more: Any) -> Any:
        """An example of an operation."""
        response = self.ask(method, path, who, **more)
        assert response.is_success, (name, response.text)
        # The name of a stored file has a random part.
        text = re.sub(r"poster-[0-9a-f]{8}", "poster-5e0f3b1a", response.text)
        # So have messages, and the store in places of the journal.
        text = re.sub(r"msg_[0-9a-f]{32}", "msg_5e0f3b1a9c2d4e67a1b3c5d7e9f1a3b5", text)
        text = re.sub(r'"(since|next)":"[0-9a-f]{12}', r'"\1":"5e0f3b1a9c2d', text)
        found = json.loads(re.sub(r'"milliseconds":[0-9]+', '"milliseconds":41', text))
        if "token" in found:
            found["token"] = MASK
        if "secret" in found:
            found["secret"] = SECRET_MASK
        self.responses[name] = found
        if "json" in more:
            self.requests[name] = {
                key: "••••••••" if key == "password" else value for key, value in more["json"].items()
            }
        return found

    def feed(self, name: str, path: str) -> None:
        """An example of a feed; the name of the calendar in it is made by chance."""
        self.responses[name] = self.ask("GET", path, "anonymous").text.replace(
            self.calendar.read(ANONYMOUS, site_id), "5e0f3b1a"
        )

    def error(self, name: str, method: str, path: str, who: str = "administrator", **more: Any) -> None:
        """An example of an error."""
        response = self.ask(method, path, who, **more)
        assert response.is_error, (name, response.text)
        # The name of a request is made by chance.
        self.errors[name] = json.loads(re.sub(r'("request_id":)"\w+"', r'\1"5e0f3b1a9c2d4e67"', response.text))


def record() -> dict[str, dict[str, Any]]:
    """Every example, from a calendar that is made for it."""
    with tempfile.TemporaryDirectory() as data:
        settings = settings_for(Path(data), base_url=BASE_URL, site_name="Example calendar")
        calendar = open_calendar(settings, Clock())
        clear = {}
        with calendar.writing(SERVICE) as work:
            for role in ROLE_WORDS:
                user = users.add_user(work, role, role, PASSWORD)
                clear[role], _ = tokens.add_token(work, user, "examples")
        recorder = Recorder(calendar, clear)
        record_kinds(recorder)
        record_changes(recorder)
        record_media(recorder)
        record_people(recorder)
        record_webhooks(recorder)
        record_sources(recorder)
        record_interface(recorder)
        record_errors(recorder)
        record_custom_fields(recorder)
        record_batch(recorder)
        record_duplicates(recorder)
        recorder.client.close()
        calendar.store.close()
    return {"responses": recorder.responses, "requests": recorder.requests, "errors": recorder.errors}


def record_kinds(recorder: Recorder) -> None:
    for kind in KINDS:
        made = recorder.response(f"create_{kind.name}", "POST", f"/{kind.plural}", json=CREATED[kind.name])
        path = f"/{kind.plural}/{made['id']}"
        recorder.response(f"read_{kind.name}", "GET", path, "anonymous")
        shown = "?hide_empty=false" if kind.is_term else "?per_page=1"
        recorder.response(f"list_{kind.plural}", "GET", f"/{kind.plural}{shown}", "anonymous")
        if kind is EVENT:
            recorder.feed("feed_events", "/events.ics")
        recorder.response(f"update_{kind.name}", "PATCH", path, json=CHANGED[kind.name])
        recorder.ask("PATCH", path, json={"source": "town.example", "external_id": "17"})
        by_external = f"/{kind.plural}/by-external/town.example/17"
        recorder.response(f"put_{kind.name}_by_external", "PUT", by_external, json=CHANGED[kind.name])
        recorder.response(f"read_{kind.name}_by_external", "GET", by_external, "anonymous")
        if kind in POSTS:
            by_slug = f"/{kind.plural}/by-slug/{made['slug']}"
            recorder.response(f"read_{kind.name}_by_slug", "GET", by_slug, "anonymous")
            recorder.response(f"update_{kind.name}_by_slug", "PATCH", by_slug, json=CHANGED[kind.name])
            recorder.response(f"delete_{kind.name}_by_slug", "DELETE", by_slug)
            recorder.error(f"IN_TRASH-{kind.name}", "DELETE", path)
            recorder.ask("PATCH", path, json={"status": "publish"})
        recorder.response(f"delete_{kind.name}", "DELETE", path)
        again = CREATED[kind.name] | {"slug": ""}
        recorder.ask("PUT", by_external, json=again | {"status": "publish"} if kind in POSTS else again)
        recorder.response(f"delete_{kind.name}_by_external", "DELETE", by_external)


def record_changes(recorder: Recorder) -> None:
    recorder.response("list_changes", "GET", "/changes?limit=2", "anonymous")
    recorder.error("CHANGES_EXPIRED", "GET", "/changes?since=5e0f3b1a9c2d.1", "anonymous")


def record_media(recorder: Recorder) -> None:
    file = png(640, 480, colour="teal")
    files = {"file": ("poster.png", file, "image/png")}
    made = recorder.response("create_media", "POST", "/media", files=files)
    recorder.response("read_media", "GET", f"/media/{made['id']}")


def record_custom_fields(recorder: Recorder) -> None:
    made = recorder.response(
        "create_custom_field", "POST", "/custom-fields", json={"label": "Doors open", "type": "text"}
    )
    path = f"/custom-fields/{made['key']}"
    recorder.response("list_custom_fields", "GET", "/custom-fields")
    recorder.response("read_custom_field", "GET", path)
    recorder.response("update_custom_field", "PATCH", path, json={"label": "Doors"})
    recorder.error("HAS_VALUES", "DELETE", path)
    recorder.response("delete_custom_field", "DELETE", f"{path}?force=true")
    recorder.error("NO_CUSTOM_FIELD", "GET", path)
    for number in range(50):
        recorder.ask("POST", "/custom-fields", json={"label": f"Field {number}"})
    recorder.error("TOO_MANY_CUSTOM_FIELDS", "POST", "/custom-fields", json={"label": "One more"})


def record_people(recorder: Recorder) -> None:
    user = {"name": "maria", "role": "editor", "password": "a long password"}
    made = recorder.response("create_user", "POST", "/users", json=user)
    path = f"/users/{made['id']}"
    recorder.response("list_users", "GET", "/users")
    recorder.response("read_user", "GET", path)
    recorder.response("read_me", "GET", "/users/me", "editor")
    recorder.response("update_user", "PATCH", path, json={"role": "author"})
    token = recorder.response("create_token", "POST", f"{path}/tokens", json={"name": "phone", "read_only": True})
    recorder.response("list_tokens", "GET", f"{path}/tokens")
    recorder.response("delete_token", "DELETE", f"{path}/tokens/{token['id']}")
    recorder.error("NO_TOKEN", "DELETE", f"{path}/tokens/{token['id']}")
    recorder.response("delete_user", "DELETE", path)
    recorder.error("NO_USER", "GET", path)
    recorder.error("BAD_USER", "POST", "/users", json=user | {"name": "editor"})


def record_webhooks(recorder: Recorder) -> None:
    """Their receiver answers in this process."""
    answer, posted = guarded.PostAnswer(200, Message(), b"ok"), guarded.posted
    guarded.posted = lambda *_, **__: answer  # type: ignore[assignment]
    resolve, sending.resolve = sending.resolve, lambda host, port: [ipaddress.ip_address("93.184.216.34")]
    try:
        body = {"url": "https://mirror.example/hook", "kinds": ["event"], "include": "records"}
        made = recorder.response("create_webhook", "POST", "/webhooks", json=body)
        path = f"/webhooks/{made['id']}"
        recorder.response("list_webhooks", "GET", "/webhooks")
        recorder.response("read_webhook", "GET", path)
        recorder.response("update_webhook", "PATCH", path, json={"description": "The mirror of the town"})
        recorder.response("rotate_webhook", "POST", f"{path}/rotate")
        sent = recorder.response("test_webhook", "POST", f"{path}/test")
        recorder.response("list_deliveries", "GET", f"{path}/deliveries")
        recorder.response("resend_delivery", "POST", f"{path}/deliveries/{sent['n']}/resend")
        recorder.error("NO_DELIVERY", "POST", f"{path}/deliveries/99/resend")
        recorder.response("delete_webhook", "DELETE", path)
        recorder.error("NO_WEBHOOK", "GET", path)
        for _ in range(101):
            recorder.ask("POST", "/webhooks", json=body)
        recorder.error("BAD_WEBHOOK", "POST", "/webhooks", json=body)
    finally:
        guarded.posted, sending.resolve = posted, resolve


def record_sources(recorder: Recorder) -> None:
    """Nothing is at their address."""
    checked, guarded.check = guarded.check, lambda *_, **__: None
    fetched, fetching.opened = fetching.opened, refusing  # type: ignore[assignment]
    try:
        body = {"address": "webcal://town.example/events.ics", "name": "The town", "every": "6h", "publish": "review"}
        made = recorder.response("create_source", "POST", "/sources", json=body)
        path = f"/sources/{made['id']}"
        recorder.response("list_sources", "GET", "/sources")
        recorder.response("read_source", "GET", path)
        recorder.response("update_source", "PATCH", path, json={"window": {"back": 0, "ahead": 6}})
        recorder.response("run_source", "POST", f"{path}/read")
        recorder.response("delete_source", "DELETE", path)
        recorder.error("NO_SOURCE", "GET", path)
        login = {"user": "reader", "password": "a long password"}
        recorder.error("BAD_SOURCE", "POST", "/sources", json=body | {"login": login})
    finally:
        guarded.check, fetching.opened = checked, fetched


def refusing(*_: object) -> object:
    raise TargetRefused(TargetReason.FAILED)


def record_duplicates(recorder: Recorder) -> None:
    """As a look at what people entered leaves them."""
    titles = ("Choir rehearsal: sopranos", "Choir rehearsal: basses")
    made = [recorder.ask("POST", "/events", json=CONCERT | {"title": title}).json() for title in titles]
    first, second = (one["id"] for one in made)
    with recorder.calendar.writing(SERVICE) as work:
        duplicates_rows.add(work.session, Pair(0, first, second, score=77, at_utc=work.now_text))
    path, kept = "/sources/duplicates/1", {"answer": "same", "keep": second}
    for status, refusal in (("draft", "DRAFT_STAYS"), ("private", "PUBLISHES")):
        recorder.ask("PUT", f"/events/{second}", json={"status": status})
        recorder.error(refusal, "POST", path, "editor", json=kept)
    recorder.response("list_duplicates", "GET", "/sources/duplicates", "editor")
    recorder.response("read_duplicate", "GET", path, "editor")
    recorder.response("update_duplicate", "POST", path, "editor", json={"answer": "same", "keep": first})
    recorder.error("ANSWERED", "POST", path, "editor", json={"answer": "two"})
    recorder.error("NO_DUPLICATE", "GET", "/sources/duplicates/9", "editor")


def record_interface(recorder: Recorder) -> None:
    """The index and the document are long: a part of each is enough."""
    recorder.response("index", "GET", "?_fields=namespace,_links,routes./calendar/events/v1/tags", "anonymous")
    recorder.response("doc", "GET", "/doc?_fields=openapi,servers,security", "anonymous")


def record_errors(recorder: Recorder) -> None:
    error = recorder.error
    draft = recorder.ask("POST", "/events", json=CONCERT | {"title": "A draft", "status": "draft"}).json()["id"]
    secret = CONCERT | {"title": "A secret", "post_password": "sesame"}
    hidden = recorder.ask("POST", "/events", json=secret).json()["id"]
    gone = recorder.ask("POST", "/events", json=CONCERT | {"title": "Gone"}).json()["id"]
    recorder.ask("DELETE", f"/events/{gone}")
    error("NOT_ACCESSIBLE-event", "GET", f"/events/{draft}", "anonymous")
    error("PASSWORD_PROTECTED", "GET", f"/events/{hidden}", "anonymous")
    error("NO_LONGER_AVAILABLE", "GET", f"/events/{gone}", "anonymous")
    for kind in KINDS:
        error(f"NOT_FOUND-{kind.name}", "GET", f"/{kind.plural}/999999", "anonymous")
    for kind in POSTS:
        error(f"NO_SUCH_PAGE-{kind.name}", "GET", f"/{kind.plural}?page=99", "anonymous")
    for kind in POSTS[1:]:
        made = recorder.ask("POST", f"/{kind.plural}", json=CREATED[kind.name] | {"status": "draft"}).json()["id"]
        error(f"NOT_ACCESSIBLE-{kind.name}", "GET", f"/{kind.plural}/{made}", "anonymous")
    error("INVALID_JSON", "POST", "/events", content=b'{"title": ', headers={"Content-Type": "application/json"})
    multipart = {"Content-Type": "multipart/form-data; boundary=x"}
    error("INVALID_BODY", "POST", "/events", content=b"no part of a form", headers=multipart)
    error("MISSING_PARAM", "POST", "/events", json={"title": "No dates"})
    error("INVALID_PARAM", "POST", "/events", json=CONCERT | {"end_date": "2027-02-30", "website": "nowhere"})
    recorder.ask("POST", "/tags", json={"name": "jazz"})
    error("TERM_EXISTS", "POST", "/tags", json={"name": "Jazz"})
    error("LOGIN_NEEDED", "POST", "/events", "anonymous", json=CONCERT)
    error("BAD_CREDENTIALS", "GET", "/events", "anonymous", headers={"Authorization": "Basic !"})
    basic = base64.b64encode(b"editor:wrong").decode()
    error("WRONG_PASSWORD", "GET", "/events", "anonymous", headers={"Authorization": f"Basic {basic}"})
    error("INVALID_TOKEN", "GET", "/events", "anonymous", headers={"Authorization": "Bearer kal_wrong"})
    error("FORBIDDEN", "POST", "/events", "subscriber", json=CONCERT)
    error("FOREIGN_AUTHOR", "POST", "/events", "author", json=CONCERT | {"author": 1})
    as_png = {"Content-Type": "image/png"}
    picture = recorder.ask("POST", "/media", "author", content=small_png(), headers=as_png).json()["id"]
    recorder.ask("PATCH", f"/events/{draft}", json={"image": picture})
    error("IMAGE_OF_OTHERS", "DELETE", f"{BASE_URL}/wp-json/wp/v2/media/{picture}?force=true", "author")
    error("NEW_TERM", "POST", "/events", "contributor", json=CONCERT | {"tags": ["never seen"]})
    error("NO_ROUTE", "GET", "/nothing", "anonymous")
    error("NO_METHOD", "PUT", "/events", "anonymous")
    error("NO_MEDIA", "GET", "/media/999999", "anonymous")
    error("NO_NAMESPACE", "GET", "?namespace=nope", "anonymous")
    error("PRECONDITION_FAILED", "PATCH", f"/events/{draft}", json={"title": "B"}, headers={"If-Match": '"old"'})
    error("TOO_LARGE", "POST", "/events", content=b" " * (recorder.calendar.settings.max_body + 1))
    with patch.object(bodies, "_pieces", side_effect=ApiError(BODY_TOO_SLOW, seconds=30)):
        error("BODY_TOO_SLOW", "POST", "/events", json={"title": "T"})
    error("WRONG_MEDIA_TYPE", "POST", "/events", content=b"a", headers={"Content-Type": "text/plain"})
    remembered = "Basic " + base64.b64encode(f"author:{PASSWORD}".encode()).decode()
    from_elsewhere = {"Authorization": remembered, "Sec-Fetch-Site": "cross-site"}
    error("CROSS_SITE", "POST", "/events", "anonymous", data={"title": "T"}, headers=from_elsewhere)
    with recorder.calendar.writing(SERVICE) as work:
        user = users.find_user_by_name(work, "author")
        assert user is not None
        signed_in = sessions.begin(work, user, Browser("", ""), stay=False)
    with_session = {"Cookie": f"kalends_session={signed_in.secret}"}
    error("SESSION_TOKEN", "POST", "/events", "anonymous", json={"title": "T"}, headers=with_session)
    with recorder.calendar.writing(SERVICE) as work:
        owner = users.find_user_by_name(work, "administrator")
        assert owner is not None
        earlier = msgspec.structs.replace(work, now=work.now - timedelta(minutes=16))
        signed_in = sessions.begin(earlier, owner, Browser("", ""), stay=False)
    with_session = {"Cookie": f"kalends_session={signed_in.secret}", "X-Kalends-Token": signed_in.token}
    error("CONFIRM", "PATCH", f"/users/{user.id}", "anonymous", json={"role": "editor"}, headers=with_session)
    error("MARKS_IN_ADDRESS", "GET", f"/events?search={'%CC%80' * 31}", "anonymous")
    error("BAD_HOST", "GET", "/users/me", "anonymous", headers={"Host": "one.example,two.example"})
    error("IMAGE_TOO_LARGE", "POST", "/media", content=too_many_pixels(), headers=as_png)
    files = recorder.calendar.files
    recorder.calendar.files = FullFolder()
    logging.getLogger("kalends").disabled = True
    error("STORAGE_FULL", "POST", "/media", content=small_png(), headers=as_png)
    logging.getLogger("kalends").disabled = False
    recorder.calendar.files = files
    error("HEADERS_TOO_LARGE", "GET", "/events", "anonymous", headers={"X-Long": "x" * 40_000})
    for _ in range(12):
        recorder.ask("GET", f"/events/{hidden}?password=wrong", "anonymous")
    error("TOO_MANY", "GET", f"/events/{hidden}?password=wrong", "anonymous")
    with_trouble(recorder, StoreUnavailable("busy"), lambda: error("UNAVAILABLE", "GET", "/events/1", "anonymous"))
    with_trouble(recorder, RuntimeError("trouble"), lambda: error("INTERNAL", "GET", "/events/1", "anonymous"))


def record_batch(recorder: Recorder) -> None:
    """A batch, and what is wrong with repeated requests."""
    hall = {"method": "POST", "path": "/tags", "body": {"name": "open air"}}
    again = {"method": "PATCH", "path": "/events/999999", "body": {"featured": True}}
    recorder.response("send_batch", "POST", "/batch", json={"requests": [hall, again], "atomic": False})
    refused = recorder.ask("POST", "/batch", json={"requests": [hall | {"body": {"name": "brass"}}, again]}).json()
    recorder.errors["FAILED_DEPENDENCY"] = refused["responses"][0]["body"]
    most, batches.MOST_ANSWERED = batches.MOST_ANSWERED, 0
    recorder.error("BATCH_TOO_LARGE", "POST", "/batch", json={"requests": [hall | {"body": {"name": "brass"}}]})
    batches.MOST_ANSWERED = most
    recorder.error("INVALID_KEY", "POST", "/tags", json={"name": "a"}, headers={"Idempotency-Key": "a b"})
    key = {"Idempotency-Key": "9f0c6a4e-3a53-4c1b-9a55-1d0c8d4a7a10"}
    recorder.ask("POST", "/tags", json={"name": "choir"}, headers=key)
    recorder.error("KEY_REUSED", "POST", "/tags", json={"name": "ballet"}, headers=key)
    shown_once = {"json": {"name": "a program"}, "headers": {"Idempotency-Key": "shown-once"}}
    recorder.ask("POST", "/users/1/tokens", **shown_once)
    recorder.response("repeated", "POST", "/users/1/tokens", **shown_once)


class FullFolder(MediaFolder):
    """A folder on a full disk."""

    def __init__(self) -> None:
        super().__init__(Path())

    def save(self, name: str, data: bytes) -> None:
        raise MediaFull("no space left")


def small_png() -> bytes:
    return png(20, 10, colour="teal")


def too_many_pixels() -> bytes:
    """A picture that says it is larger than it may be."""
    data = bytearray(small_png())
    data[16:24] = struct.pack(">II", 10_000, 10_000)
    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    return bytes(data)


def with_trouble(recorder: Recorder, trouble: Exception, ask: Callable[[], None]) -> None:
    """While the calendar cannot answer."""

    def fail(*_: Any) -> None:
        raise trouble

    log = logging.getLogger("kalends")
    recorder.calendar.last_change, log.disabled = fail, True  # type: ignore[method-assign, assignment]
    ask()
    log.disabled = False
    del recorder.calendar.last_change


def written(examples: dict[str, dict[str, Any]]) -> str:
    return json.dumps(examples, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(record()), encoding="utf-8")
