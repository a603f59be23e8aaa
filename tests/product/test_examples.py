"""The examples of the description are what the service answers."""

import json

from tests.product.record_examples import FILE, PASSWORD, record, written

from kalends.contract.errors import error_types
from kalends.contract.operations import addresses

OPERATIONS = {operation.name for address in addresses() for operation in address.operations}


def test_recorded_again_they_are_the_same() -> None:
    """If this fails on purpose: python -m tests.product.record_examples"""
    assert written(record()) == FILE.read_text(encoding="utf-8")


def test_every_operation_and_every_error_has_one() -> None:
    found = json.loads(FILE.read_text(encoding="utf-8"))
    assert set(found["responses"]) == {*OPERATIONS, "repeated"}
    assert set(found["errors"]) == set(error_types())
    for name, error_type in error_types().items():
        example = found["errors"][name]
        assert (example["code"], example["data"]["status"]) == (error_type.code, error_type.status), name


def test_no_two_errors_are_the_same() -> None:
    assert len(set(error_types().values())) == len(error_types())


def test_they_hold_no_secret() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert "kal_•" in text
    assert '"password": "••' in text
    for secret in (PASSWORD, "a long password", "sesame", "argon2"):
        assert secret not in text
    assert not [word for word in text.split('"') if word.startswith(("kal_", "whsec_")) and "•" not in word]
