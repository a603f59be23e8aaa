"""A provider of OpenID Connect on this machine, which answers as a test says."""

import base64
import hmac
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "calendar", "a client secret"


@cache
def key(name: str) -> RSAKey:
    """Each is made once for all tests: that takes a tenth of a second."""
    return RSAKey.generate_key(2048, {"kid": name, "use": "sig"})


@dataclass
class MockProvider:
    """`codes`: the claims and the challenge for each code that was given; `asked`: the paths that were asked for."""

    issuer: str = ""
    key: RSAKey = field(default_factory=lambda: key("one"))
    codes: dict[str, tuple[dict[str, Any], str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    token: str = ""  # instead of one that is made of the claims
    raw: bytes = b""  # instead of any answer of the token endpoint
    away: bool = False
    delay: float = 0.0
    metadata: dict[str, Any] = field(default_factory=dict)
    person: dict[str, Any] = field(default_factory=dict)  # who signs in on its page

    def sign(self, claims: dict[str, Any], **header: Any) -> str:
        return jwt.encode({"alg": "RS256", "kid": self.key.kid} | header, claims, self.key)

    def signed_with_public_key(self, claims: dict[str, Any]) -> str:
        """As an attacker does who has what everybody can read."""
        text = self.encoded({"alg": "HS256", "kid": self.key.kid}, claims)
        signature = hmac.digest(self.key.as_pem(private=False), text.encode(), "sha256")
        return f"{text}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"

    def unsigned(self, claims: dict[str, Any]) -> str:
        return self.encoded({"alg": "none", "kid": self.key.kid}, claims) + "."

    def encoded(self, *parts: dict[str, Any]) -> str:
        texts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
        return ".".join(texts)

    def document(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
        } | self.metadata

    def page(self, query: str) -> bytes:
        """Where a browser is led: one click signs the person in."""
        sent = {name: values[0] for name, values in parse_qs(query).items()}
        now = int(time.time())
        usual = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "auth_time": now}
        self.codes["of the page"] = usual | {"nonce": sent["nonce"]} | self.person, sent["code_challenge"]
        back = f"{sent['redirect_uri']}?{urlencode({'code': 'of the page', 'state': sent['state']})}"
        return f'<!doctype html><title>University</title><a href="{escape(back)}">It is me</a>'.encode()

    def exchange(self, form: dict[str, str], login: str) -> tuple[int, bytes]:
        if self.raw:
            return 200, self.raw
        expected = base64.b64encode(f"{CLIENT}:{SECRET.replace(' ', '%20')}".encode()).decode()
        claims, challenge = self.codes.pop(form.get("code", ""), ({}, ""))
        digest = sha256(form.get("code_verifier", "").encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != challenge or login != f"Basic {expected}":
            return 400, b'{"error": "invalid_grant"}'
        return 200, json.dumps({"id_token": self.token or self.sign(claims), "access_token": "x"}).encode()


@contextmanager
def running() -> Iterator[MockProvider]:
    provider, free = MockProvider(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            if path == "/authorize":
                self._answer(200, provider.page(query), "text/html")
                return
            documents = {"/keys": {"keys": [provider.key.as_dict(private=False)]}}
            document = documents.get(self.path, provider.document())
            self._answer(200, json.dumps(document).encode())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._answer(*provider.exchange(form, self.headers.get("Authorization", "")))

        def _answer(self, status: int, body: bytes, kind: str = "application/json") -> None:
            provider.asked.append(self.path)
            if provider.delay:
                free.wait(provider.delay)
            if provider.away:
                status, body = 200, b"<!doctype html><title>Maintenance</title>"
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        free.set()
        server.shutdown()
        server.server_close()
