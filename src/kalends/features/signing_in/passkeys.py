"""Passkeys: keys that a device or a security key has for this calendar alone, and that sign a challenge of it.

A challenge is a text signed by the calendar, with what it is for, so nothing is stored before it was answered; then
it is noted as used. What is trusted is the public half of a key; who made the authenticator is not asked.
"""

import base64
import hashlib
import ipaddress
import secrets
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from kalends.calendar import signing
from kalends.calendar.access import UnitOfWork
from kalends.features.signing_in import factor_rows as rows
from kalends.features.signing_in.factor_rows import Passkey
from kalends.store.engine.store import Session
from kalends.store.rows import users as stored_users
from kalends.store.rows.records import User
from kalends.values import dates

SIGN_IN, SECOND_STEP, CONFIRM, ADD = "sign-in", "second-step", "confirm", "add"
PURPOSE = "passkey"
LASTS = timedelta(minutes=5)
LONGEST_ANSWER = 20_000
LONGEST_ID = 1_400  # of 1,023 bytes


class NotShown(Exception):
    """An answer that is not believed; the message says why, for the log."""


class PasskeySite(NamedTuple):
    """What a passkey is for: the name of the host, and the origin that the browser tells."""

    id: str
    origin: str
    name: str


class Challenge(msgspec.Struct, frozen=True):
    """`about`: the session that adds or confirms, or the person whose password was right; 0 for signing in."""

    random: str
    purpose: str
    about: int
    until: str


class PasskeyQuestion(NamedTuple):
    """What a page hands to its script: the signed challenge, and the options as JSON."""

    challenge: str
    options: str


class Made(NamedTuple):
    """A new passkey, as an authenticator has answered."""

    id: str
    public_key: str
    uses: int


class ShownPasskey(NamedTuple):
    """A right answer, which counts once."""

    challenge: str
    passkey: Passkey
    uses: int


def site_of(base_url: str, name: str) -> PasskeySite | None:
    """None where browsers have no passkeys: without TLS but on this machine, and without a name."""
    parts = urlsplit(base_url.lower())
    host, usual = parts.hostname or "", {"https": 443, "http": 80}.get(parts.scheme)
    if parts.scheme != "https" and host != "localhost":
        return None
    try:
        ipaddress.ip_address(host)
    except ValueError:
        port = f":{parts.port}" if parts.port not in (None, usual) else ""
        return PasskeySite(host, f"{parts.scheme}://{host}{port}", name)
    return None


def ask_to_make(work: UnitOfWork, site: PasskeySite, user: User, session: int) -> PasskeyQuestion:
    """What a browser needs to make a passkey."""
    import webauthn
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    key = _challenge(work, ADD, session)
    options = webauthn.generate_registration_options(
        rp_id=site.id,
        rp_name=site.name,
        user_name=user.name,
        user_id=_handle(work.session, user.id),
        challenge=_bytes_of(key),
        timeout=int(LASTS.total_seconds() * 1000),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(base64.urlsafe_b64decode(f"{one.id}=="))
            for one in rows.passkeys_of(work.session, user.id)
            if one.site == site.id
        ],
    )
    return PasskeyQuestion(key, webauthn.options_to_json(options))


def made(work: UnitOfWork, site: PasskeySite, session: int, key: str, answer: str) -> Made:
    """The passkey of an answer. Raises NotShown."""
    import webauthn
    from webauthn.helpers import bytes_to_base64url, parse_registration_credential_json

    _check_challenge(work, key, ADD, session)
    try:
        credential = parse_registration_credential_json(_bounded(answer))
        _check_frame(credential.response.client_data_json)
        found = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=_bytes_of(key),
            expected_rp_id=site.id,
            expected_origin=site.origin,
        )
    except NotShown:
        raise
    except Exception as error:  # whatever a forged answer makes the parsers raise
        raise NotShown(f"{type(error).__name__}: {error}"[:200]) from None
    id = bytes_to_base64url(found.credential_id)
    if len(id) > LONGEST_ID or rows.passkey(work.session, id) is not None:
        raise NotShown("it is known already")
    _use_up(work, key)
    return Made(id, bytes_to_base64url(found.credential_public_key), found.sign_count)


