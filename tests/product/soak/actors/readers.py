"""Readers: lists, single records, pages and searches, mostly anonymous."""

from tests.product.soak.actors.actor import Actor

LISTS = (
    "/events?start_date=2027-01-01&per_page=20",
    "/events?start_date=2027-01-01&per_page=20&page=2",
    "/venues",
    "/organizers",
    "/categories",
    "/tags",
    "/doc",
    "",
)
PAGES = ("/events/", "/events/list/2027-03-10", "/events/month/2027-03", "/docs", "/sitemap.xml", "/events.rss")
EXPECTED = (200, 304, 404)


class Reader(Actor):
    name = "readers"
    pause = 0.02

    def step(self) -> None:
        if self.random.random() < 0.3:
            answer = self.ask("GET", self.random.choice(PAGES), page=True)
        else:
            headers = self.log_in if self.random.random() < 0.2 else {}
            answer = self.ask("GET", self.random.choice(LISTS), headers=headers)
        if answer is not None and answer.status_code not in EXPECTED:
            self.results.fail(f"{answer.request.url}: {answer.status_code} {answer.text[:300]}")


class Searcher(Actor):
    name = "searches"
    pause = 0.1

    def step(self) -> None:
        words = self.random.choice(["w1x", "w2x1", "Venue", "w", '"w1x5"', "nothing-at-all", "é" * 50])
        answer = self.ask("GET", "/events", params={"search": words, "start_date": "2027-01-01"})
        if answer is not None and answer.status_code != 200:
            self.results.fail(f"a search for {words}: {answer.status_code} {answer.text[:300]}")
