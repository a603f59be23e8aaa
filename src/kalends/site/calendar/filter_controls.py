"""Controls of the filter bar whose words are ticked or written: of rows of the contract, and of defined fields."""

from dataclasses import dataclass

from kalends.contract.fields import ListFilter
from kalends.contract.kinds.defined_fields import DefinedField
from kalends.contract.kinds.event_filters import CUSTOM_FILTER
from kalends.contract.nested_parameters import inner_name
from kalends.contract.types.custom_values import BOUNDS, Day, OneOf, Quantity
from kalends.contract.types.lists import StatusFilter
from kalends.languages import translate
from kalends.site.calendar.calendar_selection import Selection
from kalends.site.calendar.filter_options import Filter, Option
from kalends.site.layout.frame import Pairs
from kalends.values.choices import parts


@dataclass(frozen=True, slots=True)
class FilterControl:
    """One control: boxes to tick, the bounds of a range, or a value to write."""

    label: str
    parameter: str
    choices: Filter
    bounds: Pairs  # the parameters of a range with their values
    value: str  # what was written
    type: str  # of the input


def of_row(row: ListFilter, selection: Selection, language: str) -> FilterControl:
    """That of a filter which takes some words, or any."""
    options = tuple(Option(word, word) for word in row.type.words) if isinstance(row.type, StatusFilter) else ()
    label = translate(row.label, language)
    choices = Filter(row.name, label, options, selection.values(row.name))
    return FilterControl(label, row.name, choices, [], selection.get(row.name), "text")


def of_defined(row: DefinedField, selection: Selection) -> FilterControl:
    """The control of a field, which an address may name by its key too."""
    own = row.definition.name
    by_name = [(name, value) for name, value in selection.pairs if name.startswith(f"{CUSTOM_FILTER.name}[")]
    chosen = [(name, value) for name, value in by_name if inner_name(name) in (own, row.name)]
    parameter = f"{CUSTOM_FILTER.name}[{own}]"
    choices, bounds = Filter(parameter, row.label, (), ()), list[tuple[str, str]]()
    if isinstance(row.type, OneOf):
        ticked = {part.casefold() for _, value in chosen for part in (value, *parts(value.replace(",", "|")))}
        choices = choices._replace(
            options=tuple(Option(one, one) for one in row.type.options),
            chosen={one for one in row.type.options if one.casefold() in ticked},
        )
    elif isinstance(row.type, Day | Quantity):
        given = {name.rpartition("[")[2].removesuffix("]"): value for name, value in chosen}
        equal = next((value for name, value in chosen if name.endswith(f"{inner_name(name)}]")), "")
        bounds = [(f"{parameter}[{bound}]", given.get(bound, equal)) for bound in BOUNDS]
    value = chosen[0][1] if chosen else ""
    return FilterControl(
        row.label, parameter, choices, bounds, value, "date" if isinstance(row.type, Day) else "text"
    )
