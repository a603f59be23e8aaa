-- Imports that somebody has started in the admin, with how far they are and what came of them.
CREATE TABLE import_job (
    id INTEGER PRIMARY KEY,
    "user" INTEGER NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    place TEXT NOT NULL,
    options TEXT NOT NULL,
    state TEXT NOT NULL,
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    report TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    updated_utc TEXT NOT NULL
) STRICT;

INSERT INTO sequence (name, last) VALUES ('import_job', 0);
