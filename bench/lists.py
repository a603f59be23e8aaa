"""What a list costs: requests through the whole service in one process, at several sizes beside each other."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import postgresql
from data import COMMON, NOW, RARE, Sample, sample
from kalends.calendar import people
from kalends.calendar.service import Calendar
from kalends.server.app import make_app, make_calendar
from kalends.settings import load
from kalends.store import people as stored_people

NAMESPACE = "/api/calendar/events/v1"
WARM_UPS = 3
READY = "default list, answer still in memory"
EDITOR = ", asked by an editor"


@dataclass(frozen=True)
class Measured:
    """Milliseconds of one kind of request, and how many records it found."""

    p50: float
    p99: float
    total: int


def requests(of: Sample) -> dict[str, str]:
    """The lists that are measured, by what they are."""
    decade = "start_date=2020-01-01&end_date=2030-01-01"
    return {
        "default list": "/events",
        "default list, page 500": "/events?page=500&per_page=2",
        "page 500 of 12, ten years": f"/events?{decade}&page=500",
        "a day": "/events?start_date=2027-03-10&end_date=2027-03-10",
        "a month": "/events?start_date=2027-03-01&end_date=2027-03-31",
        "ten years": f"/events?{decade}",
        "ten years, exact instants": f"/events?{decade}&strict_dates=true",
        "not ended yet (ends_after)": "/events?ends_after=2026-11-15",
        "one category (a branch)": f"/events?categories={of.category}",
        "one category (a leaf)": f"/events?categories={of.leaf}",
        "one venue": f"/events?venue={of.venue}",
        "category and venue": f"/events?categories={of.category}&venue={of.venue}",
        "search, rare word": f"/events?search={RARE}&{decade}",
        "search, common word": f"/events?search={COMMON}",
        "search, two letters": "/events?search=qz",
        "within 2,000 km of a point": "/events?geoloc_lat=48.8&geoloc_lng=2.3&geoloc_radius=2000",
        "categories, hide_empty": "/categories",
        "tags, hide_empty": "/tags",
        "venues": "/venues",
        "venues with upcoming": "/venues?only_with_upcoming=true",
        "one event by id": f"/events/{of.event}",
        f"default list{EDITOR}": "/events",
        f"one category (a branch){EDITOR}": f"/events?categories={of.category}",
    }


@dataclass(frozen=True)
class Way:
    """How to measure: the clock, the time and the most requests for each kind, and only kinds of this name."""

    clock: Callable[[], float]
    seconds: float
    most: int
    only: str = ""


def measure(sizes: Iterable[int], way: Way, *, fresh: bool = False, on_postgresql: bool = False) -> None:
    samples = [sample(size, fresh=fresh) for size in sizes]
    if not on_postgresql:
        print(table({of.events: _measure_one(of, way, {}) for of in samples}))
        return
    with postgresql.server() as cluster:
        columns = {of.events: _measure_one(of, way, {"database": postgresql.database(cluster, of)}) for of in samples}
    print(table(columns))


def _measure_one(of: Sample, way: Way, store: dict[str, str]) -> dict[str, Measured]:
    """Each request is worked out anew; the last row is the first again, from the memory of ready answers."""
    wanted = {name: path for name, path in requests(of).items() if way.only in name}
    found: dict[str, Measured] = {}
    for settings, paths in (({"cache_size": "0"}, wanted), ({}, {READY: "/events"} if not way.only else {})):
        calendar = make_calendar(
            load(of.folder, {"timezone": "America/New_York"} | settings | store, {}), lambda: NOW
        )
        app, token = make_app(calendar), _token(calendar)
        for name, path in paths.items():
            header = f"Bearer {token}" if name.endswith(EDITOR) else ""
            found[name] = _times(lambda app=app, path=path, header=header: call(app, path, header), way)
        calendar.store.close()
    return found


def _times(ask: Callable[[], int], way: Way) -> Measured:
    """As many requests as fit in the time, ten at least, in order of what they took."""
    total = 0
    for _ in range(WARM_UPS):
        total = ask()
    taken: list[float] = []
    until = time.perf_counter() + way.seconds
    while len(taken) < 10 or (time.perf_counter() < until and len(taken) < way.most):
        begun = way.clock()
        ask()
        taken.append((way.clock() - begun) * 1000)
    taken.sort()
    return Measured(taken[len(taken) // 2], taken[min(len(taken) - 1, int(len(taken) * 0.99))], total)


def _token(calendar: Calendar) -> str:
    with calendar.store.write() as session:
        user = stored_people.find_user_by_name(session, "bench")
        if user is None:
            raise LookupError("the calendar has no user to measure with")
        return people.add_token(session, user, "bench", NOW)[0]


def call(app: Any, path: str, authorization: str = "") -> int:
    """One GET through the WSGI application; the total that it tells."""
    path, _, query = path.partition("?")
    found: dict[str, str] = {}

    def start(status: str, headers: list[tuple[str, str]], _error: object = None) -> None:
        found.update({name.lower(): value for name, value in headers}, status=status)

    environ = environ_of(NAMESPACE + path, query)
    if authorization:
        environ["HTTP_AUTHORIZATION"] = authorization
    body = b"".join(app(environ, start))
    if not found["status"].startswith("200"):
        raise RuntimeError(f"{path}?{query}: {found['status']} {body[:300]!r}")
    return int(found.get("x-tec-total", 1))


def environ_of(path: str, query: str = "") -> dict[str, Any]:
    """A GET as a server hands it over."""
    return {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": None,
        "wsgi.errors": None,
    }


def table(columns: dict[int, dict[str, Measured]]) -> str:
    """The sizes beside each other, with the ratio of each p50 to that of the smallest."""
    sizes = list(columns)
    heads = ["milliseconds, p50 / p99"]
    for size in sizes:
        heads += [f"{size:,}", "×"] if size != sizes[0] else [f"{size:,}"]
    heads.append("found")
    lines = ["| " + " | ".join(heads) + " |", "|---" + "|--:" * (len(heads) - 1) + "|"]
    for name, first in columns[sizes[0]].items():
        cells = [name]
        for size in sizes:
            here = columns[size][name]
            cells.append(f"{here.p50:.2f} / {here.p99:.2f}")
            if size != sizes[0]:
                cells.append(f"{here.p50 / first.p50:.1f}")
        cells.append(f"{columns[sizes[-1]][name].total:,}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
