"""The operations of sources. Rights are asked here."""

import hashlib
from collections.abc import Mapping
from typing import NamedTuple, cast
from urllib.parse import urlsplit

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, may_manage_site, require, require_to_read
from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.fetching import guarded
from kalends.calendar.fetching.targets import TargetReason, TargetRefused
from kalends.contract.errors import NOT_IN_ENUM, WRONG_FORMAT, ApiError, FieldError, Problems
from kalends.contract.kinds import CATEGORY, KIND_OF, ORGANIZER, TAG, VENUE
from kalends.contract.statuses import TRASH
from kalends.features.importing.matching.identities import find as find_record
from kalends.features.importing.sources.files import source_name
from kalends.features.sources import login, rows
from kalends.features.sources.contract import AT_ONCE, USUAL, USUAL_AHEAD, USUAL_BACK
from kalends.features.sources.contract import TRASH as TO_TRASH
from kalends.features.sources.duplicates.rows import TASK as DUPLICATES
from kalends.features.sources.errors import BAD_SOURCE, NO_SOURCE
from kalends.features.sources.remote.fetching import REASONS, plain_address, reach_of
from kalends.features.sources.rows import TASK as KIND
from kalends.features.sources.rows import Source, SourceRun, SourceStatus
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.rows import journal, merges, tasks, users
from kalends.store.rows.records import Post, User

MOST = 2000  # sources of a calendar
CHECK_TIMEOUT = 3.0  # seconds for the lookup of an address that somebody enters
LISTS = ("categories", "tags", "take", "leave_out")
RECORDS = {"categories": CATEGORY, "tags": TAG, "venue": VENUE, "organizer": ORGANIZER}
# What changes what is taken from it: what has not changed there is read again.
TELLING = ("address", "login", "publish", *RECORDS, "author", "back", "ahead", "take", "leave_out", "images")
NO_KEY = N_("a log-in is stored encrypted, and the setting secret_key is empty")
TAKEN = N_("is the address of another source.")
NOT_THERE = N_("names a record that is not there.")

Values = Mapping[str, object]


class SourceState(NamedTuple):
    source: Source
    state: SourceStatus


def everyone(work: UnitOfWork) -> list[SourceState]:
    require_to_read(may_manage_site(work.caller), work.caller)
    states, found = rows.states(work.session), _with_merged(work, rows.everyone(work.session))
    return [SourceState(one, states.get(one.id) or SourceStatus(id=one.id)) for one in found]


def find(work: UnitOfWork, id: int) -> SourceState:
    require_to_read(may_manage_site(work.caller), work.caller)
    found = rows.find(work.session, id)
    if found is None:
        raise ApiError(NO_SOURCE)
    return SourceState(_with_merged(work, [found])[0], rows.state(work.session, id))


def at_address(work: UnitOfWork, address: str) -> SourceState | None:
    require_to_read(may_manage_site(work.caller), work.caller)
    found = rows.at_address(work.session, address)
    return None if found is None else find(work, found.id)


def runs(work: UnitOfWork, id: int, most: int) -> list[SourceRun]:
    find(work, id)
    return rows.runs(work.session, id, most)


def check(caller: Caller, values: Values, settings: Settings) -> None:
    """Refuses what cannot be, before a transaction begins: names are looked up."""
    require(may_manage_site(caller), caller)
    if values.get("login") and not settings.secret_key:
        raise ApiError(BAD_SOURCE, reason=FieldError("", NO_KEY))
    if "address" not in values:
        return
    try:
        with WORKER.released(FETCH):
            guarded.check(plain_address(str(values["address"])), CHECK_TIMEOUT, reach_of(settings))
    except TargetRefused as refused:
        if refused.reason in (TargetReason.FAILED, TargetReason.SLOW):
            return  # it may be there later
        reason = FieldError("", REASONS[refused.reason])
        problem = FieldError(WRONG_FORMAT, N_("cannot be used: {reason}."), reason=reason)
        raise Problems({"address": problem}).error() from None


def draft(work: UnitOfWork, values: Values) -> Source:
    """A source that is not added yet."""
    require_to_read(may_manage_site(work.caller), work.caller)
    address = str(values["address"])
    source = Source(
        address="",
        origin=origin_of(address),
        every=USUAL,
        publish=AT_ONCE,
        author=work.caller.user or _first_administrator(work),
        back=USUAL_BACK,
        ahead=USUAL_AHEAD,
        when_gone=TO_TRASH,
        created_utc=work.now_text,
    )
    return _with(work, source, values)


def create(work: UnitOfWork, values: Values, origin: str = "") -> SourceState:
    """A new source, which is read at once. `origin`: what records of it remember already."""
    require(may_manage_site(work.caller), work.caller)
    if len(rows.everyone(work.session)) >= MOST:
        raise ApiError(BAD_SOURCE, reason=FieldError("", N_("there are {maximum} sources already"), maximum=MOST))
    source = draft(work, values)
    source.origin = origin or source.origin
    if rows.of_origin(work.session, source.origin) is not None:  # another address, which was there first
        source.origin = f"{source.origin[:40]}-{work.now:%Y%m%d%H%M%S}"
    rows.insert(work.session, source)
    _follow(work, source, anew=True)
    return find(work, source.id)


