"""Reads a calendar file from its address: it is downloaded first, so that one that was cut off changes nothing."""

import hashlib
import shutil
import tempfile
import weakref
from datetime import datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from kalends.importing.record import SourceError
from kalends.importing.sources.ics import IcsFile
from kalends.importing.sources.web_client import BadRequest, Forbidden, NotFound, Unusable, WebClient, reason_of
from kalends.languages import N_

SCHEMES = ("http", "https", "webcal")


def is_address(place: str) -> bool:
    return urlsplit(place).scheme.lower() in SCHEMES


def is_calendar(address: str) -> bool:
    """Whether an address looks like that of a calendar file, and not like that of a site."""
    parts = urlsplit(address)
    return parts.scheme == "webcal" or parts.path.lower().endswith(".ics") or "ical" in parse_qs(parts.query)


class IcsAddress(IcsFile):
    """A calendar file elsewhere."""

    def __init__(
        self, address: str, client: WebClient, zone: str, first: datetime, last: datetime, name: str = ""
    ) -> None:
        parts = urlsplit(address)
        self._url = parts._replace(scheme="https" if parts.scheme.lower() == "webcal" else parts.scheme).geturl()
        self._client = client
        folder = tempfile.mkdtemp(prefix="kalends-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        host = parts.hostname or ""
        # The source is public, and the address of a calendar may be its secret.
        digest = hashlib.blake2b(self._url.encode(), digest_size=4).hexdigest()
        super().__init__(Path(folder) / "calendar.ics", zone, first, last, name or f"{host}-{digest}", host)

    def prepare(self) -> int:
        try:
            self._client.download(self._url, self.path)
        except (NotFound, Forbidden, BadRequest, Unusable) as failed:
            sentence = N_("the calendar at {host} cannot be read: {reason}")
            raise SourceError(sentence, host=self.label, reason=reason_of(failed)) from None
        return super().prepare()
