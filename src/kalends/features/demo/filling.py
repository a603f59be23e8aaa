"""Fills an empty calendar with the town, through the calendar's own operations, so that every rule holds."""

from collections.abc import Callable, Sized
from dataclasses import dataclass, field

from kalends.calendar import site_settings
from kalends.calendar.access import Caller
from kalends.calendar.images import image_store, uploading
from kalends.calendar.lists import pages
from kalends.calendar.service import Calendar
from kalends.calendar.single_records import create_record, delete_post, read_post, update_post
from kalends.contract.errors import TERM_EXISTS, ApiError
from kalends.contract.fields import read_create, read_query, read_update
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind
from kalends.contract.statuses import STATUSES
from kalends.features.demo.plan import MOST, PlannedEvent, plan
from kalends.features.demo.posters import LOGO, PICTURES, draw
from kalends.features.demo.town import TOWN, Body, one_line
from kalends.store.rows.records import Event, Media
from kalends.values import zones
from kalends.values.dates import FIRST_YEAR

Progress = Callable[[], None]


@dataclass
class Filling:
    """Fills one calendar, and maps the names in the data file to the ids of the created records."""

    calendar: Calendar
    caller: Caller
    images: dict[str, int] = field(default_factory=dict)
    venues: dict[str, int] = field(default_factory=dict)
    organizers: dict[str, int] = field(default_factory=dict)
    categories: dict[str, int] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    events: list[int] = field(default_factory=list)
    trashed: int = 0  # how many of them
    series: dict[str, int] = field(default_factory=dict)  # the ids of the series under way, by their start

    def __post_init__(self) -> None:
        today = zones.to_local(self.calendar.clock(), TOWN.site["timezone"]).date()
        self.planned = plan(today)

    def __len__(self) -> int:
        """How many steps there are, for a progress bar."""
        tables: tuple[Sized, ...] = (PICTURES, TOWN.categories, TOWN.tags, TOWN.venues, TOWN.organizers, self.planned)
        return sum(len(table) for table in tables)

    def run(self, progress: Progress = lambda: None) -> None:
        """Creates everything; `progress` is called after each record."""
        self._name_the_site()
        for name, picture in PICTURES.items():
            self.images[name] = self._picture(name, picture).id
            progress()
        colours: dict[str, str] = {}
        for slug, row in TOWN.categories.items():
            colours[slug] = row.color or colours[row.parent]
            body = {"name": row.name, "slug": slug, "description": row.description, "color": colours[slug]}
            self.categories[slug] = self._term(CATEGORY, body | {"parent": self.categories.get(row.parent, 0)})
            progress()
        for slug, name in TOWN.tags.items():
            self.tags[slug] = self._term(TAG, {"name": name, "slug": slug})
            progress()
        for kind, table, ids in ((VENUE, TOWN.venues, self.venues), (ORGANIZER, TOWN.organizers, self.organizers)):
            for key, body in table.items():
                ids[key] = self._post(kind, body | {"slug": key, "description": one_line(body["description"])})
                progress()
        for event in self.planned:
            self.events.append(self._occurrence(event) if event.repeats else self._event(event))
            progress()

    def _name_the_site(self) -> None:
        """The name, the zone and the look of the town, unless somebody has set up the calendar already."""
        logo = self._picture("logo", LOGO)
        with self.calendar.writing(self.caller) as work:
            if not site_settings.is_set_up(work.session):
                file = str(logo.sizes.get("medium", {}).get("file") or logo.file)
                site_settings.save(work.session, TOWN.site | {"logo": file}, work.now)
        self.calendar.revision()  # what is created now is in the town's zone

    def _picture(self, name: str, picture: Body) -> Media:
        stored = uploading.store_image(self.calendar, self.caller, draw(picture), name)
        with self.calendar.writing(self.caller) as work:
            return image_store.describe(work, stored.id, str(picture["alt"]), stored.focus)

    def _event(self, planned: PlannedEvent) -> int:
        body = dict(planned.body)
        for field_name, known in (
            ("venue", self.venues),
            ("organizer", self.organizers),
            ("categories", self.categories),
            ("tags", self.tags),
        ):
            named = body[field_name]
            assert isinstance(named, list)
            body[field_name] = [known[name] for name in named]
        if planned.parent is not None:
            body["post_parent"] = self.events[planned.parent]
        id = self._post(EVENT, body)
        if planned.cancelled:
            self.calendar.write(self.caller, delete_post, EVENT, id, force=False)
            self.trashed += 1
        return id

    def _occurrence(self, planned: PlannedEvent) -> int:
        """An event of a series, all of which are created with the first; what differs this time becomes its own."""
        if planned.occurrence_of is None:
            self.series = self._dates_of(self._event(planned))
        id = self.series[str(planned.body["start_date"])]
        if planned.overrides:
            update_post(self.calendar, self.caller, EVENT, id, read_update(EVENT.fields, planned.overrides), "")
        return id

    def _dates_of(self, first: int) -> dict[str, int]:
        """The ids of a series by their start."""
        event, _ = read_post(self.calendar, self.caller, EVENT, first)
        assert isinstance(event, Event)
        asked = {"series": str(event.series), "starts_after": f"{FIRST_YEAR}-01-01", "per_page": str(MOST)}
        _, shown = self.calendar.read(self.caller, pages.list_events, read_query(EVENT.filters, asked))
        return {found.start_local: found.id for found, _ in shown}

    def _post(self, kind: Kind, body: Body) -> int:
        image = body.get("image")
        if image is not None:
            body = body | {"image": self.images[str(image)]}
        return self._record(kind, body)

    def _record(self, kind: Kind, body: Body) -> int:
        return create_record(self.calendar, self.caller, kind, read_create(kind.fields, body), "")[0].id

    def _term(self, kind: Kind, body: Body) -> int:
        try:
            return self._record(kind, body)
        except ApiError as api_error:
            if api_error.error_type is not TERM_EXISTS:
                raise
            return int(str(api_error.data["term_id"]))  # the calendar had such a term before


def has_events(calendar: Calendar, caller: Caller) -> bool:
    """Whether there is any event at all, of whatever status and time."""
    every = {"start_date": f"{FIRST_YEAR}-01-01", "end_date": "9999-12-31", "status": ",".join(STATUSES)}
    page, _ = calendar.read(caller, pages.list_events, read_query(EVENT.filters, every | {"show_hidden": "yes"}))
    return page.total > 0
