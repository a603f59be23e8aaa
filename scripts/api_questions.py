"""The questions people really ask a calendar, each with commands that answer it.

`api_page.py` runs every command against the service and puts the answers beside them, so none of them can go stale.
"""

from dataclasses import dataclass
from typing import Any

# The page is written on this Friday morning in New York.
NOW_UTC = "2027-03-12 15:00:00"
SITE = {"base_url": "http://127.0.0.1:8000", "timezone": "America/New_York"}

# What the calendar holds before the first question.
HALL = {
    "venue": "Harbour Hall",
    "address": "1 Pier Street",
    "city": "Brooklyn",
    "geo_lat": 40.7003,
    "geo_lng": -73.9967,
}
LIBRARY = {"venue": "City Library", "city": "Newark", "geo_lat": 40.7357, "geo_lng": -74.1724}
FIRST_RECORDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("venues", HALL),
    ("venues", LIBRARY),
    (
        "events",
        {
            "title": "Maps of the Harbour (exhibition)",
            "start_date": "2027-03-01 10:00",
            "end_date": "2027-03-28 18:00",
            "venue": 2,
            "categories": "Exhibitions",
        },
    ),
    (
        "events",
        {
            "title": "Lunch with a Poet",
            "start_date": "2027-03-12 12:30",
            "end_date": "2027-03-12 13:30",
            "venue": 2,
            "cost": 0,
        },
    ),
    (
        "events",
        {
            "title": "Sea Shanties",
            "start_date": "2027-03-13 20:00",
            "end_date": "2027-03-13 23:00",
            "venue": 1,
            "cost": "$12",
            "categories": "Music",
        },
    ),
    (
        "events",
        {"title": "Tide Walk", "start_date": "2027-04-02 08:00", "end_date": "2027-04-02 10:00", "venue": 1},
    ),
)


@dataclass(frozen=True)
class Step:
    """A command, the status it must get, and what of the answer is shown. `meanwhile` is what others did in the
    hour before it. `gives` is a variable that the commands after it use, and where in the answer its value is; `ETag`
    is the header."""

    command: str
    keep: str = "events.title,events.start_date,events.end_date,total"
    status: int = 200
    headers: tuple[str, ...] = ()
    before: str = ""
    meanwhile: tuple[str, ...] = ()
    gives: tuple[str, str] | None = None


@dataclass(frozen=True)
class Question:
    title: str
    text: str
    steps: tuple[Step, ...]
    program: str = ""  # in Python, shown at the end


# Without a library; those of standardwebhooks.com do the same.
RECEIVER = """import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        id, at = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        mine = hmac.new(KEY, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
        theirs = [base64.b64decode(one[3:]) for one in self.headers["webhook-signature"].split()]
        is_real = any(hmac.compare_digest(mine, one) for one in theirs) and abs(time.time() - int(at)) < 300
        for change in json.loads(body)["data"]["changes"] if is_real else []:
            print(change["change"], change["kind"], change["id"], flush=True)  # do it, then answer
        self.send_response(204 if is_real else 401)
        self.end_headers()


HTTPServer(("", 8001), Receiver).serve_forever()
"""

