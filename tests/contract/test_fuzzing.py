"""Requests generated from the document, valid and invalid, by three callers: see `fuzzing.py`."""

from collections import Counter
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from schemathesis.core.failures import ServerError
from schemathesis.openapi.checks import RejectedPositiveData
from tests.contract.fuzzed_service import make_service
from tests.contract.fuzzing import fuzz, is_failure
from tests.effort import effort

from kalends.calendar.accounts import account_rules
from kalends.feature import declared

EXAMPLES = 20
CALLERS = ("administrator", "contributor", "anonymous")
SECONDS = effort(1, 28)


@pytest.mark.parametrize(
    ("of", "who"),
    [
        *(("core", who) for who in CALLERS),
        *((other.name, who) for other in declared("extension") for who in effort(CALLERS[:1], CALLERS)),
    ],
)
def test_no_request_finds_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: str, who: str) -> None:
    # Most of the time would go into the hashes of passwords that are wrong on purpose.
    monkeypatch.setattr(account_rules, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    service = make_service(tmp_path)
    failures = fuzz(service, who, EXAMPLES, seed=1, seconds=SECONDS, of=of)
    service.calendar.store.close()
    assert failures == []
    # How many requests fit into the time depends on the machine: thousands, or only a few.
    answered: Counter[int] = service.statuses
    assert answered.total() > 0
    assert answered[500] == 0


def api_error(name: str, sentence: str) -> dict[str, object]:
    return {"code": "rest_invalid_param", "data": {"status": 400, "params": {name: f"{name} {sentence}"}}}


def test_only_what_the_document_cannot_say_is_no_failure() -> None:
    def rejected(json: dict[str, object]) -> bool:
        failure = RejectedPositiveData(operation="", message="", status_code=400, allowed_statuses=[])
        return is_failure(failure, None, json, {})

    assert not rejected(api_error("venue", "has an unknown id: 7."))
    assert not rejected(api_error("end_date", "cannot be before start_date."))
    assert rejected(api_error("end_date", "is not a date and time: “x”. Write it like 2027-03-10 09:00:00."))
    assert rejected(api_error("page", "must be a whole number."))
    both = api_error("venue", "has an unknown id: 7.")
    both["data"]["params"]["page"] = "page must be a whole number."  # type: ignore[index]
    assert rejected(both)
    assert rejected({"code": "rest_invalid_json", "data": {"status": 400}})


def test_errors_of_the_server_are_always_failures() -> None:
    json = api_error("venue", "has an unknown id: 7.")
    assert is_failure(ServerError(operation="", message="", status_code=500), None, json, {})
