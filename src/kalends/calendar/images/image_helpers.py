"""The helper processes of a worker that read images (`image_process.py`): one, and another one for another client, so
that nobody waits for all that one client sends."""

import atexit
from contextlib import ExitStack

from kalends.calendar.admission import IMAGE, WORKER
from kalends.calendar.images.image_process import ImageProcess, ImagesBusy
from kalends.calendar.images.processing import Picture
from kalends.contract.errors import ApiError

__all__ = ["ImagesBusy", "read_picture"]


class Helpers:
    """One for each place of the class IMAGE, started when it is needed."""

    def __init__(self) -> None:
        self._all = [ImageProcess() for _ in range(IMAGE.slots)]
        self._idle = list(self._all)

    def read(self, data: bytes) -> Picture:
        """The picture in these bytes. Raises NotAnImage, ImageTooLarge or ImagesBusy."""
        with ExitStack() as held:
            try:
                held.enter_context(WORKER.extra_slot(IMAGE))
            except ApiError:
                raise ImagesBusy from None
            helper = self._idle.pop()  # the one that was used last is there already
            held.callback(self._idle.append, helper)
            return helper.read(data)

    def close(self) -> None:
        for helper in self._all:
            helper.close()


shared = Helpers()
atexit.register(shared.close)


def read_picture(data: bytes) -> Picture:
    """As `processing.read_picture`, in a helper."""
    return shared.read(data)
