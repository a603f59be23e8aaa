"""docs/api.md is up to date: its commands are run and its tables generated again."""

import runpy
from pathlib import Path

import pytest

from kalends.contract.operations import addresses
from kalends.contract.representations import representations
from kalends.present.openapi_schemas import path_of

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "api.md"


def test_api_md_is_up_to_date(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    runpy.run_path(str(ROOT / "scripts" / "api_page.py"), run_name="__main__")
    assert capsys.readouterr().out == PAGE.read_text(encoding="utf-8"), "python scripts/api_page.py > docs/api.md"


def test_api_md_names_every_operation_parameter_key_and_error() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for address in addresses():
        assert f"`{path_of(address)}`" in text
        for operation in address.operations:
            assert operation.summary in text
            assert [field.name for field in operation.parameters if f"`{field.name}`" not in text] == []
            assert [
                error_type.code
                for error_type in operation.error_types
                if f"`{error_type.code}` | {error_type.message}" not in text
            ] == []
    for shape in representations():
        assert [key.name for key in shape.keys if f"`{key.name}`" not in text] == []
