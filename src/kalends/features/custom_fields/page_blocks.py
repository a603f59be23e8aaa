"""The blocks of custom fields on pages: the values of an event, and the controls of forms and of the filters of the
calendar."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from kalends.admin.event_editor.page import EditorPage
from kalends.calendar.access import UnitOfWork
from kalends.contract.nested_parameters import inner_name
from kalends.features.custom_fields.contract import value_type
from kalends.features.custom_fields.filters import BOUNDS, NAME
from kalends.site import times
from kalends.site.calendar.calendar_selection import Selection
from kalends.site.calendar.calendar_views import CalendarPage
from kalends.site.calendar.filter_options import Filter, Option
from kalends.site.layout.frame import Pairs
from kalends.site.pages.page_blocks import Block
from kalends.site.records import external_links
from kalends.site.records.event_pages import EventPage
from kalends.site.submitting import SubmitPage
from kalends.values.custom_fields import CHOICE, CHOICES, DATE, RANGED, URL, WITH_OPTIONS, CustomField, Value, parts


def blocks(work: UnitOfWork, page: object) -> list[Block]:
    """That of a page which has something of custom fields."""
    content: Sequence[object] = ()
    match page:
        case EventPage():
            (_, bundle), language = page.bundled, page.frame.language
            name, content = "event", [custom_value(*one, language) for one in bundle.custom if one[0].public]
        case CalendarPage():
            selection, fields = page.context.selection, page.context.custom_fields.filters()
            name, content = "filter", [filter_control(field, selection) for field in fields]
        case EditorPage():
            fields = page.settings.custom_fields.fields
            name, content = "editor", [custom_control(field, page.event_form.text(field.key)) for field in fields]
        case SubmitPage():
            name, content = "submit", [custom_control(field, "") for field in page.asked]
    return [Block(f"features/custom_fields/{name}_block.html", content)] if content else []


@dataclass(frozen=True, slots=True)
class CustomValue:
    """What an event has of a custom field: some lines, or the name of an address."""

    label: str
    lines: Sequence[str]
    href: str = ""


def custom_value(field: CustomField, value: Value, language: str) -> CustomValue:
    """As people read it."""
    text = str(value)
    if field.type == URL:
        return CustomValue(field.label, [external_links.host(text)], text)
    if field.type == DATE:
        return CustomValue(field.label, [times.short_date(datetime.fromisoformat(text), language)])
    return CustomValue(field.label, [", ".join(parts(text))] if field.type == CHOICES else text.splitlines())


@dataclass(frozen=True, slots=True)
class CustomControl:
    """The control of a custom field. `choices`: values and labels; `chosen`: those of the event."""

    name: str
    label: str
    control: str
    value: str
    required: bool
    public: bool
    choices: Sequence[tuple[str, str]] = ()
    chosen: Sequence[str] = ()


def custom_control(field: CustomField, value: str) -> CustomControl:
    chosen = parts(value) if field.type == CHOICES else [value] if value else []
    options = [*field.options, *(one for one in chosen if one not in field.options)]
    choices = [] if field.type not in WITH_OPTIONS else [(option, option) for option in options]
    if field.type == CHOICE:
        choices = [("", "–"), *choices]
    control = value_type(field).control
    return CustomControl(field.key, field.label, control, value, field.required, field.public, choices, chosen)


@dataclass(frozen=True, slots=True)
class FilterControl:
    """One control: boxes to tick, the bounds of a range, or a value to write."""

    label: str
    parameter: str
    choices: Filter
    bounds: Pairs  # the parameters of a range with their values
    value: str  # what was written
    type: str  # of the input


def filter_control(field: CustomField, selection: Selection) -> FilterControl:
    """The control of a field, which an address may name by its key too."""
    by_name = [(name, value) for name, value in selection.pairs if name.startswith(f"{NAME}[")]
    chosen = [(name, value) for name, value in by_name if inner_name(name) in (field.name, field.key)]
    parameter = f"{NAME}[{field.name}]"
    choices, bounds = Filter(parameter, field.label, (), ()), list[tuple[str, str]]()
    if field.type in WITH_OPTIONS:
        ticked = {part.casefold() for _, value in chosen for part in (value, *parts(value.replace(",", "|")))}
        choices = choices._replace(
            options=tuple(Option(one, one) for one in field.options),
            chosen={one for one in field.options if one.casefold() in ticked},
        )
    elif field.type in RANGED:
        given = {name.rpartition("[")[2].removesuffix("]"): value for name, value in chosen}
        equal = next((value for name, value in chosen if name.endswith(f"{inner_name(name)}]")), "")
        bounds = [(f"{parameter}[{bound}]", given.get(bound, equal)) for bound in BOUNDS]
    value = chosen[0][1] if chosen else ""
    return FilterControl(field.label, parameter, choices, bounds, value, "date" if field.type == DATE else "text")
