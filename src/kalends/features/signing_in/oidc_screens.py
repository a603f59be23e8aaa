"""Signing in at the provider: the way there, the way back, linking an account, and the provider's word that somebody
has signed out there. What a sign-in must find again is in a cookie that the calendar has signed."""

import base64
import secrets
from calendar import timegm
from datetime import timedelta
from typing import Any, ClassVar
from urllib.parse import urlencode

import falcon
import msgspec

from kalends.admin import signing_in
from kalends.admin.other_address import ONLY_THERE
from kalends.admin.request import AdminRequest
from kalends.admin.screen import safe_next
from kalends.calendar import security, signing
from kalends.calendar.access import ANONYMOUS, SERVICE
from kalends.calendar.accounts import credentials, sessions
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.features.signing_in import factor_rows, identities, oidc_provider, oidc_tokens
from kalends.features.signing_in import oidc_rows as rows
from kalends.features.signing_in.identities import NotAdmitted
from kalends.features.signing_in.oidc_provider import Budget, ProviderAway
from kalends.features.signing_in.oidc_rows import Provider
from kalends.features.signing_in.oidc_tokens import NotValid, UnknownKey
from kalends.features.signing_in.settings import SigningInSettings
from kalends.http.middleware.request_middleware import find as find_session
from kalends.languages import N_
from kalends.site.forms.form import GENERAL, Form
from kalends.store.rows import users as stored_users
from kalends.values import dates

START, BACK, LOGOUT = "/admin/oidc", "/admin/oidc/callback", "/admin/oidc/logout"
IDENTITIES = "/admin/profile/identities"
COOKIE, PURPOSE = "kalends_oidc", "oidc"
LASTS = timedelta(minutes=10)
SIGNING_IN, LINKING, CONFIRMING = "sign-in", "link", "confirm"
AWAY = N_("{name} did not answer. Try again in a moment, or sign in with a password.")
BROKEN_OFF = N_("Signing in with {name} did not succeed. Try again.")
LONGEST_PARAM = 4000


class Attempt(msgspec.Struct, frozen=True):
    """A sign-in that is on its way; `session`: that of the person who links or confirms."""

    state: str
    nonce: str
    verifier: str
    next: str
    purpose: str
    session: int
    until: str


class ContinuePage(msgspec.Struct):
    template: ClassVar[str] = "features/signing_in/continue.html"

    address: str
    provider: str


def _own(request: AdminRequest) -> SigningInSettings:
    return request.settings.of(SigningInSettings)


def name_of(request: AdminRequest) -> str:
    """What people call the provider."""
    return _own(request).oidc_name or request.say(N_("your organization"))


def start(request: AdminRequest) -> None:
    """To the provider, and back to the page that was wanted."""
    _require_provider(request)
    if request.other_address is not None:  # the provider leads back to the address of the calendar
        request.leave(request.other_address.href)
        return
    purpose = CONFIRMING if request.param("for") == CONFIRMING and request.session else SIGNING_IN
    address = _begin(request, purpose, safe_next(request.param("next")))
    if address:
        request.leave(address)


def link(request: AdminRequest, form: Form) -> None:
    """Linking begins with a form of the profile: another site could not have an identity of its own linked."""
    _require_provider(request)
    if (other := request.other_address) is not None and other.is_said:
        request.go("/admin/profile", ONLY_THERE, kind="problem", address=other.address)
        return
    if address := _begin(request, LINKING, "/admin/profile"):
        request.answer(ContinuePage(address, name_of(request)))


def unlink(request: AdminRequest, form: Form) -> None:
    with form.refusals():
        request.write(identities.unlink, form.raw("issuer"), form.raw("subject"))
        request.go("/admin/profile", N_("The link is removed."))
    if form.errors:
        request.go("/admin/profile", form.error(GENERAL), kind="problem")


def _require_provider(request: AdminRequest) -> None:
    if not _own(request).oidc_issuer:
        raise ApiError(NO_ROUTE)


