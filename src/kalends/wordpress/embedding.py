"""`_embed`: the records that a response links to, within the response."""

from collections.abc import Iterable, Mapping, Sequence

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.contract.fields import Reading
from kalends.contract.kinds import CATEGORY, TAG, Kind
from kalends.pages.assets import folder
from kalends.server.http import responses
from kalends.server.request_context import context_of
from kalends.server.service import Service
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Media, Post, Term, User
from kalends.wordpress import operations, wp_media, wp_records
from kalends.wordpress.links import WpAddresses
from kalends.wordpress.tables import EMBED, Json
from kalends.wordpress.wp_media import UserSource


def user_json(service: Service, user: User, base_url: str, context: str) -> Json:
    icon = f"{base_url}{folder()}/icon.svg"
    source = UserSource(user, WpAddresses(base_url), icon, service.settings.language)
    return wp_media.USER_TABLE.json(source, context)


class Embedding:
    """What one response embeds. The users are read once for all its records."""

    def __init__(self, service: Service, req: falcon.Request, reading: Reading) -> None:
        self._service = service
        self._render_context = service.render_context(req)
        wanted, chosen = reading.values.get("_embed"), responses.chosen_fields(req)
        # The links to embed: an empty list is all of them, None is none.
        self._wanted = wanted if isinstance(wanted, list) and (not chosen or "_embedded" in chosen) else None
        self._users: Mapping[int, User] = {}
        if self._has("author"):
            found = service.calendar.read(context_of(req).caller, operations.visible_users)
            self._users = {user.id: user for user in found}

    def into_post(self, json: Json, post: Post, bundle: Bundle) -> Json:
        found = self._author(post.author)
        image = None if bundle.masked else bundle.image_of(post)
        if image is not None and self._has("wp:featuredmedia"):
            found["wp:featuredmedia"] = [wp_media.media(image, self._render_context, EMBED, editable=False)]
        if isinstance(post, Event) and self._has("wp:term"):
            found["wp:term"] = [self._terms(TAG, bundle.tags), self._terms(CATEGORY, bundle.categories)]
        return _with(json, found)

    def into_media(self, json: Json, image: Media) -> Json:
        return _with(json, self._author(image.author))

    def into_terms(self, items: Sequence[Json], terms: Sequence[Term]) -> list[Json]:
        """Categories with their parents."""
        parents = self._service.calendar.read(ANONYMOUS, operations.parents_of, terms) if self._has("up") else {}
        return [
            _with(json, {"up": self._terms(CATEGORY, [parents[term.parent]])} if term.parent in parents else {})
            for json, term in zip(items, terms, strict=True)
        ]

    def _has(self, link: str) -> bool:
        return self._wanted is not None and (not self._wanted or link in self._wanted)

    def _author(self, id: int) -> Json:
        user, base_url = self._users.get(id), self._render_context.addresses.base_url
        return {} if user is None else {"author": [user_json(self._service, user, base_url, EMBED)]}

    def _terms(self, kind: Kind, terms: Iterable[Term]) -> list[Json]:
        return [wp_records.term(kind, term, 0, self._render_context, EMBED, editable=False) for term in terms]


def _with(json: Json, found: Json) -> Json:
    return json | {"_embedded": found} if found else json
