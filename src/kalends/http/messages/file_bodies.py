"""A stored file as the body of a response, in pieces: a client that does not read holds one of them, not the file."""

import weakref
from collections.abc import Iterator

from kalends.store.files.media_files import MediaUnavailable, OpenFile

PIECE = 64 * 1024


class FileBody:
    """The pieces of a file, which is closed once they are read, or with the response that was broken off or dropped.
    To read them is no work for which others should wait, or which should wait for others: they need no turn."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self.close = weakref.finalize(self, file.close)

    def __iter__(self) -> Iterator[bytes]:
        left = self._file.size
        while left:
            # The last piece is never a short one: what is sent in place of the rest when a response is broken off
            # (http/streams.py) must not make it as long as it says.
            piece = self._file.read(PIECE if left >= 2 * PIECE else left)
            if not piece:
                raise MediaUnavailable("an image has become shorter while it was sent")
            left -= len(piece)
            yield piece
        self.close()
