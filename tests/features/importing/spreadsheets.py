"""Spreadsheets as programs write them, as small as they can be."""
# ruff: noqa: E501 - XML

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from xml.sax.saxutils import escape, quoteattr

Value = object  # a text, a number, a day, a time, or Formula
Rows = Sequence[Sequence[Value]]
DATE, TIME, DATE_TIME = 1, 2, 3  # styles
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STYLES = (
    f'<styleSheet {MAIN}><numFmts count="1"><numFmt numFmtId="164" formatCode="ddd\\,\\ dd/mm/yyyy"/></numFmts>'
    '<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="20"/><xf numFmtId="22"/></cellXfs>'
    "</styleSheet>"
)


class Formula:
    """A formula, and what it was when the file was saved; None if nobody computed it."""

    def __init__(self, result: Value = None) -> None:
        self.result = result


def letters(place: int) -> str:
    return chr(65 + place)


def _serial(value: date, first: date) -> float:
    at = value if isinstance(value, datetime) else datetime.combine(value, time())
    return (at - datetime.combine(first, time())).total_seconds() / 86400


def _cell(value: Value, place: str, first: date) -> str:
    formula = ""
    if isinstance(value, Formula):
        formula, value = "<f>TODAY()</f>", value.result
        if value is None:
            return f'<c r="{place}">{formula}</c>'
    if value is None or value == "":
        return f'<c r="{place}" s="1"/>'
    if isinstance(value, time):
        part = (value.hour * 3600 + value.minute * 60) / 86400
        return f'<c r="{place}" s="{TIME}">{formula}<v>{part!r}</v></c>'
    if isinstance(value, date):
        style = DATE_TIME if isinstance(value, datetime) else DATE
        return f'<c r="{place}" s="{style}">{formula}<v>{_serial(value, first)!r}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{place}">{formula}<v>{value!r}</v></c>'
    if formula:
        return f'<c r="{place}" t="str">{formula}<v>{escape(str(value))}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'


def _sheet(rows: Rows, merged: Sequence[str], first: date) -> str:
    lines = []
    for number, row in enumerate(rows, 1):
        cells = [_cell(value, f"{letters(place)}{number}", first) for place, value in enumerate(row)]
        lines.append(f'<row r="{number}">{"".join(cells)}</row>')
    joined = "".join(f'<mergeCell ref="{one}"/>' for one in merged)
    merges = f"<mergeCells>{joined}</mergeCells>" if merged else ""
    return f"<worksheet {MAIN}><sheetData>{''.join(lines)}</sheetData>{merges}</worksheet>"


def xlsx(
    sheets: Mapping[str, Rows] | Rows,
    *,
    merged: Sequence[str] = (),
    from_1904: bool = False,
    hidden: Sequence[str] = (),
    replaced: Mapping[str, bytes] | None = None,
) -> bytes:
    """`merged`: ranges of the first sheet; `replaced`: parts as they are, by their names."""
    named = dict(sheets) if isinstance(sheets, Mapping) else {"Tabelle1": sheets}
    first = date(1904, 1, 1) if from_1904 else date(1899, 12, 30)
    listed, related, types = [], [], []
    parts: dict[str, str | bytes] = {}
    for number, (name, rows) in enumerate(named.items(), 1):
        state = ' state="hidden"' if name in hidden else ""
        listed.append(f'<sheet name={quoteattr(name)} sheetId="{number}"{state} r:id="rId{number}"/>')
        related.append(
            f'<Relationship Id="rId{number}" Type="{RELATIONS}/worksheet" Target="worksheets/s{number}.xml"/>'
        )
        types.append(number)
        parts[f"xl/worksheets/s{number}.xml"] = _sheet(rows, merged if number == 1 else (), first)
    package = "http://schemas.openxmlformats.org/package/2006"
    epoch = '<workbookPr date1904="1"/>' if from_1904 else "<workbookPr/>"
    parts |= {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1"'
        f' Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{RELATIONS}">{epoch}<sheets>{"".join(listed)}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">{"".join(related)}'
        f'<Relationship Id="rId99" Type="{RELATIONS}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": STYLES,
    } | (replaced or {})
    return zipped({"[Content_Types].xml": parts.pop("[Content_Types].xml"), **parts})


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue()


def ods(rows: Rows, *, table: str = "", manifest: str = "") -> bytes:
    """`table`: the rows as they stand in the file, instead."""
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text", "style")
    )
    lines = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
    # What the program writes after the last row.
    rest = '<table:table-row table:number-rows-repeated="1048500"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    content = (
        f"<office:document-content{spaces}><office:body><office:spreadsheet>"
        f'<table:table table:name="Tabelle1">{table or lines + rest}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    files = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{files}">{manifest}</manifest:manifest>',
            "content.xml": content,
        }
    )


def _ods_cell(value: Value) -> str:
    if value is None or value == "":
        return "<table:table-cell/>"
    if isinstance(value, time):
        kind, shown = f'"time" office:time-value="PT{value:%H}H{value:%M}M00S"', f"{value:%H:%M}"
    elif isinstance(value, date):
        kind, shown = f'"date" office:date-value="{value.isoformat()}"', f"{value:%d.%m.%Y}"
    elif isinstance(value, int | float):
        kind, shown = f'"float" office:value="{value}"', str(value)
    else:
        kind, shown = '"string"', escape(str(value))
    return f"<table:table-cell office:value-type={kind}><text:p>{shown}</text:p></table:table-cell>"
