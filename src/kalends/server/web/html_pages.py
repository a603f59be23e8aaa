"""What the pages of single records share. They show what anonymous readers see: pages know no log-in."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.contract.errors import ApiError
from kalends.contract.kinds import Kind
from kalends.languages import tag
from kalends.pages.layout import Frame
from kalends.pages.rendering import render
from kalends.server import page_responses
from kalends.server.request_context import context_of, discovery_root, keep_until
from kalends.server.service import Resource, Service
from kalends.values.look_texts import tile_host


class RecordPage(Resource):
    """The page of one record."""

    def __init__(self, service: Service, kind: Kind) -> None:
        self.service = service
        self.kind = kind

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        try:
            self.show(req, resp, slug)
        except ApiError as api_error:
            self.refuse(req, resp, slug, api_error)

    def show(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        raise NotImplementedError

    def refuse(self, req: falcon.Request, resp: falcon.Response, slug: str, api_error: ApiError) -> None:
        """An error as a page that leads back; an old address leads to the record."""
        status = api_error.error_type.status
        moved = self.service.calendar.moved_to(ANONYMOUS, self.kind, slug) if status == 404 else None
        if moved is not None and moved != slug:
            resp.status = falcon.HTTP_301
            resp.set_header("Location", self.frame(req, moved).canonical)
            return
        seconds = api_error.arguments.get("seconds", 0)
        frame = self.frame(req, slug).named(is_found=False)
        html = render(
            "record/error.html", frame.language, frame=frame, status=status, seconds=seconds, is_selection=False
        )
        page_responses.send_once(resp, html, frame.language, status, api_error.headers)

    def frame(self, req: falcon.Request, slug: str, colours: tuple[str, ...] | None = None, **more: Any) -> Frame:
        """`colours`: those of categories, where they are known already."""
        found, language = context_of(req).addresses, context_of(req).language
        named = req.get_param("lang") if "lang" in req.query_string else None
        return Frame(
            site_name=self.service.settings.site_name,
            base_url=found.base_url,
            ns=found.ns,
            language=language,
            path=f"/{self.kind.page}/{quote(slug, safe='')}/",
            asked=tag(language) if named else "",
            rest_root=discovery_root(req.path, found, self.service.settings),
            timezone=self.service.settings.timezone,
            look=self.service.look if colours is None else self.service.look_with(colours),
            **more,
        )

    def with_map(self, frame: Frame, points: Iterable[str]) -> Frame:
        """The frame of a page that shows these points on a map, if the site has one."""
        tiles = self.service.settings.map_tiles
        return frame.named(map_host=tile_host(tiles)) if tiles and any(points) else frame

    def send(self, req: falcon.Request, resp: falcon.Response, html: str, frame: Frame, until: str) -> None:
        """A page for everybody, which may be kept until a moment in UTC."""
        keep_until(req, until)
        page_responses.send(req, resp, html.encode(), frame, self.service.settings.cache_age)
