-- Answers to writes that came with an Idempotency-Key, for a day. `answer` can be read with that key only, of which no
-- more than a digest is here; of a batch that is done in steps, `done` says how many of its requests are.
CREATE TABLE idempotency_key (
    id BYTEA PRIMARY KEY,
    request BYTEA NOT NULL,
    answer BYTEA NOT NULL,
    done BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL
);

CREATE INDEX idempotency_key_at ON idempotency_key (at);