def update(work: UnitOfWork, id: int, values: Values) -> SourceState:
    require(may_manage_site(work.caller), work.caller)
    before, state = find(work, id)
    source = _with(work, before, values)
    rows.update(work.session, source)
    if source.address != before.address:  # there may be something else
        rows.put_state(work.session, msgspec.structs.replace(state, kind=""))
    anew = any(getattr(source, name) != getattr(before, name) for name in (*TELLING, "active"))
    if anew or source.every != before.every:
        _follow(work, source, anew=anew)
    return find(work, id)


def delete(work: UnitOfWork, id: int) -> SourceState:
    """What it has brought stays."""
    require(may_manage_site(work.caller), work.caller)
    found = find(work, id)
    rows.delete(work.session, found.source)
    tasks.remove(work.session, KIND, str(id))
    return found


def hand_over(work: UnitOfWork, person: User, heir: User | None) -> None:
    """What the sources of a removed person bring belongs to who takes over their records."""
    replace_author(work, person.id, None if heir is None else heir.id)


def replace_author(work: UnitOfWork, before: int, author: int | None = None) -> None:
    """What sources bring belongs to somebody else; by default to who runs the site."""
    rows.change_author(work.session, before, author or _first_administrator(work))


def _with_merged(work: UnitOfWork, sources: list[Source]) -> list[Source]:
    """With the records that those which they name were merged into."""
    for name, kind in RECORDS.items():
        ids = {id for source in sources for id in _named(source, name)}
        merged = merges.merged_into(work.session, kind.name, ids) if ids else {}
        for source in sources if merged else ():
            now = list(dict.fromkeys(merged.get(id, id) for id in _named(source, name)))
            setattr(source, name, msgspec.json.encode(now).decode() if name in LISTS else sum(now[:1]))
    return sources


def _named(source: Source, name: str) -> list[int]:
    return [int(id) for id in (source.listed(name) if name in LISTS else [getattr(source, name)]) if id]


def origin_of(address: str) -> str:
    """What records of this address remember: without what may be its secret."""
    host = (urlsplit(address).hostname or "").removeprefix("www.")
    digest = hashlib.blake2b(plain_address(address).encode(), digest_size=4).hexdigest()
    return source_name(f"{host[:40]}-{digest}")


def _with(work: UnitOfWork, source: Source, values: Values) -> Source:
    """A source with other values. Raises ApiError for what names nothing."""
    known = {name: value for name, value in values.items() if name in Source.__struct_fields__ and name != "login"}
    _check_records(work, source, known)
    for name in LISTS:
        if name in known:
            known[name] = msgspec.json.encode(known[name]).decode()
    if "window" in values:
        known |= dict(zip(("back", "ahead"), cast(tuple[int, int], values["window"]), strict=True))
    if "login" in values:
        written = values["login"]
        known["login"] = login.sealed(written, work.settings) if isinstance(written, login.SourceLogin) else ""
    changed = msgspec.structs.replace(source, **known)
    if not changed.name:
        changed.name = urlsplit(changed.address).hostname or ""
    return changed


def _check_records(work: UnitOfWork, source: Source, known: dict[str, object]) -> None:
    problems = Problems()
    for name, kind in RECORDS.items():
        named = known.get(name) or []
        for id in named if isinstance(named, list) else [int(str(named))]:
            found = find_record(work.session, KIND_OF[kind.name], id)
            if found is None or (isinstance(found, Post) and found.status == TRASH):
                problems.add(name, FieldError(NOT_IN_ENUM, NOT_THERE))
    author = known.get("author")
    if author == 0:
        del known["author"]
    elif author is not None and users.find_user(work.session, int(str(author))) is None:
        problems.add("author", FieldError(NOT_IN_ENUM, NOT_THERE))
    if "address" in known:
        other = rows.at_address(work.session, str(known["address"]))
        if other is not None and other.id != source.id:
            problems.add("address", FieldError(WRONG_FORMAT, TAKEN))
    problems.raise_any()


def _first_administrator(work: UnitOfWork) -> int:
    found = [one.id for one in users.all_users(work.session) if one.role == "administrator" and not one.disabled]
    return found[0] if found else 0


def _follow(work: UnitOfWork, source: Source, *, anew: bool) -> None:
    """From now on it is read at its time, or not any more. `anew`: at once."""
    if not source.active:
        tasks.remove(work.session, KIND, str(source.id))
        return
    if anew:
        rows.begin_anew(work.session, source.id, work.now_text)
    else:
        state = rows.state(work.session, source.id)
        state.next_run = work.now_text
        rows.put_state(work.session, state)
    tasks.add(work.session, KIND, str(source.id), work.now_text)
    if tasks.find(work.session, DUPLICATES, "") is None:  # what people enter from now on may be what it has
        tasks.add(work.session, DUPLICATES, "", work.now_text, str(journal.last_rev(work.session)))
