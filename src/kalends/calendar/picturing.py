"""Pictures that come with a change: their files are stored, or fetched from elsewhere, before it takes the writer's
lock, and removed if it fails."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import PurePosixPath

from kalends.calendar.access import Caller, may_upload, require
from kalends.calendar.images import image_store
from kalends.calendar.images.image_helpers import read_picture
from kalends.calendar.joint import Joint, Rehearsed
from kalends.calendar.listing import Listing
from kalends.calendar.posts import image_fetch, posts, references
from kalends.calendar.posts.image_fetch import Fetch
from kalends.calendar.transactions import Clock
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading
from kalends.contract.kinds import Kind
from kalends.settings import Settings
from kalends.store.engine.store import Store
from kalends.store.files.media_files import MediaFiles
from kalends.store.rows.records import Media
from kalends.values import dates, markup

LONGEST_FILE_NAME = 200  # of an uploaded file, as it is shown


class Picturing(Listing):
    """What writes with images, and the images themselves."""

    def __init__(self, store: Store, files: MediaFiles, settings: Settings, clock: Clock, fetch: Fetch) -> None:
        super().__init__(store, settings, clock)
        self.files = files
        self._fetch = fetch

    def store_image(self, caller: Caller, data: bytes, name: str) -> Media:
        """Stores an uploaded image. Raises NotAnImage, ImageTooLarge or ImagesBusy."""
        require(may_upload(caller), caller)
        with self._saved_picture(caller, data, name) as stored, self.writing(caller) as work:
            return image_store.insert_record(work, stored)

    @contextmanager
    def _saved_picture(self, caller: Caller, data: bytes, name: str) -> Iterator[Media]:
        """The files of a picture, stored before anything waits for the writer's lock, and removed if that fails. Its
        record has no id yet."""
        picture, stem = read_picture(data), PurePosixPath(name).stem
        at, shown = dates.text(self.clock()), markup.plain(PurePosixPath(name).name[-LONGEST_FILE_NAME:])
        stored = image_store.save_files(self.files, picture, stem, caller, at, name=shown)
        try:
            yield stored
        except BaseException:
            image_store.remove_files(self.files, stored)
            raise
        self._remove_if_undone([stored])

    def read_image(self, caller: Caller, *, id: int | None = None, file: str = "") -> Media:
        """An image that the caller may see, by its id or by the name of one of its files."""
        with self.reading(caller) as work:
            return image_store.read(work, id, file)

    def delete_image(self, caller: Caller, id: int) -> Media:
        """Deletes an image for good, with its files. Many records lose it in steps, between which other writers have
        their turn, and readers find it at some of them; if that ends in between, it is only to be asked for again."""
        self.write_ahead(caller, image_store.take_from_some, id)
        with self.writing(caller) as work:
            image = image_store.delete(work, id)
        self.when_committed(lambda: image_store.remove_files(self.files, image))
        return image

    def delete_unused_image(self, caller: Caller, id: int) -> bool:
        """Deletes an image that nothing shows; whether it was deleted."""
        with self.writing(caller) as work:
            image = None if image_store.is_used(work, id) else image_store.delete(work, id)
        if image is not None:
            image_store.remove_files(self.files, image)
        return image is not None

    def _writing_with_images(
        self, caller: Caller, kind: Kind, reading: Reading, base_url: str, key: posts.Key | None = None
    ) -> AbstractContextManager[UnitOfWork]:
        """A change that may name images elsewhere. They are fetched before it takes the writer's lock."""
        if references.image_urls(kind, reading.values):
            return self._writing_with_fetched(caller, kind, reading, base_url, key)
        return self.writing(caller, base_url)

    @contextmanager
    def _writing_with_fetched(
        self, caller: Caller, kind: Kind, reading: Reading, base_url: str, key: posts.Key | None
    ) -> Iterator[UnitOfWork]:
        with self.reading(caller) as work:
            rehearsal = UnitOfWork(work.session, caller, work.now, work.settings, base_url)
            wanted = image_fetch.addresses_to_fetch(rehearsal, kind, reading)
            if wanted and key is not None:
                posts.writable(rehearsal, kind, key)
        joint = self.joint
        known = {} if joint is None else {url: joint.fetched[url] for url in wanted if url in joint.fetched}
        wanted = [url for url in wanted if url not in known]
        if wanted:
            self.give_way()
        at = dates.text(self.clock())
        with (
            image_fetch.fetched(wanted, self._fetch, self.files, self.settings, caller, at, reading) as found,
            self._rehearsed_with(found),
            self.writing(caller, base_url) as work,
        ):
            work.fetched.update(known | found)
            yield work
            self._remove_if_undone((known | found).values())

    @contextmanager
    def _rehearsed_with(self, images: dict[str, Media]) -> Iterator[None]:
        """What a rehearsal has fetched is kept for the write that follows."""
        try:
            yield
        except Rehearsed:
            if (joint := self.joint) is not None:
                joint.fetched |= images
                images.clear()  # so that their files are not removed
            raise

    @contextmanager
    def fetching_only(self, fetched: dict[str, Media]) -> Iterator[None]:
        """Within the block nothing is written: a write ends in Rehearsed. The images that it names were fetched
        before that, and are in `fetched`."""
        outer, joint = self.joint, Joint(self.store)
        joint.rehearses, joint.fetched = True, fetched
        self._thread.joint = joint
        try:
            with suppress(Rehearsed):
                yield
        finally:
            self._thread.joint = outer

    def drop_fetched(self, fetched: Mapping[str, Media]) -> None:
        """Removes the files of images that were fetched and of which no record was stored."""
        for image in fetched.values():
            if not image.id:
                image_store.remove_files(self.files, image)

    def _remove_if_undone(self, images: Iterable[Media]) -> None:
        """Where the transaction of this write goes on after it, it may still be undone."""
        if (joint := self.joint) is not None:
            for image in images:
                joint.when_undone(partial(image_store.remove_files, self.files, image))
