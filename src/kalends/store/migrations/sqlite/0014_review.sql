-- Notes of editors to the authors of events that wait for review, and who sent an event by the public form.
CREATE TABLE review_note (
    id INTEGER PRIMARY KEY,
    event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    author INTEGER NOT NULL,
    at TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX review_note_event ON review_note (event, id);

CREATE TABLE submission (
    event INTEGER PRIMARY KEY REFERENCES event (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

INSERT INTO sequence (name, last) VALUES ('note', 0);
