"""Users and their tokens, for administrators; and the caller's own user. Rights are asked in calendar/accounts/."""

from datetime import datetime
from typing import Any

import falcon

from kalends.calendar.access import may_manage_users, require
from kalends.calendar.accounts import tokens, users
from kalends.contract.errors import BAD_USER, OUT_OF_BOUNDS, UNKNOWN, ApiError, FieldError
from kalends.contract.fields import Values, read_create, read_query, read_update
from kalends.contract.operations import ME, TOKEN, TOKENS, USER, USERS
from kalends.contract.users import REASSIGN, TOKEN_FIELDS, USER_FIELDS
from kalends.languages import N_
from kalends.present import users as representation
from kalends.server.api import bodies, responses
from kalends.server.api.index import DescribedResource
from kalends.server.api.parameters import from_query
from kalends.server.api.resources import stored_id
from kalends.server.request_context import context_of
from kalends.server.service import Service
from kalends.values import dates


class AccountResource(DescribedResource):
    """What the handlers of accounts have in common."""

    def __init__(self, service: Service) -> None:
        self.service = service

    def body(self, req: falcon.Request) -> dict[str, Any]:
        """Nobody's body is read in vain."""
        caller = context_of(req).caller
        require(may_manage_users(caller), caller)
        return bodies.read(req, self.service.settings.max_body)


class Users(AccountResource):
    """All users."""

    address = USERS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        with self.service.calendar.reading(context_of(req).caller) as work:
            found = [representation.user(user) for user in users.everybody(work)]
        responses.send(req, resp, {"users": found, "total": len(found)}, items="users")

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = read_create(USER_FIELDS, self.body(req))
        reading.problems.raise_any()
        values = {name: str(value) for name, value in reading.values.items()}
        with self.service.calendar.writing(context_of(req).caller) as work:
            try:
                user = users.add_user(work, **values)
            except users.BadUser as bad:
                raise refused(bad) from None
        resp.set_header("Location", f"{context_of(req).addresses.ns}/users/{user.id}")
        responses.send(req, resp, representation.user(user), status=201)


class Me(AccountResource):
    """The caller's own user."""

    address = ME

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        with self.service.calendar.reading(caller) as work:
            user = users.own_user(work)
        responses.send(req, resp, representation.user(user) | {"read_only": caller.read_only})

    on_head = on_get


class User(AccountResource):
    """One user."""

    address = USER

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        with self.service.calendar.reading(context_of(req).caller) as work:
            responses.send(req, resp, representation.user(users.find_user(work, stored_id(id))))

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        reading = read_update(USER_FIELDS, self.body(req))
        reading.problems.raise_any()
        values = {name: str(value) for name, value in reading.values.items()}
        with self.service.calendar.writing(context_of(req).caller) as work:
            user = users.find_user(work, stored_id(id))
            try:
                users.change_user(
                    work, user, name=values.get("name"), role=values.get("role"), password=values.get("password")
                )
            except users.BadUser as bad:
                raise refused(bad) from None
            left = tokens.remaining(work, user)
        json = representation.user(user)
        if "password" in values:
            json |= representation.remaining(left.tokens, left.application_passwords)
        responses.send(req, resp, json)

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        reading = read_query((REASSIGN,), from_query(req.query_string))
        with self.service.calendar.writing(context_of(req).caller) as work:
            user, successor = users.find_user(work, stored_id(id)), None
            if isinstance(wanted := reading.values.get("reassign"), int):
                successor = next((one for one in users.everybody(work) if one.id == wanted), None)
                if successor is None:
                    reading.problems.add("reassign", FieldError(UNKNOWN, N_("is not the id of a user.")))
            reading.problems.raise_any()
            try:
                users.remove_user(work, user, successor)
            except users.BadUser as bad:
                raise refused(bad) from None
        responses.send(req, resp, representation.user(user))


class Tokens(AccountResource):
    """The tokens of one user."""

    address = TOKENS

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        with self.service.calendar.reading(context_of(req).caller) as work:
            user = users.find_user(work, stored_id(id))
            found = [representation.token(token) for token in tokens.tokens_of(work, user)]
        responses.send(req, resp, {"tokens": found, "total": len(found)}, items="tokens")

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        """Makes a token and shows it, once."""
        reading = read_create(TOKEN_FIELDS, self.body(req))
        with self.service.calendar.writing(context_of(req).caller) as work:
            user, expires = users.find_user(work, stored_id(id)), self._expires(reading.values, work.now)
            if expires is not None and expires <= work.now:
                reading.problems.add("expires", FieldError(OUT_OF_BOUNDS, N_("must be in the future.")))
            reading.problems.raise_any()
            try:
                clear, token = tokens.add_token(
                    work,
                    user,
                    str(reading.values["name"]),
                    purpose=str(reading.values.get("purpose", tokens.BEARER)),
                    read_only=bool(reading.values.get("read_only")),
                    expires=expires,
                )
            except users.BadUser as bad:
                raise refused(bad) from None
        responses.send(req, resp, representation.token(token, clear), status=201)

    def _expires(self, values: Values, now: datetime) -> datetime | None:
        moment = values.get("expires")
        if not isinstance(moment, dates.Moment):
            return None
        try:
            return moment.utc(self.service.settings.timezone, now)
        except dates.NotADate:
            return datetime.max.replace(microsecond=0)


class Token(AccountResource):
    """One token, to be revoked."""

    address = TOKEN

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int, token: int) -> None:
        with self.service.calendar.writing(context_of(req).caller) as work:
            found = tokens.revoke_token(work, users.find_user(work, stored_id(id)), stored_id(token))
        responses.send(req, resp, representation.token(found))


def refused(bad: users.BadUser) -> ApiError:
    return ApiError(BAD_USER, reason=FieldError("", bad.message, **bad.arguments))
