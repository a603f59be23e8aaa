"""What a search shows to visitors: best matches first with their dates, and the words marked."""

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.site.calendar_html import Element, Visit, event, fetch

from kalends.site.calendar.search_marks import SearchMarks
from kalends.store.engine.store import Session
from kalends.store.query import named_records
from kalends.store.rows.visibility import Visibility
from kalends.store.search.parsing import Search

BEST, BY_DATE = "/events/list/?search=library", "/events/list/?search=library&orderby=start_date"


def names(part: Element) -> list[str]:
    return [name.one("bdi").text for name in part.all("a", "name")]


def test_best_matches_come_first_with_date_and_marks(world: World, visit: Visit) -> None:
    library = world.make("venues", venue="City Library")["id"]
    event(world, "Reading", "2027-03-10 19:00", venue=library)
    event(world, "Chess", "2027-03-11 19:00", description="<p>Tea &amp; cake, later in the <b>library</b> café.</p>")
    event(world, "New library: Q & A", "2027-03-12 19:00")
    event(world, "Hidden", "2027-03-13 19:00", venue=library, post_password="x", description="library")
    event(world, "Old library", "2020-03-12 19:00")
    page = visit(BEST)
    results = page.all("ul", "results")[0]
    assert names(results) == ["New library: Q & A", "Reading", "Chess"]
    html = fetch(world, BEST).text
    assert "New <mark>library</mark>: Q &amp; A" in html
    assert "City <mark>Library</mark>" in html
    assert "Tea &amp; cake, later in the <mark>library</mark> café." in html
    assert "Fri, Mar 12, 2027" in results.text
    assert "Hidden" not in html
    assert "Old <mark>library</mark>" in html  # below, as what is over
    # By date on request, and back again; other links keep the order.
    by_date = visit(BY_DATE)
    assert names(by_date.all("div", "agenda")[0]) == ["Reading", "Chess", "New library: Q & A"]
    orders = {link.text: link.attributes["href"] for link in by_date.one("ul", "choices").all("a")}
    assert orders["Best match first"] == BEST
    assert orders["Cards"] == "/events/list/?search=library&layout=cards&orderby=start_date"
    assert "New <mark>library</mark>" in fetch(world, f"{BEST}&layout=cards").text
    # Other views and feeds find the same.
    assert "Reading" in fetch(world, "/events/month/2027-03/?search=library").text
    assert "Reading" in fetch(world, "/events.ics?search=library").text
    assert "orderby" not in fetch(world, "/events/list/?orderby=start_date").text


def test_marks_in_any_script() -> None:
    def mark(words: list[str], text: str) -> str:
        return str(SearchMarks(words).mark(text))

    assert mark(["strasse"], "Die Straße & der Weg") == "Die <mark>Straße</mark> &amp; der Weg"
    assert mark(["art", "party"], "PARTY party") == "<mark>PARTY</mark> <mark>party</mark>"
    assert mark(["ab", "bc"], "xabcx") == "x<mark>abc</mark>x"
    assert mark(["поэзи"], "Вечер ПОЭЗИИ") == "Вечер <mark>ПОЭЗИ</mark>И"
    assert mark(["1 2"], "1 < 2, 3") == "<mark>1 &lt; 2</mark>, 3"
    assert mark(["cafe"], "Cafe\u0301, CAFÉ") == "<mark>Cafe\u0301</mark>, <mark>CAFÉ</mark>"
    assert mark(["new years"], "“New Year’s” & more") == "“<mark>New Year’s</mark>” &amp; more"
    assert mark(["ice hockey"], "For all: Ice–Hockey!") == "For all: <mark>Ice–Hockey</mark>!"
    assert mark([], "a<b") == "a&lt;b"


def test_a_passage_shows_a_word_that_is_nowhere_else() -> None:
    marks = SearchMarks(["needle"])
    text = "hay " * 100 + "a Needle, " + "hay " * 100
    passage = marks.passage(["Title"], [text])
    assert passage.startswith("…hay")
    assert "a Needle, hay" in passage
    assert passage.endswith("hay…")
    assert len(passage) < 160
    assert marks.passage(["The needle"], [text]) == ""
    assert marks.passage(["Title"], ["hay"]) == ""
    assert SearchMarks(["x"]).passage([], ["y" * 500 + "x" + "y" * 500])