def _begin(request: AdminRequest, purpose: str, wanted: str) -> str:
    """The address of the provider for this attempt; "" if it does not answer, which the page says then."""
    from authlib.oauth2.rfc7636 import create_s256_code_challenge

    try:
        provider = oidc_provider.current(request.calendar, Budget())
    except ProviderAway as away:
        _refuse(request, AWAY, str(away), status=503)
        return ""
    settings, session = _own(request), request.session
    until = dates.text(request.calendar.clock() + LASTS)
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    attempt = Attempt(state, nonce, verifier, wanted, purpose, session.id if session else 0, until)
    _set_cookie(request, attempt)
    query = {
        "response_type": "code",
        "client_id": settings.oidc_client_id,
        "redirect_uri": request.base_url + BACK,
        "scope": "openid profile email",
        "state": state,
        "nonce": nonce,
        "code_challenge": create_s256_code_challenge(verifier),
        "code_challenge_method": "S256",
    }
    if purpose == CONFIRMING:
        query |= {"prompt": "login", "max_age": "0"}
    endpoint = str(oidc_provider.metadata_of(provider)["authorization_endpoint"])
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"


def come_back(request: AdminRequest) -> None:
    """The way back, with a code."""
    _require_provider(request)
    attempt = _take_attempt(request)
    try:
        if attempt is None:
            raise NotValid("the state is another one, was used, or is too old")
        provider, claims = _claims(request, attempt)
        _finish(request, attempt, provider, claims)
    except ProviderAway as away:
        _refuse(request, AWAY, str(away), status=503)
    except NotValid as problem:
        _refuse(request, BROKEN_OFF, str(problem))
    except NotAdmitted as refused:
        _refuse(request, str(refused), "not admitted", status=403)


def _claims(request: AdminRequest, attempt: Attempt) -> tuple[Provider, dict[str, Any]]:
    """What the provider says of who signed in there."""
    calendar, budget = request.calendar, Budget()
    provider = oidc_provider.current(calendar, budget)
    issuer, metadata = request.param("iss"), oidc_provider.metadata_of(provider)
    needs_issuer = metadata.get("authorization_response_iss_parameter_supported") is True
    if (issuer or needs_issuer) and issuer != provider.issuer:
        raise NotValid("another issuer answered")
    code = request.param("code")
    if not code or len(code) > LONGEST_PARAM or request.param("error"):
        raise NotValid("it was broken off there")
    answer = oidc_provider.exchange(calendar, provider, code, attempt.verifier, request.base_url + BACK, budget)
    try:
        claims = oidc_tokens.verified(answer.id_token, provider)
    except UnknownKey:
        provider = oidc_provider.with_new_keys(calendar, provider, budget)
        claims = oidc_tokens.verified(answer.id_token, provider)
    oidc_tokens.check_id_token(claims, provider, _own(request).oidc_client_id, attempt.nonce, calendar.clock())
    return provider, claims


def _finish(request: AdminRequest, attempt: Attempt, provider: Provider, claims: dict[str, Any]) -> None:
    subject = claims["sub"]
    if attempt.purpose == SIGNING_IN:
        with request.calendar.writing(ANONYMOUS) as work:
            user = identities.admit(work, provider.issuer, claims)
            begun = sessions.welcome(work, user, signing_in.browser(request), stay=False)
            sid = claims.get("sid")
            rows.note_session(work.session, begun.id, provider.issuer, subject, sid if isinstance(sid, str) else "")
        signing_in.enter(request, begun, stay=False)
        request.go(attempt.next)
        return
    session = find_session(request.req, request.calendar)
    if session is None or session.id != attempt.session:
        raise NotValid("it was begun in another session")
    with request.calendar.writing(session.caller) as work:
        if attempt.purpose == LINKING:
            identities.link(work, provider.issuer, subject)
        else:
            _require_fresh(claims, request)
            known = rows.identity(work.session, provider.issuer, subject)
            if known is None or known.user != session.user.id:
                raise NotValid("somebody else signed in there")
            factor_rows.confirm(work.session, session.id, work.now_text)
    request.go(attempt.next, N_("Your account is linked.") if attempt.purpose == LINKING else "")


