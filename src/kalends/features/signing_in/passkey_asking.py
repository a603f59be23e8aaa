"""Pages that ask for a passkey, and what the browser has answered."""

from kalends.admin.request import AdminRequest
from kalends.calendar.access import ANONYMOUS
from kalends.calendar.accounts import credentials
from kalends.features.signing_in import passkeys
from kalends.features.signing_in.passkeys import NotShown, PasskeyQuestion, PasskeySite, ShownPasskey
from kalends.languages import N_
from kalends.site.forms.form import GENERAL, Form
from kalends.store.rows.records import User

NOT_TAKEN = N_("This passkey was not taken. Try again, or use another way.")


def site_of(request: AdminRequest) -> PasskeySite | None:
    return passkeys.site_of(request.base_url, request.settings.site_name)


def ask(request: AdminRequest, purpose: str, about: int, user: User) -> PasskeyQuestion | None:
    """For a page that can go on with a passkey of a person; None where there is none."""
    site = site_of(request)
    return request.read_latest(passkeys.ask_to_show, site, purpose, about, user.id) if site else None


def shown(request: AdminRequest, form: Form, purpose: str, about: int, user: User | None = None) -> ShownPasskey:
    """What the browser has answered: of the person, where one is known. Raises NotShown."""
    site = site_of(request)
    if site is None:
        raise NotShown("there are no passkeys at this address")
    with request.calendar.reading_latest(ANONYMOUS) as work:
        found = passkeys.shown(work, site, purpose, about, form.raw("challenge"), form.raw("answer"))
    if user is not None and found.passkey.user != user.id:
        raise NotShown("it is of somebody else")
    return found


def refuse(request: AdminRequest, form: Form, user: User | None, problem: NotShown) -> None:
    """In the form, which says no more than that; the log has the reason."""
    calendar = request.calendar
    credentials.record_refusal(calendar, calendar.clock(), user, request.address, f"passkey: {problem}")
    form.refuse(GENERAL, NOT_TAKEN)
