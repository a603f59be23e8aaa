-- Who has cheered for a record, and until when that is possible for an event, in UTC.
CREATE TABLE cheer (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, record INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
CREATE TABLE cheer_time (event INTEGER PRIMARY KEY, closes TEXT NOT NULL) STRICT;
