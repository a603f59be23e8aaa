-- What somebody wishes of a record.
CREATE TABLE wish (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, record INTEGER NOT NULL, slug TEXT NOT NULL, "user" INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

-- The wishes of an event: what was sent, the seats of it, and how many of these are taken.
CREATE TABLE event_wishes (
    event INTEGER PRIMARY KEY REFERENCES event (id) ON DELETE CASCADE,
    wishes TEXT NOT NULL,
    seats INTEGER,
    taken INTEGER NOT NULL DEFAULT 0,
    CHECK (taken <= seats)
) STRICT;

--each KIND: event venue organizer
CREATE TABLE KIND_motto (
    KIND INTEGER PRIMARY KEY REFERENCES KIND (id) ON DELETE CASCADE,
    motto TEXT NOT NULL
) STRICT;
--end
