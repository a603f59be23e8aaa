-- Answers to writes that came with an Idempotency-Key, for a day, without secrets that are shown once. Of a batch that is
-- done in steps, `done` says how many of its requests are.
CREATE TABLE idempotency_key (
    id BLOB PRIMARY KEY,
    request BLOB NOT NULL,
    answer BLOB NOT NULL,
    done INTEGER NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX idempotency_key_at ON idempotency_key (at);
