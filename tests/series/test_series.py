import pytest


@pytest.mark.both_stores
def test_first(world):
    body = {
        "title": "Yoga",
        "start_date": "2026-11-17 19:00:00",
        "end_date": "2026-11-17 20:00:00",
        "venue": {"venue": "Hall"},
        "categories": ["Sport"],
        "timezone": "Europe/Berlin",
    }
    r = world.post("/events", json=body | {"recurrence": "FREQ=WEEKLY;COUNT=5"})
    assert r.status_code == 201, r.text
    first = r.json()
    print(first)
    listed = world.get("/events").json()
    print(
        [
            (e["id"], e["slug"], e["start_date"], e["post_parent"], e["series"], e["recurrence"], e["original_start"])
            for e in listed["events"]
        ]
    )
    assert listed["total"] == 5
    second = listed["events"][1]
    r = world.put(f"/events/{second['id']}", json={"title": "Tai"})
    assert r.status_code == 200, r.text
    r = world.put(f"/events/{first['id']}?scope=all", json={"title": "Pilates", "start_date": "2026-11-17 20:00:00"})
    assert r.status_code == 200, r.text
    listed = world.get("/events").json()
    print([(e["id"], e["title"], e["start_date"], e["end_date"]) for e in listed["events"]])
