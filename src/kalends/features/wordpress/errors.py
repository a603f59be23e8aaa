"""The errors of WordPress, and which of them each error of the core becomes.

The sentences are the core's where it has one; only codes and some statuses differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from kalends.calendar.access import Caller
from kalends.contract import errors, interfaces
from kalends.contract.errors import ApiError, ErrorType, FieldError
from kalends.features.wordpress.records.fields import Meta
from kalends.features.wordpress.tables import MappedField
from kalends.languages import N_

Refusals = dict[int, ErrorType]  # by their status

NO_SUCH_RECORD = N_("There is no such record.")

NO_POST = ErrorType("rest_post_invalid_id", 404, NO_SUCH_RECORD)
NO_TERM = ErrorType("rest_term_invalid", 404, NO_SUCH_RECORD)
NO_PARENT_TERM = ErrorType("rest_term_invalid", 400, NO_SUCH_RECORD)
NO_USER = ErrorType("rest_user_invalid_id", 404, errors.NO_USER.message)
NO_TYPE = ErrorType("rest_type_invalid", 404, NO_SUCH_RECORD)
NO_TAXONOMY = ErrorType("rest_taxonomy_invalid", 404, NO_SUCH_RECORD)
NO_STATUS = ErrorType("rest_status_invalid", 404, NO_SUCH_RECORD)
NO_COMMENT = ErrorType("rest_comment_invalid_id", 404, NO_SUCH_RECORD)
NO_SUCH_PAGE = ErrorType("rest_post_invalid_page_number", 400, N_("The list has no such page."))
TEC_NO_SUCH_PAGE = ErrorType("tec_rest_organizers_page_not_found", 404, NO_SUCH_PAGE.message)  # of all three kinds

NOT_LOGGED_IN = ErrorType("rest_not_logged_in", 401, errors.LOG_IN_HOW)
POST_EXISTS = ErrorType("rest_post_exists", 400, N_("A new record cannot have an id."))
EMPTY_CONTENT = ErrorType("empty_content", 400, N_("The title, the content and the excerpt are all empty."))
NO_SEARCH_TERM = ErrorType("rest_no_search_term_defined", 400, N_("To order by relevance, search for something."))
NOT_HIERARCHICAL = ErrorType("rest_taxonomy_not_hierarchical", 400, N_("Tags have no parents."))
INVALID_AUTHOR = ErrorType("rest_invalid_author", 400, errors.NO_USER.message)
CANNOT_PUBLISH = ErrorType("rest_cannot_publish", 403, N_("You may not publish records."))
CANNOT_EDIT_OTHERS = ErrorType("rest_cannot_edit_others", 403, errors.FOREIGN_AUTHOR.message)
CANNOT_ASSIGN_TERM = ErrorType("rest_cannot_assign_term", 403, errors.NEW_TERM.message)
WRONG_POST_PASSWORD = ErrorType("rest_post_incorrect_password", 403, N_("The password of the record is wrong."))
ALREADY_TRASHED = ErrorType("rest_already_trashed", 410, N_("The record is in the trash already."))
NO_TRASH = ErrorType(
    "rest_trash_not_supported", 501, N_("This cannot be moved to the trash; send force=true to delete it for good.")
)

NO_DISPOSITION = ErrorType("rest_upload_no_content_disposition", 400, N_("This header is missing: {name}."))
BAD_DISPOSITION = ErrorType(
    "rest_upload_invalid_disposition",
    400,
    N_('The Content-Disposition header names no file; write it like attachment; filename="poster.png".'),
)
NO_CONTENT_TYPE = ErrorType("rest_upload_no_content_type", 400, N_("This header is missing: {name}."))
NO_DATA = ErrorType("rest_upload_no_data", 400, N_("The request has no file."))
NOT_IN_BATCHES = ErrorType("rest_batch_not_allowed", 400, N_("The requested route does not support batch requests."))
WRONG_HASH = ErrorType("rest_upload_hash_mismatch", 412, N_("The file does not match the Content-MD5 header."))
NOT_AN_IMAGE = ErrorType("rest_upload_sideload_error", 400, N_("The file must be one of: {accepted}."))


OF_UPLOADS = (NO_DISPOSITION, BAD_DISPOSITION, NO_CONTENT_TYPE, NO_DATA, WRONG_HASH, NOT_AN_IMAGE)


def _refusals(code: str, anonymous: str = errors.LOG_IN_HOW, known: str = errors.FORBIDDEN.message) -> Refusals:
    """A refusal of anonymous callers, and one of callers without the right."""
    return {401: ErrorType(code, 401, anonymous), 403: ErrorType(code, 403, known)}


NOT_PUBLIC = N_("This record is not public.")


# What a caller may not do, by what is done.
REFUSED = {
    "read": _refusals("rest_forbidden", NOT_PUBLIC, NOT_PUBLIC),
    "context": _refusals("rest_forbidden_context"),
    "create": _refusals("rest_cannot_create"),
    "edit": _refusals("rest_cannot_edit"),
    "update": _refusals("rest_cannot_update"),
    "delete": _refusals("rest_cannot_delete"),
    "view": _refusals("rest_cannot_view"),
    "view_user": _refusals("rest_user_cannot_view"),
}

# What an error of the core becomes in posts (events, venues, organizers), in images and in terms.
OF_POSTS: dict[ErrorType, ErrorType] = {
    **dict.fromkeys(errors.NOT_FOUND.values(), NO_POST),
    **dict.fromkeys(errors.IN_TRASH.values(), ALREADY_TRASHED),
    **dict.fromkeys(errors.NO_SUCH_PAGE.values(), NO_SUCH_PAGE),
    errors.NO_MEDIA: NO_POST,
    errors.PASSWORD_PROTECTED: WRONG_POST_PASSWORD,
    errors.FOREIGN_AUTHOR: CANNOT_EDIT_OTHERS,
    errors.NEW_TERM: CANNOT_ASSIGN_TERM,
}
OF_MEDIA: dict[ErrorType, ErrorType] = OF_POSTS | {errors.WRONG_MEDIA_TYPE: NOT_AN_IMAGE}
OF_TERMS: dict[ErrorType, ErrorType] = dict.fromkeys(errors.NOT_FOUND.values(), NO_TERM)
# A record that the caller may not read, whether it is a draft or in the trash.
UNREADABLE = frozenset({*errors.NOT_ACCESSIBLE.values(), errors.NO_LONGER_AVAILABLE})
# What a single problem of this name and code becomes.
OF_PROBLEMS = {("author", errors.UNKNOWN): INVALID_AUTHOR, ("parent", errors.UNKNOWN): NO_PARENT_TERM}


def error_names() -> dict[ErrorType, str]:
    """Every row, by its name here (`WP-NO_POST`, `WP-REFUSED-create-401`) or in the core."""
    found = {value: f"WP-{name}" for name, value in globals().items() if isinstance(value, ErrorType)}
    for action, by_status in REFUSED.items():
        found |= {error_type: f"WP-REFUSED-{action}-{status}" for status, error_type in by_status.items()}
    return found | interfaces.error_names()


@contextmanager
def as_wordpress(
    table: Mapping[ErrorType, ErrorType], action: str, caller: Caller, mapped: Sequence[MappedField] = ()
) -> Iterator[None]:
    """While this lasts, an error of the core is raised as that of WordPress. `action` is what is tried, and `mapped`
    has the names of the fields that the client knows."""
    try:
        yield
    except ApiError as api_error:
        found = api_error.error_type
        if found in (errors.LOGIN_NEEDED, errors.FORBIDDEN):
            raise refuse(action, caller) from None
        if found in UNREADABLE:
            raise refuse("read", caller) from None
        if found is errors.INVALID_PARAM:
            raise _renamed(api_error.data["problems"], mapped) from None  # type: ignore[arg-type]
        if found is errors.MISSING_PARAM or found not in table:
            raise
        data, headers, advice = api_error.data, api_error.headers, api_error.advice
        raise ApiError(table[found], data, headers, advice, **api_error.arguments) from None


def refuse(action: str, caller: Caller) -> ApiError:
    """The caller may not do this: 401 for an anonymous one, 403 for a known one."""
    return ApiError(REFUSED[action][401 if caller.is_anonymous else 403])


def _renamed(problems: Mapping[str, FieldError], mapped: Sequence[MappedField]) -> ApiError:
    """Problems of the core's fields, under the names that the client sent."""
    if len(problems) == 1:
        [(name, problem)] = problems.items()
        if (name, problem.code) in OF_PROBLEMS:
            return ApiError(OF_PROBLEMS[name, problem.code])
    names: dict[str, str] = {}
    for one in mapped:
        inner = [meta.core for meta in one.field.type.fields] if isinstance(one.field.type, Meta) else [one.core]
        names |= dict.fromkeys(inner, one.field.name)
    by_name = {names.get(name, name): problem for name, problem in problems.items()}
    return ApiError(errors.INVALID_PARAM, {"problems": by_name}, names=", ".join(by_name))
