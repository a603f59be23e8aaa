INSERT INTO sequence (name, last) VALUES ('security_event', 0);

-- Who signed in, was refused, or has other rights. Names stay when the people have gone. `times`: how often in a row.
CREATE TABLE security_event (
    id INTEGER PRIMARY KEY,
    what TEXT NOT NULL,
    at TEXT NOT NULL,
    "user" INTEGER NOT NULL,
    name TEXT NOT NULL,
    actor TEXT NOT NULL,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    about TEXT NOT NULL,
    times INTEGER NOT NULL
);
CREATE INDEX security_event_at ON security_event (at);
CREATE INDEX security_event_what ON security_event (what, id);
