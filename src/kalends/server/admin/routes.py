"""The route table of the admin."""

from typing import Any

import falcon

from kalends.server.admin import overview, settings, signing_in
from kalends.server.admin.screen import NothingHere, Screen
from kalends.server.service import Service

SCREENS: dict[str, type[Screen]] = {
    "/admin": overview.Overview,
    "/admin/sign-in": signing_in.SignIn,
    "/admin/sign-out": signing_in.SignOut,
    "/admin/link": signing_in.LinkScreen,
    "/admin/set-up": settings.SetUp,
    "/admin/settings": settings.Settings,
    "/admin/settings/{section}": settings.Settings,
}


def add_admin_routes(app: falcon.App[Any, Any], service: Service) -> None:
    for path, screen in SCREENS.items():
        app.add_route(path, screen(service, SCREENS.keys()))
    app.add_sink(NothingHere(service, SCREENS.keys()).on_get, r"/admin/")
