"""Writes docs/api.md: `python scripts/api_page.py > docs/api.md`.

The questions people ask, each command run against a calendar made for it. The tables of the contract are written by
`api_reference.py`.
"""

import base64
import io
import json
import re
import shlex
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
from api_questions import FIRST_RECORDS, NOW_UTC, QUESTIONS, SITE, Question, Step
from PIL import Image

from kalends.bootstrap import open_calendar
from kalends.calendar.access import ANONYMOUS, SERVICE
from kalends.calendar.accounts import credentials, users
from kalends.calendar.service import Calendar
from kalends.calendar.site_settings import site_id
from kalends.contract.operations.model import JSON_TYPE, NAMESPACE
from kalends.http.messages.responses import choose
from kalends.settings import load
from kalends.store.files.media_files import MediaFolder
from kalends.values import dates
from kalends.worker import make_app

NS = f"{SITE['base_url']}/api/{NAMESPACE}"
WEAK_ETAG = re.compile(r'W/"[0-9a-f]+"')
EXAMPLE_ETAG = 'W/"5e0f3b1a9c2d4e67a1b3c5d7"'
TOKEN, EXAMPLE_EPOCH = re.compile(r"\b[0-9a-f]{12}(?=(-[ce][0-9]+)?\.[0-9]+\b)"), "3f7a0c91d25e"
MIRROR = Path(__file__).parent / "mirror.py"
PASSWORD = "correct horse"  # noqa: S105 (of a temporary calendar)
WIDTH = 100
_written = io.BytesIO()
Image.new("RGB", (600, 400), "teal").save(_written, "PNG")
POSTER = _written.getvalue()  # poster.png

OPENING = """# The interface, by questions

Every command here was run against a calendar on a Friday, 12 March 2027, at 10 in the morning in New York, and every
answer is what it said, shortened to the keys that matter. (A client can shorten too: `_fields=id,title,venue.venue`.)
Every operation, parameter, key and error is in the [reference](api-reference.md). A running service has both to read,
search and try at `/docs`, in nine languages, and as an OpenAPI document at `{ns}/doc`.

This page is made by `python scripts/api_page.py > docs/api.md`. A test fails when it is not what the service says.

```sh
NS=http://127.0.0.1:8000/api/calendar/events/v1
TOKEN=$(.venv/bin/kalends token add admin)    # to write; reading what is public needs none
```

The commands can be copied one after the other, on the demo too (`make serve DEMO=1`); the values from answers
are others then.
"""


class Run:
    """A calendar with a few events in it, which executes the commands of this page."""

    def __init__(self, folder: Path) -> None:
        self.now = dates.from_text(NOW_UTC)
        settings = load(folder, SITE, {})
        store = open_calendar(settings).store
        calendar = Calendar(store, MediaFolder(folder / "media"), settings, lambda: self.now)
        with calendar.writing(SERVICE) as work:
            admin = users.add_user(work, "admin", "administrator", PASSWORD)
            token, _ = credentials.add_token(work, admin, "examples")
        self.client = httpx.Client(
            # The default of curl.
            transport=httpx.WSGITransport(app=make_app(calendar)),
            headers={"Accept-Encoding": "identity"},
        )
        self.known = {"$NS": NS, "$TOKEN": token, "$PASSWORD": PASSWORD}
        self.site_id = calendar.read(ANONYMOUS, site_id)
        self.given: dict[str, str] = {}  # variables that no command has used yet
        for plural, record in FIRST_RECORDS:
            made = self.client.post(f"{NS}/{plural}", json=record, headers={"Authorization": f"Bearer {token}"})
            assert made.status_code == 201, made.text

    def curl(self, line: str) -> httpx.Response:
        """What the command would send. An unknown option is an error."""
        for name, value in self.known.items():
            line = line.replace(name, value.replace('"', '\\"'))
        words = iter(shlex.split(line.replace("\\\n", " "))[1:])
        method, url, headers, data, form, files = "", "", {}, [], {}, {}
        for word in words:
            match word:
                case "-i" | "-g":
                    pass
                case "-F":
                    name, _, value = next(words).partition("=")
                    if value.startswith("@"):
                        files[name] = (value[1:], POSTER, "image/png")
                    else:
                        form[name] = value
                case "-X":
                    method = next(words)
                case "-H":
                    name, _, value = next(words).partition(": ")
                    headers[name] = value
                case "-u":
                    headers["Authorization"] = "Basic " + base64.b64encode(next(words).encode()).decode()
                case "-d":
                    data.append(next(words))
                case _ if word.startswith(NS):
                    url = word
                case _:
                    raise ValueError(f"curl {word}?")
        if files:
            return self.client.post(url, headers=headers, data=form, files=files)
        if data:
            headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        body = "&".join(data) or None
        return self.client.request(method or ("POST" if data else "GET"), url, headers=headers, content=body)


