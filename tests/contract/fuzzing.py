"""Schemathesis against the service: from its own document, in this process, with every check on.

`EXPECTED` lists the failures that are none: what the document cannot say because it depends on what is stored, with
the sentence by which the service says so. `NOT_SENT` are the parameters that change what a response means.

    python -m tests.contract.fuzzing --minutes 30

The time is shared by every role on both stores; `--who` and `--stores` choose some of them. Every request is also
sent in every role, and damaged in some, to a second calendar, where only errors of the server are failures.
"""

import argparse
import itertools
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import schemathesis
from argon2 import PasswordHasher
from jsonschema import Draft202012Validator
from schemathesis.config import SchemathesisConfig
from schemathesis.config._checks import NegativeDataRejectionConfig
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.engine import events, from_schema
from schemathesis.openapi.checks import RejectedPositiveData, UseAfterFree
from schemathesis.transport.wsgi import WSGI_TRANSPORT
from tests.clusters import Cluster
from tests.contract.fuzzed_service import DAMAGED, Service, make_service
from tests.feature_parts import feature_parts
from tests.postgresql_programs import missing

from kalends.calendar.accounts import account_rules
from kalends.contract.roles import ROLE_WORDS
from kalends.present.openapi_schemas import FORM_TYPES

ROOT = "/api/calendar/events/v1"

# With these an answer is not the one of the operation: `_fields` leaves keys out, the others make a POST another
# method. They have tests of their own.
NOT_SENT = ("fields", "method", "override")

# A request that the document allows may still be an error for what is stored, or for two values that do not go
# together. The service says which it is; an error in other words stays a failure.
EXPECTED = {
    "it names a record that is not there, or that the caller may not see": (
        r"is not the id of (?:a user|an image|an event|a category)\.",
        r"is not the address of an image here\.",
        r"has an unknown id: \d+\.",
        r"has an unknown value: .*\.",
    ),
    "a rule is a language of its own, and its parts must fit each other and the start": (
        r"(?:[A-Z]+|rule|dates|exceptions|recurrence) .*",
        r"is not the number of a series\.",
        r"belongs to the whole series: .*",
        r"cannot be set on an event that repeats: .*",
        r"would be before the start of the occurrence on .*",
    ),
    "two values do not go together": (
        r"cannot be before start_date\.",
        r"must be sent together with .*",
        r"cannot be (?:the category|the event) itself or one below it\.",
    ),
    "a date near the ends of the calendar is beyond it on another clock, or before now": (
        r"is out of the range of dates\.",
        r"has a time that is out of the range of dates\.",
        r"must be in the future\.",
    ),
    "a name of nothing but markup or invisible characters is blank, and so are words without a letter": (
        r"cannot be blank\.",
        r"cannot be empty\.",
    ),
    "who may edit nothing may ask for what is published only, and nothing is created in the trash": (
        r"must be publish for anonymous readers\. .*",
        r"must be one of: publish\.",
        r"cannot be trash for a new record\.",
    ),
    "a record within an event is refused for the same reasons": (
        r"has a field that is not accepted: \w+ (?:cannot be trash for a new record\.|is not the id of .*|"
        r"is out of the range of dates\.|cannot be blank\.|must be sent together .*)",
    ),
}
SENTENCES = re.compile("|".join(f"(?:{sentence})" for group in EXPECTED.values() for sentence in group))
# Errors that are about the state of a record as a whole, by their code.
STATES = {
    "term_exists": "a term of this name is there already",
    "rest_invalid_user": "the rules of user names and passwords, and of the last administrator",
    "precondition_failed": "If-Match names another version",
    "changes_expired": "a token of another calendar",
    "idempotency_key_reused": "another request had this key",
    "event-is-in-trash": "deleting what is in the trash already",
    "venue-is-in-trash": "deleting what is in the trash already",
    "organizer-is-in-trash": "deleting what is in the trash already",
    "rest_already_trashed": "deleting what is in the trash already",
    "rest_trash_not_supported": "deleting without force what has no trash",
    "rest_invalid_author": "the author is not there",
    "rest_no_search_term_defined": "the order by relevance needs a search",
    "rest_post_invalid_page_number": "the list is not that long",
    "rest_term_invalid": "the parent is not there",
    "empty_content": "a title of nothing but white space",
    "rest_missing_callback_param": "one date of the two",
}
# A short run writes dates in the first forms of the schema only: ISO 8601 and timestamps.
COMMON_DATE_FORMS = 2
# What does not fit the schema may also be refused for one of these: a wrong If-Match, the trash, its size.
REFUSALS = [*NegativeDataRejectionConfig().expected_statuses, "410", "412", "413"]


