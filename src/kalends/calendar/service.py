"""The calendar: one store, its image files, its settings and its clock. Operations are functions of a unit of work,
which `calendar.read` and `calendar.write` call, each in a transaction of its own; what takes several, or fetches or
hashes before one begins, is a function of the calendar."""

from kalends.calendar.background.background import Background
from kalends.calendar.images import image_store
from kalends.calendar.transactions import Clock, Fetch, Transactions
from kalends.settings import Settings
from kalends.store.engine.store import Store
from kalends.store.files.media_files import MediaFiles


class Calendar(Transactions):
    """Its transactions, with what follows them."""

    def __init__(
        self, store: Store, files: MediaFiles, settings: Settings, clock: Clock, fetch: Fetch = image_store.fetch
    ) -> None:
        super().__init__(store, files, settings, clock, fetch)
        self.background = Background(self)