def answered(run: Run, step: Step) -> Iterator[str]:
    """A command and its answer."""
    if step.before:
        yield "\n".join(map(_paragraph, step.before.split("\n\n")))
    if step.meanwhile:
        run.now += timedelta(hours=1)
    for command in step.meanwhile:
        assert run.curl(command).is_success, command
    result = run.curl(step.command)
    assert result.status_code == step.status, (step.command, result.text)
    used = [name for name in run.given if f"${name}" in step.command]
    lines = [f"{name}={shlex.quote(run.given.pop(name))}    # from an answer above" for name in used]
    yield f"```sh\n{TOKEN.sub(EXAMPLE_EPOCH, chr(10).join((*lines, step.command)))}\n```\n"
    if step.gives is not None:
        name, place = step.gives
        run.known[f"${name}"] = run.given[name] = given(place, result.headers, result.json())
    heading = [f"HTTP/1.1 {result.status_code} {result.reason_phrase}"] if step.status != 200 or step.headers else []
    # The weak ETag of a feed depends on the code that renders it too, and would change with every edit.
    heading += [f"{name}: {WEAK_ETAG.sub(EXAMPLE_ETAG, result.headers[name])}" for name in step.headers]
    if heading:
        yield "```http\n" + "\n".join(heading) + "\n```\n"
    if not result.headers.get("Content-Type", JSON_TYPE).startswith(JSON_TYPE):
        yield f"```ics\n{feed_text(run, result)}```\n"
    elif result.text:
        shown = choose(result.json(), tree(step.keep)) if step.keep else result.json()
        yield f"```json\n{TOKEN.sub(EXAMPLE_EPOCH, written(shown))}\n```\n"


def given(place: str, headers: Mapping[str, str], found: Any) -> str:
    """A value of an answer: `venues.0.id`, or a header."""
    if place in headers:
        return headers[place]
    for step in place.split("."):
        found = found[int(step)] if step.isdigit() else found[step]
    return str(found)


def _paragraph(text: str) -> str:
    """A paragraph, or the whole mirror."""
    return f"```python\n{MIRROR.read_text()}```\n" if text == "{mirror}" else fill(text)


def feed_text(run: Run, result: httpx.Response) -> str:
    """A feed with the line ends of this page, and a fixed name instead of the random one of the calendar."""
    return result.text.replace("\r\n", "\n").replace(run.site_id, "5e0f3b1a")


def tree(paths: str) -> dict[str, Any]:
    """`a,b.c` as nested keys."""
    found: dict[str, Any] = {}
    for path in paths.split(","):
        node = found
        for step in path.split("."):
            node = node.setdefault(step, {})
    return found


def written(value: Any, indent: int = 0) -> str:
    """JSON with arrays and objects on one line where they fit."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= WIDTH or not isinstance(value, dict | list):
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, list):
        lines = [inner + written(item, indent + 2) for item in value]
    else:
        lines = [f"{inner}{json.dumps(name)}: {written(item, indent + 2)}" for name, item in value.items()]
    opening, closing = "[]" if isinstance(value, list) else "{}"
    return f"{opening}\n" + ",\n".join(lines) + f"\n{' ' * indent}{closing}"


def fill(text: str) -> str:
    return textwrap.fill(text, WIDTH + 18, break_on_hyphens=False) + "\n"


def questions(run: Run) -> Iterator[str]:
    for question in QUESTIONS:
        yield from answer_to(run, question)


def answer_to(run: Run, question: Question) -> Iterator[str]:
    yield f"## {question.title}\n\n{fill(question.text)}"
    for step in question.steps:
        yield from answered(run, step)
    if question.program:
        yield f"```python\n{question.program}```\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write("\n".join([OPENING, *questions(Run(Path(folder)))]))


if __name__ == "__main__":
    main()