def is_failure(failure: Failure, case: Any, json: Any, document: dict[str, Any]) -> bool:
    """Whether what Schemathesis found is one."""
    if isinstance(failure, UseAfterFree):
        # Deleting moves a record to the trash, where those who can edit it still read it.
        return json.get("status") != "trash"
    if any(part.is_meant(failure, json, case) for part in feature_parts("fuzzing")):
        return False
    if isinstance(failure, AcceptedNegativeData) and case.media_type in FORM_TYPES:
        # In a form there are only texts: a null, a number or an object that was meant to be wrong may be right.
        return not is_good_form(case, document)
    if not isinstance(failure, RejectedPositiveData):
        return True
    if json["code"].startswith(("unsupported_media_type", "rest_upload_")) and case.path.endswith("/media"):
        return False  # the bytes of an image are not to be had by chance, nor are the headers of a raw upload
    if json["code"] in STATES:
        return False
    params = json["data"].get("params")
    if json["code"] != "rest_invalid_param" or not isinstance(params, dict):
        return True
    sentences = (sentence.removeprefix(f"{name} ") for name, sentence in params.items())
    return not all(SENTENCES.fullmatch(sentence) for sentence in sentences)


def without_socket_settings(send: Callable[..., Any]) -> Callable[..., Any]:
    """Requests that a check makes of its own come with settings of sockets, which there are none of in here."""

    def sent(case: Any, **settings: Any) -> Any:
        for name in ("max_redirects", "verify", "cert", "proxies"):
            settings.pop(name, None)
        return send(case, **settings)

    return sent


WSGI_TRANSPORT.send = without_socket_settings(WSGI_TRANSPORT.send)


def is_good_form(case: Any, document: dict[str, Any]) -> bool:
    """Whether the form fits its schema as it was sent."""
    operation = document["paths"][case.path][case.method.lower()]
    if case.body in ("", None):  # which is no body at all
        return not operation["requestBody"]["required"]
    sent = {name: as_text(value) for name, value in case.body.items()} if isinstance(case.body, dict) else None
    return is_good_body(sent, case, document)


def is_good_body(sent: Any, case: Any, document: dict[str, Any]) -> bool:
    operation = document["paths"][case.path][case.method.lower()]
    schema = operation["requestBody"]["content"][case.media_type]["schema"]
    return Draft202012Validator(schema | {"components": document["components"]}).is_valid(sent)


def as_text(value: Any) -> Any:
    if isinstance(value, list) and not any(isinstance(element, dict | list) for element in value):
        return [as_text(element) for element in value]
    return value if isinstance(value, str) else json.dumps(value)


def fuzz(
    service: Service,
    who: str,
    examples: int,
    seed: int,
    seconds: int,
    *,
    long: bool = False,
    only: str = "",
    of: str = "core",
) -> list[str]:
    """Asks the service everything as somebody, for about so many seconds; what was found wrong, in words. `of` is the
    document that says what there is."""
    document = service_document(service, of)
    if not long:
        simplify(document["components"]["schemas"])
    settings: dict[str, Any] = {
        "seed": seed,
        "max-time": seconds,
        "generation": {"max-examples": examples, "no-shrink": not long, "database": "none"},
        # What the examples say is asked again among the edges of the schemas; a long run has time for both.
        "phases": {"examples": {"enabled": long}, "stateful": {"generation": {"max-examples": examples}}},
        "analysis": {"constants": {"enabled": long}},
        "checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}},
        "continue-on-failure": True,
    }
    if who in service.tokens:
        settings["headers"] = {"Authorization": f"Bearer {service.tokens[who]}"}
    schema = schemathesis.openapi.from_dict(document, config=SchemathesisConfig.from_dict(settings))
    schema.app, schema.location = service, f"{ROOT}/doc"
    if only:
        schema = schema.include(path_regex=only)

    @schema.hook
    def filter_failure(_context: Any, failure: Failure, case: Any, response: Any) -> bool:
        is_json = response.headers.get("content-type", [""])[0].startswith("application/json")
        return is_failure(failure, case, json.loads(response.content) if is_json else None, document)

    found: dict[tuple[str, str], str] = {}
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            for case_id, checks in event.recorder.checks.items():
                for check in checks:
                    if check.failure_info is not None:
                        found.setdefault((event.recorder.label, check.name), told(event, case_id, check))
        elif isinstance(event, events.NonFatalError):
            found[event.label, str(event.value)] = f"{event.label}: {event.value!r}"
        elif isinstance(event, events.FatalError):
            raise event.exception
    return list(found.values())


