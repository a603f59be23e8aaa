"""`_embed`: the records that a response links to, within the response."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.service import Calendar
from kalends.contract.fields import Reading
from kalends.contract.kinds import CATEGORY, TAG, Kind
from kalends.features.wordpress import operations
from kalends.features.wordpress.records.wp_records import MEDIA_TABLE, TABLES, USER_TABLE
from kalends.features.wordpress.tables import EMBED, Json, ResponseSource
from kalends.http.messages import responses
from kalends.http.request_context import context_of
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Term, User

Found = tuple[Any, Any]  # a record, and what it is shown with: the bundle of a post, the number of events of a term


def user_json(req: falcon.Request, user: User, context: str) -> Json:
    found = context_of(req)
    return USER_TABLE.json(ResponseSource(user, found.render_context, context, companion=found.settings.language))


class Embedding:
    """What the response with some records embeds. Users and parents are read once for all of them."""

    def __init__(self, calendar: Calendar, req: falcon.Request, reading: Reading, found: Sequence[Found]) -> None:
        self._calendar, self._req = calendar, req
        wanted, chosen = reading.values.get("_embed"), responses.chosen_fields(req)
        # The links to embed: an empty list is all of them, None is none.
        self._wanted = wanted if isinstance(wanted, list) and (not chosen or "_embedded" in chosen) else None
        self._users: Mapping[int, User] = {}
        if self._has("author"):
            known = calendar.read(context_of(req).caller, operations.visible_users)
            self._users = {user.id: user for user in known}
        terms = [record for record, _ in found if isinstance(record, Term)]
        self._parents: Mapping[int, Term] = {}
        if terms and self._has("up"):
            self._parents = calendar.read(ANONYMOUS, operations.parents_of, terms)

    def into(self, json: Json, bundled: Found) -> Json:
        record, beside = bundled
        found: Json = {}
        if isinstance(record, Term) and record.parent in self._parents:
            found["up"] = self._terms(CATEGORY, [self._parents[record.parent]])
        if not isinstance(record, Term) and record.author in self._users:
            found["author"] = [user_json(self._req, self._users[record.author], EMBED)]
        image = beside.image_of(record) if isinstance(beside, Bundle) and not beside.masked else None
        if image is not None and self._has("wp:featuredmedia"):
            found["wp:featuredmedia"] = [MEDIA_TABLE.json(self._source(image))]
        if isinstance(record, Event) and self._has("wp:term"):
            found["wp:term"] = [
                self._terms(TAG, beside.linked["tag"]),
                self._terms(CATEGORY, beside.linked["category"]),
            ]
        return json | {"_embedded": found} if found else json

    def _has(self, link: str) -> bool:
        return self._wanted is not None and (not self._wanted or link in self._wanted)

    def _terms(self, kind: Kind, terms: Iterable[Term]) -> list[Json]:
        return [TABLES[kind].json(self._source(term)) for term in terms]

    def _source(self, record: object) -> ResponseSource:
        return ResponseSource(record, context_of(self._req).render_context, EMBED)
