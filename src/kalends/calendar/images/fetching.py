"""Fetches an image from a URL of a client."""

from typing import Final

from kalends.calendar.fetching.guarded import FetchLimits, GuardedResponse, opened
from kalends.calendar.fetching.reach import PUBLIC, Reach
from kalends.calendar.fetching.targets import TargetReason, TargetRefused
from kalends.languages import N_

__all__ = ["FetchLimits", "FetchRefused", "fetch_image"]

ACCEPT: Final = {"Accept": "image/avif,image/webp,image/png,image/jpeg,image/gif"}
_NO_IMAGE: Final = N_("The image URL did not answer with an image.")
SENTENCES: Final = {
    TargetReason.BAD_URL: N_("The image URL is not a plain http or https URL."),
    TargetReason.BAD_PORT: N_("The image URL has a port that is not allowed."),
    TargetReason.NOT_PUBLIC: N_("The image URL does not lead to a public address."),
    TargetReason.FAILED: N_("The image could not be fetched."),
    TargetReason.UNTRUSTED: N_("The image could not be fetched."),
    TargetReason.SLOW: N_("The image took too long to fetch."),
    TargetReason.TOO_LARGE: N_("The image at this URL is too large."),
    TargetReason.NO_CONTENT: _NO_IMAGE,
    TargetReason.REDIRECTS: N_("The image URL redirects too often."),
    TargetReason.DOWNGRADE: N_("The image URL redirects from https to http."),
}


class FetchRefused(ValueError):
    """The image is not fetched; the sentence may be shown to the client."""


def fetch_image(url: str, limits: FetchLimits, reach: Reach = PUBLIC) -> bytes:
    """The body of the image at the URL, after at most a few redirects, each under the same rules."""
    try:
        with opened(url, limits, ACCEPT, reach) as response:
            if not _is_image(response):
                raise FetchRefused(_NO_IMAGE)
            return response.body()
    except TargetRefused as refused:
        raise FetchRefused(SENTENCES[refused.reason]) from None


def _is_image(response: GuardedResponse) -> bool:
    kind = (response.headers.get("Content-Type") or "").strip().lower()
    encoded = (response.headers.get("Content-Encoding") or "identity").strip().lower() != "identity"
    octets = kind.split(";")[0].strip() in ("application/octet-stream", "binary/octet-stream")
    return response.status == 200 and not encoded and (kind.startswith("image/") or octets)
