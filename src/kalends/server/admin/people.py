"""People: who works on the calendar, with which role; invitations, resets, and what happens to their events."""

from collections.abc import Sequence
from typing import Any

from kalends.calendar.access import may_manage_users
from kalends.calendar.accounts import one_time_links, sessions, users
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.roles import ROLE_WORDS
from kalends.languages import N_
from kalends.pages.admin import people as view
from kalends.pages.admin.conflict import Control, Difference, of_controls
from kalends.server.admin import conflicts
from kalends.server.admin.screen import FormScreen, Screen, Visit
from kalends.server.forms import GENERAL, Form
from kalends.store.rows.records import User

PEOPLE = "/admin/people"


class People(Screen):
    """Everybody, and the invitations that nobody has used yet."""

    entry = "people"
    title = N_("People")
    right = staticmethod(may_manage_users)

    def show(self, visit: Visit, **params: Any) -> None:
        zone, language = visit.settings.timezone, visit.language
        with visit.calendar.reading(visit.caller) as work:
            found, seen = users.everybody(work), users.last_seen(work)
            invitations = one_time_links.invitations(work)
        visit.render(
            "admin/people.html",
            people=view.people(found, seen, visit.caller.user, language, zone),
            invitations=view.invitations(invitations, language, zone),
        )


class Invite(FormScreen):
    """A link by which somebody joins with a role."""

    entry = "people"
    title = N_("Invite somebody")
    right = staticmethod(may_manage_users)

    def show(self, visit: Visit, **params: Any) -> None:
        visit.render("admin/invite.html", roles=view.roles(visit.language))

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        role, note = form.text("role"), form.text("note")
        if role not in ROLE_WORDS:
            form.refuse("role", N_("Choose a role."))
        if not note or len(note) > one_time_links.LONGEST_NOTE or not note.isprintable():
            form.refuse("note", N_("Write a name of at most 100 characters."))
        if form.errors:
            visit.render("admin/invite.html", status=400, form=form, roles=view.roles(visit.language))
            return
        with visit.calendar.writing(visit.caller) as work:
            key = one_time_links.invite(work, role, note)
        show_link(visit, key, note)


class Withdraw(FormScreen):
    """Ends an invitation."""

    right = staticmethod(may_manage_users)

    def show(self, visit: Visit, **params: Any) -> None:
        visit.go(PEOPLE)

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        with visit.calendar.writing(visit.caller) as work:
            for id in form.numbers("id"):
                one_time_links.withdraw(work, id)
        visit.go(PEOPLE, N_("The invitation is withdrawn."))


class PersonScreen(FormScreen):
    """One person: name and role. The other actions are subclasses, each at an address of its own."""

    entry = "people"
    title = N_("Person")
    right = staticmethod(may_manage_users)

    def show(self, visit: Visit, id: int = 0, **params: Any) -> None:
        self.page(visit, id, Form(visit.language))

    def act(self, visit: Visit, form: Form, id: int = 0, **params: Any) -> None:
        try:
            with conflicts.noticed(visit, form, "user", id), visit.calendar.writing(visit.caller) as work:
                user = users.find_user(work, id)
                done = self.change(work, user, form)
        except users.BadUser as bad:
            form.refuse(bad.field or GENERAL, bad.message, **bad.arguments)
        if form.errors:
            self.page(visit, id, form)
        else:
            self.answer(visit, user, done)

    def change(self, work: UnitOfWork, user: User, form: Form) -> str:
        """Does what the form asks for; what `answer` needs of it."""
        users.change_user(
            work,
            user,
            name=form.text("name"),
            role=form.text("role", user.role),
            precondition=conflicts.unchanged(form, version_of),
        )
        return ""

    def answer(self, visit: Visit, user: User, done: str) -> None:
        visit.go(f"{PEOPLE}/{user.id}", N_("{name} is saved."), name=user.name)

    def page(self, visit: Visit, id: int, form: Form) -> None:
        with visit.calendar.reading(visit.caller) as work:
            user = users.find_user(work, id)
            others = [one for one in users.everybody(work) if one.id != user.id]
            owned, seen = users.count_records(work, user), users.last_seen(work)
        (person,) = view.people([user], seen, visit.caller.user, visit.language, visit.settings.timezone)
        visit.render(
            "admin/person.html",
            status=conflicts.status_of(form),
            title=user.name,
            form=form,
            version=version_of(user),
            conflict=differences(visit, user, form) if conflicts.is_in(form) else None,
            person=person,
            owned=owned,
            others=[(str(one.id), one.name) for one in others if not one.disabled],
            roles=view.roles(visit.language),
        )


