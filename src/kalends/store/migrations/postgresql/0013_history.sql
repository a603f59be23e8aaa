-- Who made each change, and what it replaced.
ALTER TABLE journal ADD COLUMN actor BIGINT NOT NULL DEFAULT 0;

CREATE TABLE version (
    rev BIGINT PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    data TEXT COLLATE "C" NOT NULL
);
CREATE INDEX version_of_record ON version (kind, id, rev);
