"""Fetches the images that a write names by their address, before its transaction begins."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from kalends.calendar.access import Caller
from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.images import image_store
from kalends.calendar.posts import posts, references
from kalends.calendar.transactions import Fetch
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import Kind
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.files.media_files import MediaFiles
from kalends.store.rows.records import Media


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
