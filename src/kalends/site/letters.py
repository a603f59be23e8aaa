"""What letters are written with: their parts, and the reader in whose language their sentences are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from babel.dates import format_timedelta

from kalends.calendar.letters import Facts
from kalends.contract.statuses import MOVED_ONLINE, SCHEDULED
from kalends.languages import N_, translate
from kalends.present.event_statuses import LABELS, titled
from kalends.settings import Settings
from kalends.site import times
from kalends.site.events.listed_events import ONLINE
from kalends.site.times import Span

END = N_("Stop these messages")
MANAGED = N_("You get this because you have an account here. In your profile you choose which messages you get.")


@dataclass(frozen=True, slots=True)
class LetterLink:
    label: str
    href: str


@dataclass(frozen=True, slots=True)
class LetterItem:
    """A line of a list, such as an event: its title, and what is below it."""

    title: str
    href: str
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A letter before it has a form. `reason`: why somebody gets it; `end`: how it ends."""

    subject: str
    paragraphs: Sequence[str]
    items: Sequence[LetterItem] = ()
    quote: Sequence[str] = ()  # what a person wrote, by lines
    button: LetterLink | None = None
    more: Sequence[str] = ()  # paragraphs after the button
    reason: str = ""
    end: LetterLink | None = None


@dataclass(frozen=True, slots=True)
class LetterReader:
    """For whom a letter is written."""

    settings: Settings
    language: str

    def say(self, sentence: str, **values: object) -> str:
        """A sentence that is marked for translation, with these values."""
        return translate(sentence, self.language).format(**values)

    @property
    def site(self) -> str:
        return self.settings.site_name

    def address(self, path: str) -> str:
        """Of the site itself, never of what a request said."""
        return f"{self.settings.base_url}{path}"

    def link(self, label: str, path: str) -> LetterLink:
        return LetterLink(self.say(label), self.address(path))

    def end(self, facts: Facts) -> LetterLink:
        return self.link(END, str(facts["end"]))

    def further(self, count: int) -> list[str]:
        """How many more there are than the letter names."""
        return [self.say(N_("And {count} more."), count=count)] if count > 0 else []

    def moment(self, utc: str) -> str:
        return times.site_moment(utc, self.settings.timezone, self.language)

    def in_time(self, remaining: timedelta) -> str:
        """How long it is until then, in full minutes, hours or days: `in 2 hours`."""
        locale = times.locale(self.language)
        return str(format_timedelta(remaining, granularity="minute", threshold=1, add_direction=True, locale=locale))

    def item(self, event: Facts, *more: str) -> LetterItem:
        """An event: its title after its state, path, times and venue, and `more` lines below them."""
        lines = [self.when(event)]
        if event.get("status") == MOVED_ONLINE:
            lines.append(self.say(ONLINE))
        elif event.get("venue"):
            lines.append(str(event["venue"]))
        title = titled(str(event["title"]), str(event.get("status") or SCHEDULED), self.language)
        return LetterItem(title, self.address(str(event["path"])), [line for line in (*lines, *more) if line])

    def changes(self, before: Facts, after: Facts) -> list[str]:
        """What changed of an event, each as it was and as it is."""
        differences = [
            (N_("Title: {before} → {after}"), str(before["title"]), str(after["title"])),
            (N_("When: {before} → {after}"), self.when(before), self.when(after)),
            (N_("Where: {before} → {after}"), str(before["venue"]) or "–", str(after["venue"]) or "–"),
            (N_("Takes place: {before} → {after}"), *(self._state(event) for event in (before, after))),
        ]
        return [self.say(words, before=old, after=new) for words, old, new in differences if old != new]

    def _state(self, event: Facts) -> str:
        return translate(LABELS.get(str(event["status"] or SCHEDULED), ""), self.language)

    def when(self, event: Facts) -> str:
        if not event.get("start_local"):
            return ""
        span = Span(
            str(event["start_local"]),
            str(event["end_local"]),
            str(event["start_utc"]),
            str(event["end_utc"]),
            str(event["timezone"]),
            bool(event["all_day"]),
        )
        written = times.when(span, self.language)
        zone = times.foreign_zone(span, self.settings.timezone, self.language)
        return " ".join(filter(None, (", ".join(filter(None, (written.days, written.hours))), zone)))
