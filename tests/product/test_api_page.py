"""docs/api.md and docs/api-reference.md are up to date: commands are run and tables generated again."""

import runpy
from pathlib import Path

import pytest

from kalends.contract.operations import addresses
from kalends.contract.representations import representations
from kalends.present.openapi_schemas import path_of

ROOT = Path(__file__).parent.parent.parent
REFERENCE = ROOT / "docs" / "api-reference.md"
WRITERS = {"api_page": "api", "api_reference": "api-reference"}


@pytest.mark.parametrize("script", WRITERS)
def test_a_page_is_up_to_date(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = ROOT / "docs" / f"{WRITERS[script]}.md"
    monkeypatch.syspath_prepend(ROOT / "scripts")
    runpy.run_path(str(ROOT / "scripts" / f"{script}.py"), run_name="__main__")
    assert capsys.readouterr().out == page.read_text(encoding="utf-8"), (
        f"python scripts/{script}.py > docs/{page.name}"
    )


def test_the_reference_names_every_operation_parameter_key_and_error() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
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
