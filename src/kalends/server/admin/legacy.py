"""Screens that are still classes."""

from types import SimpleNamespace
from typing import Any

from kalends.languages import N_
from kalends.pages.admin.navigation import Entry, Right, signed_in
from kalends.server.admin.request import AdminRequest
from kalends.server.admin.screen import SIGN_IN, SIGN_IN_TITLE, Screen, form_with_picture, safe_next
from kalends.server.forms import Form, read_form

__all__ = ["SIGN_IN", "SIGN_IN_TITLE", "AdminRequest", "FormScreen", "FormWithPicture", "LegacyScreen", "safe_next"]


class LegacyScreen:
    entry = ""
    title = N_("Admin")
    right: Right = staticmethod(signed_in)
    is_public = False
    keeps_form = True

    def show(self, visit: AdminRequest, **params: Any) -> None:
        visit.go(visit.req.path.rpartition("/")[0])

    def largest_form(self, visit: AdminRequest) -> int:
        return visit.settings.max_body

    def receive(self, visit: AdminRequest) -> Form:
        return read_form(visit.req, self.largest_form(visit), visit.language)


class FormScreen(LegacyScreen):
    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        raise NotImplementedError


class FormWithPicture(FormScreen):
    def largest_form(self, visit: AdminRequest) -> int:
        return form_with_picture(visit.settings)


def declared(cls: type[LegacyScreen]) -> Screen:
    one = cls()
    return Screen(
        Entry(cls.entry, cls.title, "", cls.right),
        one.show,
        one.act if isinstance(one, FormScreen) else None,
        is_public=cls.is_public,
        keeps_form=cls.keeps_form,
        largest=lambda settings: one.largest_form(SimpleNamespace(settings=settings)),  # type: ignore[arg-type]
        receive=lambda request, largest: one.receive(request),
    )
