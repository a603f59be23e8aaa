"""The profile of the person who is signed in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin.people_view import ROLES, browser
from kalends.calendar import letters
from kalends.features.history.conflict_page import Edited
from kalends.languages import N_
from kalends.store.rows.records import Session, Token, User

PURPOSES = {"bearer": N_("Token"), "application": N_("Application password")}


@dataclass(frozen=True, slots=True)
class ProfilePage:
    template: ClassVar[str] = "admin/profile.html"

    user: User
    sessions: Sequence[Session]
    current: int  # the session of this request
    tokens: Sequence[Token]
    languages: Sequence[tuple[str, str]]
    edited: Edited
    failed: str  # the section that shows the errors of the form
    made: tuple[str, str] | None  # the name of a new credential and its clear text
    sends_mail: bool = False

    @property
    def switches(self) -> dict[str, str]:
        """Letters that people can do without, and what they are about."""
        return {name: kind.switch for name, kind in letters.kinds().items() if kind.switch}

    @property
    def mail_off(self) -> list[str]:
        return self.user.mail_off.split()

    @property
    def role(self) -> str:
        return ROLES[self.user.role][0]

    def browser_of(self, session: Session) -> str:
        return browser(session.agent)

    def purpose_of(self, token: Token) -> str:
        return PURPOSES[token.purpose]
