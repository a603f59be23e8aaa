"""Changes of records that name images elsewhere: these are fetched before the change takes the writer's lock, and
their files are removed if it fails."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress

from kalends.calendar.access import Caller
from kalends.calendar.images import image_store
from kalends.calendar.images.uploading import remove_if_undone
from kalends.calendar.joint_transaction import Joint, Rehearsed
from kalends.calendar.posts import image_fetch, posts, references
from kalends.calendar.transactions import Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading
from kalends.contract.kinds import Kind
from kalends.store.rows.records import Media
from kalends.values import dates


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
        wanted = image_fetch.addresses_to_fetch(rehearsal, kind, reading)
        if wanted and key is not None:
            posts.writable(rehearsal, kind, key)
    joint = calendar.joint
    known = {} if joint is None else {url: joint.fetched[url] for url in wanted if url in joint.fetched}
    wanted = [url for url in wanted if url not in known]
    if wanted:
        calendar.give_way()
    at = dates.text(calendar.clock())
    with (
        image_fetch.fetched(wanted, calendar.fetch, calendar.files, calendar.settings, caller, at, reading) as found,
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
