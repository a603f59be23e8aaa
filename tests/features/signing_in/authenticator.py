"""An authenticator with its browser, as WebAuthn describes both: what they answer can be forged part by part."""

import base64
import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

ORIGIN = "http://localhost"


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "==")


@dataclass
class Authenticator:
    """One key. `uses`: what its counter says next."""

    id: bytes = b"a key of some length"
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    handle: bytes = b""
    uses: int = 1

    def make(self, options: dict[str, Any], **forged: Any) -> str:
        """The answer to the options of a new passkey."""
        self.handle = decoded(options["user"]["id"])
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        credential = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)
        data = self._data(options["rp"]["id"], forged, attested=credential)
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options, forged)
        return self._answer({"clientDataJSON": client, "attestationObject": attestation})

    def show(self, options: dict[str, Any], **forged: Any) -> str:
        """The answer to the options of a sign-in."""
        data = self._data(options["rpId"], forged)
        client = self._client("webauthn.get", options, forged)
        key = forged.get("key", self.key)
        signature = key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        handle = forged.get("handle", self.handle)
        return self._answer(
            {"clientDataJSON": client, "authenticatorData": data, "signature": signature, "userHandle": handle}
        )

    def _data(self, host: str, forged: dict[str, Any], attested: bytes = b"") -> bytes:
        flags = forged.get("flags", 0b101) | (0b1000000 if attested else 0)
        uses = forged.get("uses", self.uses)
        self.uses += 1
        return (
            sha256(forged.get("host", host).encode()).digest() + bytes([flags]) + uses.to_bytes(4, "big") + attested
        )

    def _client(self, type: str, options: dict[str, Any], forged: dict[str, Any]) -> bytes:
        said = {"type": type, "challenge": options["challenge"], "origin": ORIGIN, "crossOrigin": False}
        return json.dumps(said | {name: forged[name] for name in said if name in forged}).encode()

    def _answer(self, parts: dict[str, bytes]) -> str:
        response = {name: encoded(part) for name, part in parts.items() if part}
        return json.dumps(
            {"id": encoded(self.id), "rawId": encoded(self.id), "type": "public-key", "response": response}
        )
