"""Users and their tokens, for administrators; and the caller's own user."""

from datetime import datetime
from typing import Any

import falcon

from kalends.calendar.access import may_manage_users, require
from kalends.calendar.accounts import users as accounts
from kalends.contract.errors import (
    BAD_USER,
    LOGIN_NEEDED,
    NO_TOKEN,
    NO_USER,
    OUT_OF_BOUNDS,
    UNKNOWN,
    ApiError,
    FieldError,
)
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
from kalends.store.engine.store import Session
from kalends.store.rows import records, users
from kalends.values import dates


class Administered(DescribedResource):
    """A resource for administrators alone."""

    def __init__(self, service: Service) -> None:
        self.service = service

    def require_right(self, req: falcon.Request, *, write: bool = True) -> None:
        caller = context_of(req).caller
        if write or caller.is_anonymous:
            require(may_manage_users(caller), caller)
        elif not may_manage_users(caller):
            require(False, caller)

    def body(self, req: falcon.Request) -> dict[str, Any]:
        return bodies.read(req, self.service.settings.max_body)


class Users(Administered):
    """All users."""

    address = USERS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        self.require_right(req, write=False)
        with self.service.calendar.store.read() as session:
            found = [representation.user(user) for user in users.all_users(session)]
        responses.send(req, resp, {"users": found, "total": len(found)}, items="users")

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        self.require_right(req)
        reading = read_create(USER_FIELDS, self.body(req))
        reading.problems.raise_any()
        values = {name: str(value) for name, value in reading.values.items()}
        with self.service.calendar.writing(context_of(req).caller) as work:
            try:
                user = accounts.add_user(work.session, **values, now=work.now)
            except accounts.BadUser as bad:
                raise refused(bad) from None
        resp.set_header("Location", f"{context_of(req).addresses.ns}/users/{user.id}")
        responses.send(req, resp, representation.user(user), status=201)


class Me(DescribedResource):
    """The caller's own user."""

    address = ME

    def __init__(self, service: Service) -> None:
        self.service = service

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        if caller.is_anonymous:
            raise ApiError(LOGIN_NEEDED)
        with self.service.calendar.store.read() as session:
            user = find_user(session, caller.user)
        responses.send(req, resp, representation.user(user) | {"read_only": caller.read_only})

    on_head = on_get


class User(Administered):
    """One user."""

    address = USER

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        self.require_right(req, write=False)
        with self.service.calendar.store.read() as session:
            responses.send(req, resp, representation.user(find_user(session, id)))

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        self.require_right(req)
        reading = read_update(USER_FIELDS, self.body(req))
        reading.problems.raise_any()
        values = {name: str(value) for name, value in reading.values.items()}
        with self.service.calendar.writing(context_of(req).caller) as work:
            user = find_user(work.session, id)
            try:
                accounts.change_user(
                    work.session,
                    user,
                    work.now,
                    name=values.get("name"),
                    role=values.get("role"),
                    password=values.get("password"),
                )
            except accounts.BadUser as bad:
                raise refused(bad) from None
            left = accounts.remaining_credentials(work.session, user, work.now)
        json = representation.user(user)
        if "password" in values:
            json |= representation.remaining(left.tokens, left.application_passwords)
        responses.send(req, resp, json)

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        self.require_right(req)
        reading = read_query((REASSIGN,), from_query(req.query_string))
        with self.service.calendar.writing(context_of(req).caller) as work:
            new_owner = None
            if isinstance(reassign_id := reading.values.get("reassign"), int):
                new_owner = users.find_user(work.session, reassign_id)
                if new_owner is None:
                    reading.problems.add("reassign", FieldError(UNKNOWN, N_("is not the id of a user.")))
            reading.problems.raise_any()
            user = find_user(work.session, id)
            try:
                accounts.remove_user(work.session, user, new_owner, work.now)
            except accounts.BadUser as bad:
                raise refused(bad) from None
        responses.send(req, resp, representation.user(user))


class Tokens(Administered):
    """The tokens of one user."""

    address = TOKENS

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        self.require_right(req, write=False)
        with self.service.calendar.store.read() as session:
            user = find_user(session, id)
            found = [representation.token(token) for token in users.tokens_of(session, user.id)]
        responses.send(req, resp, {"tokens": found, "total": len(found)}, items="tokens")

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        """Makes a token and shows it, once."""
        self.require_right(req)
        reading = read_create(TOKEN_FIELDS, self.body(req))
        with self.service.calendar.writing(context_of(req).caller) as work:
            expires = self._expires(reading.values, work.now)
            if expires is not None and expires <= work.now:
                reading.problems.add("expires", FieldError(OUT_OF_BOUNDS, N_("must be in the future.")))
            reading.problems.raise_any()
            user = find_user(work.session, id)
            try:
                clear, token = accounts.add_token(
                    work.session,
                    user,
                    str(reading.values["name"]),
                    work.now,
                    purpose=str(reading.values.get("purpose", accounts.BEARER)),
                    read_only=bool(reading.values.get("read_only")),
                    expires=expires,
                )
            except accounts.BadUser as bad:
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


class Token(Administered):
    """One token, to be revoked."""

    address = TOKEN

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int, token: int) -> None:
        self.require_right(req)
        with self.service.calendar.writing(context_of(req).caller) as work:
            user = find_user(work.session, id)
            found = users.find_token_of(work.session, user.id, stored_id(token))
            if found is None:
                raise ApiError(NO_TOKEN)
            accounts.revoke_token(work.session, found, work.now)
        responses.send(req, resp, representation.token(found))


def find_user(session: Session, id: int) -> records.User:
    user = users.find_user(session, stored_id(id))
    if user is None:
        raise ApiError(NO_USER)
    return user


def refused(bad: accounts.BadUser) -> ApiError:
    return ApiError(BAD_USER, reason=FieldError("", bad.message, **bad.arguments))
