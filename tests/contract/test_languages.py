"""The language of an answer: asked for, accepted, or the site's."""

from typing import Any

import pytest

from kalends.languages import LANGUAGES, tag, translate

TITLE = "The title of the event."


@pytest.fixture(scope="module")
def world(shared_world: Any) -> Any:
    return shared_world


def title_in(answer: Any) -> str:
    arguments = answer.json()["routes"]["/calendar/events/v1/events"]["endpoints"][1]["args"]
    meaning: str = arguments["title"]["description"]
    return meaning


@pytest.mark.parametrize("language", LANGUAGES)
def test_lang_chooses_the_language_of_index_and_document(world, language: str) -> None:
    for path in ("", "/doc"):
        answer = world.get(f"{path}?lang={tag(language)}")
        assert answer.headers["Content-Language"] == tag(language)
        assert "Accept-Language" in answer.headers["Vary"]
    assert title_in(world.get(f"?lang={tag(language)}")) == translate(TITLE, language)


def test_german_is_german(world) -> None:
    assert translate(TITLE, "de") != TITLE
    assert title_in(world.get("?lang=de")) == translate(TITLE, "de")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("DE-at", "de"),
        ("fr;q=0.5, es;q=0.9", "es"),
        ("fr;q=0.5, es;q=0.4", "fr"),
        ("fr, es", "fr"),
        ("xx, nl;q=0.1", "nl"),
        ("xx", "en"),
        ("de;q=0, it;q=0.1", "it"),
        ("de;q=0", "en"),
        ("pt", "pt-BR"),
        ("pt-PT", "pt-BR"),
        ("pt-BR", "pt-BR"),
        ("zh-Hant-TW, ja;q=0.2", "ja"),
        ("*", "en"),
        ("*;q=0.1, ar;q=0.2", "ar"),
        ("", "en"),
        (";;;,,,q=", "en"),
        ("de;q=abc, fr;q=0.1", "fr"),
        ("de," * 3500, "en"),
        ("x" * 10_240, "en"),
    ],
)
def test_accept_language(world, header: str, language: str) -> None:
    answer = world.get("", headers={"Accept-Language": header})
    assert answer.status_code == 200
    assert answer.headers["Content-Language"] == language


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("de", "de"),
        ("de-CH", "de"),
        ("pt_BR", "pt-BR"),
        ("pt", "pt-BR"),
        ("JA", "ja"),
        ("xx", "en"),
        ("../../de", "en"),
    ],
)
def test_lang_with_regions_and_unknown_ones(world, asked: str, language: str) -> None:
    assert world.get(f"?lang={asked}").headers["Content-Language"] == language


def test_lang_counts_before_the_header(world) -> None:
    answer = world.get("?lang=fr", headers={"Accept-Language": "de"})
    assert answer.headers["Content-Language"] == "fr"


def test_an_unknown_lang_is_the_sites_even_if_the_header_is_known(world) -> None:
    answer = world.get("?lang=xx", headers={"Accept-Language": "de"})
    assert answer.headers["Content-Language"] == "en"


def test_the_sites_language_is_a_setting(make_world) -> None:
    world = make_world(language="es")
    assert world.get("").headers["Content-Language"] == "es"
    assert world.get("?lang=xx").headers["Content-Language"] == "es"
    assert world.get("?lang=en").headers["Content-Language"] == "en"


def test_errors_are_in_the_callers_language(world) -> None:
    sentence = "There is no such event."
    for language in LANGUAGES:
        answer = world.get("/events/999", headers={"Accept-Language": tag(language)})
        assert answer.json()["message"] == translate(sentence, language)
        assert answer.headers["Content-Language"] == tag(language)
        assert "Accept-Language" in answer.headers["Vary"]
    assert world.get("/events/999?lang=de").json()["message"] != sentence


def test_the_problem_of_a_parameter_is_too(world) -> None:
    answer = world.get("/events?page=0&lang=de")
    expected = translate("must be {minimum} or more.", "de").format(minimum=1)
    assert answer.json()["data"]["params"] == {"page": f"page {expected}"}
    assert answer.json()["data"]["details"]["page"]["message"] == f"page {expected}"
    assert "must be" not in expected


def test_a_problem_within_a_problem_is_too(world) -> None:
    body = {"title": "A", "start_date": "2027-01-01", "end_date": "2027-01-02", "venue": {"venue": " "}}
    answer = world.post("/events?lang=de", json=body)
    reason = translate("cannot be blank.", "de")
    assert reason in answer.json()["data"]["params"]["venue"]
    assert reason != "cannot be blank."


def test_records_are_not_translated(world) -> None:
    event = world.make("events", title="Concert")
    first = world.get(f"/events/{event['id']}?lang=de")
    assert first.json() == world.get(f"/events/{event['id']}?lang=fr").json()
    assert "Content-Language" not in first.headers
