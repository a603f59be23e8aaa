"""Every operation is described with a real answer, which has the form that is described."""

from tests.contract.conftest import document
from tests.contract.documents import Json, check, operations

__all__ = ["document"]


def test_every_operation_has_a_real_answer(document: Json) -> None:
    for path, method, operation in operations(document):
        status = min({"200", "201", "207"} & set(operation["responses"]))  # one that may create has both
        assert "65,534 bytes" in operation["responses"]["414"]["description"]
        [(media_type, content)] = operation["responses"][status]["content"].items()
        assert method
        assert media_type == ("text/calendar" if path == "/events.ics" else "application/json")
        check(document, content["schema"], content["example"], partial=path in ("/", "/doc"))
