-- What somebody wishes of a record.
CREATE TABLE wish (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, record INTEGER NOT NULL, slug TEXT NOT NULL, "user" INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
