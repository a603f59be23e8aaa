"""`_embed`: the records that a response links to, within the response."""

from collections.abc import Iterable, Mapping, Sequence

from kalends.calendar.access import Caller
from kalends.contract.kinds import CATEGORY, EVENT, TAG, Kind
from kalends.pages.api_reference import STATIC
from kalends.pages.assets import version
from kalends.present.render_context import RenderContext
from kalends.server.service import Service
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Media, Post, Term, User
from kalends.wordpress import operations as wordpress
from kalends.wordpress import wp_json
from kalends.wordpress.model import EMBED
from kalends.wordpress.wp_json import Json

Wanted = Sequence[str] | None  # the links to embed: an empty list is all of them, None is none


def site_icon(base_url: str) -> str:
    return f"{base_url}{STATIC}/{version()}/icon.svg"


def user_json(service: Service, user: User, base_url: str, context: str) -> Json:
    return wp_json.user(user, base_url, site_icon(base_url), service.settings.language, context)


class Embedding:
    """What one response embeds. The users are read once for all its records."""

    def __init__(self, service: Service, caller: Caller, render_context: RenderContext, wanted: Wanted) -> None:
        self._service = service
        self._render_context = render_context
        self._wanted = wanted
        self._users: Mapping[int, User] = {}
        if self._has("author"):
            self._users = {user.id: user for user in wordpress.visible_users(service.calendar, caller)}

    def into_post(self, json: Json, kind: Kind, post: Post, bundle: Bundle) -> Json:
        found: Json = {}
        self._author(found, post.author)
        image = bundle.images.get(post.image) if post.image is not None and not bundle.masked else None
        if image is not None and self._has("wp:featuredmedia"):
            found["wp:featuredmedia"] = [wp_json.media(image, self._render_context, EMBED, editable=False)]
        if kind is EVENT and self._has("wp:term"):
            found["wp:term"] = [self._terms(TAG, bundle.tags), self._terms(CATEGORY, bundle.categories)]
        return self._with(json, found)

    def into_media(self, json: Json, image: Media) -> Json:
        found: Json = {}
        self._author(found, image.author)
        return self._with(json, found)

    def into_terms(self, items: Sequence[Json], kind: Kind, terms: Sequence[Term]) -> list[Json]:
        parents = wordpress.parents_of(self._service.calendar, terms) if kind is CATEGORY and self._has("up") else {}
        return [
            self._with(json, {"up": self._terms(kind, [parents[term.parent]])} if term.parent in parents else {})
            for json, term in zip(items, terms, strict=True)
        ]

    def _has(self, link: str) -> bool:
        return self._wanted is not None and (not self._wanted or link in self._wanted)

    def _author(self, found: Json, author: int) -> None:
        user = self._users.get(author)
        if user is not None:
            base_url = self._render_context.addresses.base_url
            found["author"] = [user_json(self._service, user, base_url, EMBED)]

    def _terms(self, kind: Kind, terms: Iterable[Term]) -> list[Json]:
        return [wp_json.term(kind, term, 0, self._render_context, EMBED, editable=False) for term in terms]

    def _with(self, json: Json, found: Json) -> Json:
        return json | {"_embedded": found} if found else json
