"""Events, venues and organizers, one at a time: what fetches, hashes or shows around the operations on them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import NamedTuple, TypeVar, cast

from kalends.calendar.access import Caller, UnitOfWork
from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.images import image_store
from kalends.calendar.images.uploading import remove_if_undone
from kalends.calendar.joint_transaction import Joint, RehearsalEnds
from kalends.calendar.lists import event_view
from kalends.calendar.lists.event_view import EventView
from kalends.calendar.lists.page_views import BundledEvent
from kalends.calendar.posts import creating, posts, protected_events, references, terms
from kalends.calendar.posts.apply_fields import check_required
from kalends.calendar.posts.posts import BundledPost, bundle_new_posts, bundle_post
from kalends.calendar.posts.terms import Counted
from kalends.calendar.series import operations
from kalends.calendar.transactions import Fetch, Transactions
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT, Kind
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.files.media_files import MediaFiles
from kalends.store.rows import external
from kalends.store.rows.records import Event, Media, Post
from kalends.values import dates

T = TypeVar("T")
Record = BundledPost | Counted  # a post with what it shows, or a term with the number of its events

# Changes of records that name images elsewhere: these are fetched before the change takes the writer's lock, and
# their files are removed if it fails.


def addresses_to_fetch(work: UnitOfWork, kind: Kind, reading: Reading) -> list[str]:
    """The images that a write names and that are not stored yet. Checks the whole write first: nothing is fetched for
    a request that fails anyway."""
    values = cast(Values, _copy(reading.values))
    posts.check(work, kind, values, Problems(dict(reading.problems.by_name)))
    wanted = list(dict.fromkeys(references.image_urls(kind, values)))
    if len(wanted) > image_store.MOST_FETCHES:
        reading.problems.add(
            "image",
            FieldError(
                OUT_OF_BOUNDS, N_("names more than {maximum} images to fetch."), maximum=image_store.MOST_FETCHES
            ),
        )
        reading.problems.raise_any()
    return wanted


@contextmanager
def fetched(
    wanted: list[str], fetch: Fetch, files: MediaFiles, settings: Settings, caller: Caller, at: str, reading: Reading
) -> Iterator[dict[str, Media]]:
    """The images at these addresses, with their files stored. Files without a record at the end are removed."""
    images: dict[str, Media] = {}
    try:
        for url in wanted:
            try:
                with WORKER.released(FETCH):
                    picture = fetch(url, settings)
            except FieldError as invalid:
                reading.problems.add("image", invalid)
                reading.problems.raise_any()
            stem = url.rsplit("/", 1)[-1].partition("?")[0].rpartition(".")[0]
            images[url] = image_store.save_files(files, picture, stem, caller, at)
        yield images
    except BaseException:
        for image in images.values():
            image_store.remove_files(files, image)
        raise
    for image in images.values():
        if not image.id:  # another request stored the same address meanwhile
            image_store.remove_files(files, image)


def _copy(value: object) -> object:
    if isinstance(value, dict):
        return {name: _copy(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_copy(inner) for inner in value]
    return value


def writing_with_images(
    calendar: Transactions, caller: Caller, kind: Kind, reading: Reading, base_url: str, key: posts.Key | None = None
) -> AbstractContextManager[UnitOfWork]:
    """A change that may name images elsewhere. They are fetched before it takes the writer's lock."""
    if references.image_urls(kind, reading.values):
        return _writing_with_fetched(calendar, caller, kind, reading, base_url, key)
    return calendar.writing(caller, base_url)


@contextmanager
def _writing_with_fetched(
    calendar: Transactions, caller: Caller, kind: Kind, reading: Reading, base_url: str, key: posts.Key | None
) -> Iterator[UnitOfWork]:
    with calendar.reading(caller) as work:
        rehearsal = UnitOfWork(work.session, caller, work.now, work.settings, base_url)
        wanted = addresses_to_fetch(rehearsal, kind, reading)
        if wanted and key is not None:
            posts.writable(rehearsal, kind, key)
    joint = calendar.joint
    known = {} if joint is None else {url: joint.fetched[url] for url in wanted if url in joint.fetched}
    wanted = [url for url in wanted if url not in known]
    if wanted:
        calendar.before_network_wait()
    at = dates.text(calendar.clock())
    with (
        fetched(wanted, calendar.fetch, calendar.files, calendar.settings, caller, at, reading) as found,
        _rehearsed_with(calendar, found),
        calendar.writing(caller, base_url) as work,
    ):
        work.fetched.update(known | found)
        yield work
        remove_if_undone(calendar, (known | found).values())


@contextmanager
def _rehearsed_with(calendar: Transactions, images: dict[str, Media]) -> Iterator[None]:
    """What a rehearsal has fetched is kept for the write that follows."""
    try:
        yield
    except RehearsalEnds:
        if (joint := calendar.joint) is not None:
            joint.fetched |= images
            images.clear()  # so that their files are not removed
        raise


@contextmanager
def fetching_only(calendar: Transactions, fetched: dict[str, Media]) -> Iterator[None]:
    """Within the block nothing is written: a write ends in RehearsalEnds. The images that it names were fetched
    before that, and are in `fetched`."""
    outer, joint = calendar.joint, Joint(calendar.store)
    joint.rehearses, joint.fetched = True, fetched
    calendar.use(joint)
    try:
        with suppress(RehearsalEnds):
            yield
    finally:
        calendar.use(outer)


