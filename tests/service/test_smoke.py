def test_event_create_and_read(world):
    made = world.make("events", title="Concert", venue={"venue": "Hall"})
    assert world.read("events", made["id"])["venue"]["venue"] == "Hall"
    assert world.get("/events/by-slug/concert").json()["id"] == made["id"]
    assert world.post("/events", "anonymous", json={}).status_code == 401
