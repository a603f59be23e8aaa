"""Records the responses of Kalends, so that the bare server can repeat them."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

# Every server says these for itself.
OF_THE_CONNECTION = ("connection", "date", "server", "transfer-encoding")


def record(addresses: Iterable[str], file: Path) -> Path:
    file.write_text(json.dumps([_recorded(address) for address in addresses]))
    return file


def _recorded(address: str) -> dict[str, object]:
    with urllib.request.urlopen(address) as response:
        headers = [(k, v) for k, v in response.headers.items() if k.lower() not in OF_THE_CONNECTION]
        not_modified = [(name, value) for name, value in headers if not name.lower().startswith("content-")]
        return {"headers": headers, "not_modified": not_modified, "body": response.read().decode()}


def etag(address: str) -> str:
    with urllib.request.urlopen(address) as response:
        return response.headers.get("ETag") or ""


def json_of(address: str) -> dict[str, Any]:
    with urllib.request.urlopen(address) as response:
        found: dict[str, Any] = json.load(response)
        return found


def check_status(address: str, headers: Mapping[str, str], expected: int) -> None:
    """wrk does not distinguish one successful status from another."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=dict(headers))) as response:
            found = response.status
    except urllib.error.HTTPError as error:
        found = error.code
    if found != expected:
        raise RuntimeError(f"{address} answers {found}, and {expected} is to be measured")