def drop_fetched(calendar: Transactions, fetched: Mapping[str, Media]) -> None:
    """Removes the files of images that were fetched and of which no record was stored."""
    for image in fetched.values():
        if not image.id:
            image_store.remove_files(calendar.files, image)


Precondition = Callable[[BundledPost], None]  # raises when the record is not the one that the client expected


def create_record(calendar: Transactions, caller: Caller, kind: Kind, reading: Reading, base_url: str) -> Record:
    """A new record of any kind."""
    if kind.is_term:
        return calendar.write(caller, terms.create_counted, kind, reading)
    with writing_with_images(calendar, caller, kind, reading, base_url) as work:
        if kind is EVENT:
            check_required(work, reading.values)
        return bundle_new_posts(work, [operations.create(work, kind, reading)])[0]


def create_events(
    calendar: Transactions, caller: Caller, readings: Sequence[Reading], base_url: str
) -> list[creating.Result]:
    """Several events, stored together (`creating.create_events`); in place of one that is refused, the reason."""
    with calendar.writing(caller, base_url) as work:
        return creating.create_events(work, readings)


def read_post(
    calendar: Transactions, caller: Caller, kind: Kind, key: posts.Key, password: str | None = None, address: str = ""
) -> BundledPost:
    """One record. `password` unmasks a protected event; wrong ones from an address are throttled."""
    if password is not None and kind is EVENT:
        return protected_events.read_with_password(calendar, caller, key, password, address)
    with calendar.reading(caller) as work:
        return bundle_post(work, posts.read(work, kind, key))


def update_post(
    calendar: Transactions,
    caller: Caller,
    kind: Kind,
    key: posts.Key,
    reading: Reading,
    base_url: str,
    precondition: Precondition | None = None,
    scope: str = operations.THIS,
    *,
    first_is_whole: bool = False,
) -> BundledPost:
    """Changes a record. `scope`: of an event that repeats, which occurrences. `first_is_whole`: its first
    publication is that of all."""
    with writing_with_images(calendar, caller, kind, reading, base_url, key) as work:

        def check(post: Post) -> None:
            if precondition is not None:
                precondition(bundle_post(work, post))

        updated = operations.update(work, kind, key, reading, scope, check, first_is_whole=first_is_whole)
        return bundle_post(work, updated)


def copy_event(calendar: Transactions, caller: Caller, id: int, reading: Reading, base_url: str) -> BundledPost:
    """A new event with these values, which has the password of the one that it is a copy of."""
    with calendar.writing(caller, base_url) as work:
        return bundle_post(work, operations.create_copy(work, id, reading))


def view_event(
    calendar: Transactions,
    caller: Caller,
    key: posts.Key,
    show: Callable[[UnitOfWork, EventView], T],
    password: str | None = None,
    address: str = "",
    remembered: Sequence[str] = (),
) -> T:
    """The page of an event, as `show` makes it of what it shows. `password` unmasks a protected one, and so does what
    a browser remembers of it (`protected_events.remembered_password`); wrong ones from an address are throttled."""
    known: BundledPost | None = None
    if password is not None:
        known = protected_events.read_with_password(calendar, caller, key, password, address)
    elif remembered:
        known = protected_events.read_remembered(calendar, caller, key, remembered)
    with calendar.reading(caller) as work:
        if known is None:
            return show(work, event_view.of_event(work, key))
        return show(work, event_view.around(work, cast(BundledEvent, known)))


def delete_post(
    work: UnitOfWork,
    kind: Kind,
    key: posts.Key,
    *,
    force: bool,
    precondition: Precondition | None = None,
    scope: str = operations.THIS,
) -> BundledPost:
    """Deletes a record. `scope`: of an event that repeats, which occurrences."""
    shown = bundle_post(work, posts.writable(work, kind, key))
    if precondition is not None:
        precondition(shown)
    deleted = operations.delete(work, kind, shown[0], force=force, scope=scope)
    return (deleted, shown[1]) if force else bundle_post(work, deleted)  # for good, its links are gone with it


class FoundRecord(NamedTuple):
    """A record that has an id at a source. `is_series`: the id is that of a whole series."""

    id: int
    is_series: bool = False

    def narrowed(self, scope: str) -> str:
        """The scope of a change: of a series it is the whole, or its first date alone."""
        if not self.is_series:
            return scope
        return operations.THIS if scope == operations.THIS else operations.AS_SENT


def find_external(work: UnitOfWork, kind: Kind, source: str, external_id: str) -> FoundRecord | None:
    """The record of any kind that has this id at this source, if the caller can read all of it."""
    id = external.id_of(work.session, kind.name, source, external_id)
    if id is None or kind.is_term:
        return None if id is None else FoundRecord(id)
    post = posts.find(work, kind, id)
    if not work.visibility.can_read(post):
        return None
    if not isinstance(post, Event):
        return FoundRecord(id)
    if not work.visibility.can_unmask(post):  # what is masked hides where it comes from
        return None
    return FoundRecord(id, post.series is not None and external.is_of_series(work.session, post.series, id))
