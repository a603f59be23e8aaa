"""The second OpenAPI document: the addresses of WordPress, neither more nor less than there are."""

import json
import re
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from tests.conftest import COMPAT_NS
from tests.contract.documents import Json, check, operations, resolved, routes_of, stripped
from tests.effort import effort
from tests.features.wordpress import recorded_site

from kalends.features.wordpress.addresses.site_addresses import COMPAT, NAMESPACES
from kalends.features.wordpress.routes import WORDPRESS
from kalends.languages import LANGUAGES, tag
from kalends.present.openapi_schemas import path_of

ROOT = "http://calendar.test/wp-json"


@pytest.fixture(scope="module")
def world(shared_world: Any) -> Any:
    recorded_site.build(shared_world)
    return shared_world


@pytest.fixture(scope="module")
def compat(world: Any) -> Json:
    found: Json = world.get("/doc?of=compat").json()
    return found


def test_it_is_valid_openapi_and_says_where_it_is(world: Any, compat: Json) -> None:
    assert list(OpenAPIV31SpecValidator(compat).iter_errors()) == []
    assert compat["servers"] == [{"url": ROOT}]
    assert world.get(f"{COMPAT_NS}/doc?of=compat").json()["paths"] == compat["paths"]
    assert world.get("/doc?of=nothing").status_code == 400


def test_only_its_words_depend_on_the_language(world: Any, compat: Json) -> None:
    others = [world.get(f"/doc?of=compat&lang={tag(language)}").json() for language in effort(("ar",), LANGUAGES[1:])]
    assert {json.dumps(stripped(other)) for other in others} == {json.dumps(stripped(compat))}


def test_every_route_is_in_it_and_no_other(world: Any, compat: Json) -> None:
    found = routes_of(world.calendar, [WORDPRESS])
    below = {path.removeprefix("/wp-json"): methods for path, methods in found.items()}
    ours = ("/batch/v1", *(f"/{namespace.name}" for namespace in NAMESPACES))
    routes = {path: methods for path, methods in below.items() if path.startswith(ours)}
    assert {path: set(methods) for path, methods in compat["paths"].items()} == routes
    assert {path_of(address) for address in COMPAT.addresses} == set(routes)


def test_every_schema_is_used_and_every_operation_has_words(compat: Json) -> None:
    used = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(compat)))
    assert used == set(compat["components"]["schemas"])
    for path, method, operation in operations(compat):
        assert operation["summary"], (path, method)
        assert all(resolved(compat, one)["description"] for one in operation["parameters"]), (path, method)
    ids = [operation["operationId"] for _, _, operation in operations(compat)]
    assert len(ids) == len(set(ids))


def test_who_has_to_log_in(compat: Json) -> None:
    private = {path for path, method, one in operations(compat) if method == "get" and "security" in one}
    assert private == {"/wp/v2/users/me", "/wp/v2/settings"}
    assert all("security" in one for _, method, one in operations(compat) if method != "get")


@pytest.mark.parametrize("context", ["view", "embed", "edit"])
@pytest.mark.parametrize(
    "path",
    [
        "/wp/v2/tribe_events", "/wp/v2/tribe_events/{id}", "/wp/v2/tribe_venue", "/wp/v2/tribe_organizer",
        "/wp/v2/tribe_events_cat", "/wp/v2/tags", "/wp/v2/media", "/wp/v2/media/{id}", "/wp/v2/users",
        "/wp/v2/users/me", "/wp/v2/types", "/wp/v2/taxonomies", "/wp/v2/statuses",
    ],
)  # fmt: skip
def test_answers_have_the_form_that_is_described(world: Any, compat: Json, path: str, context: str) -> None:
    id = "5" if "media" in path else "15"
    asked = f"{ROOT}{path.replace('{id}', id)}?context={context}&_embed=1"
    answer = world.get(asked, "administrator")
    assert answer.status_code == 200
    schema = compat["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    check(compat, schema, answer.json())
    if context != "edit" and "me" not in path:
        check(compat, schema, world.get(asked).json())
