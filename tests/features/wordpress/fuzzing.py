"""What generated requests take for a failure, and clients of WordPress know (tests/contract/fuzzing.py)."""

from typing import Any

from schemathesis.core.failures import ServerError
from schemathesis.openapi.checks import IgnoredAuth


def is_meant(failure: Exception, json: dict[str, Any], case: Any) -> bool:
    if isinstance(failure, ServerError):
        return json.get("code") == "rest_trash_not_supported"  # which WordPress answers with 501
    # Each request in a batch is refused for itself.
    return isinstance(failure, IgnoredAuth) and case.path.endswith("/batch/v1")