class Disable(PersonScreen):
    """Refuses all credentials of a person, or accepts them again."""

    def change(self, work: UnitOfWork, user: User, form: Form) -> str:
        disabled = form.is_checked("disabled")
        users.change_user(work, user, disabled=disabled)
        return "disabled" if disabled else ""

    def answer(self, visit: Visit, user: User, done: str) -> None:
        sentence = N_("{name} cannot sign in any more.") if done else N_("{name} can sign in again.")
        visit.go(f"{PEOPLE}/{user.id}", sentence, name=user.name)


class Reset(PersonScreen):
    """A link by which a person sets a new password."""

    def change(self, work: UnitOfWork, user: User, form: Form) -> str:
        return one_time_links.reset(work, user)

    def answer(self, visit: Visit, user: User, done: str) -> None:
        show_link(visit, done, user.name)


class HandOver(PersonScreen):
    """Gives all records of a person to somebody else."""

    def change(self, work: UnitOfWork, user: User, form: Form) -> str:
        return str(users.hand_over(work, user, successor(work, form)))

    def answer(self, visit: Visit, user: User, done: str) -> None:
        visit.go(f"{PEOPLE}/{user.id}", N_("Records with a new owner: {count}."), count=done)


class EndSessions(PersonScreen):
    """Signs a person out everywhere."""

    def change(self, work: UnitOfWork, user: User, form: Form) -> str:
        sessions.end_all_of(work, user)
        return ""

    def answer(self, visit: Visit, user: User, done: str) -> None:
        visit.go(f"{PEOPLE}/{user.id}", N_("{name} is signed out everywhere."), name=user.name)


class Remove(PersonScreen):
    """Removes a person; somebody else takes over what they have."""

    def change(self, work: UnitOfWork, user: User, form: Form) -> str:
        heir = successor(work, form) if form.text("successor") else None
        users.remove_user(work, user, heir)
        return user.name

    def answer(self, visit: Visit, user: User, done: str) -> None:
        visit.go(PEOPLE, N_("{name} is removed."), name=done)


def version_of(user: User) -> str:
    """What the form shows of a person, as one word."""
    return conflicts.version_of(view.shown(user, "name", "role"))


def differences(visit: Visit, user: User, form: Form) -> Sequence[Difference]:
    roles = {word: label for word, label, _ in view.roles(visit.language)}
    controls = [Control("name", visit.say(N_("Name"))), Control("role", visit.say(N_("Role")), choices=roles)]
    return of_controls(controls, view.shown(user, "name", "role"), form.values, visit.language)


def successor(work: UnitOfWork, form: Form) -> User:
    """Who takes over."""
    chosen = form.numbers("successor")
    for user in users.everybody(work):
        if user.id in chosen:
            return user
    raise users.BadUser(N_("choose who takes them over"), field="successor")


def show_link(visit: Visit, key: str, name: str) -> None:
    """The link, which is shown only now."""
    address = f"{visit.base_url}/admin/link?key={key}"
    days = one_time_links.LIFETIME.days
    visit.render(
        "admin/link_made.html", title=visit.say(N_("A link for {name}"), name=name), address=address, days=days
    )
