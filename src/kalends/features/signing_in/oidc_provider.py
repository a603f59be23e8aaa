"""The provider of OpenID Connect: discovery and keys, which are kept in the store, and the exchange of a code.

All requests go through the guarded fetch, within five seconds for whoever waits; the provider may be inside of the
network, since it is the operator who names it. HTTP without TLS is for this machine itself.
"""

import base64
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.background.task_kinds import Done, Failed, Run, TaskKind
from kalends.calendar.fetching import guarded
from kalends.calendar.fetching.guarded import FetchLimits
from kalends.calendar.fetching.public_networks import Address
from kalends.calendar.fetching.reach import ANYWHERE, Reach
from kalends.calendar.fetching.targets import TargetRefused
from kalends.calendar.service import Calendar
from kalends.calendar.transactions import Transactions
from kalends.features.signing_in import oidc_rows as rows
from kalends.features.signing_in.oidc_rows import Provider
from kalends.features.signing_in.settings import SigningInSettings
from kalends.languages import N_
from kalends.values import dates

PATIENCE = 5.0  # seconds, for all requests of one sign-in at a time
LARGEST_DOCUMENT, LARGEST_ANSWER = 256_000, 700_000
REFRESH = 6 * 3600.0
SHORTEST_BETWEEN_KEYS = 60  # seconds between two looks for new keys
TASK = "oidc-provider"
NO_KEYS = '{"keys": []}'
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class ProviderAway(Exception):
    """The provider did not answer as it should; the message is for the log."""


class ProviderTokens(msgspec.Struct):
    """What a code was exchanged for."""

    id_token: str
    access_token: str = ""


class Budget:
    """What is left of the time that somebody waits."""

    def __init__(self) -> None:
        self._end = time.monotonic() + PATIENCE

    @property
    def seconds(self) -> float:
        left = self._end - time.monotonic()
        if left < 0.05:
            raise ProviderAway("it took too long")
        return left


def _is_loopback(address: Address) -> bool:
    return address.is_loopback


def _reach(url: object) -> Reach:
    parts = urlsplit(str(url))
    if parts.scheme == "https":
        return ANYWHERE
    if parts.scheme == "http" and parts.hostname in LOOPBACK:
        return Reach(allow=_is_loopback, ports=None)
    raise ProviderAway("its addresses need https")


def _read(url: object, budget: Budget) -> dict[str, Any]:
    limits = FetchLimits(LARGEST_DOCUMENT, budget.seconds, max_redirects=0)
    try:
        with guarded.opened(str(url), limits, {"Accept": "application/json"}, _reach(url)) as response:
            if response.status != 200:
                raise ProviderAway(f"it answered with {response.status}")
            return _object(response.body())
    except TargetRefused as refused:
        raise ProviderAway(refused.reason.value) from None


def _object(body: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ProviderAway("it did not answer with JSON") from None


def current(calendar: Calendar, budget: Budget) -> Provider:
    """The provider as it was last read. Only where it never was, as when it was away, somebody waits for what it says
    of itself; its keys are read meanwhile."""
    with calendar.store.read() as session:
        kept = rows.provider(session, calendar.settings.of(SigningInSettings).oidc_issuer)
    if kept is not None:
        return kept
    with WORKER.released(FETCH):
        metadata = _read_metadata(calendar, budget)
    issuer = calendar.settings.of(SigningInSettings).oidc_issuer
    provider = Provider(issuer, msgspec.json.encode(metadata).decode(), NO_KEYS, "")
    with calendar.store.write() as session:
        rows.put_provider(session, provider)
    calendar.background.ask(TASK, "")
    return provider


def refresh(calendar: Transactions, budget: Budget) -> Provider:
    with WORKER.released(FETCH):
        metadata = _read_metadata(calendar, budget)
        keys = _read(metadata["jwks_uri"], budget)
    return _keep(calendar, msgspec.json.encode(metadata).decode(), keys)


def _read_metadata(calendar: Transactions, budget: Budget) -> dict[str, Any]:
    issuer = calendar.settings.of(SigningInSettings).oidc_issuer
    metadata = _read(f"{issuer.rstrip('/')}/.well-known/openid-configuration", budget)
    if metadata.get("issuer") != issuer:
        raise ProviderAway("it says that it is another issuer")
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
        _reach(metadata.get(name))
    return metadata


def with_new_keys(calendar: Transactions, known: Provider, budget: Budget) -> Provider:
    """After the provider has changed its keys; at most once a minute, whoever asks."""
    now = calendar.clock()
    if known.keys_utc and abs((now - dates.from_text(known.keys_utc)).total_seconds()) < SHORTEST_BETWEEN_KEYS:
        return known
    with WORKER.released(FETCH):
        keys = _read(metadata_of(known)["jwks_uri"], budget)
    return _keep(calendar, known.metadata, keys)


def _keep(calendar: Transactions, metadata: str, keys: Mapping[str, Any]) -> Provider:
    if not isinstance(keys.get("keys"), list):
        raise ProviderAway("it has no keys")
    issuer, text = calendar.settings.of(SigningInSettings).oidc_issuer, msgspec.json.encode(keys).decode()
    provider = Provider(issuer, metadata, text, dates.text(calendar.clock()))
    with calendar.store.write() as session:
        rows.put_provider(session, provider)
    return provider


def metadata_of(provider: Provider) -> dict[str, Any]:
    return _object(provider.metadata.encode())


def exchange(
    calendar: Transactions, provider: Provider, code: str, verifier: str, back: str, budget: Budget
) -> ProviderTokens:
    """The tokens for a code, which the provider takes once."""
    settings, metadata = calendar.settings.of(SigningInSettings), metadata_of(provider)
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": back, "code_verifier": verifier}
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    methods = metadata.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    if "client_secret_basic" in methods and settings.oidc_client_secret:
        login = f"{quote(settings.oidc_client_id, safe='')}:{quote(settings.oidc_client_secret, safe='')}"
        headers["Authorization"] = f"Basic {base64.b64encode(login.encode()).decode()}"
    else:
        form["client_id"] = settings.oidc_client_id
        form |= {"client_secret": settings.oidc_client_secret} if settings.oidc_client_secret else {}
    url = metadata["token_endpoint"]
    limits = FetchLimits(LARGEST_ANSWER, budget.seconds)
    try:
        with WORKER.released(FETCH):
            answer = guarded.posted(str(url), urlencode(form).encode(), headers, limits, _reach(url))
    except TargetRefused as refused:
        raise ProviderAway(refused.reason.value) from None
    if answer.status != 200:
        raise ProviderAway(f"it answered with {answer.status}")
    try:
        return msgspec.convert(_object(answer.start), ProviderTokens)
    except msgspec.ValidationError:
        raise ProviderAway("its answer has no ID token") from None


def register_tasks(calendar: Calendar) -> None:
    """Reads the provider anew from time to time, so that nobody who signs in waits for that."""
    if not calendar.settings.of(SigningInSettings).oidc_issuer:
        return

    def read(run: Run) -> Done:
        try:
            refresh(calendar, Budget())
        except ProviderAway as away:
            raise Failed(str(away)) from None
        return Done()

    calendar.background.register(TaskKind(TASK, N_("The provider of sign-ins"), read, every=REFRESH))
