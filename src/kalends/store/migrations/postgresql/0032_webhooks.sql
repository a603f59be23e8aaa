-- Receivers of changes. `place` is the change up to which everything was taken; `message` is the id of the message that
-- is under way, and `until` the change up to which it goes. `problem`: why it was switched off by itself.
CREATE TABLE webhook (
    id BIGINT PRIMARY KEY,
    url TEXT COLLATE "C" NOT NULL,
    kinds TEXT COLLATE "C" NOT NULL,
    sees TEXT COLLATE "C" NOT NULL,
    include TEXT COLLATE "C" NOT NULL,
    active INTEGER NOT NULL,
    description TEXT COLLATE "C" NOT NULL,
    secret TEXT COLLATE "C" NOT NULL,
    old_secret TEXT COLLATE "C" NOT NULL,
    old_until_utc TEXT COLLATE "C" NOT NULL,
    place BIGINT NOT NULL,
    message TEXT COLLATE "C" NOT NULL,
    until BIGINT NOT NULL,
    problem TEXT COLLATE "C" NOT NULL,
    created_utc TEXT COLLATE "C" NOT NULL
);
-- What was sent to them, and what came back. `status` is NULL where nothing did.
CREATE TABLE delivery (
    webhook BIGINT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    n BIGINT NOT NULL,
    message TEXT COLLATE "C" NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    status INTEGER,
    milliseconds BIGINT NOT NULL,
    sent TEXT COLLATE "C" NOT NULL,
    size BIGINT NOT NULL,
    response TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (webhook, n)
);
CREATE INDEX delivery_at ON delivery (at);

INSERT INTO sequence (name, last) VALUES ('webhook', 0);
INSERT INTO sequence (name, last) VALUES ('delivery', 0);
