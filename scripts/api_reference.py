"""Writes docs/api-reference.md: `python scripts/api_reference.py > docs/api-reference.md`.

The tables of the contract: operations, parameters, headers, shapes and errors.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence

from kalends.contract.fields import Field
from kalends.contract.headers import Header
from kalends.contract.json_schema import Key
from kalends.contract.operations.model import Address
from kalends.contract.representations import representations
from kalends.site.docs import reference
from kalends.site.docs.reference import Parameter, ReferenceEntry
from kalends.site.docs.schema_words import Word, bounds_of, choices_of, form_of, type_of, words_of

OPENING = """# Reference of the interface

＋ marks an extension: it goes beyond the common interface. Common tasks, with commands to copy:
[api.md](api.md).

This page is made by `python scripts/api_reference.py > docs/api-reference.md`.
"""


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(heading), *([["---"] * len(list(heading))]), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def tables() -> Iterator[str]:
    """The whole contract."""
    groups = reference.groups(reference.COMPUTED)
    for name, entries in groups.items():
        yield f"## {reference.GROUPS[name]}\n"
        yield table(("Method", "Path", "What it does", "Status", "Response"), map(operation_row, entries))
        for entry in entries:
            yield from sent(entry)
    yield "## With every request\n"
    general = ((f"`{p.field.name}`{plus(p.field)}", p.location, p.field.meaning) for p in reference.general())
    yield table(("Name", "Where", "Meaning"), general)
    yield "## Headers of the answers\n"
    sent_back = [header for entries in groups.values() for entry in entries for header in entry.operation.headers]
    headers = {header.name: header for header in (*sent_back, *reference.error_headers())}
    yield table(("Header", "Type", "Meaning"), map(key_row, headers.values()))
    yield "## Shapes of the answers\n"
    for shape in representations():
        yield f'<a id="{shape.name.lower()}"></a>\n\n### {shape.name}\n\n{shape.meaning}\n'
        yield table(("Key", "Type", "Meaning"), map(key_row, shape.keys))
    yield "## Errors\n"
    found = ((str(e.status), f"`{e.code}`", e.message) for e in reference.errors())
    yield table(("Status", "Code", "Sentence"), found)


def operation_row(entry: ReferenceEntry) -> Iterator[str]:
    operation = entry.operation
    yield " ".join(operation.methods)
    yield f"`{entry.path}`"
    yield operation.summary + plus(entry.address)
    yield str(operation.status)
    yield ", ".join(f"`{key.name}`" for key in entry.envelope) or words(entry.answer)


def sent(entry: ReferenceEntry) -> Iterator[str]:
    """What an operation takes, unless that is only the record's place."""
    if all(parameter.location == "path" for parameter in entry.parameters):
        return
    yield f"### {entry.operation.summary}: what to send\n"
    if "PUT" in entry.operation.methods:
        names = ", ".join(f"`{parameter.field.name}`" for parameter in entry.sent_in_body)
        yield f"The fields of a new record, none of them required; what is not sent stays as it is: {names}.\n"
        return
    rows = (parameter_row(parameter) for parameter in entry.parameters)
    yield table(("Name", "Type", "Required", "Default", "Meaning"), rows)


def parameter_row(parameter: Parameter) -> Iterator[str]:
    field = parameter.field
    yield f"`{field.name}`{plus(field)}"
    yield type_of(field) + (f" {bounds_of(field)}" if bounds_of(field) else "")
    yield "yes" if field.required else ""
    yield f"`{parameter.default}`" if parameter.default is not None else ""
    yield field.meaning + choices(choices_of(field))


def key_row(key: Key | Header) -> Iterator[str]:
    form = form_of(key.schema)
    yield f"`{key.name}`{plus(key)}"
    yield words(words_of(key.schema)) + (f", {form}" if form else "")
    named = [word for word in key.schema.get("enum", ()) if word]
    yield key.meaning + choices(named) + ("" if key.always else " *May be absent.*")


def words(found: Iterable[Word]) -> str:
    linked = (f"[{word.text}](#{word.shape.lower()})" if word.shape else word.text for word in found)
    return " | ".join(text + ("[]" if word.many else "") for text, word in zip(linked, found, strict=True))


def choices(named: Sequence[str]) -> str:
    return " One of " + ", ".join(f"`{word}`" for word in named) + "." if named else ""


def plus(row: Address | Field | Key | Header) -> str:
    return " ＋" if row.extension else ""


if __name__ == "__main__":
    sys.stdout.write("\n".join([OPENING, *tables()]))
