"""Reads the reference site as an import does, without waiting."""

from typing import Any

from tests.conftest import World
from tests.features.importing.conftest import import_into
from tests.features.importing.reference_site import ReferenceSite

from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.applying.report import Report
from kalends.features.importing.sources.site import RemoteSite
from kalends.features.importing.sources.web_client import WebClient


class Naps(list[float]):
    """Pauses that were asked for, without waiting."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def client(naps: Naps | None = None, **more: Any) -> WebClient:
    return WebClient(**{"allow_private": True, "sleep": naps if naps is not None else Naps()} | more)


def read(world: World, site: ReferenceSite, *, options: ImportOptions | None = None, **more: Any) -> Report:
    return import_into(world, RemoteSite(site.url, client(**more), "UTC"), options=options)
