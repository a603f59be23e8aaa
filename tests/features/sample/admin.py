"""The screen of wishes."""

from typing import ClassVar

import msgspec
from kalends.features.sample import rows

from kalends.admin.navigation import PEOPLE
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.calendar.access import UnitOfWork
from kalends.site.forms.form import Form


class WishesPage(msgspec.Struct):
    template: ClassVar[str] = "features/sample/wishes.html"

    wishes: list[str]


def show(request: AdminRequest) -> None:
    request.answer(WishesPage([text for *_, text in request.read(lambda work: rows.all_of(work.session))]))


def add(request: AdminRequest, form: Form) -> None:
    def write(work: UnitOfWork) -> None:
        record = int(form.text("record"))
        rows.add(work.session, record, form.text("kind"), record, "", work.caller.user, form.text("text"))

    request.write(write)
    request.go("/admin/wishes")


SCREENS = {"/admin/wishes": Screen(PEOPLE, show, add, "Wishes")}
