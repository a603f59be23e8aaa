"""The details of an event on its page: the rows that say so, each with its label and its value in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from kalends.contract.fields import RecordField
from kalends.contract.types.custom_values import Day, SomeOf
from kalends.contract.types.numbers import Flag
from kalends.contract.types.scalars import OpenUrl
from kalends.languages import N_, translate
from kalends.present.event_details import details
from kalends.site import times
from kalends.site.records import external_links
from kalends.store.rows.records import Bundle, Event
from kalends.values.choices import parts


@dataclass(frozen=True, slots=True)
class Detail:
    """What an event has of a field: some lines, or the name of an address."""

    label: str
    lines: Sequence[str]
    href: str = ""


def details_of(event: Event, bundle: Bundle, language: str) -> list[Detail]:
    return [_in_words(row, value, language) for row, value in details(event, bundle)]


def _in_words(row: RecordField, value: object, language: str) -> Detail:
    """As people read it."""
    label, text = row.label_in(language), str(value)
    match row.type:
        case OpenUrl():
            return Detail(label, [external_links.host(text)], text)
        case Day():
            return Detail(label, [times.short_date(datetime.fromisoformat(text), language)])
        case SomeOf():
            return Detail(label, [", ".join(parts(text))])
        case Flag():
            return Detail(label, [translate(N_("Yes"), language)])
        case _:
            return Detail(label, text.splitlines())
