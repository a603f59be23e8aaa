"""Forms that cannot be taken now: their session has ended, or the calendar is busy. What was typed waits in the page
that asks to sign in or to send it again; nothing of it is stored.
"""

from urllib.parse import parse_qsl

from kalends.admin.plain_pages import KEPT_CONTENT, KEPT_FILES, KEPT_PATH, SavedForm, SavedFormPage
from kalends.admin.request import AdminRequest
from kalends.contract.errors import SESSION_TOKEN, UNAVAILABLE, ApiError
from kalends.http.middleware.request_middleware import TOKEN_HEADER, is_same_site
from kalends.languages import N_
from kalends.site.forms.form import AROUND_PICTURE, LONGEST_VALUE, MOST_FIELDS, RETRY_AFTER, Form, busy, read_texts
from kalends.store.engine.store import StoreUnavailable

LARGEST_KEPT = 1_000_000  # before anybody has signed in; files do not count, as their contents are dropped
HEADING = N_("Nothing was saved yet")
SIGNED_IN_AGAIN = N_(
    "You have signed in again since you opened the page. What you typed is kept here until you send it."
)


def may_be_saved(request: AdminRequest) -> bool:
    """Only a page of ours can have its form kept: another site could have its own text saved by whoever signs in.
    Requests of scripts have the token in a header, and keep what was typed themselves."""
    return is_same_site(request.req) and request.req.get_header(TOKEN_HEADER) is None


def sent_to(request: AdminRequest, form: Form, *without: str) -> SavedForm:
    pairs = [(name, value) for name, values in form.values.items() if name not in without for value in values]
    return SavedForm(request.req.path, pairs, bool(form.files))


def read(request: AdminRequest, largest: int, *without: str) -> SavedForm | None:
    """The form of a request that has no session; None where it cannot be kept."""
    if not may_be_saved(request):
        return None
    limit = min(largest, request.settings.max_image + AROUND_PICTURE)
    try:
        kept = sent_to(request, read_texts(request.req, limit, LARGEST_KEPT, request.language), *without)
    except ApiError:
        return None
    # Encoded for the form of signing in, a letter may take nine bytes.
    return kept if len(kept.hidden_fields[KEPT_CONTENT]) <= LONGEST_VALUE else None


def passed_on(form: Form, path: str) -> SavedForm | None:
    """The kept form within that of signing in. `path` is where it leads, once that was found to be safe."""
    if not form.text(KEPT_CONTENT) or path != form.text(KEPT_PATH):
        return None
    try:
        pairs = parse_qsl(form.raw(KEPT_CONTENT), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return None
    return SavedForm(path, pairs, form.is_checked(KEPT_FILES))


def offer(request: AdminRequest, saved: SavedForm, *, status: int = 200, reason: str = SIGNED_IN_AGAIN) -> None:
    """Answers with a page that sends the form again."""
    request.answer(SavedFormPage(saved, request.say(reason)), status=status, title=request.say(HEADING))


def offer_again(request: AdminRequest, form: Form, *without: str) -> None:
    """For a form whose page was opened in an earlier session of the same browser."""
    if not may_be_saved(request):
        raise ApiError(SESSION_TOKEN)
    offer(request, sent_to(request, form, *without), status=SESSION_TOKEN.status)


def offer_later(request: AdminRequest, form: Form, error: StoreUnavailable) -> None:
    """For a form that met another writer for too long."""
    if not may_be_saved(request):
        raise error
    offer(request, sent_to(request, form), status=UNAVAILABLE.status, reason=busy(error))
    request.resp.set_header("Retry-After", RETRY_AFTER)
