"""What the admin calls the things that the journal tells of, and where it shows them."""

from kalends.contract.kinds import KINDS
from kalends.languages import N_
from kalends.store.rows import custom_values

NAMES = {kind.name: kind.label for kind in KINDS} | {
    "media": N_("Picture"),
    "user": N_("Account"),
    "token": N_("Token"),
    "link": N_("Invitation"),
    "site": N_("Settings"),
    custom_values.KIND: N_("Custom field"),
}
PLURAL_NAMES = {kind.name: kind.plural_label for kind in KINDS} | {
    "media": N_("Pictures"),
    custom_values.KIND: N_("Custom fields"),
}
PLURALS = {kind.name: kind.plural for kind in KINDS}


def address(kind: str, id: int) -> str:
    """The page of a record; "" for what has none."""
    return f"/admin/{PLURALS[kind]}/{id}" if kind in PLURALS else ""
