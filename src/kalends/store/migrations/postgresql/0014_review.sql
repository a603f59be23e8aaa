-- Notes of editors to the authors of events that wait for review, and who sent an event by the public form.
CREATE TABLE review_note (
    id BIGINT PRIMARY KEY,
    event BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    author BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL
);
CREATE INDEX review_note_event ON review_note (event, id);

CREATE TABLE submission (
    event BIGINT PRIMARY KEY REFERENCES event (id) ON DELETE CASCADE,
    name TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL
);

INSERT INTO sequence (name, last) VALUES ('note', 0);
