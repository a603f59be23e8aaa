"""A request to the admin: who makes it, and the ways to answer it: a page, or the way to another page with a message
and, where it can be undone, what undoes it."""

import base64
import hmac
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import ClassVar, Concatenate, ParamSpec, Protocol, TypeVar

import falcon
import msgspec
from markupsafe import Markup

from kalends import hooks
from kalends.admin.frame import AdminFrame, AdminMessage, UndoForm
from kalends.admin.list_pages import Narrowed, Pages
from kalends.admin.navigation import REVIEW, entries_for
from kalends.admin.other_address import OtherAddress
from kalends.admin.other_address import find as find_other_address
from kalends.calendar.access import Caller, UnitOfWork
from kalends.calendar.accounts import users
from kalends.calendar.accounts.sessions import SignedIn
from kalends.calendar.editing.review import count as review_count
from kalends.calendar.service import Calendar
from kalends.contract.kinds import Kind
from kalends.http.messages.responses import lead
from kalends.http.request_context import client_address, context_of
from kalends.http.service import Service
from kalends.languages import N_, known, translate
from kalends.settings import Settings
from kalends.site.forms.form import VERSION, Form, number_in
from kalends.site.layout.frame import Pairs
from kalends.site.pages.templates import render
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows.records import User
from kalends.values import dates, zones

P = ParamSpec("P")
T = TypeVar("T")
Operation = Callable[Concatenate[UnitOfWork, P], T]

# Where a page has room for what features add to a record: among its actions, above the editor of an event, on a card
# of the review queue, below the fields of an event, and, of no single one, below the table of events.
ACTIONS, EDITED, REVIEWED, FIELDS, LISTED = "actions", "edited", "reviewed", "fields", "listed"

LAST_PAGE = 10**8
LONGEST_SEARCH = 200
# Where a page has room for further ways to sign in: the page that asks for a password, one's own profile, a person.
PLACES = ASKING, OWN, PERSON = "asking", "own", "person"
# The message for the next page is in a cookie that only this session could sign.
COOKIE = "kalends_message"
COOKIE_SECONDS = 60
LARGEST_COOKIE = 3800  # browsers take 4096 bytes with the name


class View(Protocol):
    """What a template shows, which reads it as `page`."""

    template: ClassVar[str]


