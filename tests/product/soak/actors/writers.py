"""Writers: create, change and delete events of their own, and notice when one is lost or half written."""

from dataclasses import dataclass

import httpx
from tests.product.soak.actors.actor import Actor

FIELDS = ("title", "description", "excerpt")
MOST_KNOWN = 400


@dataclass
class Known:
    """An event: the stamp that was acknowledged last, or None after a deletion; unsure when an answer never came."""

    id: int
    stamp: str | None
    sure: bool = True


class Writer(Actor):
    """Every write sends the same stamp in three fields, so half of one would show."""

    name = "writers"
    pause = 0.05

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.known: list[Known] = []

    def step(self) -> None:
        doing = self.random.random()
        if (doing < 0.3 and len(self.known) < MOST_KNOWN) or not self.known:
            self.create()
            return
        known = self.random.choice(self.known)
        if doing < 0.55:
            self.update(known)
        elif doing < 0.62:
            self.delete(known)
        else:
            self.read_back(known)

    def stamp(self) -> str:
        return f"w{self.number}x{self.random.randrange(10**9)}"

    def fields(self, stamp: str) -> dict[str, object]:
        return dict.fromkeys(FIELDS, stamp)

    def create(self) -> None:
        stamp, day = self.stamp(), self.random.randint(1, 28)
        body = self.fields(stamp) | {
            "start_date": f"2027-03-{day:02} 09:00:00",
            "end_date": f"2027-03-{day:02} 11:00:00",
            "venue": {"venue": f"Venue {self.random.randrange(20)}"},
            "organizer": {"organizer": f"Organizer {self.random.randrange(20)}"},
            "categories": [f"Category {self.random.randrange(10)}"],
            "tags": [f"tag-{self.random.randrange(10)}"],
            "status": self.random.choice(["publish", "publish", "draft", "private"]),
        }
        answer = self.ask("POST", "/events", json=body, headers=self.log_in)
        if answer is not None:
            if answer.status_code == 201:
                self.known.append(Known(answer.json()["id"], stamp))
            else:
                self.results.fail(f"an event was not created: {answer.text[:300]}")

    def update(self, known: Known) -> None:
        if known.stamp is None:
            return
        stamp = self.stamp()
        answer = self.ask("POST", f"/events/{known.id}", json=self.fields(stamp), headers=self.log_in)
        if answer is None:
            known.sure = False
        elif known.sure:
            self.expect(answer.status_code == 200, known, answer)
            known.stamp = stamp

    def delete(self, known: Known) -> None:
        answer = self.ask("DELETE", f"/events/{known.id}?force=true", headers=self.log_in)
        if answer is None:
            known.sure = False
        elif known.sure:
            self.expect(answer.status_code == (404 if known.stamp is None else 200), known, answer)
            known.stamp = None

    def read_back(self, known: Known) -> None:
        answer = self.ask("GET", f"/events/{known.id}", headers=self.log_in)
        if answer is not None:
            self.check(known, answer)

    def check(self, known: Known, answer: httpx.Response) -> None:
        """Nothing acknowledged is lost, and nothing is there by halves."""
        if answer.status_code == 200:
            json = answer.json()
            stamps = {json["title"], json["description"].strip(), json["excerpt"].strip()}
            plain = {stamp.removeprefix("<p>").removesuffix("</p>") for stamp in stamps}
            self.expect(len(plain) == 1, known, answer)
            self.expect(not known.sure or plain == {known.stamp}, known, answer)
        elif known.sure:
            self.expect(answer.status_code == 404 and known.stamp is None, known, answer)

    def expect(self, holds: bool, known: Known, answer: httpx.Response) -> None:
        if not holds:
            self.results.fail(f"{known}: {answer.status_code} {answer.text[:300]}")
