"""A site on loopback that answers as The Events Calendar on WordPress does, with its habits and failures."""

import copy
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

EXAMPLES = Path(__file__).parents[2] / "http" / "examples"
NAMESPACE = "tribe/events/v1"
MOST = 50
MOST_REQUESTS = 1000
PLURALS = ("events", "venues", "organizers", "categories", "tags")
CREDENTIALS = "Basic ZWQ6YXBwIHBhc3M="  # ed:app pass
LOGIN_PAGE = "<!DOCTYPE html><html><title>Log in</title><form></form></html>"

Json = dict[str, Any]


def recorded_event() -> Json:
    """An event as the reference answered it, with its venue, organizer and terms."""
    for case in json.loads((EXAMPLES / "events-list.json").read_text()):
        for event in (case["response"]["json"] or {}).get("events", ()):
            if event["venue"] and event["categories"] and event["tags"]:
                return dict(event)
    raise LookupError


@dataclass
class ReferenceSite:
    """What the site has, and how it fails: the statuses or pages that answer the next requests."""

    permalinks: bool = True
    is_closed: bool = False  # to those who do not log in
    zone: str = "America/New_York"
    records: dict[str, list[Json]] = field(default_factory=lambda: {plural: [] for plural in PLURALS})
    drafts: list[Json] = field(default_factory=list)  # in no list of the plugin
    protected: set[int] = field(default_factory=set)  # events with a password
    failures: list[tuple[int, dict[str, str], str]] = field(default_factory=list)
    fail_every: int = 0
    requests: list[str] = field(default_factory=list)
    reads: int = 0  # counted by a test
    url: str = ""

    def event(self, id: int, title: str, /, **changed: Any) -> Json:
        """Adds an event."""
        event = copy.deepcopy(recorded_event())
        text = json.dumps(event).replace("{base_url}", self.url).replace("{ns}", f"{self.url}/wp-json/{NAMESPACE}")
        event = json.loads(text.replace("{host}", "site.test"))
        slug = title.lower().replace(" ", "-")
        page = f"{self.url}/event/{slug}/"
        event |= {"id": id, "title": title, "slug": slug, "url": page, "website": page} | changed
        self.records["events"].append(event)
        return event

    def answer(self, path: str, query: dict[str, list[str]], authorization: str) -> tuple[int, dict[str, str], Any]:
        route = query.get("rest_route", [""])[0]
        if path == "/" and not route:
            root = f"{self.url}/wp-json/" if self.permalinks else f"{self.url}/?rest_route=/"
            link = {"Link": f'<{root}>; rel="https://api.w.org/"'} if self.permalinks else {}
            head = f'<link rel="https://api.w.org/" href="{root.replace("&", "&amp;")}" />'
            return 200, link | {"Content-Type": "text/html"}, f"<!DOCTYPE html><html><head>{head}</head></html>"
        if self.permalinks and path.startswith("/wp-json/"):
            route = path.removeprefix("/wp-json")
        if not route:
            return 404, {"Content-Type": "text/html"}, "<html>not found</html>"
        if authorization and authorization != CREDENTIALS:
            return 401, {}, {"code": "incorrect_password", "message": "", "data": {"status": 401}}
        if self.is_closed and not authorization:
            return 401, {}, {"code": "rest_not_logged_in", "message": "", "data": {"status": 401}}
        return self._api(route.strip("/"), query, bool(authorization))

    def _api(self, route: str, query: dict[str, list[str]], known: bool) -> tuple[int, dict[str, str], Any]:
        if route == "":
            return 200, {}, {"name": "Site", "timezone_string": self.zone, "namespaces": [NAMESPACE]}
        if route == "wp/v2/tribe_events" and known:
            found = [{"id": event["id"]} for event in self.drafts if event["status"] == query["status"][0]]
            return (
                (200, {}, found) if query["page"] == ["1"] else (400, {}, {"code": "rest_post_invalid_page_number"})
            )
        if route.startswith("wp/v2/tribe_events/") and known:
            return 200, {}, {"content": {"protected": int(route.rpartition("/")[2]) in self.protected}}
        parts = route.removeprefix(f"{NAMESPACE}/").split("/")
        if len(parts) == 2 and parts[0] in PLURALS:
            for record in [*self.records[parts[0]], *(self.drafts if parts[0] == "events" else [])]:
                if str(record["id"]) == parts[1]:
                    return 200, {}, record
            return 404, {}, {"code": "event-not-found", "message": "", "data": {"status": 404}}
        if parts[0] not in PLURALS or len(parts) > 1:
            return 404, {}, {"code": "rest_no_route", "message": "", "data": {"status": 404}}
        if query.get("status", ["publish"]) != ["publish"] and not known:
            return 400, {}, {"code": "rest_invalid_param", "message": "", "data": {"status": 400}}
        return self._list(parts[0], query)

    def _list(self, plural: str, query: dict[str, list[str]]) -> tuple[int, dict[str, str], Any]:
        size, page = min(int(query.get("per_page", ["10"])[0]), MOST), int(query.get("page", ["1"])[0])
        records = self.records[plural]
        if plural == "events":
            records = [one for one in records if one["start_date"] >= query.get("start_date", ["2026-11-14"])[0]]
            records.sort(key=lambda one: one["start_date"])
        found = records[(page - 1) * size : page * size]
        if not found and page > 1:
            return 404, {}, {"code": "event-archive-page-not-found", "message": "", "data": {"status": 404}}
        pages = -(-len(records) // size)
        # The link to the next page has lost the filters.
        more = {"next_rest_url": f"{self.url}/wp-json/{NAMESPACE}/{plural}/?page={page + 1}"} if page < pages else {}
        return 200, {}, {plural: found, "rest_url": "", "total": len(records), "total_pages": pages} | more


@contextmanager
def served(site: ReferenceSite) -> Iterator[ReferenceSite]:
    """The site on a port of loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append(self.path)
            assert len(site.requests) < MOST_REQUESTS, "an import that does not end"
            parts = urlsplit(self.path)
            authorization = self.headers.get("Authorization", "")
            status, headers, body = site.answer(parts.path, parse_qs(parts.query), authorization)
            is_due = site.fail_every and len(site.requests) % site.fail_every == 0
            if status == 200 and ((site.failures and len(site.requests) > 3) or is_due):
                status, headers, body = site.failures.pop(0) if site.failures else (503, {}, "busy")
            data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in ({"Content-Type": "application/json"} | headers).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