def test_names_are_looked_up_once_for_a_page(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    library = world.make("venues", venue="City Library")["id"]
    event(world, "Reading", "2027-03-10 19:00", venue=library)
    looked_up: list[Search] = []
    everywhere = named_records.everywhere

    def counted(session: Session, visibility: Visibility, search: Search) -> Search:
        looked_up.append(search)
        return everywhere(session, visibility, search)

    monkeypatch.setattr(named_records, "everywhere", counted)
    assert "Reading" in fetch(world, BEST).text
    assert len(looked_up) == 1
    # A venue of another name is found by the next request.
    assert world.put(f"/venues/{library}", json={"venue": "Town Hall"}).status_code == 200
    assert "<mark>Library</mark>" not in fetch(world, BEST).text
    assert len(looked_up) == 2


@pytest.mark.both_stores
def test_other_endings_are_found_after_the_words_themselves(world: World, visit: Visit) -> None:
    hall = world.make("venues", venue="Concert Hall")["id"]
    event(world, "Concert", "2027-03-09 19:00")
    event(world, "Chess", "2027-03-10 19:00", venue=hall)
    event(world, "Evening", "2027-03-11 19:00", description="<p>One of our <i>concerts</i>.</p>")
    event(world, "Party and concerts", "2027-03-12 19:00")
    event(world, "Hidden", "2027-03-13 19:00", post_password="x", description="concert")
    page = visit("/events/list/?search=concerts")
    assert page.one("h1").text == "4 results for “concerts”"
    assert names(page.all("ul", "results")[0]) == ["Party and concerts", "Evening", "Concert", "Chess"]
    assert "<mark>Concert</mark> Hall" in fetch(world, "/events/list/?search=concerts").text
    assert names(visit("/events/list/?search=parties+concert").all("ul", "results")[0]) == ["Party and concerts"]
    assert "Concert" in fetch(world, "/events/month/2027-03/?search=concerts").text
    # In the reader's language; what was quoted or excluded stays as it is.
    assert names(visit("/events/list/?search=concerten&lang=nl").all("ul", "results")[0])[0] == "Concert"
    assert not visit("/events/list/?search=concerten").all("ul", "results")
    assert "Chess" in fetch(world, "/events/list/?search=chess+-concerts").text
    # The interface finds what it is asked for.
    found = world.get("/events?search=concerts&search_in=everything").json()
    assert sorted(one["title"] for one in found["events"]) == ["Evening", "Party and concerts"]


@pytest.mark.parametrize("typed", ["R%26B", "r+%26+b", "r%26b,night"])
def test_blanks_around_an_ampersand_do_not_count(world: World, typed: str) -> None:
    ids = [event(world, title, "2027-03-10 19:00")["id"] for title in ("R & B night", "Night R&B")]
    event(world, "For beginners", "2027-03-10 19:00")
    found = world.get(f"/events?search={typed}").json()["events"]
    assert [one["id"] for one in found] == ids
    assert "R &amp; B</mark>" in fetch(world, "/events/list/?search=R%26B").text


@pytest.mark.parametrize("typed", ["cafe", "New%20Years", "new+year%27s", "caf%C3%A9-new", "new-year%E2%80%99s,cafe"])
def test_whatever_searches_finds_what_people_type(world: World, typed: str) -> None:
    """Pages and feeds, the table of the admin, assistants, and the addresses of WordPress."""
    title = "Café: New Year’s Gala"
    event(world, title, "2027-03-10 19:00")
    event(world, "Another", "2027-03-10 19:00")
    admin = AdminClient(world, "administrator")
    pages = {
        **{path: fetch(world, f"{path}?search={typed}").text for path in ("/events/list/", "/events/month/2027-03/")},
        **{path: fetch(world, f"{path}?search={typed}").text for path in ("/events.ics", "/events.rss")},
        "admin": admin.get(f"/admin/events?when=all&search={typed}").text,
    }
    wrong = [name for name, text in pages.items() if "Gala" not in text or "Another" in text]
    assert wrong == []


def offered(page: Element) -> dict[str, str]:
    found = page.all("div", "nothing")
    return {link.text: link.attributes["href"] for link in found[0].all("a") if "search=" in link.attributes["href"]}


@pytest.mark.both_stores
def test_nothing_found_offers_the_nearest_words_that_find_something(world: World, visit: Visit) -> None:
    library = world.make("venues", venue="Stadtbücherei Library")["id"]
    event(world, "Reading", "2027-03-10 19:00", venue=library)
    event(world, "LIVE MUSIC", "2020-03-10 19:00")  # over
    event(world, "Libraro", "2027-03-10 19:00", status="draft")
    event(world, "Quintessence", "2027-03-10 19:00", hide_from_listings=True)
    page = visit("/events/list/?search=libary")
    assert offered(page) == {"Library": "/events/list/?search=Library"}
    assert "Reading" in fetch(world, "/events/list/?search=Library").text
    assert list(offered(visit("/events/list/?search=lirbary"))) == ["Library"]  # exchanged
    assert list(offered(visit("/events/list/?search=stadtbucherai"))) == ["Stadtbücherei"]  # as it is written
    assert list(offered(visit("/events/list/?search=musci"))) == ["music"]
    assert list(offered(visit("/events/list/?search=readng+libary+-chess"))) == ["Reading Library -chess"]
    # Nothing that only hidden records have, nothing far away, and nothing that other filters leave out.
    for typed in ("quintessense", "xylophone", "liv", "readng+musci", "%22%22", "-libary"):
        assert "Did you mean" not in fetch(world, f"/events/list/?search={typed}").text
    assert "Did you mean" not in fetch(world, "/events/list/?search=libary&featured=true").text
    assert "Did you mean" not in fetch(world, "/events/list/?search=library").text


@pytest.mark.both_stores
def test_a_word_is_offered_as_long_as_it_finds_something(world: World, visit: Visit) -> None:
    made = event(world, "Orchestra", "2027-03-10 19:00")
    assert list(offered(visit("/events/list/?search=orchstra"))) == ["Orchestra"]
    category = world.make("categories", name="Kabarett")["id"]
    assert (
        world.put(f"/events/{made['id']}", json={"title": "Philharmonic", "categories": [category]}).status_code
        == 200
    )
    assert "Did you mean" not in fetch(world, "/events/list/?search=orchstra").text
    assert list(offered(visit("/events/list/?search=philharmonik"))) == ["Philharmonic"]
    assert list(offered(visit("/events/list/?search=cabarett"))) == ["Kabarett"]
    assert world.delete(f"/events/{made['id']}").status_code == 200
    assert "Did you mean" not in fetch(world, "/events/list/?search=philharmonik").text


def suggested(world: World, typed: str, lang: str = "") -> list[tuple[str, str, str, str]]:
    response = fetch(world, f"/events/suggestions?search={typed}{lang}")
    assert response.headers["content-type"].startswith("application/json")
    return [tuple(one.values()) for one in response.json()["suggestions"]]


@pytest.mark.both_stores
def test_suggestions_while_typing(world: World) -> None:
    hall = world.make("venues", venue="Harbour Hall", city="Leith", description="a library")["id"]
    music = world.make("categories", name="Harbour music")["id"]
    world.make("categories", name="Harbour of nothing")
    event(world, "By the harbour", "2027-03-12 19:00", venue=hall, categories=[music])
    event(world, "Harbour walk", "2027-03-10 19:00")
    event(world, "Harbour draft", "2027-03-10 19:00", status="draft")
    event(world, "Harbour before", "2020-03-10 19:00")
    event(world, "Sealed", "2027-03-10 19:00", post_password="x", description="harbour")
    world.make("venues", venue="Harbour store", status="draft")
    assert suggested(world, "harb") == [
        ("Events", "Harbour walk", "Wed, Mar 10, 2027", "/event/harbour-walk/"),
        ("Events", "By the harbour", "Fri, Mar 12, 2027", "/event/by-the-harbour/"),
        ("Venues", "Harbour Hall", "Leith", "/venue/harbour-hall/"),
        ("Categories", "Harbour music", "", "/events/category/harbour-music/"),
    ]
    assert [one[1] for one in suggested(world, "hárbour-hall")] == ["Harbour Hall"]
    assert suggested(world, "harb", "&lang=de")[0][0] == "Veranstaltungen"
    assert suggested(world, "harb", "&lang=de")[0][3] == "/event/harbour-walk/?lang=de"
    assert [suggested(world, typed) for typed in ("", "%20", "-harb", "x" * 500, "library")] == [[]] * 5
    assert 'data-suggestions="/events/suggestions?lang=de"' in fetch(world, "/events/list/?lang=de").text


def test_suggestions_are_kept_until_the_calendar_changes(world: World) -> None:
    event(world, "Harbour walk", "2027-03-10 19:00")
    first = fetch(world, "/events/suggestions?search=harb")
    assert "max-age" in first.headers["cache-control"]
    again = fetch(world, "/events/suggestions?search=harb", **{"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    event(world, "Harbour run", "2027-03-11 19:00")
    assert len(suggested(world, "harb")) == 2
