"""What single cells of a table say: flags, lists of names, addresses, prices."""

import csv
from collections.abc import Iterable, Mapping

from kalends.contract.fields import RecordField
from kalends.features.exporting.fields import is_flag
from kalends.features.importing.sources import wordpress
from kalends.features.importing.sources.by_name import for_each

# In the nine languages.
_YES = "yes, y, true, 1, x, on, ja, j, wahr, oui, vrai, sí, si, sì, vero, sim, verdadeiro, waar, はい, ○, نعم"
WORDS = dict.fromkeys(_YES.split(", "), True)


def said(cell: str) -> bool | None:
    """What the cell of a flag says; None for what is no word of it."""
    return WORDS.get(cell.lower()) if cell else None


def plain_values(fields: Iterable[RecordField], cells: Mapping[str, str]) -> dict[str, object]:
    """The values of fields that stand in one cell each, or in one for each key. An empty one empties its field,
    unless that cannot be empty, or has rules that give it a value."""
    found: dict[str, object] = {}
    for field in fields:
        if parts := {key: cells[name] for key in field.csv_parts if (name := f"{field.name}_{key}") in cells}:
            found[field.name] = parts if any(parts.values()) else field.type.cleared()
            continue
        cell = cells.get(field.name)
        if cell and is_flag(field):
            found[field.name] = WORDS.get(cell.lower(), False)
        elif cell:
            found[field.name] = cell
        elif cell is not None and not (field.required or field.is_ruled or is_flag(field)):
            found[field.name] = field.type.cleared()
    return found


def listed(cell: str) -> list[str]:
    """The names in a cell: separated by commas, and in quotes where a name has one."""
    if not cell:
        return []
    rows = list(csv.reader([" ".join(cell.splitlines())], skipinitialspace=True))
    return [name.strip() for name in (rows[0] if rows else []) if name.strip()]


def with_status(names: str, statuses: str) -> list[tuple[str, str]]:
    """Names with their statuses; those beyond the told statuses have none."""
    found = listed(names)
    return list(zip(found, for_each(listed(statuses), found), strict=True))


def with_scheme(address: str) -> str:
    """`www.example.org` as a web address."""
    return f"https://{address}" if address.lower().startswith("www.") else address


def cost_of(cells: Mapping[str, str]) -> str:
    symbol = cells.get("currency_symbol", "") or cells.get("currency_code", "")
    return wordpress.priced(cells.get("cost", ""), symbol, cells.get("currency_position", ""))


def is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))
