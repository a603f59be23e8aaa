"""Tokens of the provider: their signature by one of its keys, and what an ID token and a logout token must say."""

from calendar import timegm
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from kalends.features.signing_in.oidc_rows import Provider

# Those with a key of two parts: with a shared one, whoever has the public key could sign.
ALGORITHMS = frozenset(
    ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
)
LARGEST_TOKEN = 600_000  # with ten thousand groups
LEEWAY = 120  # seconds by which clocks may differ
OLDEST = 600  # seconds after which a token is not a new one
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
LONGEST_SUBJECT = 255


class NotValid(Exception):
    """A token that is not believed; the message says why, for the log."""


class UnknownKey(NotValid):
    """It names a key that the provider may have since we asked."""


def verified(token: str, provider: Provider) -> dict[str, Any]:
    """What a token says, once its signature was found to be the provider's."""
    from joserfc import jws, jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import import_key

    registry = jws.JWSRegistry(algorithms=sorted(ALGORITHMS))
    registry.max_payload_length = LARGEST_TOKEN
    if len(token) > LARGEST_TOKEN or token.count(".") != 2 or not token.isascii():
        raise NotValid("it is no token")
    try:
        header = jws.extract_compact(token.encode(), registry=registry).headers()
    except (JoseError, ValueError, TypeError):
        raise NotValid("it is no token") from None
    if header.get("alg") not in ALGORITHMS or "crit" in header:
        raise NotValid("its algorithm is not accepted")
    keys = [key for key in msgspec.json.decode(provider.keys)["keys"] if _signs(key, header)]
    if not keys:
        raise UnknownKey("its key is not known")
    for key in keys:
        try:
            claims = jwt.decode(token, import_key(key), algorithms=[header["alg"]], registry=registry).claims
        except (JoseError, ValueError, TypeError):
            continue
        return dict(claims)
    raise NotValid("its signature is wrong")


def _signs(key: object, header: Mapping[str, Any]) -> bool:
    if not isinstance(key, Mapping) or key.get("kty") not in ("RSA", "EC", "OKP") or key.get("use", "sig") != "sig":
        return False
    return "kid" not in header or "kid" not in key or key["kid"] == header["kid"]


def check_id_token(claims: dict[str, Any], provider: Provider, client: str, nonce: str, now: datetime) -> None:
    """Raises NotValid unless the token is for this calendar, this browser and this moment."""
    from authlib.oidc.core import CodeIDToken
    from joserfc.errors import JoseError

    options = {"iss": {"essential": True, "value": provider.issuer}}
    seconds = timegm(now.timetuple())
    _check_common(claims, provider, client, seconds)
    if not nonce or claims.get("nonce") != nonce:
        raise NotValid("its nonce is another one")
    try:
        CodeIDToken(claims, {}, options, {"client_id": client, "nonce": nonce}).validate(seconds, LEEWAY)
    except Exception as error:
        if isinstance(error, JoseError) or type(error).__module__.startswith(("authlib", "joserfc")):
            raise NotValid(type(error).__name__) from None
        raise


def check_logout_token(claims: Mapping[str, Any], provider: Provider, client: str, now: datetime) -> tuple[str, str]:
    """The subject and the session that it names, one of which may be empty."""
    _check_common(claims, provider, client, timegm(now.timetuple()), has_subject=False)
    events = claims.get("events")
    if not isinstance(events, Mapping) or not isinstance(events.get(LOGOUT_EVENT), Mapping) or "nonce" in claims:
        raise NotValid("it is no logout token")
    subject, sid, id = (claims.get(name, "") for name in ("sub", "sid", "jti"))
    if not all(isinstance(one, str) and len(one) <= LONGEST_SUBJECT for one in (subject, sid, id)):
        raise NotValid("it names nobody")
    if not id or not (subject or sid):
        raise NotValid("it names nobody")
    return subject, sid


def _check_common(
    claims: Mapping[str, Any], provider: Provider, client: str, now: int, *, has_subject: bool = True
) -> None:
    audience, authorized = claims.get("aud"), claims.get("azp")
    named = audience if isinstance(audience, list) else [audience]
    issued, expires, subject = _number(claims, "iat"), _number(claims, "exp"), claims.get("sub")
    if claims.get("iss") != provider.issuer:
        raise NotValid("it is of another issuer")
    if client not in named or authorized not in (None, client) or (len(named) > 1 and authorized != client):
        raise NotValid("it is for another client")
    if issued is None or not now - OLDEST <= issued <= now + LEEWAY:
        raise NotValid("it is too old, or of a time to come")
    if (has_subject and expires is None) or (expires is not None and expires <= now - LEEWAY):
        raise NotValid("it has expired")
    if has_subject and (not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT):
        raise NotValid("it names nobody")


def _number(claims: Mapping[str, Any], name: str) -> float | None:
    value = claims.get(name)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
