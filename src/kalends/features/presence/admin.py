"""The line above the editor that says who else has it open, and where its script asks again."""

from collections.abc import Mapping, Sequence

import falcon
import msgspec
from markupsafe import Markup

from kalends.admin.navigation import EVENTS
from kalends.admin.request import EDITED, AdminRequest
from kalends.admin.screen import Screen
from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import EVENT, Kind
from kalends.features.presence import rules
from kalends.languages import N_
from kalends.site.forms.form import Form
from kalends.site.pages.templates import render

ALSO = N_("Also editing this now: {names}")


def record_blocks(
    work: UnitOfWork, request: AdminRequest, position: str, kind: Kind, ids: Sequence[int]
) -> Mapping[int, Markup]:
    return {id: _line(work, request, id) for id in ids} if position == EDITED and kind is EVENT else {}


def _line(work: UnitOfWork, request: AdminRequest, id: int) -> Markup:
    record, people = rules.others(work, id)
    request.calendar.uses.note(rules.EditorOpened(request.caller.user), record, request.calendar.clock())
    return Markup(  # noqa: S704 - a template, which escapes
        render(
            "features/presence/line.html",
            request.language,
            frame=request.frame,
            path=f"/admin/events/{id}/editing",
            seconds=round(rules.SAID_AGAIN.total_seconds()),
            sentence=in_words(request, people),
        )
    )


def in_words(request: AdminRequest, people: Sequence[int]) -> str:
    """Empty where nobody else edits it."""
    names = [request.people[user] for user in people if user in request.people]
    return request.say(ALSO, names=", ".join(names)) if names else ""


def say(request: AdminRequest, form: Form, id: int) -> None:
    """What the script of the editor asks: it says that it is open, or was left, and is told who else is there."""
    people = request.write(rules.note, id, is_open=not form.is_checked("left"))
    request.resp.content_type = falcon.MEDIA_JSON
    request.resp.data = msgspec.json.encode({"sentence": in_words(request, people)})


SCREENS = {"/admin/events/{id:digits}/editing": Screen(EVENTS, act=say, keeps_form=False)}
