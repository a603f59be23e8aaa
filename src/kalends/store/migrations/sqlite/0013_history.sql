-- Who made each change, and what it replaced.
ALTER TABLE journal ADD COLUMN actor INTEGER NOT NULL DEFAULT 0;

CREATE TABLE version (
    rev INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    at TEXT NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE INDEX version_of_record ON version (kind, id, rev);