class AdminRequest:
    """One request of a person."""

    def __init__(self, service: Service, entry: str, title: str, req: falcon.Request, resp: falcon.Response) -> None:
        self.service = service
        self.entry = entry  # of the navigation
        self.title = title  # of the page, unless it has one of its own
        self.req = req
        self.resp = resp
        self.context = context_of(req)
        self.session: SignedIn | None = self.context.session
        chosen = self.session.user.language if self.session else ""
        if chosen and not self.param("lang"):
            self.context.chosen_language = known(chosen)
        self.form = Form(self.language)  # what was typed, and what is wrong with it; empty until a form was sent
        self.is_answered = False

    @property
    def calendar(self) -> Calendar:
        return self.service.calendar

    @property
    def settings(self) -> Settings:
        return self.service.settings

    @property
    def caller(self) -> Caller:
        return self.context.caller

    def read(self, operation: Operation[P, T], *args: P.args, **named: P.kwargs) -> T:
        """What an operation of `calendar/` finds for this person."""
        return self.calendar.read(self.caller, operation, *args, **named)

    def read_latest(self, operation: Operation[P, T], *args: P.args, **named: P.kwargs) -> T:
        """The same with what this request has written."""
        return self.calendar.read_latest(self.caller, operation, *args, **named)

    def write(self, operation: Operation[P, T], *args: P.args, **named: P.kwargs) -> T:
        return self.calendar.write(self.caller, operation, *args, **named)

    @property
    def language(self) -> str:
        return self.context.language

    @property
    def base_url(self) -> str:
        return self.context.addresses.base_url

    @property
    def root_path(self) -> str:
        """The path of the site, at the front of every link."""
        return self.context.addresses.root

    @property
    def address(self) -> str:
        """The address of the client, for throttling."""
        return client_address(self.req, self.settings)

    def signed_in(self) -> SignedIn:
        """The session; screens are only called with one unless they are public."""
        assert self.session is not None
        return self.session

    def say(self, sentence: str, /, **arguments: object) -> str:
        """A sentence in the language of the reader."""
        return translate(sentence, self.language).format(**arguments)

    def param(self, name: str, default: str = "") -> str:
        """A parameter of the query string."""
        found = self.req.get_param(name) if name in self.req.query_string else None
        return default if found is None else found

    def number(self, name: str) -> int | None:
        """A number in the query string, such as that of a page; None where there is none."""
        return number_in(self.param(name))

    @property
    def page_number(self) -> int:
        return max(1, min(self.number("page") or 1, LAST_PAGE))

    def pages(self, path: str, total: int, size: int, query: Pairs = (), more: str = "") -> Pages:
        """The pages of a list, of which this request asks for one."""
        return Pages(self.root_path + path, self.page_number, total, size, query, more)

    @property
    def narrowed(self) -> Narrowed:
        """What a list of records is narrowed by."""
        return Narrowed(self.param("search")[:LONGEST_SEARCH], bool(self.param("unused")))

    @property
    def now(self) -> str:
        """On the clock of the site."""
        return dates.text(zones.to_local(self.calendar.clock(), self.settings.timezone))

    @cached_property
    def other_address(self) -> OtherAddress | None:
        """Where the browser is, when that is not the address of the calendar."""
        return find_other_address(self.req, self.settings)

    @cached_property
    def people(self) -> dict[int, str]:
        """The names of everybody, by id."""
        return self.read(users.names_of_people)

    def who(self, actor: int) -> str:
        """Who has changed something."""
        return self.people.get(actor) or self.say(N_("Somebody who left") if actor else N_("The calendar"))

    @cached_property
    def frame(self) -> AdminFrame:
        addresses, settings = self.context.addresses, self.settings
        return AdminFrame(
            site_name=settings.site_name,
            base_url=addresses.base_url,
            ns=addresses.ns,
            language=self.language,
            title=self.say(self.title),
            entry=self.entry,
            groups=entries_for(self.caller),
            caller=self.caller,
            token=self.session.token if self.session else "",
            message=self._take_message() if self.session else None,
            timezone=settings.timezone,
            hour_format=settings.hour_format,
            pending=self._count_pending(),
            max_image=settings.max_image,
            elsewhere=self.other_address,
        )

    def _count_pending(self) -> int:
        """What waits for review: the number beside the menu. A page without it is better than none."""
        if self.session is None or not REVIEW.right(self.caller):
            return 0
        try:
            return self.calendar.read(self.caller, review_count)
        except StoreUnavailable:
            return 0

    def blocks(self, position: str, kind: Kind, ids: Sequence[int]) -> dict[int, Markup]:
        """What features show of records there, by id, all of it in one transaction."""
        _ = self.frame  # which reads for itself
        found = self.read_latest(
            lambda work: [blocks(work, self, position, kind, ids) for blocks in hooks.record_blocks]
        )
        return {id: Markup("").join(one[id] for one in found if id in one) for id in ids}

    def block(self, position: str, kind: Kind, id: int) -> Markup:
        return self.blocks(position, kind, [id])[id]

    def ways_to_sign_in(self, place: str, user: User | None = None) -> Markup:
        """What features add to a page about signing in, of nobody or of a person."""
        return Markup("").join(ways(self, place, user) for ways in hooks.ways_to_sign_in)

    def answer(self, page: View, *, title: str = "", status: int = 0) -> None:
        """Answers with a page and what was typed into its form; a refused one decides on the status."""
        frame = self.frame.titled(title) if title else self.frame
        self.is_answered = True
        self.resp.status = falcon.code_to_http_status(status or self.form_status)
        self.resp.data = render(page.template, self.language, frame=frame, form=self.form, page=page).encode()

    @property
    def form_status(self) -> int:
        """Whether the form was refused, because of a conflict or for another reason."""
        errors = self.form.errors
        return 409 if VERSION in errors else 400 if errors else 200

    def go(
        self, path: str, message: str = "", undo: UndoForm | None = None, kind: str = "done", **arguments: object
    ) -> None:
        """Answers with the way to another page of the admin, and with a message on it."""
        if message and self.session is not None:
            self._put_message(AdminMessage(self.say(message, **arguments), kind, undo))
        self.is_answered = True
        lead(self.req, self.resp, path)

    def leave(self, address: str) -> None:
        """Answers with the way to another address, as no form may: CSP lets none lead away."""
        assert self.req.method != "POST"
        self.is_answered = True
        self.resp.status = falcon.HTTP_303
        self.resp.set_header("Location", address)

    def _put_message(self, message: AdminMessage) -> None:
        encoded = _encode(message)
        if len(encoded) > LARGEST_COOKIE:  # too many records to name; then there is no undo
            encoded = _encode(msgspec.structs.replace(message, undo=None))
        self.resp.set_cookie(
            COOKIE,
            f"{encoded}.{self.signed_in().sign(encoded)}",
            max_age=COOKIE_SECONDS,
            path="/",
            secure=self.base_url.startswith("https:"),
            http_only=True,
            same_site="Lax",
        )

    def _take_message(self) -> AdminMessage | None:
        """The message, which is shown once."""
        values = self.req.get_cookie_values(COOKIE) or []
        if not values:
            return None
        self.resp.unset_cookie(COOKIE, path="/", same_site="Lax")
        encoded, _, signature = values[0].partition(".")
        signed = self.signed_in().sign(encoded)
        if not hmac.compare_digest(signed.encode(), signature.encode("utf-8", "surrogatepass")):
            return None
        try:
            return msgspec.json.decode(base64.urlsafe_b64decode(encoded), type=AdminMessage)
        except (ValueError, msgspec.DecodeError):
            return None


def _encode(message: AdminMessage) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(message)).decode()
