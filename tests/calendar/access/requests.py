"""What the tests of access share: credentials as headers, and a response as one text."""

import base64
from typing import Any


def basic(name: str, password: str) -> dict[str, str]:
    encoded = base64.b64encode(f"{name}:{password}".encode()).decode()
    return {"Authorization": f"Basic {encoded}"}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def everything_said(response: Any) -> str:
    """All that a client receives: the status line, the headers and the body."""
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    return f"{response.status_code} {response.reason_phrase}\n{headers}\n\n{response.text}"
