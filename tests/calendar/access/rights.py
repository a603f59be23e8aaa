"""The rights of each role as a table and a few rules, written independently of the code that they test."""

from dataclasses import dataclass

# May the role …       read its own  others'      create  edit its own  …own       edit     write       write
#                      unpublished   unpublished  posts   unpublished   published  others'  categories  tags
TABLE = """
    anonymous          -             -            -       -             -          -        -           -
    subscriber         -             -            -       -             -          -        -           -
    contributor        yes           -            yes     yes           -          -        -           -
    author             yes           -            yes     yes           yes        -        yes         -
    editor             yes           yes          yes     yes           yes        yes      yes         yes
    administrator      yes           yes          yes     yes           yes        yes      yes         yes
"""
COLUMNS = ("read_own", "read_others", "create", "edit_own", "edit_own_published", "edit_others", "categories", "tags")
RIGHTS = {
    row[0]: {name for name, mark in zip(COLUMNS, row[1:], strict=True) if mark == "yes"}
    for row in (line.split() for line in TABLE.strip().splitlines())
}

SINGULAR = {"events": "event", "venues": "venue", "organizers": "organizer", "categories": "category", "tags": "tag"}
POSTS, TERMS = ("events", "venues", "organizers"), ("categories", "tags")

# The states of a record: its status and, for the trash, what it was before.
STATES = ("publish", "future", "draft", "pending", "private", "trash", "trash-of-draft")
# What a contributor cannot edit any more: published, scheduled, or moved to the trash after that.
PUBLISHED = ("publish", "future", "trash")
STATUSES = ("publish", "future", "draft", "pending", "private", "trash")


@dataclass(frozen=True)
class Caller:
    """Who asks, and who owns the records asked for. `refused`: the error code for bad credentials."""

    label: str
    role: str
    owner: str = "other_author"
    refused: str = ""
    read_only: bool = False

    @property
    def known(self) -> bool:
        return self.role != "anonymous"

    def may(self, right: str) -> bool:
        return right in RIGHTS[self.role]


CALLERS = (
    Caller("anonymous", "anonymous"),
    Caller("subscriber", "subscriber"),
    Caller("contributor-own", "contributor", owner="contributor"),
    Caller("contributor-other", "contributor"),
    Caller("author-own", "author", owner="author"),
    Caller("author-other", "author"),
    Caller("editor", "editor"),
    Caller("administrator", "administrator"),
    Caller("read-only-token", "editor", read_only=True),
    Caller("bad-password", "editor", refused="incorrect_password"),
    Caller("garbled-header", "anonymous", refused="rest_forbidden"),
    Caller("expired-token", "editor", refused="invalid_token"),
    Caller("revoked-token", "editor", refused="invalid_token"),
)


@dataclass(frozen=True)
class Outcome:
    """The expected response. `shows`: it contains the words of the record; otherwise none of them."""

    status: int
    code: str = ""
    shows: bool = False


SHOWN = Outcome(200, shows=True)


def status_of(state: str) -> str:
    return state.partition("-")[0]


def may_read(caller: Caller, own: bool, state: str) -> bool:
    return state == "publish" or caller.may("read_others") or (own and caller.may("read_own"))


def may_edit(caller: Caller, own: bool, state: str) -> bool:
    if not own:
        return caller.may("edit_others")
    return caller.may("edit_own_published" if state in PUBLISHED else "edit_own")


def is_unmasked(caller: Caller, own: bool, state: str, protected: bool, password: str) -> bool:
    """Nothing of a readable event is masked."""
    return not protected or password == "right" or may_edit(caller, own, state)


def read(caller: Caller, kind: str, by: str, own: bool, state: str, protected: bool, password: str) -> Outcome:
    name = SINGULAR[kind]
    if caller.refused:
        return Outcome(401, caller.refused)
    if not may_read(caller, own, state):
        if by == "slug":
            return Outcome(404, f"rest-{name}-not-found")
        gone = kind == "events" and status_of(state) == "trash"
        return Outcome(403, "event-no-longer-available" if gone else f"{name}-not-accessible")
    if not is_unmasked(caller, own, state, protected, password):
        return Outcome(403, "event-password-protected")
    return SHOWN


def write(caller: Caller, kind: str, by: str, own: bool, state: str, *, delete: bool) -> Outcome:
    name = SINGULAR[kind]
    if refused := _refused(caller, caller.may("create")):
        return refused
    if by == "slug" and not may_read(caller, own, state):
        return Outcome(404, f"rest-{name}-not-found")
    if not may_edit(caller, own, state):
        return Outcome(403, "rest_forbidden")
    if delete and status_of(state) == "trash":
        return Outcome(410, f"{name}-is-in-trash")
    return SHOWN


def create(caller: Caller, kind: str) -> Outcome:
    right = kind if kind in TERMS else "create"
    return _refused(caller, caller.may(right)) or Outcome(201, shows=True)


def write_term(caller: Caller, kind: str) -> Outcome:
    return _refused(caller, caller.may(kind)) or SHOWN


def read_term(caller: Caller) -> Outcome:
    return Outcome(401, caller.refused) if caller.refused else SHOWN


def _refused(caller: Caller, right: bool) -> Outcome | None:
    """The right to the operation itself, which is checked before anything else."""
    if caller.refused:
        return Outcome(401, caller.refused)
    if not caller.known:
        return Outcome(401, "rest_forbidden")
    if not right or caller.read_only:
        return Outcome(403, "rest_forbidden")
    return None
