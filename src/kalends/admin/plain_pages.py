"""Pages around the screens: signing in, links for one use, forms that wait, and errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple
from urllib.parse import urlencode

# The fields that take a form through that of signing in.
KEPT_PATH, KEPT_CONTENT, KEPT_FILES = "kept_for", "kept", "kept_files"


class SavedForm(NamedTuple):
    """What was typed into a form that cannot be taken now, and the path that it was sent to."""

    path: str
    pairs: Sequence[tuple[str, str]]
    had_files: bool

    @property
    def hidden_fields(self) -> dict[str, str]:
        """The fields that take it through the form of signing in."""
        files = "1" if self.had_files else ""
        return {KEPT_PATH: self.path, KEPT_CONTENT: urlencode(self.pairs), KEPT_FILES: files}


@dataclass(frozen=True, slots=True)
class SignInPage:
    template: ClassVar[str] = "admin/sign_in.html"

    next: str  # where it leads
    saved: SavedForm | None
    sends_mail: bool  # whether a forgotten password can be asked for
    ways: str = ""  # to sign in, before the password


@dataclass(frozen=True, slots=True)
class SavedFormPage:
    template: ClassVar[str] = "admin/kept_form.html"

    saved: SavedForm
    reason: str


@dataclass(frozen=True, slots=True)
class OneTimeLinkPage:
    template: ClassVar[str] = "admin/link.html"

    key: str
    name: str  # of the person; empty for one who is new


@dataclass(frozen=True, slots=True)
class AddressPage:
    """Behind the link that a new address of an account gets."""

    template: ClassVar[str] = "admin/address.html"

    key: str
    name: str
    address: str
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class ForgottenPage:
    """Asks for the name or address of somebody who has forgotten the password."""

    template: ClassVar[str] = "admin/forgotten.html"

    is_sent: bool = False


@dataclass(frozen=True, slots=True)
class LinkGonePage:
    template: ClassVar[str] = "admin/link_gone.html"


@dataclass(frozen=True, slots=True)
class AdminErrorPage:
    """Its title is the sentence."""

    template: ClassVar[str] = "admin/error.html"
