"""Users and their tokens, for administrators; and the caller's own user. Rights are asked in calendar/accounts/."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import falcon

from kalends.calendar.access import may_manage_users
from kalends.calendar.accounts import account_rules, credentials, users
from kalends.contract.errors import BAD_USER, OUT_OF_BOUNDS, UNKNOWN, ApiError, FieldError
from kalends.contract.fields import Values, read_create, read_query, read_update
from kalends.contract.operations.user_addresses import ME, TOKEN, TOKENS, USER, USERS
from kalends.contract.user_fields import REASSIGN, TOKEN_FIELDS, USER_FIELDS
from kalends.http.api.resources import stored_id
from kalends.http.messages import responses
from kalends.http.messages.parameters import from_query
from kalends.http.request_context import context_of
from kalends.http.router import DescribedResource
from kalends.languages import N_
from kalends.present import managed as representation
from kalends.values import dates

CHANGED = ("name", "role", "password", "email")  # of a user


class AccountResource(DescribedResource):
    """What the handlers of accounts have in common."""

    right = staticmethod(may_manage_users)


class UsersResource(AccountResource):
    """All users."""

    address = USERS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        found = [representation.user(user) for user in self.calendar.read(context_of(req).caller, users.everybody)]
        responses.send(req, resp, {"users": found, "total": len(found)}, items="users")

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = read_create(USER_FIELDS, self.body(req))
        reading.problems.raise_any()
        values = {name: str(value) for name, value in reading.values.items()}
        with refusing():
            user = self.calendar.write(context_of(req).caller, users.add_user, **values)
        resp.set_header("Location", f"{context_of(req).addresses.ns}/users/{user.id}")
        responses.send(req, resp, representation.user(user), status=201)


class Me(AccountResource):
    """The caller's own user."""

    address = ME

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        user = self.calendar.read(caller, users.caller_user)
        responses.send(req, resp, representation.user(user) | {"read_only": caller.read_only})


class UserResource(AccountResource):
    """One user."""

    address = USER

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        user = self.calendar.read(context_of(req).caller, users.find_user, stored_id(id))
        responses.send(req, resp, representation.user(user))

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        reading = read_update(USER_FIELDS, self.body(req))
        reading.problems.raise_any()
        caller = context_of(req).caller
        name, role, password, email = (
            None if (value := reading.values.get(key)) is None else str(value) for key in CHANGED
        )
        with refusing():
            user = self.calendar.write(
                caller, users.change_user, stored_id(id), name=name, role=role, password=password, email=email
            )
        json = representation.user(user)
        if password is not None:
            left = self.calendar.read(caller, credentials.remaining, user)
            json |= representation.remaining(left.tokens, left.application_passwords)
        responses.send(req, resp, json)

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        reading = read_query((REASSIGN,), from_query(req.query_string))
        caller, wanted = context_of(req).caller, reading.values.get("reassign")
        user = self.calendar.read(caller, users.find_user, stored_id(id))
        successor = None
        if isinstance(wanted, int):
            everybody = self.calendar.read(caller, users.everybody)
            successor = next((one.id for one in everybody if one.id == wanted), None)
            if successor is None:
                reading.problems.add("reassign", FieldError(UNKNOWN, N_("is not the id of a user.")))
        reading.problems.raise_any()
        with refusing():
            users.remove_in_parts(self.calendar, caller, user.id, successor)
        responses.send(req, resp, representation.user(user))


class Tokens(AccountResource):
    """The tokens of one user."""

    address = TOKENS

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        stored = self.calendar.read(context_of(req).caller, credentials.tokens_of, stored_id(id))
        found = [representation.token(token) for token in stored]
        responses.send(req, resp, {"tokens": found, "total": len(found)}, items="tokens")

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        """Makes a token and shows it, once."""
        reading, caller = read_create(TOKEN_FIELDS, self.body(req)), context_of(req).caller
        user, now = self.calendar.read(caller, users.find_user, stored_id(id)), self.calendar.clock()
        expires = self._expires(reading.values, now)
        if expires is not None and expires <= now:
            reading.problems.add("expires", FieldError(OUT_OF_BOUNDS, N_("must be in the future.")))
        reading.problems.raise_any()
        with refusing():
            clear, token = self.calendar.write(
                caller,
                credentials.add_token,
                user.id,
                str(reading.values["name"]),
                purpose=str(reading.values.get("purpose", credentials.BEARER)),
                read_only=bool(reading.values.get("read_only")),
                expires=expires,
            )
        address = f"{context_of(req).addresses.ns}/users/{user.id}/tokens/{token.id}"
        responses.send(req, resp, representation.token(token, clear), status=201, secret_of=address)

    def _expires(self, values: Values, now: datetime) -> datetime | None:
        moment = values.get("expires")
        if not isinstance(moment, dates.Moment):
            return None
        try:
            return moment.utc(self.service.settings.timezone, now)
        except dates.NotADate:
            return datetime.max.replace(microsecond=0)


class TokenResource(AccountResource):
    """One token, to be revoked."""

    address = TOKEN

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int, token: int) -> None:
        found = self.calendar.write(context_of(req).caller, credentials.revoke_token, stored_id(id), stored_id(token))
        responses.send(req, resp, representation.token(found))


@contextmanager
def refusing() -> Iterator[None]:
    """What is wrong with a user or a token, as an error of the interface."""
    try:
        yield
    except account_rules.BadUser as bad:
        raise ApiError(BAD_USER, reason=FieldError("", bad.message, **bad.arguments)) from None