def _require_fresh(claims: dict[str, Any], request: AdminRequest) -> None:
    at, now = claims.get("auth_time"), timegm(request.calendar.clock().timetuple())
    if not isinstance(at, int | float) or at < now - LASTS.total_seconds():
        raise NotValid("nobody has signed in anew")


def log_out(request: AdminRequest, form: Form) -> None:
    """The provider says that somebody has signed out there: the sessions here end, on every node."""
    _require_provider(request)
    calendar, client, token = (
        request.calendar,
        _own(request).oidc_client_id,
        form.raw("logout_token"),
    )
    request.is_answered = True
    request.resp.content_type = "application/json"
    try:
        provider = oidc_provider.current(calendar, Budget())
        try:
            claims = oidc_tokens.verified(token, provider)
        except UnknownKey:
            provider = oidc_provider.with_new_keys(calendar, provider, Budget())
            claims = oidc_tokens.verified(token, provider)
        subject, sid = oidc_tokens.check_logout_token(claims, provider, client, calendar.clock())
        with calendar.writing(SERVICE) as work:
            until = dates.text(work.now + timedelta(seconds=oidc_tokens.OLDEST + 2 * oidc_tokens.LEEWAY))
            if not factor_rows.use_once(work.session, f"jti {claims['jti']}", work.now_text, until):
                raise NotValid("it was used before")
            for id in rows.end_sessions(work.session, provider.issuer, subject, sid):
                user = stored_users.find_user(work.session, id)
                security.record(work, "sessions_ended", user, about=provider.issuer)
    except (NotValid, ProviderAway) as problem:
        credentials.record_refusal(calendar, calendar.clock(), None, request.address, f"logout: {problem}")
        request.resp.status, request.resp.text = falcon.HTTP_400, '{"error":"invalid_request"}'
    else:
        request.resp.status, request.resp.text = falcon.HTTP_200, "{}"


def _refuse(request: AdminRequest, sentence: str, reason: str, status: int = 400) -> None:
    """The page that asks to sign in, with what went wrong; the log has the reason."""
    calendar = request.calendar
    credentials.record_refusal(calendar, calendar.clock(), None, request.address, f"provider: {reason}")
    request.form.refuse(GENERAL, sentence, name=name_of(request))
    signing_in.show_sign_in(request)
    request.resp.status = falcon.code_to_http_status(status)


def _set_cookie(request: AdminRequest, attempt: Attempt) -> None:
    text = base64.urlsafe_b64encode(msgspec.json.encode(attempt)).decode()
    with request.calendar.store.read() as session:
        value = f"{text}.{signing.sign(session, PURPOSE, text)}"
    request.resp.set_cookie(
        COOKIE,
        value,
        max_age=int(LASTS.total_seconds()),
        path=START,
        secure=request.base_url.startswith("https:"),
        http_only=True,
        same_site="Lax",
    )


def _take_attempt(request: AdminRequest) -> Attempt | None:
    """The attempt that this browser has begun with this state, which is good once."""
    values = request.req.get_cookie_values(COOKIE) or []
    request.resp.unset_cookie(COOKIE, path=START, same_site="Lax")
    text, _, signature = values[0].partition(".") if len(values) == 1 else ("", "", "")
    calendar = request.calendar
    with calendar.store.read() as session:
        if not text or not signing.is_signed(session, PURPOSE, text, signature):
            return None
    attempt = msgspec.json.decode(base64.urlsafe_b64decode(text), type=Attempt)
    now = calendar.clock()
    if not signing.is_same(attempt.state, request.param("state")) or dates.text(now) >= attempt.until:
        return None
    with calendar.store.write() as session:
        is_first = factor_rows.use_once(
            session, f"state {attempt.state}", dates.text(now), dates.text(now + 2 * LASTS)
        )
    return attempt if is_first else None
