"""Following by mail: the form, and the pages behind the links of messages. A GET changes nothing, since programs that
look for harm open every link of a message."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import falcon

from kalends.calendar import letters
from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists.filter_checks import chosen_records
from kalends.calendar.lists.pages import list_events
from kalends.calendar.single_records import read_post
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_query
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.defined_fields import defined_fields
from kalends.contract.kinds.event_filters import PAGE_FILTERS
from kalends.features.mail.following import lists, rows, rules
from kalends.features.mail.following.rows import DAILY, WEEKLY
from kalends.features.mail.following.rows import EVENT as EVENT_RHYTHM
from kalends.http.messages import responses
from kalends.http.messages.parameters import from_query
from kalends.http.middleware.request_middleware import is_foreign
from kalends.http.request_context import client_address, context_of
from kalends.http.service import Resource, Service
from kalends.languages import N_, translate
from kalends.settings import Settings
from kalends.site import times
from kalends.site.calendar.calendar_selection import NAMES, Records, Selection
from kalends.site.forms.form import NO_ADDRESS, Form, read_form
from kalends.site.layout.frame import with_query
from kalends.site.pages import page_responses
from kalends.site.pages.html_pages import frame_of, send_not_found
from kalends.site.pages.public_page import ErrorPage, PublicPage
from kalends.site.submitting import TRAP
from kalends.values.mail_addresses import NotAnAddress

FOLLOW = "/follow"
LARGEST_FORM = 20_000

ASK, SENT, CONFIRM, CONFIRMED, END, ENDED, GONE = "ask", "sent", "confirm", "confirmed", "end", "ended", "gone"
# Of each page the heading, its sentences, and the button.
TEXTS: dict[str, tuple[str, Sequence[str], str]] = {
    ASK: (N_("Follow by e-mail"), (N_("An e-mail with what is new and coming up."),), ""),
    SENT: (
        N_("Check your e-mail"),
        (N_("A message with a link is on its way. Open the link and press the button to start."),),
        "",
    ),
    CONFIRM: (N_("Confirm"), (N_("Press the button to start."),), N_("Confirm")),
    CONFIRMED: (N_("Confirmed"), (N_("Thank you. You will hear from us."),), ""),
    END: (
        N_("Stop these messages"),
        (N_("Press the button to stop them. Your address will be deleted."),),
        N_("Stop these messages"),
    ),
    ENDED: (
        N_("The messages have stopped"),
        (N_("You will get no more messages, and your address has been deleted."),),
        "",
    ),
    GONE: (
        N_("This link no longer works"),
        (N_("The messages were stopped already, or never confirmed."),),
        "",
    ),
}
NEXT = N_("The next message comes on {when}, if there is something new or coming up.")
HOW_TO_END = N_("Every message has a link by which you change how often they come, or stop them.")
OF_EVENT = N_("A reminder a day and an hour before, and news if something changes.")


@dataclass(frozen=True)
class FollowPage(PublicPage):
    """See TEXTS."""

    template: ClassVar[str] = "features/mail/following/follow.html"
    trap: ClassVar[str] = TRAP
    step: str
    action: str = ""
    words: str = ""  # what is followed
    is_event: bool = False
    form: object = None  # a kalends.site.forms.form.Form
    rhythm: str = ""  # of a list that is followed
    next_time: str = ""  # when its next message comes

    @property
    def heading(self) -> str:
        return translate(TEXTS[self.step][0], self.frame.language)

    @property
    def sentences(self) -> list[str]:
        said = (OF_EVENT,) if self.step == ASK and self.is_event else TEXTS[self.step][1]
        if self.next_time:
            said = (*said, NEXT) if self.step == CONFIRMED else (NEXT, *said)
        if self.step == CONFIRMED and self.words:
            said = (*said, *((OF_EVENT,) if self.is_event else ()), HOW_TO_END)
        return [translate(sentence, self.frame.language).format(when=self.next_time) for sentence in said]

    @property
    def button(self) -> str:
        return translate(button, self.frame.language) if (button := TEXTS[self.step][2]) else ""


def page_links(about: str, settings: Settings) -> Sequence[tuple[str, str]]:
    """The hook: lists and events lead to the form."""
    labels = {"list": N_("Follow by e-mail"), "event": N_("Remind me by e-mail")}
    return [(FOLLOW, labels[about])] if letters.is_on(settings) else []


class FollowForm(Resource):
    """The form to follow a list with its filters, or an event."""

    query_parameters = frozenset({*NAMES, "event"})

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        self._answer(req, resp, Form(context_of(req).language))

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        language = context_of(req).language
        if is_foreign(req):
            page_responses.send_once(resp, ErrorPage(frame_of(self.service, req, FOLLOW), 403), 403)
            return
        form = read_form(req, LARGEST_FORM, language)
        self._answer(req, resp, form, is_sent=True)

    def _answer(self, req: falcon.Request, resp: falcon.Response, form: Form, *, is_sent: bool = False) -> None:
        sent, language = from_query(req.query_string), context_of(req).language
        if not letters.is_on(self.service.settings):
            send_not_found(self.service, req, resp)
            return
        selection, event = Selection.read(sent), str(sent.get("event") or "")
        try:
            records = self.service.calendar.read(ANONYMOUS, chosen_records, selection.chosen_values())
            selection = selection.renamed(records)
            words, path, id = self._event(event) if event else self._list(req, selection, records)
            unquoted = words if event else lists.unquoted(selection, records, language, self.service.settings)
        except ApiError as error:
            if error.error_type.status not in (400, 401, 403, 404, 410):
                raise
            send_not_found(self.service, req, resp, is_selection=True)
            return
        query = [("event", event)] if event else selection.pairs
        frame = frame_of(self.service, req, FOLLOW, query)
        step, status = ASK, 200
        headers: dict[str, str] = {}
        if is_sent:
            status, headers = self._save(req, form, selection.by_id(records), (words, unquoted, path), id)
            step = ASK if form.errors else SENT
        page = FollowPage(frame, step, frame.at(FOLLOW, query), words, is_event=id is not None, form=form)
        page_responses.send_once(resp, page, status, headers)

    def _event(self, written: str) -> tuple[str, str, int]:
        """What everybody can read of an event."""
        key = int(written) if written.isascii() and written.isdigit() and len(written) < 16 else 0
        event, _ = read_post(self.service.calendar, ANONYMOUS, EVENT, key)
        return event.name, f"/{EVENT.page}/{event.slug}/", event.id

    def _list(self, req: falcon.Request, selection: Selection, records: Records) -> tuple[str, str, None]:
        # A filter that names something unknown is refused here, as on its page.
        asked = {**selection.filters, "per_page": "1"}
        self.service.calendar.read(ANONYMOUS, list_events, read_query(PAGE_FILTERS, asked))
        words = selection.words(records, context_of(req).language, defined_fields(self.service.settings))
        path = with_query(lists.PATH, selection.by_id(records).pairs)
        return words or self.service.settings.site_name, path, None

    def _save(
        self, req: falcon.Request, form: Form, selection: Selection, what: tuple[str, str, str], event: int | None
    ) -> tuple[int, dict[str, str]]:
        """The status of the answer, and its headers."""
        words, unquoted, path = what
        if form.text(FollowPage.trap):  # a program: it need not know that it was noticed
            return 200, {}
        rhythm = DAILY if form.text("rhythm") == DAILY else WEEKLY
        calendar = self.service.calendar
        try:
            calendar.write(
                ANONYMOUS,
                rules.ask,
                form.text("address"),
                rhythm if event is None else EVENT_RHYTHM,
                selection.asked if event is None else {},
                words,
                path,
                unquoted=unquoted,
                client=client_address(req, self.service.settings),
                language=context_of(req).language,
                event=event,
            )
        except NotAnAddress:
            form.refuse("address", NO_ADDRESS)
            return 400, {}
        except ApiError as error:
            form.refuse("", responses.message_of(error, form.language))
            return error.error_type.status, dict(error.headers)
        calendar.background.wake()
        return 200, {}


class MailLink(Resource):
    """The page behind a link of a message: its button does what the link is for."""

    query_parameters = frozenset({"key"})
    path: str

    def answer(
        self, req: falcon.Request, resp: falcon.Response, step: str, key: str, follow: rows.Follow | None = None
    ) -> None:
        frame = frame_of(self.service, req, self.path)
        page = FollowPage(frame, step, frame.at(self.path, [("key", key)]))
        if follow is not None:
            is_list = bool(follow.confirmed_utc) and follow.event is None
            zone = self.service.settings.timezone
            page = replace(
                page,
                words=follow.what,
                is_event=follow.event is not None,
                rhythm=follow.rhythm if is_list else "",
                next_time=times.site_moment(follow.next_utc, zone, frame.language) if is_list else "",
            )
        page_responses.send_once(resp, page, 404 if step == GONE else 200)
        resp.set_header("X-Robots-Tag", "noindex")

    @staticmethod
    def key(req: falcon.Request) -> str:
        return str(from_query(req.query_string).get("key") or "")[: rules.LONGEST_KEY]


class Confirm(MailLink):
    """Begins to follow, or confirms the address of who sent an event."""

    path = rules.CONFIRM_PATH

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        key, calendar = self.key(req), self.service.calendar
        follow = calendar.read_latest(ANONYMOUS, rules.find, rules.CONFIRM, key)
        if follow is None and not calendar.read_latest(ANONYMOUS, rules.has_sender, key):
            self.answer(req, resp, GONE, key)
        else:
            step = CONFIRMED if follow is not None and follow.confirmed_utc else CONFIRM
            self.answer(req, resp, step, key, follow)

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        key, calendar = self.key(req), self.service.calendar
        follow = None
        if key.startswith("s"):
            done = calendar.write(ANONYMOUS, rules.confirm_sender, key)
        else:
            done = (follow := calendar.write(ANONYMOUS, rules.confirm, key)) is not None
        self.answer(req, resp, CONFIRMED if done else GONE, key, follow)


class End(MailLink):
    """Ends following, or changes how often a list is told of. Mail programs send the POST that ends it themselves
    (RFC 8058), so it needs nothing but the key."""

    path = rules.END_PATH

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        key = self.key(req)
        follow = self.service.calendar.read_latest(ANONYMOUS, rules.find, rules.END, key)
        self.answer(req, resp, GONE if follow is None else END, key, follow)

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        key = self.key(req)
        if rhythm := read_form(req, LARGEST_FORM, context_of(req).language).text("rhythm"):
            follow = self.service.calendar.write(ANONYMOUS, rules.change_rhythm, key, rhythm)
            self.answer(req, resp, GONE if follow is None else END, key, follow)
            return
        is_ours = self.service.calendar.write(ANONYMOUS, rules.end, key)
        # Pressed twice, or by a program and a person: it has ended either way.
        self.answer(req, resp, ENDED if is_ours or key.startswith("f") else GONE, "")


def add_routes(app: falcon.App[Any, Any], service: Service) -> None:
    app.add_route(FOLLOW, FollowForm(service))
    app.add_route(rules.CONFIRM_PATH, Confirm(service))
    app.add_route(rules.END_PATH, End(service))
