"""Routes that are compiled once in a run of the tests, not once for every calendar that a test opens.

Adding two hundred routes and compiling the search for one took more than half of the time of most tests. Which
templates there are depends on few settings, so applications with the same templates share one compiled search, and a
route's methods are collected when a request finds it. Servers that tests start as processes route without this.
"""

from typing import Any

import falcon
from falcon.routing import CompiledRouter, set_default_responders

from kalends.http.router import Route, Router

_compiled: dict[tuple[str, ...], CompiledRouter] = {}


class _SharedSearch(CompiledRouter):
    def __init__(self) -> None:
        super().__init__()
        self._resources: dict[str, object] = {}
        self._methods: dict[str, dict[str, Any]] = {}
        self._search: CompiledRouter | None = None

    def add_route(self, uri_template: str, resource: object, **_: Any) -> None:
        self._resources[uri_template] = resource
        self._search = None

    def find(self, uri: str, req: falcon.Request | None = None) -> Route | None:
        if self._search is None:
            self._search = self._shared_search()
        found = self._search.find(uri)
        if found is None or found[3] is None:
            return None
        _, _, parameters, template = found
        resource = self._resources[template]
        if template not in self._methods:
            self._methods[template] = self.map_http_methods(resource, path=template)
            set_default_responders(self._methods[template])
        return resource, self._methods[template], parameters, template

    def _shared_search(self) -> CompiledRouter:
        templates = tuple(self._resources)
        if templates not in _compiled:
            search = _compiled[templates] = CompiledRouter()
            for name, converter in self.options.converters.items():
                search.options.converters[name] = converter
            for template in templates:
                search.add_route(template, object())
        return _compiled[templates]


class QuickRouter(Router, _SharedSearch):
    """The router of the service on top of a search that is shared."""