QUESTIONS = (
    Question(
        "What is on today?",
        "Everything that starts before the day is over and had not ended when it began, so the exhibition that has"
        " been open for days is there too. Both filters look at whole days and mean the *end* of"
        " the day that they name.",
        (Step('curl "$NS/events?starts_before=today&ends_after=yesterday"'),),
    ),
    Question(
        "What is on this weekend?",
        "The same with two dates: before the end of Sunday, after the end of Friday.",
        (Step('curl "$NS/events?starts_before=2027-03-14&ends_after=2027-03-12"'),),
    ),
    Question(
        "What is on near me?",
        "A point and how many kilometres around it. Venues need coordinates (`geo_lat`, `geo_lng`) to be found.",
        (
            Step(
                'curl "$NS/events?geoloc_lat=40.7061&geoloc_lng=-73.9969&geoloc_radius=5"',
                "events.title,events.start_date,events.venue.venue,total",
            ),
        ),
    ),
    Question(
        "What is on at this venue?",
        "Find the venue's id once, then ask for its events. Without any date that is from now on, for two years.",
        (
            Step(
                'curl "$NS/venues?search=harbour"',
                "venues.id,venues.venue,venues.city,total",
                gives=("VENUE", "venues.0.id"),
            ),
            Step('curl "$NS/events?venue=$VENUE&per_page=1"', "events.title,next_rest_url,total,total_pages"),
        ),
    ),
    Question(
        "How do I create an event with a new venue?",
        "Send the venue as an object inside the event: both are made, or neither. Sent again, the same object finds"
        " the venue that is there by now. A category that does not exist yet is made too, if you may.",
        (
            Step(
                'curl -i "$NS/events" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d \'{\n'
                '  "title": "Night of the Lighthouses",\n'
                '  "start_date": "2027-06-21 21:00",\n'
                '  "end_date": "2027-06-22 01:00",\n'
                '  "cost": ["$10", "$25"],\n'
                '  "categories": ["Festivals"],\n'
                '  "venue": {"venue": "Old Lighthouse", "city": "Montauk", "geo_lat": 41.071, "geo_lng": -71.857}\n'
                "}'",
                "id,status,title,url,start_date,utc_start_date,cost,categories.name,venue.id,venue.venue",
                status=201,
                headers=("Location",),
                gives=("EVENT", "id"),
            ),
            Step(
                'curl "$NS/events" -u "admin:$PASSWORD" -d title="Harbour Swim" -d venue=$VENUE \\\n'
                '  -d start_date="July 4, 2027 9am" -d end_date="July 4, 2027 11am"',
                "id,status,title,start_date,venue.venue",
                status=201,
                before="A form works as well, and so do a name and a password:",
            ),
        ),
    ),
    Question(
        "How do I keep a copy of everything?",
        "Ask `/changes`. Without `since` it tells everything that you can read, by the number of the last change of"
        " each record; send `next` as `since` until `more` is false, and then, whenever you like, go on in the same"
        " way. With `include=records` each change brings its record as its own address shows it to you, and with"
        " `expand=events` also come the events that show a venue, an organizer, a category, a tag or a series that"
        " has changed. After every page without `more`, your copy is what reading every record would give."
        " Keep tokens as they are: what is in them may change.",
        (
            Step('curl "$NS/changes?limit=3"', "", gives=("NEXT", "next")),
            Step(
                'curl "$NS/changes?limit=100&since=$NEXT"',
                "changes.rev,changes.kind,changes.id,changes.change,next,more",
                before="And so on, until there is no more:",
                gives=("NEXT", "next"),
            ),
            Step(
                'curl "$NS/changes?include=records&expand=events&since=$NEXT"',
                "changes.rev,changes.kind,changes.id,changes.change,changes.slug,changes.because,changes.record.title,"
                "changes.record.venue.phone,next,more",
                before="An hour later an event has another title, one is in the trash, and a venue has another phone,"
                " which two events show. What you could read and no longer can is `gone`, however that came"
                " about; what you never could read is never named.",
                meanwhile=(
                    'curl "$NS/events/4" -H "Authorization: Bearer $TOKEN" -d title="Lunch with two Poets"',
                    'curl -X DELETE "$NS/events/6" -H "Authorization: Bearer $TOKEN"',
                    'curl "$NS/venues/1" -H "Authorization: Bearer $TOKEN" -d phone="+1 555 0100"',
                ),
            ),
            Step(
                'curl "$NS/changes?since=0d5e2a.17"',
                "code,message",
                status=410,
                before="Changes are remembered for ninety days (`changes_days`). A token that is older, or from"
                " before a backup was restored, the time zone changed or your role did, is answered with `410`: begin"
                " again without `since`.",
            ),
            Step(
                'curl -i "$NS/events/$EVENT"',
                "id,title,rev",
                headers=("ETag", "Cache-Control"),
                gives=("ETAG", "ETag"),
                before="With `wait=25` an answer without changes waits for the first one, up to 25 seconds, so a copy"
                " is never more than a moment behind. A whole mirror (`scripts/mirror.py`):\n\n{mirror}\n\n"
                "To watch a single page or event instead, keep its `ETag`…",
            ),
            Step(
                'curl -i "$NS/events/$EVENT" -H "If-None-Match: $ETAG"',
                "",
                status=304,
                headers=("ETag",),
                before="…and send it along the next time: `304`, without a body, says that yours is still right.",
            ),
        ),
    ),
    Question(
        "How does a program of mine keep the calendar in step?",
        "Name each record by a `source` and the `external_id` that it has there, as an editor. The same address"
        " creates it, changes it, reads it and removes it, and the same again changes nothing; the id of an event"
        " that repeats names the whole series. A program to copy, and what becomes of changes that people make here,"
        " is in [Importing again and again](importing-again.md).",
        (
            Step(
                'curl -X PUT "$NS/events/by-external/box-office/4711" -H "Authorization: Bearer $TOKEN" \\\n'
                '  -d title="Jazz night" -d start_date="2027-03-16 20:00" -d end_date="2027-03-16 23:00"',
                "title,source,external_id",
                status=201,
            ),
            Step('curl "$NS/events?source=box-office"', "events.title,total"),
            Step(
                'curl -X DELETE "$NS/events/by-external/box-office/4711?force=true"'
                ' -H "Authorization: Bearer $TOKEN"',
                "title,status",
            ),
        ),
    ),
    Question(
        "How does another program hear of changes at once?",
        "Add a webhook, as an administrator. The answer has its `secret`, which is not shown again. From then on"
        " pages of changes are sent to the address, a moment after something changed: in order, each after the one"
        " before it was taken with a 2xx within 15 seconds, and again under the same `webhook-id` until it was."
        " Addresses have to be public (or see `webhooks_allow_private`), and the setting `base_url` has to be set.",
        (
            Step(
                'curl "$NS/webhooks" -H "Authorization: Bearer $TOKEN" \\\n'
                "  -d url=https://mirror.example/hook -d include=records",
                "id,url,kinds,sees,include,active",
                status=201,
                gives=("WEBHOOK", "id"),
            ),
            Step(
                'curl "$NS/webhooks/$WEBHOOK/deliveries" -H "Authorization: Bearer $TOKEN"',
                "deliveries",
                before="What was sent in the last 30 days, and what came back. `POST …/deliveries/{n}/resend` sends a"
                " message again, `POST …/test` sends one without changes, `POST …/rotate` makes another secret; for"
                " 24 hours both sign. What is not taken is tried again after 5 seconds, 1, 5 and 30 minutes, 2, 5,"
                " 10, 14, 20 and 24 hours; then, or after a 410, the webhook is switched off. Switched on"
                " (`active=true`), it goes on where it stopped. After a restore or a move, and after a longer"
                " pause than changes are kept, the first message is of the type `changes_expired`: what was"
                " before is not known, so read everything again and go on with its `next`.",
            ),
        ),
        RECEIVER,
    ),
    Question(
        "How do I subscribe in a calendar program?",
        "Give it the list as a feed: `/events.ics` takes every filter of the list, shows the same events to the same"
        " eyes, and refuses what the list refuses. It has no pages: all the events of the window come at once, so"
        " `page`, `per_page`, `orderby` and `order` are not read. An event that goes to the trash stays in it as"
        " cancelled for ninety days, so that programs take it out.",
        (Step('curl -i "$NS/events.ics?categories=music"', headers=("Content-Type", "ETag")),),
    ),
    Question(
        "How do I repeat a write that broke off?",
        "Send every write with an `Idempotency-Key` of its own, 1 to 255 visible ASCII characters such as a UUID, and"
        " repeat it with the same key until an answer comes. It is done once: for 24 hours the same request with the"
        " same key gets the same answer, with `Idempotency-Replayed: true`, from every worker and node. The answer is"
        " stored in the transaction of the write. One with a secret that is shown once (a new token, a webhook) is"
        ' not: the same request again is 200 with `{"repeated": true}` and the address of the record. A refusal is'
        " not stored, and another request under the same key is 422.",
        (
            Step(
                'curl "$NS/tags" -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: 0f1c-77" -d name="Harbour"',
                "id,name",
                status=201,
            ),
            Step(
                'curl -i "$NS/tags" -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: 0f1c-77" \\\n'
                '  -d name="Harbour"',
                "id,name",
                status=201,
                headers=("Idempotency-Replayed",),
                before="The same again is no second tag:",
            ),
        ),
    ),
    Question(
        "How do I send many writes at once?",
        "`POST $NS/batch` takes 1 to 100 of them and answers 207 with an answer for each, in their order. They are"
        " one transaction: if one is refused, nothing is done, and the others answer 424. With `atomic: false` each"
        " stands alone, and there may be 500. A path is relative to `$NS`; `headers` may have `If-Match`. An atomic"
        " batch that takes a second, as one of long series may, is 413: send fewer requests at a time. A batch may"
        " have an `Idempotency-Key`; one with `atomic: false` that was cut off then goes on where it was.",
        (
            Step(
                'curl "$NS/batch" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\\n'
                '  -d \'{"requests": [{"method": "POST", "path": "/tags", "body": {"name": "Open air"}}, '
                '{"method": "POST", "path": "/venues", "body": {"venue": "Old Pier"}}]}\'',
                "responses.status,responses.headers",
                status=207,
            ),
        ),
    ),
    Question(
        "How do I publish later?",
        "Give it a publication `date` that is to come. It is kept as `future` and is public from that second on.",
        (
            Step(
                'curl "$NS/events" -H "Authorization: Bearer $TOKEN" -d title="Surprise Concert" \\\n'
                '  -d start_date="2027-05-01 20:00" -d end_date="2027-05-01 22:00" -d date="2027-04-01 09:00"',
                "id,status,date,date_utc,title",
                status=201,
            ),
            Step(
                'curl "$NS/events?search=surprise"',
                before="Until then anonymous readers do not find it:",
            ),
        ),
    ),
    Question(
        "How do I protect an event with a password?",
        "Set `post_password`; an empty one removes it. In lists the event stays with its title and dates, and without"
        " its details.",
        (
            Step(
                'curl -X PATCH "$NS/events/$EVENT" -H "Authorization: Bearer $TOKEN" -d post_password="ahoy"',
                "id,title,status",
            ),
            Step('curl "$NS/events/$EVENT"', "", status=403),
            Step('curl "$NS/events/$EVENT?password=ahoy"', "id,title,cost,venue.venue"),
        ),
    ),
    Question(
        "How do I make an event repeat?",
        "Send `recurrence`, a rule as iCalendar writes it, or an object of `rule`, `dates` and `exceptions`. Every"
        " occurrence is an event of its own, with its own id and address, so a client that knows nothing of series"
        " sees ordinary events. Times repeat on the local clock. Without an end the next two years are there, and"
        " further ones are added as time goes by; at most 1,000 dates are to come. Of those that are over when the"
        " series is made, it gets the last 500, and the answer is the first of them.",
        (
            Step(
                'curl "$NS/events" -H "Authorization: Bearer $TOKEN" -d title="Choir" \\\n'
                '  -d start_date="2027-09-07 19:00" -d end_date="2027-09-07 21:00" -d venue=$VENUE \\\n'
                '  -d recurrence="FREQ=WEEKLY;COUNT=4"',
                "id,title,slug,start_date,series,series_of,recurrence,original_start,post_parent",
                status=201,
            ),
            Step(
                'curl -X PATCH "$NS/events/by-slug/choir-2027-09-14" -H "Authorization: Bearer $TOKEN" \\\n'
                '  -d start_date="2027-09-15 19:00" -d end_date="2027-09-15 21:00" -d title="Choir, a day late"',
                "id,title,start_date,original_start",
                before="A change is about this one occurrence, and what it sets stays its own:",
            ),
            Step(
                'curl -X PATCH "$NS/events/by-slug/choir-2027-09-07" -H "Authorization: Bearer $TOKEN" \\\n'
                '  -d scope=all -d title="Evening choir" \\\n'
                '  -d start_date="2027-09-07 20:00" -d end_date="2027-09-07 22:00"',
                "id,title,start_date",
                before="The first publication of a series, or its way to review, is that of all its dates, whichever"
                " of them is sent `status`; `scope=this` publishes one. With `scope=all` a change is about all of"
                " them, and with `scope=following` about this one and those after it, which then are a series of"
                " their own: the earlier one ends before this date, `series_of` of both is the number of the first,"
                " and `series=ID&whole=true` lists them together. A moved time moves the others as far:",
            ),
            Step(
                'curl -X DELETE "$NS/events/by-slug/choir-2027-09-28" -H "Authorization: Bearer $TOKEN"',
                "id,status,recurrence",
                before="A deleted occurrence is an exception of the rule:",
            ),
            Step(
                'curl "$NS/events?search=choir"',
                "events.title,events.start_date,total",
                before="What is left, and the same with one entry for each series:",
            ),
            Step(
                'curl "$NS/events?search=choir&collapse=series"',
                "events.title,events.start_date,events.occurrences,total",
            ),
        ),
    ),
    Question(
        "How do I write a date?",
        "`2027-03-10`, `2027-3-10 7pm`, `2027/03/10T19:00`, `10.03.2027 19:00`, `10-03-2027`, `03/10/27`,"
        " `20270310T190000Z`, `2027-03-10T19:00:00+01:00`, `March 10, 2027 at 7:30 pm`,"
        " `Wed, 10 Mar 2027 19:00:00 +0100`, a unix timestamp,"
        " `tomorrow noon`, `friday 8pm` (the next one, today included), `next monday`, `+3 days`,"
        " `2 weeks ago`, `last day of next month`. Eight digits are a day. What is none of these is refused, and the"
        " message shows what was sent.",
        (Step('curl "$NS/events?start_date=soon"', "code,message", status=400),),
    ),
    Question(
        "Why is my filter ignored?",
        "A parameter that an address does not know is ignored, and the answer has a `Warning` header that names it,"
        " with the closest one that is known: code 299, in English, at most three names.",
        (Step('curl -i "$NS/events?categry=music"', "total", headers=("Warning",)),),
    ),
)
