"""The filters by custom fields on the pages of the calendar: a control for each that the owner wants."""

from dataclasses import dataclass

from kalends.features.custom_fields.filters import BOUNDS, NAME, field_of, is_part
from kalends.site.calendar.calendar_selection import Selection
from kalends.site.calendar.filter_options import Filter, Option
from kalends.site.layout import Pairs
from kalends.values.custom_fields import DATE, RANGED, WITH_OPTIONS, CustomField, CustomFields, parts


@dataclass(frozen=True, slots=True)
class CustomFilter:
    """One control: boxes to tick, the bounds of a range, or a value to write."""

    label: str
    parameter: str
    choices: Filter
    bounds: Pairs  # the parameters of a range with their values
    value: str  # what was written
    type: str  # of the input


@dataclass(frozen=True, slots=True)
class CustomFilters:
    """Those of one calendar."""

    defined: CustomFields

    @property
    def wanted(self) -> list[CustomField]:
        return [field for field in self.defined.public() if field.filter]

    def controls(self, selection: Selection) -> list[CustomFilter]:
        return [_control(field, _chosen(field, selection)) for field in self.wanted]

    def without_control(self, selection: Selection) -> Pairs:
        """What is chosen by other fields."""
        known = {name for field in self.wanted for name in (field.name, field.key)}
        return [(name, value) for name, value in selection.pairs if is_part(name) and field_of(name) not in known]


def _chosen(field: CustomField, selection: Selection) -> Pairs:
    """What is chosen by a field, which an address may name by its key too."""
    return [
        (name, value)
        for name, value in selection.pairs
        if is_part(name) and field_of(name) in (field.name, field.key)
    ]


def _control(field: CustomField, chosen: Pairs) -> CustomFilter:
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
        equal = next((value for name, value in chosen if name.endswith(f"{field_of(name)}]")), "")
        bounds = [(f"{parameter}[{bound}]", given.get(bound, equal)) for bound in BOUNDS]
    value = chosen[0][1] if chosen else ""
    return CustomFilter(field.label, parameter, choices, bounds, value, "date" if field.type == DATE else "text")
