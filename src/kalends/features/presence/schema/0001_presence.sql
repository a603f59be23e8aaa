-- Who has the editor of an event open, or of the series of that number, and until when that counts.
CREATE TABLE editing (
    record INTEGER NOT NULL, "user" INTEGER NOT NULL, until_utc TEXT NOT NULL, PRIMARY KEY (record, "user")
) STRICT;
