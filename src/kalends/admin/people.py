"""People: who works on the calendar, with which role; invitations, resets, and what happens to their events."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import ClassVar

from kalends.admin import conflicts
from kalends.admin.conflicts import Control, Edited
from kalends.admin.request import PERSON, AdminRequest
from kalends.calendar import letters
from kalends.calendar.access import UnitOfWork
from kalends.calendar.accounts import one_time_links, sessions, users
from kalends.contract.roles import ROLE_WORDS
from kalends.languages import N_, translate
from kalends.site.forms.form import Form
from kalends.store.rows.records import OneTimeLink, User

PEOPLE = "/admin/people"
ROLES: dict[str, tuple[str, str]] = {
    "subscriber": (N_("Subscriber"), N_("Signs in and sees what everybody sees.")),
    "contributor": (N_("Contributor"), N_("Writes events, which somebody else publishes.")),
    "author": (N_("Author"), N_("Writes and publishes own events, and uploads pictures.")),
    "editor": (
        N_("Editor"),
        N_("Changes and publishes everybody's events, and keeps venues and tags in order."),
    ),
    "administrator": (N_("Administrator"), N_("Can do everything, and manages people and settings.")),
}
Roles = Sequence[tuple[str, str, str]]  # word, name, explanation


@dataclass(frozen=True, slots=True)
class PeoplePage:
    template: ClassVar[str] = "admin/people.html"
    ROLES: ClassVar[Mapping[str, tuple[str, str]]] = ROLES

    people: Sequence[User]
    seen: Mapping[int, str]
    invitations: Sequence[OneTimeLink]


@dataclass(frozen=True, slots=True)
class InvitePage:
    template: ClassVar[str] = "admin/invite.html"

    roles: Roles
    sends_mail: bool = False


@dataclass(frozen=True, slots=True)
class LinkPage:
    template: ClassVar[str] = "admin/link_made.html"

    address: str
    days: int


@dataclass(frozen=True, slots=True)
class PersonPage:
    template: ClassVar[str] = "admin/person.html"

    person: User
    owned: int
    seen: str | None
    others: Sequence[tuple[str, str]]
    roles: Roles
    edited: Edited
    sends_mail: bool = False
    ways: str = ""  # to sign in, beside the password


def roles_in_words(language: str) -> Roles:
    """Word, name and explanation of every role."""
    return [(word, translate(name, language), translate(text, language)) for word, (name, text) in ROLES.items()]


def show_people(request: AdminRequest) -> None:
    """Everybody, and the invitations that nobody has used yet."""
    request.answer(request.read(_everybody))


def _everybody(work: UnitOfWork) -> PeoplePage:
    return PeoplePage(users.everybody(work), users.last_seen(work), one_time_links.invitations(work))


def show_invite(request: AdminRequest) -> None:
    request.answer(InvitePage(roles_in_words(request.language), letters.is_on(request.settings)))


def invite(request: AdminRequest, form: Form) -> None:
    """Makes a link by which somebody joins with a role."""
    role, note = form.text("role"), form.text("note")
    if role not in ROLE_WORDS:
        form.refuse("role", N_("Choose a role."))
    if not note or len(note) > one_time_links.LONGEST_NOTE or not note.isprintable():
        form.refuse("note", N_("Enter a name of at most 100 characters."))
    email = form.text("email") if letters.is_on(request.settings) else ""
    if form.errors:
        return
    with form.refusals("email"):
        key = request.write(one_time_links.invite, role, note, email)
        if email:
            request.calendar.background.wake()
            request.go(PEOPLE, N_("The invitation is on its way to {address}."), address=email)
        else:
            show_link(request, key, note, one_time_links.JOIN)


def withdraw(request: AdminRequest, form: Form) -> None:
    for id in form.numbers("id"):
        request.write(one_time_links.withdraw, id)
    request.go(PEOPLE, N_("The invitation is withdrawn."))


def show_person(request: AdminRequest, id: int) -> None:
    roles = roles_in_words(request.language)
    named = {word: label for word, label, _ in roles}
    controls = [Control("name", request.say(N_("Name"))), Control("role", request.say(N_("Role")), choices=named)]
    controls.append(Control("email", request.say(N_("E-mail address"))))
    controls.append(Control("successor", request.say(N_("New owner"))))

    def read(work: UnitOfWork) -> PersonPage:
        user = users.find_user(work, id)
        others = [(str(one.id), one.name) for one in users.everybody(work) if one.id != id and not one.disabled]
        edited = conflicts.edited(request.form, controls, form_values(user))
        seen = users.last_seen(work).get(id)
        is_on = letters.is_on(work.settings)
        return PersonPage(user, users.count_records(work, user), seen, others, roles, edited, is_on)

    page = request.read(read)
    page = replace(page, ways=request.ways_to_sign_in(PERSON, page.person))
    request.answer(page, title=page.person.name)


def form_values(user: User) -> dict[str, str]:
    """What the form shows of a person."""
    return {"name": user.name, "role": user.role, "email": user.email}


@contextmanager
def changing(request: AdminRequest, form: Form, id: int) -> Iterator[User]:
    """Around what is done with a person, as it was before."""
    user = request.read(users.find_user, id)
    with conflicts.noticed(request, form, "user", id):
        yield user


def go_to_person(request: AdminRequest, user: User, sentence: str, path: str = "", count: int = 0) -> None:
    """Leads to the person, or to another page, with a sentence."""
    request.go(path or f"{PEOPLE}/{user.id}", sentence, name=user.name, count=count)


def save(request: AdminRequest, form: Form, id: int) -> None:
    """A new name or role."""
    unchanged = conflicts.unchanged(form, form_values)
    name, role = form.text("name"), form.text("role") if "role" in form.values else None
    email = form.text("email") if "email" in form.values else None
    with changing(request, form, id):
        user = request.write(users.change_user, id, name=name, role=role, email=email, precondition=unchanged)
        go_to_person(request, user, N_("{name} is saved."))


def disable(request: AdminRequest, form: Form, id: int) -> None:
    """Refuses all credentials of a person, or accepts them again."""
    disabled = form.is_checked("disabled")
    with changing(request, form, id) as user:
        request.write(users.change_user, id, disabled=disabled)
        go_to_person(
            request, user, N_("{name} cannot sign in any more.") if disabled else N_("{name} can sign in again.")
        )


def reset(request: AdminRequest, form: Form, id: int) -> None:
    """Makes a link by which a person sets a new password."""
    with changing(request, form, id) as user:
        if form.is_checked("send") and letters.is_on(request.settings):
            request.write(one_time_links.send_reset, id)
            request.calendar.background.wake()
            go_to_person(request, user, N_("A link is on its way to {name}."))
        else:
            show_link(request, request.write(one_time_links.reset, id), user.name, one_time_links.PASSWORD)


def end_sessions(request: AdminRequest, form: Form, id: int) -> None:
    with changing(request, form, id) as user:
        request.write(sessions.end_all_of, id)
        go_to_person(request, user, N_("{name} is signed out everywhere."))


def hand_over(request: AdminRequest, form: Form, id: int) -> None:
    """Gives all records of a person to somebody else."""
    with changing(request, form, id) as user:
        if heir := successor(request, form):
            count = users.hand_over_in_parts(request.calendar, request.caller, id, heir)
            go_to_person(request, user, N_("Records with a new owner: {count}."), count=count)


def remove(request: AdminRequest, form: Form, id: int) -> None:
    """Removes a person; somebody else takes over what they have."""
    with changing(request, form, id) as user:
        heir = successor(request, form) if form.text("successor") else None
        if not form.errors:
            users.remove_in_parts(request.calendar, request.caller, id, heir)
            go_to_person(request, user, N_("{name} is removed."), PEOPLE)


def successor(request: AdminRequest, form: Form) -> int:
    """Who takes over: a person, and not the service itself."""
    chosen = form.numbers("successor")
    for user in request.read(users.everybody):
        if user.id in chosen:
            return user.id
    form.refuse("successor", N_("choose who takes them over"))
    return 0


def show_link(request: AdminRequest, key: str, name: str, purpose: str) -> None:
    """The link, which is shown only now."""
    page = LinkPage(f"{request.base_url}/admin/link?key={key}", one_time_links.LIFETIMES[purpose].days)
    request.answer(page, title=request.say(N_("A link for {name}"), name=name))