def told(event: events.ScenarioFinished, case_id: str, check: Any) -> str:
    """A failure in words: what was found, what was sent and what came back."""
    case, exchange = event.recorder.cases[case_id].value, event.recorder.interactions.get(case_id)
    sent = f"{case.media_type} path={case.path_parameters} query={case.query} body={case.body!r}"
    came = "" if exchange is None or exchange.response is None else exchange.response.text[:800]
    head = f"{event.phase.value} {event.recorder.label}: {check.name}: {check.failure_info.failure.message}"
    return f"{head}\n  {sent[:1500]}\n  {came}"


def service_document(service: Service, of: str = "core") -> dict[str, Any]:
    """The document as the service gives it, without what is not sent."""
    client = schemathesis.python.wsgi.get_client(service)
    document: dict[str, Any] = json.loads(client.get(f"{ROOT}/doc?of={of}").get_data())
    left_out = [{"$ref": f"#/components/parameters/{key}"} for key in NOT_SENT]
    for path in document["paths"].values():
        for operation in path.values():
            operation["parameters"] = [one for one in operation["parameters"] if one not in left_out]
    return document


def simplify(schemas: dict[str, Any]) -> None:
    """Some of the time zones and some of the forms of a date: much of a short run would go into making them all."""
    schemas["TimeZone"] = {"type": "string", "enum": ["", "UTC", "Europe/Paris", "America/New_York", "UTC+5:45"]}
    for name in ("DateAndTime", "DateAndTimeText"):
        forms = schemas[name]["anyOf"]
        texts = [form for form in forms if "pattern" in form]
        schemas[name]["anyOf"] = [form for form in forms if form not in texts[COMMON_DATE_FORMS:]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--examples", type=int, default=200)
    parser.add_argument("--only", default="", help="a regular expression of paths")
    parser.add_argument("--of", default="core", choices=("core", "compat"), help="the document to begin with")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--who", nargs="*", default=[*reversed(ROLE_WORDS), "anonymous"])
    parser.add_argument("--quick", action="store_true", help="simple dates and no shrinking: many more requests")
    parser.add_argument("--stores", nargs="*", default=stores_here())
    parser.add_argument("--damaged", type=int, default=DAMAGED, help="copies of each request that are damaged")
    options = parser.parse_args()
    # Most of the time would go into the hashes of passwords that are wrong on purpose.
    account_rules._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    seconds = max(1, int(options.minutes * 60 / len(options.who) / len(options.stores)))  # Schemathesis takes no less
    failures: list[str] = []
    requests = 0
    for store, who in itertools.product(options.stores, options.who):
        with an_empty_store(store) as first, an_empty_store(store) as second:
            service, shadow = make_service(*first), make_service(*second)
            service.shadow, shadow.damaged = shadow, options.damaged
            long = not options.quick
            found = fuzz(
                service, who, options.examples, options.seed, seconds, long=long, only=options.only, of=options.of
            )
            found += shadow.crashes
            service.calendar.store.close()
            shadow.calendar.store.close()
        statuses = service.statuses + shadow.statuses
        shown = dict(sorted(statuses.items()))
        print(
            f"{store}, {who}: {statuses.total()} requests {shown}, {len(found)} failures",
            *found,
            sep="\n",
            flush=True,
        )
        requests += statuses.total()
        failures += found
    print(f"{requests} requests, {len(failures)} failures")
    return int(bool(failures))


def stores_here() -> list[str]:
    """The kinds of store that this machine has."""
    if reason := missing():
        print(f"SQLite only: {reason}", file=sys.stderr)
        return ["sqlite"]
    return ["sqlite", "postgresql"]


@contextmanager
def an_empty_store(kind: str) -> Iterator[tuple[Path, str]]:
    """An empty data folder, and the address of an empty database if it is to be PostgreSQL."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if kind == "sqlite":
            yield data, ""
            return
        cluster = Cluster()
        stack.callback(cluster.remove)
        cluster.start().execute("CREATE DATABASE fuzzed")
        yield data, cluster.url("fuzzed")


if __name__ == "__main__":
    sys.exit(main())
