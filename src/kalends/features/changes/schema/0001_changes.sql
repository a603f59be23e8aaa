-- Answers to writes that came with an Idempotency-Key, for a day. `answer` can be read with that key only, of which no
-- more than a digest is here; of a batch that is done in steps, `done` says how many of its requests are.
CREATE TABLE idempotency_key (
    id BLOB PRIMARY KEY,
    request BLOB NOT NULL,
    answer BLOB NOT NULL,
    done INTEGER NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX idempotency_key_at ON idempotency_key (at);