def ask_to_show(
    work: UnitOfWork, site: PasskeySite, purpose: str, about: int = 0, user: int = 0
) -> PasskeyQuestion | None:
    """What a browser needs to show one; None where the person has none."""
    own = [one for one in rows.passkeys_of(work.session, user) if one.site == site.id] if user else []
    if user and not own:
        return None
    key = _challenge(work, purpose, about)
    return PasskeyQuestion(
        key,
        msgspec.json.encode(
            {
                "challenge": base64.urlsafe_b64encode(_bytes_of(key)).decode().rstrip("="),
                "timeout": int(LASTS.total_seconds() * 1000),
                "rpId": site.id,
                "allowCredentials": [{"type": "public-key", "id": one.id} for one in own],
                "userVerification": "preferred" if user else "required",
            }
        ).decode(),
    )


def shown(work: UnitOfWork, site: PasskeySite, purpose: str, about: int, key: str, answer: str) -> ShownPasskey:
    """Which passkey has answered. Without a password before it, the authenticator must have checked who it is.
    Raises NotShown."""
    import webauthn
    from webauthn.helpers import parse_authentication_credential_json

    _check_challenge(work, key, purpose, about)
    try:
        credential = parse_authentication_credential_json(_bounded(answer))
        response = credential.response
        _check_frame(response.client_data_json)
        known = rows.passkey(work.session, credential.id[:LONGEST_ID])
        if known is None or known.site != site.id:
            raise NotShown("nobody here has this passkey")
        if response.user_handle and response.user_handle != _handle(work.session, known.user):
            raise NotShown("it is of somebody else")
        found = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=_bytes_of(key),
            expected_rp_id=site.id,
            expected_origin=site.origin,
            credential_public_key=base64.urlsafe_b64decode(f"{known.public_key}=="),
            credential_current_sign_count=known.uses,
            require_user_verification=purpose == SIGN_IN,
        )
    except NotShown:
        raise
    except Exception as error:  # whatever a forged answer makes the parsers raise
        raise NotShown(f"{type(error).__name__}: {error}"[:200]) from None
    return ShownPasskey(key, known, found.new_sign_count)


def use(work: UnitOfWork, one: ShownPasskey) -> User:
    """Whose passkey it is; its challenge and this use of it are noted. Raises NotShown."""
    _use_up(work, one.challenge)
    if not rows.use_passkey(work.session, one.passkey.id, one.uses, work.now_text):
        raise NotShown("its counter went back, or it was removed")
    user = stored_users.find_user(work.session, one.passkey.user)
    if user is None or user.disabled:
        raise NotShown("the account is disabled")
    return user


def _challenge(work: UnitOfWork, purpose: str, about: int) -> str:
    challenge = Challenge(secrets.token_urlsafe(24), purpose, about, dates.text(work.now + LASTS))
    text = base64.urlsafe_b64encode(msgspec.json.encode(challenge)).decode()
    return f"{text}.{signing.sign(work.session, PURPOSE, text)}"


def _check_challenge(work: UnitOfWork, key: str, purpose: str, about: int) -> None:
    text, _, signature = key.partition(".")
    if not signing.is_signed(work.session, PURPOSE, text, signature):
        raise NotShown("the challenge is not ours")
    challenge = msgspec.json.decode(base64.urlsafe_b64decode(text), type=Challenge)
    if (challenge.purpose, challenge.about) != (purpose, about):
        raise NotShown("the challenge is for something else")
    if not work.now_text < challenge.until <= dates.text(work.now + 2 * LASTS):
        raise NotShown("it took too long")


def _use_up(work: UnitOfWork, key: str) -> None:
    """Only once the answer was right, so that forged ones write nothing."""
    if not rows.use_once(work.session, f"passkey {key}", work.now_text, dates.text(work.now + 2 * LASTS)):
        raise NotShown("the challenge was used before")


def _bytes_of(key: str) -> bytes:
    """What the authenticator signs: all of the challenge counts."""
    return hashlib.sha256(key.encode()).digest()


def _handle(session: Session, user: int) -> bytes:
    """How authenticators know a person: it says nothing to others."""
    return bytes.fromhex(signing.sign(session, PURPOSE, f"person {user}"))


def _bounded(answer: str) -> str:
    if not 0 < len(answer) <= LONGEST_ANSWER:
        raise NotShown("there is no answer")
    return answer


def _check_frame(client_data: bytes) -> None:
    """A page that another site shows within its own must not ask."""
    found: dict[str, Any] = msgspec.json.decode(client_data, type=dict[str, Any])
    if found.get("crossOrigin") or found.get("topOrigin"):
        raise NotShown("it was asked within a page of another site")
