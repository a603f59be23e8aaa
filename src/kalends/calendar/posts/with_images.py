"""Changes of records that name images elsewhere: these are fetched before the change takes the writer's lock, and
their files are removed if it fails."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import cast

from kalends.calendar.access import Caller
from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.images import image_store
from kalends.calendar.images.uploading import remove_if_undone
from kalends.calendar.joint_transaction import Joint, Rehearsed
from kalends.calendar.posts import posts, references
from kalends.calendar.transactions import Fetch, Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import Kind
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.files.media_files import MediaFiles
from kalends.store.rows.records import Media
from kalends.values import dates

# Fetches the images that a write names by their address, before its transaction begins.


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
                with WORKER.aside(FETCH):
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
        calendar.give_way()
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
    except Rehearsed:
        if (joint := calendar.joint) is not None:
            joint.fetched |= images
            images.clear()  # so that their files are not removed
        raise


@contextmanager
def fetching_only(calendar: Transactions, fetched: dict[str, Media]) -> Iterator[None]:
    """Within the block nothing is written: a write ends in Rehearsed. The images that it names were fetched
    before that, and are in `fetched`."""
    outer, joint = calendar.joint, Joint(calendar.store)
    joint.rehearses, joint.fetched = True, fetched
    calendar.use(joint)
    try:
        with suppress(Rehearsed):
            yield
    finally:
        calendar.use(outer)


def drop_fetched(calendar: Transactions, fetched: Mapping[str, Media]) -> None:
    """Removes the files of images that were fetched and of which no record was stored."""
    for image in fetched.values():
        if not image.id:
            image_store.remove_files(calendar.files, image)
